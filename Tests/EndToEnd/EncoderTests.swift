import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Streams as encoders make them: none is taken for something that no player can decode.
    @Suite("Streams of encoders", .timeLimit(.minutes(3)))
    struct EncoderTests {
        /// How ffmpeg makes a stream.
        struct Kind: Sendable, CustomTestStringConvertible {
            let testDescription: String
            let options: [String]
        }

        private static let tone = ["-f", "lavfi", "-i", "sine=f=440:r=44100"]
        private static let picture = ["-f", "lavfi", "-i", "testsrc2=s=64x36:r=10"]
        private static let video = [
            "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "10",
        ]
        private static let list = ["-f", "hls", "-hls_time", "1", "-hls_playlist_type", "vod"]
        private static let fragments = list + ["-hls_segment_type", "fmp4"]

        private static func kind(_ name: String, _ parts: [String]...) -> Kind {
            Kind(testDescription: name, options: parts.flatMap(\.self))
        }

        private static func packed(_ codec: String, _ format: String, _ suffix: String) -> Kind {
            let out = ["-f", "segment", "-segment_time", "1", "-segment_format", format]
            let list = ["-segment_list", "index.m3u8", "-segment_list_type", "m3u8", "s%d.\(suffix)"]
            return kind("\(codec) without a container", tone, ["-t", "3", "-c:a", codec], out, list)
        }

        private static let playlist = ["-t", "3"]

        static let kinds = [
            kind(
                "MPEG-2 video and MP2", picture, tone, playlist, ["-c:v", "mpeg2video", "-c:a", "mp2"], list),
            kind("AC-3 in TS", picture, tone, playlist, video, ["-c:a", "ac3"], list),
            kind("AAC alone in TS", tone, playlist, ["-c:a", "aac"], list),
            kind("one picture a second", picture, playlist, video, ["-r", "1", "-g", "1"], list),
            kind(
                "segments of a tenth of a second", picture, tone, playlist, video, ["-c:a", "aac"], list,
                ["-hls_time", "0.1", "-hls_flags", "split_by_time"]),
            kind(
                "large PES packets", picture, tone, playlist, video, ["-c:a", "aac"], list,
                ["-hls_ts_options", "pes_payload_size=16000"]),
            kind(
                "packets with time stamps", picture, playlist, video, list,
                ["-hls_ts_options", "mpegts_m2ts_mode=1"]),
            kind("one file of TS", picture, playlist, video, list, ["-hls_flags", "single_file"]),
            kind("fragments", picture, tone, playlist, video, ["-c:a", "ac3"], fragments),
            kind(
                "one file of fragments", picture, playlist, video, fragments, ["-hls_flags", "single_file"]),
            kind(
                "fragments of a tenth of a second", picture, playlist, video, fragments,
                ["-hls_time", "0.1", "-hls_flags", "split_by_time"]),
            kind("Opus in fragments", tone, playlist, ["-c:a", "libopus", "-ar", "48000"], fragments),
            packed("aac", "adts", "aac"), packed("libmp3lame", "mp3", "mp3"), packed("ac3", "ac3", "ac3"),
        ]

        @Test("are downloaded whole and found sound", arguments: kinds)
        func whole(_ kind: Kind) async throws {
            let folder = try TemporaryDirectory()
            let out = kind.options.contains("segment") ? [] : [folder.file("index.m3u8")]
            let options = kind.options.map { name in
                name == "index.m3u8" || name.hasPrefix("s%d") ? folder.file(name) : name
            }
            try await Players.ffmpeg.run(["-nostdin", "-v", "error"] + options + out)
            let product = try Product()
            try await withOrigin(folder.url) { origin in
                let token = try await product.download("\(origin.url)/index.m3u8")
                #expect(try await product.status(token).state == "complete")
                #expect(try await product.program().outcome(["verify", token]).status == 0)
            }
        }
    }
}
