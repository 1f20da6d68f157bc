import AssetStore
import Foundation
import TestSupport
import Testing

@testable import OfflineServer

@Suite(
    "export into a Matroska file", .fewAtOnce, .timeLimit(.minutes(5)), .enabled(if: EncodedStream.isPossible)
)
struct MatroskaExportTests {
    @Test("refuses Matroska if pictures change their size, which would be lost in it")
    func changingMatroska() async throws {
        try await withProgram(.resized) { program, token, _ in
            let folder = try TemporaryDirectory()
            let outcome = try await program.run("export", "\(token)", folder.file("film.mkv"))
            #expect(outcome.status == 1 && outcome.errors.contains("a .mkv file can't hold that; write .mp4"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
            let movie = try await program.run("export", "\(token)", folder.file("film.mp4"))
            #expect(movie.status == 0, "\(movie.errors)")
            let parts = try await program.run("export", "\(token)", folder.file("film.mkv"), "--parts")
            #expect(parts.status == 64 && parts.errors.contains("--parts is for .mp4, .m4a and .ts"))
        }
    }

    @Test("is refused before the download if ffmpeg is not installed, and only then")
    func noProgram() async throws {
        let program = try Program()
        func download(_ name: String) async throws -> Outcome {
            let words = ["download", "http://127.0.0.1:1/a.m3u8", "-o", program.store.file(name)]
            return try await program.start(words, under: ["env", "PATH=/nonexistent"]).end()
        }
        let refused = try await download("film.MKV")
        #expect(refused.status == 1)
        #expect(
            refused.errors
                == "offline-server: ffmpeg writes .mkv files, and it is not installed; .mp4 needs no other program\n"
        )
        let tried = try await download("film.mp4")
        #expect(tried.status == 1 && !tried.errors.contains("ffmpeg"), "\(tried.errors)")
    }

    @Test("writes Matroska by ffmpeg, with the same pictures")
    func matroska() async throws {
        try await withProgram(.fragments) { program, token, served in
            let folder = try TemporaryDirectory()
            let outcome = try await program.run("export", "\(token)", folder.file("film.mkv"))
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["film.mkv"])
            let movie = try folder.write(served, to: "film.mp4")
            let made = try await DecodedFilm.read(folder.file("film.mkv"))
            let expected = try await DecodedFilm.read(movie)
            #expect(made.pictures == expected.pictures)
        }
    }

    @Test(
        "ends ffmpeg when it ends itself, and leaves nothing that the next export takes",
        arguments: [SIGTERM, SIGKILL])
    func endedMatroska(_ signal: Int32) async throws {
        try await withProgram(.fragments) { program, token, _ in
            let (folder, slow) = (try TemporaryDirectory(), try TemporaryDirectory())
            let script = try slow.write(
                Array(
                    """
                    #!/bin/sh
                    for output; do :; done
                    echo half-made > "${output#file:}"
                    echo $PPID > '\(slow.file("caller.new"))'
                    echo $$ > '\(slow.file("process"))'
                    mv '\(slow.file("caller.new"))' '\(slow.file("caller"))'
                    exec sleep 1000

                    """.utf8), to: "ffmpeg")
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
            let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
            let running = try await program.start(
                ["export", "\(token)", folder.file("film.mkv")], under: ["env", "PATH=\(slow.path):\(path)"])
            try await eventually { FileManager.default.fileExists(atPath: slow.file("caller")) }
            let numbers = try ["caller", "process"].map { name in
                try #require(
                    Int32(String(decoding: slow.read(name), as: UTF8.self).split(separator: "\n")[0]))
            }
            kill(numbers[0], signal)
            _ = try await running.end()
            try await eventually { kill(numbers[1], 0) != 0 }
            #expect(!FileManager.default.fileExists(atPath: folder.file("film.mkv")))
            let outcome = try await program.run("export", "\(token)", folder.file("film.mkv"))
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["film.mkv"])
            #expect(try await !DecodedFilm.read(folder.file("film.mkv")).pictures.isEmpty)
        }
    }

    @Test("has names and marks of tracks in Matroska")
    func matroskaTracks() async throws {
        let source = try TemporaryDirectory()
        let words =
            "ffmpeg -nostdin -v error -f lavfi -i sine=d=4 -c:a aac -f hls -hls_segment_type fmp4 -hls_fmp4_init_filename a.mp4 -hls_segment_filename a%d.m4s -hls_playlist_type vod audio.m3u8 && cp audio.m3u8 de.m3u8"
        _ = try EncodedStream.fragments.write(to: source)
        #expect(
            try await blocking {
                try ChildProcess("/bin/sh", ["-c", "cd '\(source.path)' && \(words)"]).wait()
            } == 0)
        try source.write(FilmWithSubtitles().masterWithSound, to: "master.m3u8")
        for name in ["text.m3u8", "text-de.m3u8"] {
            try source.write(FilmWithSubtitles().wholePlaylist, to: name)
        }
        try source.write(FilmWithSubtitles().cues, to: "0.vtt")
        let program = try Program()
        let token = try await program.run("import", source.path).output.prefix { !$0.isWhitespace }
        let folder = try TemporaryDirectory()
        let outcome = try await program.run("export", String(token), folder.file("film.mkv"))
        #expect(outcome.status == 0, "\(outcome.errors)")
        let list =
            "cd '\(folder.path)' && ffprobe -v error -show_entries stream=codec_type:stream_tags=title:stream_disposition=default,hearing_impaired -of csv=p=0 film.mkv > streams"
        #expect(try await blocking { try ChildProcess("/bin/sh", ["-c", list]).wait() } == 0)
        let streams = String(decoding: try folder.read("streams"), as: UTF8.self).split(separator: "\n")
        #expect(
            streams == [
                "video,1,0", "audio,1,0,Deutsch", "audio,0,0,English (Stereo)", "subtitle,0,1,English SDH",
                "subtitle,0,0,Deutsch",
            ])
    }

    @Test("has the poster in Matroska once, as an attachment")
    func matroskaPoster() async throws {
        let source = try TemporaryDirectory()
        let playlist = try EncodedStream.fragments.write(to: source)
        let poster =
            "cd '\(source.path)' && ffmpeg -v error -f lavfi -i color=red:size=64x36 -frames:v 1 poster.png"
        #expect(try await blocking { try ChildProcess("/bin/sh", ["-c", poster]).wait() } == 0)
        let program = try Program()
        let token = try await program.run("import", playlist).output.prefix { !$0.isWhitespace }
        let folder = try TemporaryDirectory()
        let outcome = try await program.run("export", String(token), folder.file("film.mkv"))
        #expect(outcome.status == 0, "\(outcome.errors)")
        let list =
            "cd '\(folder.path)' && ffprobe -v error -show_entries stream=codec_name -of csv=p=0 film.mkv > streams"
        #expect(try await blocking { try ChildProcess("/bin/sh", ["-c", list]).wait() } == 0)
        let streams = String(decoding: try folder.read("streams"), as: UTF8.self).split(separator: "\n")
        #expect(streams.count { $0 == "png" } == 1, "\(streams)")
    }
}
