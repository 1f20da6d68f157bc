import AssetStore
import Foundation
import StoreFiles
import SystemPackage
import TestSupport
import Testing

@testable import OfflineServer

@Suite("export into one file", .fewAtOnce, .timeLimit(.minutes(5)), .enabled(if: EncodedStream.isPossible))
struct FileExportTests {
    @Test(
        "writes the server's bytes, and leaves no other file",
        arguments: [EncodedStream.encrypted, .separate])
    func same(_ stream: EncodedStream) async throws {
        try await withProgram(stream) { program, token, served in
            let folder = try TemporaryDirectory()
            let outcome = try await program.run("export", "\(token)", folder.file("film.mp4"))
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try folder.read("film.mp4") == served)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["film.mp4"])
            let again = try await program.run("export", "\(token)", folder.file("film.mp4"))
            #expect(again.status == 1 && again.errors.contains("--force"))
        }
    }

    @Test("continues an earlier file, also through a running server", arguments: [false, true])
    func resumed(whileServing: Bool) async throws {
        try await withProgram(.packets) { program, token, served in
            let folder = try TemporaryDirectory()
            let tag = try #require(try await Self.tag(of: token, program))
            let boot = try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
            let part = ".film.mp4.\(tag.filter(\.isHexDigit).prefix(16))-\(boot.prefix(8)).part"
            // The present bytes are kept: a changed byte shows that they were not written again.
            var begun = Array(served.prefix(served.count / 2))
            begun[begun.count - 1] ^= 1
            try folder.write(begun, to: part)
            // Another version, and a file from before the machine's restart.
            try folder.write([1], to: ".film.mp4.0123456789abcdef.part")
            try folder.write([1], to: ".film.mp4.\(tag.filter(\.isHexDigit).prefix(16))-00000000.part")
            let export = {
                try await program.run("export", "\(token)", folder.file("film.mp4"))
            }
            let outcome =
                whileServing ? try await program.serving { _ in try await export() } : try await export()
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try folder.read("film.mp4") == begun + served.dropFirst(begun.count))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["film.mp4"])
        }
    }

    private static func tag(of token: AssetToken, _ program: Program) async throws -> String? {
        try await program.serving { ready in
            try await blocking {
                try RawHTTPClient(port: ready.port).tag(of: "/assets/\(token)/video.mp4", ready.port)
            }
        }
    }

    @Test("keeps what it has written when a segment is gone, and says what to do", arguments: [false, true])
    func segmentGone(whileServing: Bool) async throws {
        try await withProgram(.fragments) { program, token, served in
            let folder = try TemporaryDirectory()
            let segments = try FileManager.default.subpathsOfDirectory(atPath: program.store.path)
                .filter { $0.hasSuffix(".m4s") && $0.contains("\(token)/video") }
            let last = try #require(
                segments.max { $0.localizedStandardCompare($1) == .orderedAscending })
            try FileManager.default.removeItem(atPath: program.store.file(last))
            let export = {
                try await program.run("export", "\(token)", folder.file("film.mp4"))
            }
            let outcome =
                whileServing ? try await program.serving { _ in try await export() } : try await export()
            #expect(
                outcome.status == 1 && outcome.errors.contains("offline-server repair \(token)"),
                "\(outcome.errors)")
            #expect(!outcome.errors.contains("--help") && !outcome.errors.contains("http://"))
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            let part = try #require(names.first { $0.hasSuffix(".part") })
            let written = try folder.read(part)
            #expect(names.count == 1 && written.count < served.count && served.starts(with: written))
        }
    }

    @Test("names tracks that are not completely stored, and keeps a download that would lose them")
    func leftOut() async throws {
        let folder = try TemporaryDirectory()
        let stream = FilmWithSubtitles()
        _ = try EncodedStream.packets.write(to: folder)
        let origin = try OriginServer()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            origin.serve("/\(name)", bytes: try folder.read(name))
        }
        origin.serve("/master.m3u8", bytes: stream.master)
        origin.serve("/text.m3u8", bytes: stream.playlist)
        origin.serve("/0.vtt", bytes: stream.cues)
        let program = try Program()
        let outcome = try await program.run(
            "download", origin.url("/master.m3u8"), "-o", folder.file("film.mp4"), "--forget")
        let note = "not in it, or not completely"
        #expect(outcome.status == 0 && outcome.errors.contains(note), "\(outcome.errors)")
        #expect(outcome.errors.contains("stays in the store"), "\(outcome.errors)")
        let token = try #require(try await program.run("list", "--json").array.first?["token"] as? String)
        let again = try await program.run("export", token, folder.file("again.mp4"), "--json")
        #expect((again.object["left_out"] as? [String])?.count == 1, "\(again.output)")
        let wanted = try await program.run(
            "export", token, folder.file("wanted.mp4"), "--subtitles", "none", "--json")
        #expect(wanted.object["left_out"] as? [String] == [])
        origin.stop()
    }

    @Test("keeps a download whose subtitles have no place in the file")
    func noPlace() async throws {
        let (folder, stream) = (try TemporaryDirectory(), FilmWithSubtitles())
        _ = try EncodedStream.packets.write(to: folder)
        try folder.write(stream.master, to: "master.m3u8")
        try folder.write(stream.wholePlaylist, to: "text.m3u8")
        try folder.write(stream.cues, to: "0.vtt")
        let (origin, program) = (try OriginServer(), try Program())
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            origin.serve("/\(name)", bytes: try folder.read(name))
        }
        let outcome = try await program.run(
            "download", origin.url("/master.m3u8"), "-o", folder.file("film.ts"), "--forget")
        let note = ".ts files have no place for subtitles (subtitles-en)"
        #expect(outcome.status == 0 && outcome.errors.contains(note), "\(outcome.errors)")
        #expect(try await program.run("list", "--json").array.count == 1)
        origin.stop()
    }

    @Test("names the video of a file that skips what was lost of it")
    func skipped() async throws {
        let folder = try TemporaryDirectory()
        let playlist = try EncodedStream.packets.write(to: folder)
        let (origin, program) = (try OriginServer(), try Program())
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        let lost = try #require(names.last { $0.hasSuffix(".ts") })
        for name in names where name != lost { origin.serve("/\(name)", bytes: try folder.read(name)) }
        let name = try #require(playlist.split(separator: "/").last)
        _ = try await program.run("download", origin.url("/\(name)"))
        let token = try #require(try await program.run("list", "--json").array.first?["token"] as? String)
        let outcome = try await program.run(
            "export", token, folder.file("film.mp4"), "--skip-gaps", "--json")
        #expect(outcome.status == 0 && outcome.object["left_out"] as? [String] == ["video"], "\(outcome)")
        origin.stop()
    }

    @Test("has subtitles in time when the sound begins before the picture", arguments: ["mp4", "mkv"])
    func subtitleTimes(_ kind: String) async throws {
        let source = try TemporaryDirectory()
        let words =
            "ffmpeg -nostdin -v error -itsoffset 1 -f lavfi -i testsrc2=s=160x90:r=25:d=5 -f lavfi -i sine=d=6 -map 0 -map 1 -c:v libx264 -preset ultrafast -g 25 -c:a aac -f hls -hls_time 2 -hls_playlist_type vod index.m3u8"
        #expect(
            try await blocking {
                try ChildProcess("/bin/sh", ["-c", "cd '\(source.path)' && \(words)"]).wait()
            } == 0
        )
        let stream = FilmWithSubtitles()
        try source.write(stream.master, to: "master.m3u8")
        try source.write(stream.wholePlaylist, to: "text.m3u8")
        // The clock of the transport stream begins with the sound, at 1.4 s.
        let cues =
            "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:126000,LOCAL:00:00:00.000\n\n00:02.500 --> 00:03.500\nFjord\n"
        try source.write(Array(cues.utf8), to: "0.vtt")
        let program = try Program()
        let token = try await program.run("import", source.path).output.prefix { !$0.isWhitespace }
        let folder = try TemporaryDirectory()
        let outcome = try await program.run("export", String(token), folder.file("film.\(kind)"))
        #expect(outcome.status == 0, "\(outcome.errors)")
        let list =
            "cd '\(folder.path)' && ffprobe -v error -select_streams s:0 -show_entries packet=pts_time -of csv=p=0 film.\(kind) > times"
        #expect(try await blocking { try ChildProcess("/bin/sh", ["-c", list]).wait() } == 0)
        let times = String(decoding: try folder.read("times"), as: UTF8.self).split(separator: "\n")
        #expect(times.compactMap { Double($0) }.contains { abs($0 - 2.5) < 0.05 }, "\(times)")
    }

    @Test("writes a file for each stretch without a change of codecs")
    func parts() async throws {
        try await withProgram(.changing) { program, token, _ in
            let folder = try TemporaryDirectory()
            let refused = try await program.run("export", "\(token)", folder.file("film.mp4"))
            #expect(refused.status == 1 && refused.errors.contains("--parts"))
            let outcome = try await program.run("export", "\(token)", folder.file("film.mp4"), "--parts")
            #expect(outcome.status == 0, "\(outcome.errors)")
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            #expect(names == ["film-1.mp4", "film-2.mp4"])
            #expect(try await DecodedFilm.read(folder.file("film-1.mp4")).pictures.count == 150)
            #expect(try await DecodedFilm.read(folder.file("film-2.mp4")).pictures.count == 100)
            let other = try await program.run("export", "\(token)", folder.file("film.ts"), "--parts")
            #expect(other.status == 0, "\(other.errors)")
            #expect(try await DecodedFilm.read(folder.file("film-2.ts")).pictures.count == 100)
        }
    }

    @Test("refuses impossible files at once, with the remedy")
    func refused() async throws {
        try await withProgram(.packets) { program, token, _ in
            let folder = try TemporaryDirectory()
            let place = folder.file("none/film.mp4")
            for words in [
                ["export", "\(token)", place], ["download", "http://127.0.0.1:1/a.m3u8", "-o", place],
            ] {
                let outcome = try await program.run(words)
                #expect(
                    outcome.status == 64
                        && outcome.errors.contains("there is no folder \(folder.file("none"))"))
            }
            let elsewhere = try await program.run("export", "\(token)", "/proc/film.mp4")
            #expect(elsewhere.status == 1 && elsewhere.errors.contains("choose a folder"))
            #expect(!elsewhere.errors.contains("continues"))
            let track = try await program.run("export", "\(token)", folder.file("film.mp4"), "--audio", "fr")
            #expect(track.status == 64 && track.errors.contains("no track fr"))
            let two = try await program.run(
                "download", "http://127.0.0.1:1/a.m3u8", "http://127.0.0.1:1/b.m3u8", "-o",
                folder.file("film.mp4"))
            #expect(two.status == 64 && two.errors.contains("--output takes one stream"))
            #expect(try await program.run("list", "--json").output.contains("b.m3u8") == false)
        }
    }

    @Test("of a download that was stored, but could not become that file, says how to write another")
    func otherFile() async throws {
        let folder = try TemporaryDirectory()
        let words = [
            "ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=r=48000:d=2", "-c:a", "libopus",
            "-f",
            "hls", "-hls_segment_type", "fmp4", "-hls_playlist_type", "vod", folder.file("index.m3u8"),
        ]
        #expect(try ChildProcess("/usr/bin/env", words).wait() == 0)
        let origin = try OriginServer()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            origin.serve("/\(name)", bytes: try folder.read(name))
        }
        let program = try Program()
        let outcome = try await program.run(
            "download", origin.url("/index.m3u8"), "-o", folder.file("film.ts"), "--forget")
        #expect(outcome.status == 1)
        #expect(
            outcome.errors.firstMatch(
                of: /The download is stored: `offline-server export [0-9A-Za-z_-]+ FILE`/) != nil)
        origin.stop()
    }

    @Test(
        "is made of what the same command has stored before, and is its only asset", arguments: [true, false])
    func again(isServed: Bool) async throws {
        let (folder, film) = (try TemporaryDirectory(), try TemporaryDirectory())
        let (origin, program) = (try OriginServer(), try Program())
        let playlist = try EncodedStream.packets.write(to: film)
        let names = try FileManager.default.contentsOfDirectory(atPath: film.path).sorted()
        let late = try #require(names.last { $0.hasSuffix(".ts") })
        for name in names where name != late { origin.serve("/\(name)", bytes: try film.read(name)) }
        let url = origin.url("/\(playlist.split(separator: "/").last ?? "")")
        func work() async throws {
            let first = try await program.run("download", url, "-o", folder.file("film.mp4"))
            #expect(first.status != 0, "\(first.errors)")
            origin.serve("/\(late)", bytes: try film.read(late))
            let second = try await program.run("download", url, "-o", folder.file("film.mp4"))
            #expect(second.status == 0 && second.errors.contains("going on with"), "\(second.errors)")
            #expect(try await program.run("list", "--json").array.count == 1)
            let other = try await program.run(
                "download", url, "-o", folder.file("other.mp4"), "--name", "Other", "--forget", "--json")
            #expect(other.status == 0 && !other.errors.contains("going on with"), "\(other.errors)")
            let told = Outcome.object(other.lines.last ?? "")
            #expect(told["path"] as? String == folder.file("other.mp4") && told["size"] as? Int ?? 0 > 1000)
        }
        if isServed { try await program.serving { _ in try await work() } } else { try await work() }
        origin.stop()
    }

    @Test("is refused while another command writes the same file")
    func twice() async throws {
        try await withProgram(.packets) { program, token, served in
            let folder = try TemporaryDirectory()
            let target = folder.file("film.mp4")
            try await program.serving { _ in
                let outcomes = try await withThrowingTaskGroup(of: Int32.self) { group in
                    for _ in 0..<6 {
                        group.addTask {
                            try await program.run("export", "\(token)", target, "--force").status
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(outcomes.contains(0) && outcomes.allSatisfy { [0, 1].contains($0) })
            }
            #expect(try folder.read("film.mp4") == served)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["film.mp4"])
        }
    }

    @Test("deletes the unfinished file of another version, but not one that another command writes")
    func others() async throws {
        try await withProgram(.packets) { program, token, _ in
            let folder = try TemporaryDirectory()
            for name in [".film.mp4.1-0.part", ".film.mp4.2-0.part"] { try folder.write([1], to: name) }
            let written = try FileDescriptor.open(FilePath(folder.file(".film.mp4.2-0.part")), .readWrite)
            #expect(StoreLock.refusal(toLock: written.rawValue) == nil)
            #expect(try await program.run("export", "\(token)", folder.file("film.mp4")).status == 0)
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(Set(left) == ["film.mp4", ".film.mp4.2-0.part"])
            try written.close()
        }
    }

    @Test("takes a name as long as the file system allows")
    func longName() async throws {
        try await withProgram(.packets) { program, token, served in
            let folder = try TemporaryDirectory()
            let name = String(repeating: "x", count: 251) + ".mp4"
            let outcome = try await program.run("export", "\(token)", folder.file(name))
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try folder.read(name) == served)
        }
    }

    @Test("is a step of download -o, which can leave nothing but the file")
    func download() async throws {
        let folder = try TemporaryDirectory()
        _ = try EncodedStream.packets.write(to: folder)
        let origin = try OriginServer()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            origin.serve("/\(name)", bytes: try folder.read(name))
        }
        let program = try Program()
        let outcome = try await program.run(
            "download", origin.url("/index.m3u8"), "-o", folder.file("film.mp4"), "--forget")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try await DecodedFilm.read(folder.file("film.mp4")).pictures.count == 150)
        #expect(try await program.run("list", "--json").array.isEmpty)
        origin.stop()
    }
}

extension RawHTTPClient {
    /// The entity tag of a resource.
    fileprivate func tag(of path: String, _ port: UInt16) throws -> String? {
        send("HEAD \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n")
        return Reply(readToEnd(), toHead: true)["ETag"]
    }
}
