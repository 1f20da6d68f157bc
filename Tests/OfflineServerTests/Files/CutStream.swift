import AssetStore
import Foundation
import SystemPackage
import TestSupport
import Testing

/// A transport stream from ffmpeg, cut into segments at arbitrary packet borders.
struct CutStream: CustomTestStringConvertible, Sendable {
    let testDescription: String
    private let inputs: [String]
    private let options: [String]
    private let seconds = 4

    private static let picture = ["-f", "lavfi", "-i", "testsrc2=s=128x72:r=25:d=4"]
    private static let sound = ["-f", "lavfi", "-i", "sine=f=440:r=48000:d=4"]
    private static let avc = ["-c:v", "libx264", "-preset", "ultrafast", "-threads", "1"]
    private static let aac = ["-c:a", "aac", "-b:a", "48k"]
    private static let usual = avc + ["-bf", "2", "-g", "50"] + aac

    init(_ name: String, _ options: [String], inputs: [String] = picture + sound) {
        (testDescription, self.options, self.inputs) = (name, options, inputs)
    }

    private static func avc(_ name: String, _ options: String, _ more: [String] = []) -> CutStream {
        CutStream(name, avc + ["-x264-params", options] + more + aac)
    }

    static let all = [
        CutStream("a clock that begins anew", usual + ["-output_ts_offset", "95440.7"]),
        avc("a pyramid of B-frames", "b-pyramid=normal:bframes=5:keyint=50:b-adapt=0"),
        avc("open GOPs", "open-gop=1:bframes=3:keyint=25:b-adapt=0"),
        avc("intra refresh", "intra-refresh=1:keyint=25"),
        avc("interlaced pictures", "interlaced=1:bframes=2:keyint=50"),
        avc("several slices", "slices=4:bframes=2:keyint=50"),
        avc("no delimiters", "bframes=2:keyint=50", ["-bsf:v", "h264_metadata=aud=remove"]),
        CutStream("one frame of sound a packet", usual + ["-pes_payload_size", "0"]),
        CutStream("many frames of sound a packet", usual + ["-pes_payload_size", "12000"]),
        CutStream("sound that begins later", usual, inputs: picture + ["-itsoffset", "0.373"] + sound),
        CutStream(
            "pictures at 29.97 Hz", usual,
            inputs: ["-f", "lavfi", "-i", "testsrc2=s=128x72:r=30000/1001:d=4"] + sound),
        CutStream(
            "pictures that come now and then", usual + ["-vsync", "vfr"],
            inputs: ["-f", "lavfi", "-i", "testsrc2=s=128x72:r=25:d=4,select='mod(n\\,7)'"] + sound),
        CutStream("E-AC-3", avc + ["-g", "50", "-c:a", "eac3", "-b:a", "192k"]),
        CutStream("MP3", avc + ["-g", "50", "-c:a", "libmp3lame"]),
        CutStream("Opus", avc + ["-g", "50", "-c:a", "libopus", "-b:a", "64k"]),
        CutStream(
            "H.265 with open GOPs",
            [
                "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
                "log-level=error:pools=1:frame-threads=1:keyint=25:bframes=3:open-gop=1",
            ] + aac),
    ]

    /// Imports the stream in five segments.
    ///
    /// - Returns: the path of the whole.
    func add(to site: Site, _ folder: TemporaryDirectory) async throws -> (token: AssetToken, whole: String) {
        let whole = folder.file("whole.ts")
        let words = ["ffmpeg", "-nostdin", "-v", "error", "-y"] + inputs + options + ["-f", "mpegts", whole]
        #expect(try await blocking { try ChildProcess("/usr/bin/env", words).wait() } == 0)
        let bytes = try folder.read("whole.ts")
        let packets = bytes.count / 188
        var list = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n"
        for number in 0..<5 {
            let range = packets * number / 5 * 188..<packets * (number + 1) / 5 * 188
            try folder.write(Array(bytes[range]), to: "\(number).ts")
            list += "#EXTINF:0.8,\n\(number).ts\n"
        }
        let path = try folder.write(Array((list + "#EXT-X-ENDLIST\n").utf8), to: "index.m3u8")
        return (try await site.server.store.imports.add(FilePath(path), name: "cut").token, whole)
    }
}
