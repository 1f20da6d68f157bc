import AssetStore
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import AssetFiles
@testable import OfflineServer

@Suite(
    "A whole asset as one file", .fewAtOnce, .timeLimit(.minutes(5)), .enabled(if: EncodedStream.isPossible))
struct OneFileTests {
    private func withStream(
        _ stream: EncodedStream, _ body: (Site, AssetToken, String) async throws -> Void
    ) async throws {
        try await withSite { site in
            let (token, source, folder) = try await stream.add(to: site)
            try await body(site, token, source)
            _ = folder
        }
    }

    @Test(
        "has the pictures and the sound of the stream, and every moment of it", arguments: EncodedStream.films
    )
    func media(_ stream: EncodedStream) async throws {
        try await withStream(stream) { site, token, source in
            let url = "\(site.server.url)/assets/\(token)/video.mp4"
            let made = try await DecodedFilm.read(url)
            let expected = try await DecodedFilm.read(source)
            #expect(made.pictures.count == (stream == .discontinuous ? 300 : 150))
            #expect(made.pictures == expected.pictures)
            if stream != .discontinuous { #expect(made.sound == expected.sound) }
            let (own, origin) = (try await ProbedPackets(url), try await ProbedPackets(source))
            #expect(own.times["audio"]?.count == origin.times["audio"]?.count)
            #expect(abs(own.delay - origin.delay) < 0.001)
            #expect(abs(own.duration - (stream == .discontinuous ? 12 : 6)) < 0.15)
        }
    }

    @Test(
        "is read in ranges, with an exact length and a strong tag",
        arguments: [EncodedStream.encrypted, .separate])
    func ranges(_ stream: EncodedStream) async throws {
        try await withStream(stream) { site, token, _ in
            let path = "/assets/\(token)/video.mp4"
            let whole = try await site.get(path)
            #expect(whole.status == 200 && whole.isWhole && whole["Content-Type"] == "video/mp4")
            #expect(whole["Accept-Ranges"] == "bytes")
            let tag = try #require(whole["ETag"])
            #expect(!tag.hasPrefix("W/"))
            let head = try await site.request("HEAD", path)
            #expect(head["Content-Length"] == "\(whole.body.count)" && head["ETag"] == tag)
            var joined: [UInt8] = []
            for start in stride(from: 0, to: whole.body.count, by: 77_777) {
                let part = try await site.get(
                    path, ["Range": "bytes=\(start)-\(start + 77_776)", "If-Range": tag])
                #expect(part.status == 206)
                joined += part.body
            }
            #expect(joined == whole.body)
            let last = try await site.get(path, ["Range": "bytes=-10"])
            #expect(last.status == 206 && last.body == whole.body.suffix(10))
            #expect(try await site.get(path, ["Range": "bytes=\(whole.body.count)-"]).status == 416)
            #expect(try await site.get(path, ["If-None-Match": tag]).status == 304)
        }
    }

    @Test("has the same tag after a restart, and another one when other tracks are chosen")
    func tags() async throws {
        let folder = try TemporaryDirectory()
        let (token, first) = try await withSite(in: folder) { site in
            let (token, _, _) = try await EncodedStream.separate.add(to: site)
            return (token, try await site.request("HEAD", "/assets/\(token)/video.mp4")["ETag"])
        }
        try await withSite(in: folder) { site in
            let path = "/assets/\(token)/video.mp4"
            #expect(try await site.request("HEAD", path)["ETag"] == first)
            let silent = try await site.request("HEAD", "\(path)?audio=none")
            #expect(silent.status == 200 && silent["ETag"] != first)
            #expect(try await site.get("\(path)?audio=de").status == 200)
            #expect(try await site.get("\(path)?audio=fr").status == 404)
            #expect(try await site.request("HEAD", "\(path)?_=1")["ETag"] == first)
        }
    }

    @Test("is laid out once for all requests, and again when the store tells of an event")
    func layouts() async throws {
        try await withStream(.packets) { site, token, _ in
            let (store, layouts) = (site.server.store, AssetFileLayouts())
            func tag() async throws -> String {
                let file = await layouts.file(
                    of: token, AssetFileChoice(.mp4), in: store, patience: .seconds(60))
                return try #require(file).get().entityTag
            }
            let first = try await tag()
            try store.catalog.write(.asset(token)) { session in
                try session.execute("UPDATE asset SET name = 'another'")
            }
            #expect(try await tag() == first)
            let edit = try await site.request(
                "PATCH", "/api/v1/assets/\(token)", ["Content-Type": "application/json"],
                body: #"{"name": "a third"}"#)
            #expect(edit.status == 200)
            #expect(try await tag() != first)
        }
    }

    @Test("can be sound alone")
    func sound() async throws {
        for stream in [EncodedStream.sound, .packets] {
            try await withStream(stream) { site, token, source in
                let reply = try await site.request("HEAD", "/assets/\(token)/audio.m4a")
                #expect(reply.status == 200 && reply["Content-Type"] == "audio/mp4")
                let own = try await ProbedPackets("\(site.server.url)/assets/\(token)/audio.m4a")
                #expect(own.times["video"] == nil)
                let expected = try await ProbedPackets(source)
                #expect(own.times["audio"]?.count == expected.times["audio"]?.count)
            }
        }
    }

    @Test("can be a transport stream when the asset is one")
    func packets() async throws {
        try await withStream(.encrypted) { site, token, source in
            let path = "/assets/\(token)/video.ts"
            let whole = try await site.get(path)
            #expect(whole.status == 200 && whole.isWhole && whole.body.count % 188 == 0)
            let part = try await site.get(path, ["Range": "bytes=188000-"])
            #expect(part.body == Array(whole.body.dropFirst(188_000)))
            let url = "\(site.server.url)\(path)"
            let (made, expected) = (try await DecodedFilm.read(url), try await DecodedFilm.read(source))
            #expect(made.pictures == expected.pictures)
        }
    }

    @Test("can be a transport stream when the asset is none, and names a codec that can't be in one")
    func made() async throws {
        try await withStream(.separate) { site, token, source in
            let path = "/assets/\(token)/video.ts"
            let whole = try await site.get(path)
            #expect(whole.status == 200 && whole.isWhole && whole["Content-Type"] == "video/mp2t")
            let part = try await site.get(path, ["Range": "bytes=100000-199999"])
            #expect(part.status == 206 && part.body == Array(whole.body[100_000..<200_000]))
            let made = try await DecodedFilm.read("\(site.server.url)\(path)")
            #expect(made.pictures == (try await DecodedFilm.read(source)).pictures)
            #expect(try await site.get("\(path)?part=2").status == 404)
        }
        try await withSite { site in
            let folder = try TemporaryDirectory()
            let words = [
                "ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=r=48000:d=2", "-c:a",
                "libopus",
                "-f", "hls", "-hls_segment_type", "fmp4", "-hls_playlist_type", "vod", folder.file("f.m3u8"),
            ]
            #expect(try ChildProcess("/usr/bin/env", words).wait() == 0)
            let token = try await site.server.store.imports.add(FilePath(folder.file("f.m3u8")), name: "opus")
                .token
            let refusal = try await site.get("/assets/\(token)/video.ts")
            #expect(refusal.status == 409 && refusal.text.contains("unsupported-codec"))
            #expect(refusal.text.contains("opus") && refusal.text.contains("video.mp4"))
        }
    }

    @Test("as a transport stream has a clock that continues over discontinuities, and an exact length")
    func clock() async throws {
        try await withStream(.discontinuous) { site, token, _ in
            let path = "/assets/\(token)/video.ts"
            let whole = try await site.get(path)
            #expect(whole.status == 200 && whole.isWhole)
            let part = try await site.get(path, ["Range": "bytes=\(whole.body.count / 2)-"])
            #expect(part.body == Array(whole.body.dropFirst(whole.body.count / 2)))
            let packets = try await ProbedPackets("\(site.server.url)\(path)")
            let times = (packets.times["video"] ?? []).sorted()
            #expect(times.count == 300)
            #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 < 0.1 })
            #expect(abs(packets.duration - 12) < 0.3)
        }
    }

    @Test("exists for each stretch without a change of codecs, as the refusal of the whole says")
    func parts() async throws {
        try await withStream(.changing) { site, token, _ in
            let path = "/assets/\(token)/video.mp4"
            let refusal = try await site.get(path)
            #expect(refusal.status == 409 && refusal.text.contains("?part=1"))
            #expect(refusal.text.contains("00:00:06"))
            for (part, (count, codec)) in [(150, "mp4a"), (100, "ac-3")].enumerated() {
                let url = "\(site.server.url)\(path)?part=\(part + 1)"
                let made = try await DecodedFilm.read(url)
                #expect(made.pictures.count == count)
                #expect(try await site.get("\(path)?part=\(part + 1)").body.firstRange(of: codec.utf8) != nil)
                #expect(abs(try await ProbedPackets(url).duration - Double(count) / 25) < 0.15)
            }
            let none = try await site.get("\(path)?part=3")
            #expect(none.status == 404 && none.object["parts"] as? Int == 2)
            for wrong in ["video.mp4?part=0", "video.mp4?part=x", "video.ts?part=0"] {
                #expect(try await site.get("/assets/\(token)/\(wrong)").status == 400)
            }
        }
    }

    @Test("skips time without media on request, and keeps audio and video together")
    func gaps() async throws {
        try await withSite { site in
            let folder = try TemporaryDirectory()
            let source = try EncodedStream.packets.write(to: folder)
            let text = String(decoding: try folder.read("index.m3u8"), as: UTF8.self)
            let tagged = text.replacing("1.ts", with: "#EXT-X-GAP\n1.ts")
            try folder.write(Array(tagged.utf8), to: "index.m3u8")
            let token = try await site.server.store.imports.add(FilePath(source), name: "gap").token
            let path = "/assets/\(token)/video.mp4"
            let refusal = try await site.get(path)
            #expect(refusal.status == 409 && refusal.text.contains("gaps=skip"))
            #expect(refusal.text.contains("00:00:02"))
            let packets = try await ProbedPackets("\(site.server.url)\(path)?gaps=skip")
            #expect(packets.times["video"]?.count == 100)
            #expect(abs(packets.duration - 6) < 0.15)
            let (pictures, sound) = (packets.times["video"] ?? [], packets.times["audio"] ?? [])
            // Silence goes on beside the picture that stands still.
            #expect(!pictures.contains { $0 > 2.2 && $0 < 3.9 })
            #expect(sound.count { $0 > 2.2 && $0 < 3.9 } > 75)
        }
    }

    @Test(
        "is laid out of indexes that were made as the segments were stored, also before initialization sections",
        arguments: [false, true])
    func indexed(_ isSectionLate: Bool) async throws {
        for stream in [EncodedStream.packets, .separate] {
            let folder = try TemporaryDirectory()
            let entry = try stream.write(to: folder)
            let origin = try OriginServer()
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                origin.serve("/\(name)", bytes: try folder.read(name))
                if isSectionLate, name.hasPrefix("init") {
                    origin.fault("/\(name)", .delay(milliseconds: 500))
                }
            }
            try await withSite { site in
                let store = site.server.store
                let token = try await site.download(
                    origin.url("/\(FilePath(entry).lastComponent?.string ?? "")"))
                await store.untilSettled(token)
                let rows = try #require(try store.catalog.renditions.all(of: [token])[token])
                for row in rows where row.isComplete {
                    // No request for a file came.
                    try await eventually {
                        let revision = try IndexedRendition.revision(of: row, token, store)
                        let indexes = store.catalog.sampleIndexes
                        return try indexes.all(ofRendition: row.id, revision: revision).count == row.segments
                    }
                }
                #expect(try await site.request("HEAD", "/assets/\(token)/video.mp4").status == 200)
            }
            origin.stop()
        }
    }

    @Test("is refused without a valid license")
    func license() async throws {
        try await withStream(.encrypted) { site, token, _ in
            #expect(try await site.request("HEAD", "/assets/\(token)/video.mp4").status == 200)
            try await site.server.store.revokeLicense(of: token)
            let reply = try await site.get("/assets/\(token)/video.mp4")
            #expect(reply.status == 403 && reply["Content-Type"] == "application/problem+json")
        }
    }

    @Test("is not there before all of the asset is, which names the playlist that lacks something")
    func incomplete() async throws {
        let folder = try TemporaryDirectory()
        _ = try EncodedStream.packets.write(to: folder)
        let origin = try OriginServer()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name != "2.ts" {
            origin.serve("/\(name)", bytes: try folder.read(name))
        }
        try await withSite { site in
            let token = try await site.download(origin.url("/index.m3u8"))
            await site.server.store.untilSettled(token)
            let reply = try await site.get("/assets/\(token)/video.mp4")
            #expect(reply.status == 409 && reply.object["rendition"] as? String == "video")
            // Its origin lacks the rest: a file of the stored media can still be made.
            #expect(reply.text.contains("?gaps=skip"))
            let packets = try await ProbedPackets("\(site.server.url)/assets/\(token)/video.mp4?gaps=skip")
            #expect(packets.times["video"]?.count == 100)
        }
        origin.stop()
    }

    @Test("is refused while the asset is being downloaded, without the advice to resume")
    func arriving() async throws {
        let folder = try TemporaryDirectory()
        _ = try EncodedStream.packets.write(to: folder)
        let origin = try OriginServer()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            origin.serve("/\(name)", bytes: try folder.read(name))
        }
        origin.fault("/1.ts", .stall(after: 100), times: 1)
        try await withSite { site in
            let token = try await site.download(origin.url("/index.m3u8"))
            for name in ["video.mp4", "video.mp4?gaps=skip", "manifest.mpd"] {
                let reply = try await site.get("/assets/\(token)/\(name)")
                #expect(reply.status == 409 && reply.text.contains("how far its download is"), "\(name)")
                #expect(!reply.text.contains("resume"), "\(name)")
            }
        }
        origin.stop()
    }

    @Test("advises a repair if an asset has lost a segment, or skips its time")
    func lost() async throws {
        try await withStream(.packets) { site, token, _ in
            let store = site.server.store
            let row = try #require(try store.catalog.renditions.all(of: [token])[token]?.first)
            try FileManager.default.removeItem(
                atPath: store.paths.asset(token).appending(row.name).appending("1.ts").string)
            _ = try await store.verify(token)
            let reply = try await site.get("/assets/\(token)/video.mp4")
            #expect(reply.status == 409 && reply.text.contains("\(Remedy.repair(token)) fetches them again"))
            let packets = try await ProbedPackets("\(site.server.url)/assets/\(token)/video.mp4?gaps=skip")
            #expect(packets.times["video"]?.count == 100)
        }
    }

    @Test("skips the segments whose initialization section is lost, unless nothing is left then")
    func lostSection() async throws {
        try await withStream(.separate) { site, token, _ in
            let store = site.server.store
            let rows = try #require(try store.catalog.renditions.all(of: [token])[token])
            let path = "/assets/\(token)/video.mp4?gaps=skip"
            var left = rows.filter(\.hasPlaylist)
            while let row = left.popLast() {
                try FileManager.default.removeItem(
                    atPath: store.paths.asset(token).appending(row.name).appending("init-0.mp4").string)
                _ = try await store.verify(token)
                let reply = try await site.get(path)
                #expect(reply.status == (left.isEmpty ? 409 : 200))
                let advice = "\(Remedy.repair(token)) fetches the rest"
                if left.isEmpty { #expect(reply.text.contains(advice)) }
            }
        }
    }

    @Test("is refused where it would lack all pictures, and a transport stream keeps them")
    func lostPictures() async throws {
        let folder = try TemporaryDirectory()
        let command = """
            cd '\(folder.path)' && ffmpeg -v error -nostdin -f lavfi -i testsrc2=s=160x90:r=25:d=4 -f lavfi -i sine=440:d=4 \
            -c:v mpeg2video -c:a aac -f hls -hls_time 2 -hls_list_size 0 -hls_segment_filename '%d.ts' index.m3u8
            """
        #expect(try await blocking { try ChildProcess("/bin/sh", ["-c", command]).wait() } == 0)
        let origin = try OriginServer()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            origin.serve("/\(name)", bytes: try folder.read(name))
        }
        try await withSite { site in
            let token = try await site.download(origin.url("/index.m3u8"))
            await site.server.store.untilSettled(token)
            let refused = try await site.get("/assets/\(token)/video.mp4")
            #expect(refused.status == 409 && refused.text.contains("MPEG-2 video"))
            #expect(try await site.get("/assets/\(token)/video/0.m4s?container=fmp4").status == 409)
            #expect(try await site.get("/assets/\(token)/audio.m4a").status == 200)
            let kept = try await ProbedPackets("\(site.server.url)/assets/\(token)/video.ts")
            #expect(kept.times["video"]?.count == 100)
        }
        origin.stop()
    }

    @Test(
        "has the chapters of the stream, the first from its beginning and the last to its end, and no others")
    func chapters() async throws {
        let folder = try TemporaryDirectory()
        _ = try EncodedStream.several.write(to: folder)
        let origin = try OriginServer()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            origin.serve("/\(name)", bytes: try folder.read(name))
        }
        try await withSite { site in
            let token = try await site.download(origin.url("/master.m3u8"))
            await site.server.store.untilSettled(token)
            try folder.write(try await site.get("/assets/\(token)/video.mp4").body, to: "film.mp4")
            let list = """
                cd '\(folder.path)' && ffprobe -v error -show_entries chapter=start_time,end_time:chapter_tags=title \
                -of csv=p=0 film.mp4 > chapters
                """
            #expect(try await blocking { try ChildProcess("/bin/sh", ["-c", list]).wait() } == 0)
            let lines = String(decoding: try folder.read("chapters"), as: UTF8.self).split(separator: "\n")
            #expect(lines.count == 2, "\(lines)")
            #expect(lines.first?.hasPrefix("0.000000,") == true && lines.first?.hasSuffix(",Begin") == true)
            #expect(lines.last?.hasSuffix(",End") == true)
        }
        origin.stop()
    }
}
