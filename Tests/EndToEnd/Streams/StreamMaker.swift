import Foundation
import TestSupport

/// Makes streams with ffmpeg, and reads the checksums of their frames from the source files.
enum StreamMaker {
    static func make(_ shape: Shape) async throws -> Stream {
        switch shape {
        case .transportStream: try await cut([])
        case .byteRanges: try await byteRanges()
        case .encrypted: try await encrypted()
        case .discontinuity: try await discontinuity()
        case .oddities: try await oddities()
        case .demuxed: try await demo()
        }
    }

    /// The asset that the product bundles.
    private static func demo() async throws -> Stream {
        let folder = supportFolder.appending(path: "../../../Sources/OfflineServerCommands/Resources/demo")
            .standardized
        return Stream(
            folder: folder, entry: "master.m3u8",
            video: try await Players.checksums(folder.appending(path: "video-360/media.m3u8").path, "v"),
            audio: try await Players.checksums(folder.appending(path: "audio-en/media.m3u8").path, "a"))
    }

    private static func byteRanges() async throws -> Stream {
        var stream = try await cut(["-hls_segment_type", "fmp4", "-hls_flags", "single_file"])
        let master = """
            #EXTM3U
            #EXT-X-STREAM-INF:BANDWIDTH=400000,CODECS="avc1.42c00b,mp4a.40.2",RESOLUTION=160x90
            index.m3u8

            """
        try Data(master.utf8).write(to: stream.folder.appending(path: "master.m3u8"))
        stream.entry = "master.m3u8"
        return stream
    }

    private static func encrypted() async throws -> Stream {
        let keys = try TemporaryDirectory()
        try keys.write((0..<16).map { $0 * 7 }, to: "content.key")
        try keys.write(Array("content.key\n\(keys.file("content.key"))\n".utf8), to: "info")
        return try await cut(["-hls_key_info_file", keys.file("info"), "-start_number", "3"], key: keys)
    }

    private static func discontinuity() async throws -> Stream {
        let directory = try TemporaryDirectory()
        var lines = ["#EXTM3U", "#EXT-X-VERSION:3", "#EXT-X-TARGETDURATION:1", "#EXT-X-PLAYLIST-TYPE:VOD"]
        for (name, picture) in [("first", "testsrc2"), ("second", "smptebars")] {
            let clip = directory.url.appending(path: name)
            try FileManager.default.createDirectory(at: clip, withIntermediateDirectories: true)
            try await encode(picture, seconds: 2, to: clip, [])
            if name == "second" { lines.append("#EXT-X-DISCONTINUITY") }
            lines += try segmentLines(clip.appending(path: "index.m3u8")) { "\(name)/\($0)" }
        }
        try directory.write(
            Array((lines + ["#EXT-X-ENDLIST", ""]).joined(separator: "\n").utf8), to: "index.m3u8")
        return try await described(directory)
    }

    private static func oddities() async throws -> Stream {
        var stream = try await cut([])
        let pieces = stream.folder.appending(path: "stücke")
        try FileManager.default.createDirectory(at: pieces, withIntermediateDirectories: true)
        for number in 0..<4 {
            try FileManager.default.copyItem(
                at: stream.folder.appending(path: "index\(number).ts"),
                to: pieces.appending(path: "teil \(number).mp2"))
        }
        let head = [
            "\u{FEFF}#EXTM3U", "#EXT-X-VERSION:8", "#EXT-X-TARGETDURATION:1", "#EXT-X-PLAYLIST-TYPE:VOD",
            "#EXT-X-DEFINE:NAME=\"ordner\",VALUE=\"st%C3%BCcke\"",
        ]
        let body = (0..<4).flatMap { ["#EXTINF:1.0,", "{$ordner}/teil%20\($0).mp2?token=a%2Fb%20c&n=\($0)"] }
        let text = (head + body + ["#EXT-X-ENDLIST", ""]).joined(separator: "\r\n")
        try Data(text.utf8).write(to: stream.folder.appending(path: "odd.m3u8"))
        stream.entry = "odd.m3u8"
        return stream
    }
}
