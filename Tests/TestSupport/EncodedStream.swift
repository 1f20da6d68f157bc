import Foundation
public import Testing

/// A stream that ffmpeg makes, for tests of what becomes of its samples.
public enum EncodedStream: String, CaseIterable, Sendable, CustomTestStringConvertible {
    /// Pictures and sound in one transport stream.
    case packets
    /// The same, encrypted as a whole.
    case encrypted
    /// Fragmented MP4 with pictures and sound.
    case fragments
    /// Fragmented MP4 whose sound is apart.
    case separate
    /// Two sizes of pictures, sound apart, subtitles and two chapters.
    case several
    /// Two transport streams one after the other, of which the second begins anew.
    case discontinuous
    /// Two transport streams whose pictures have another size.
    case resized
    /// Two transport streams whose pictures and whose sound are coded in another way.
    case changing
    /// ADTS frames alone.
    case sound

    /// Its name.
    public var testDescription: String { rawValue }
    /// Whether ffmpeg is there, or has to be.
    public static let isPossible =
        FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg")
        || ProcessInfo.processInfo.environment["CI"] != nil

    /// Those that have pictures.
    public static let films = allCases.filter { ![.several, .sound, .changing, .resized].contains($0) }

    private static let sources = [
        "-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=6", "-f", "lavfi", "-i", "sine=f=440:r=48000:d=6",
    ]
    private static let codecs = [
        "-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-b_strategy", "0", "-g", "50", "-c:a", "aac",
        "-b:a", "64k",
    ]
    private static let list = ["-f", "hls", "-hls_time", "2", "-hls_playlist_type", "vod"]

    /// Writes the stream into a folder.
    ///
    /// - Returns: its playlist.
    public func write(to folder: TemporaryDirectory) throws -> String {
        let playlist = folder.file("index.m3u8")
        var words = Self.sources
        switch self {
        case .packets, .encrypted:
            words += Self.codecs + Self.list
            if self == .encrypted { words += ["-hls_key_info_file", try Self.keyFile(in: folder)] }
            words += ["-hls_segment_filename", folder.file("%d.ts"), playlist]
        case .fragments:
            words += Self.codecs + Self.list + ["-hls_segment_type", "fmp4"]
            words += ["-hls_segment_filename", folder.file("%d.m4s"), playlist]
        case .separate:
            words += Self.codecs + ["-map", "0:v", "-map", "1:a"] + Self.list
            words += ["-hls_segment_type", "fmp4", "-master_pl_name", "master.m3u8"]
            words += ["-var_stream_map", "v:0,agroup:a a:0,agroup:a,language:de"]
            words += ["-hls_segment_filename", folder.file("%v-%d.m4s"), folder.file("%v.m3u8")]
        case .several: words += Self.several(in: folder)
        case .discontinuous:
            try Self.run(
                words + Self.codecs + Self.list + ["-hls_segment_filename", folder.file("a%d.ts"), playlist])
            words += Self.codecs + ["-output_ts_offset", "1000"] + Self.list
            words += ["-hls_segment_filename", folder.file("b%d.ts"), folder.file("b.m3u8")]
        case .resized:
            try Self.run(
                words + Self.codecs + Self.list + ["-hls_segment_filename", folder.file("a%d.ts"), playlist])
            words += Self.codecs + ["-s", "320x180", "-output_ts_offset", "1000"] + Self.list
            words += ["-hls_segment_filename", folder.file("b%d.ts"), folder.file("b.m3u8")]
        case .changing:
            try Self.run(
                words + Self.codecs + Self.list + ["-hls_segment_filename", folder.file("a%d.ts"), playlist])
            words = [
                "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=4", "-f", "lavfi", "-i", "sine=r=48000:d=4",
            ]
            words += ["-c:v", "libx264", "-preset", "ultrafast", "-c:a", "ac3", "-output_ts_offset", "1000"]
            words += Self.list + ["-hls_segment_filename", folder.file("b%d.ts"), folder.file("b.m3u8")]
        case .sound:
            words += [
                "-map", "1:a", "-c:a", "aac", "-f", "segment", "-segment_time", "2", "-segment_format",
                "adts",
            ]
            words += ["-segment_list", playlist, folder.file("%d.aac")]
        }
        try Self.run(words)
        if [.discontinuous, .resized, .changing].contains(self) { try Self.join(folder) }
        if self == .several { try Self.addSubtitlesAndChapters(folder) }
        return self == .separate || self == .several ? folder.file("master.m3u8") : playlist
    }

    private static func several(in folder: TemporaryDirectory) -> [String] {
        codecs + ["-map", "0:v", "-map", "0:v", "-map", "1:a", "-s:v:1", "80x44"] + list
            + ["-hls_segment_type", "fmp4", "-master_pl_name", "master.m3u8"]
            + ["-var_stream_map", "v:0,agroup:a v:1,agroup:a a:0,agroup:a,language:de"]
            + ["-hls_segment_filename", folder.file("%v-%d.m4s"), folder.file("%v.m3u8")]
    }

    private static func addSubtitlesAndChapters(_ folder: TemporaryDirectory) throws {
        let whole = String(decoding: try folder.read("master.m3u8"), as: UTF8.self)
        // ffmpeg lists the sound as a variant of its own, too, which comes last.
        let own = whole.ranges(of: "#EXT-X-STREAM-INF").last?.lowerBound ?? whole.endIndex
        let list = whole[..<own].replacing("#EXT-X-STREAM-INF:", with: "#EXT-X-STREAM-INF:SUBTITLES=\"s\",")
        let more = """
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English & more",LANGUAGE="en",URI="s.m3u8"
            #EXT-X-SESSION-DATA:DATA-ID="com.apple.hls.chapters",URI="chapters.json"

            """
        try folder.write(Array((String(list) + more).utf8), to: "master.m3u8")
        let segments = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\ns.vtt\n#EXT-X-ENDLIST\n"
        try folder.write(Array(segments.utf8), to: "s.m3u8")
        try folder.write(Array("WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n".utf8), to: "s.vtt")
        let chapters = """
            [{"start-time": 0, "titles": [{"language": "en", "title": "Begin"}]},
             {"start-time": 3, "titles": [{"language": "en", "title": "End"}]}]
            """
        try folder.write(Array(chapters.utf8), to: "chapters.json")
    }

    /// What ffmpeg must be told to read a key beside a playlist.
    public static func options(for input: String) -> [String] {
        input.hasSuffix(".m3u8") && !input.contains("://") ? ["-allowed_extensions", "ALL"] : []
    }

    private static func run(_ words: [String]) throws {
        let code = try ChildProcess("/usr/bin/env", ["ffmpeg", "-nostdin", "-v", "error", "-y"] + words)
            .wait()
        #expect(code == 0, "ffmpeg \(words.joined(separator: " "))")
    }

    private static func keyFile(in folder: TemporaryDirectory) throws -> String {
        try folder.write(Secret.key(OriginResource.pattern(16, seed: 77)), to: "k.key")
        return try folder.write(Array("k.key\n\(folder.file("k.key"))\n".utf8), to: "keys.txt")
    }

    /// Puts the second list behind the first.
    private static func join(_ folder: TemporaryDirectory) throws {
        func lines(_ name: String) throws -> [String] {
            String(decoding: try folder.read(name), as: UTF8.self).split(separator: "\n").map(String.init)
        }
        let first = try lines("index.m3u8").filter { $0 != "#EXT-X-ENDLIST" }
        let second = try lines("b.m3u8").drop { !$0.hasPrefix("#EXTINF") }
        let joined = first + ["#EXT-X-DISCONTINUITY"] + second
        try folder.write(Array((joined.joined(separator: "\n") + "\n").utf8), to: "index.m3u8")
    }
}

/// What ffmpeg decodes of a film.
public struct DecodedFilm: Equatable, Sendable {
    /// A checksum of each picture.
    public var pictures: [String]
    /// A checksum of all sound.
    public var sound: String

    /// Decodes a file or an address.
    public static func read(_ input: String) async throws -> DecodedFilm {
        try await blocking {
            let folder = try TemporaryDirectory()
            for (kind, format) in [("v", "framemd5"), ("a", "md5")] {
                let words =
                    ["ffmpeg", "-nostdin", "-v", "error"] + EncodedStream.options(for: input)
                    + ["-i", input, "-map", "0:\(kind):0?"]
                _ = try ChildProcess(
                    "/usr/bin/env", words + ["-fps_mode", "passthrough", "-f", format, folder.file(kind)]
                ).wait()
            }
            let frames = String(decoding: (try? folder.read("v")) ?? [], as: UTF8.self)
            let pictures = frames.split(separator: "\n").filter { !$0.hasPrefix("#") }
                .compactMap { $0.split(separator: ",").last.map { $0.trimmingPrefix(" ") } }
            return DecodedFilm(
                pictures: pictures.map(String.init),
                sound: String(decoding: (try? folder.read("a")) ?? [], as: UTF8.self))
        }
    }
}

/// The packets of a file as ffprobe reads them.
public struct ProbedPackets: Sendable {
    /// When each packet is presented, in seconds, by the kind of its stream.
    public private(set) var times: [String: Set<Double>] = [:]
    /// How long it is, in seconds.
    public private(set) var duration = 0.0

    /// Reads the packets of a file or of an address.
    public init(_ input: String) async throws {
        let text = try await blocking { () -> String in
            let folder = try TemporaryDirectory()
            let words = [
                "-c",
                "ffprobe -v error \(EncodedStream.options(for: input).joined(separator: " ")) -show_entries packet=codec_type,pts_time:format=duration -of compact=nk=1 "
                    + "'\(input)' > '\(folder.file("packets"))'",
            ]
            #expect(try ChildProcess("/bin/sh", words).wait() == 0)
            return String(decoding: try folder.read("packets"), as: UTF8.self)
        }
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: "|").map(String.init)
            // Side data may stand behind the time, and a stream that is in a program is listed twice.
            if fields.count >= 3, fields[0] == "packet",
                let time = Double(fields[2].prefix { $0.isNumber || $0 == "." || $0 == "-" })
            {
                times[fields[1], default: []].insert(time)
            } else if fields.first == "format" {
                duration = fields.last.flatMap { Double($0) } ?? 0
            }
        }
    }

    /// How much later than the pictures the sound begins, in seconds.
    public var delay: Double { (times["audio"]?.min() ?? 0) - (times["video"]?.min() ?? 0) }
}
