import Testing

/// A transport stream that ffmpeg makes.
struct StreamShape: Sendable, CustomTestStringConvertible {
    let name: String
    let recipe: [String]
    /// The filter that makes ffmpeg's packets those of MP4, without parameter sets.
    var filter: String?
    /// Whether ffmpeg and players agree on which pictures are sync samples.
    var agreesOnKeys = true

    var testDescription: String { name }

    var bytes: [UInt8] { get throws { try FFmpeg.stream(recipe) } }

    static let picture = ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=25"]
    static let sound = ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000"]
    static let encoder = ["-c:v", "libx264", "-preset", "ultrafast", "-threads", "1", "-t", "2"]
    private static let withoutSets = "filter_units=remove_types=7-9|12"
    private static let withoutHEVCSets = "filter_units=remove_types=32-35|38"

    /// Pictures and sound, with B-frames.
    static let plain =
        picture + sound + encoder + ["-bf", "2", "-g", "25", "-c:a", "aac", "-b:a", "64k"]

    private static func avc(
        _ name: String, _ options: String, extra: [String] = [], agreesOnKeys: Bool = true
    ) -> StreamShape {
        StreamShape(
            name: name, recipe: picture + encoder + ["-x264-params", options] + extra, filter: withoutSets,
            agreesOnKeys: agreesOnKeys)
    }

    private static func hevc(_ name: String, _ options: String, depth: String = "yuv420p") -> StreamShape {
        let options = "log-level=error:pools=1:frame-threads=1:\(options)"
        return StreamShape(
            name: name,
            recipe: picture + [
                "-pix_fmt", depth, "-c:v", "libx265", "-preset", "ultrafast", "-x265-params", options, "-t",
                "2",
            ], filter: withoutHEVCSets)
    }

    static let pictures = [
        StreamShape(name: "H.264 with B-frames", recipe: plain, filter: withoutSets),
        avc("a pyramid of B-frames and open GOPs", "b-pyramid=normal:open-gop=1:keyint=25:bframes=3"),
        avc("interlaced H.264", "interlaced=1:keyint=25:bframes=2"),
        avc("intra refresh", "intra-refresh=1:keyint=25", agreesOnKeys: false),
        avc("pictures of several slices", "slices=4:keyint=25:bframes=2"),
        avc(
            "no access unit delimiters", "keyint=25:bframes=2", extra: ["-bsf:v", "h264_metadata=aud=remove"]
        ),
        avc("the High 4:4:4 profile", "keyint=25", extra: ["-pix_fmt", "yuv444p", "-profile:v", "high444"]),
        avc("a stream with filler data", "nal-hrd=cbr:bitrate=400:vbv-maxrate=400:vbv-bufsize=100:filler=1"),
        hevc("H.265 with open GOPs", "keyint=25:bframes=3:open-gop=1"),
        hevc("H.265 with closed GOPs and slices", "keyint=25:open-gop=0:slices=2"),
        hevc(
            "H.265 with 10 bits and high dynamic range",
            "keyint=25:hdr10=1:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc", depth: "yuv420p10le"
        ),
    ]

    private static func sound(
        _ name: String, _ options: [String], rate: Int = 48_000, filter: String? = nil
    ) -> StreamShape {
        let source = ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=\(rate)"]
        return StreamShape(name: name, recipe: source + ["-t", "2"] + options, filter: filter)
    }

    private static let aac = ["-c:a", "aac", "-b:a", "64k"]

    static let sounds = [
        sound("AAC at 48 kHz", aac, filter: "aac_adtstoasc"),
        sound("AAC at 44.1 kHz", aac, rate: 44_100, filter: "aac_adtstoasc"),
        sound("AAC with 5.1 channels", aac + ["-ac", "6"], filter: "aac_adtstoasc"),
        sound("AC-3 at 48 kHz", ["-c:a", "ac3", "-b:a", "192k"]),
        sound("AC-3 at 44.1 kHz", ["-c:a", "ac3", "-b:a", "192k"], rate: 44_100),
        sound("E-AC-3", ["-c:a", "eac3", "-b:a", "192k", "-ac", "6"]),
        sound("MP3 at 48 kHz", ["-c:a", "libmp3lame", "-b:a", "128k"]),
        sound("MP3 of MPEG-2 at 22.05 kHz", ["-c:a", "libmp3lame", "-b:a", "64k"], rate: 22_050),
        sound("MPEG layer 2", ["-c:a", "mp2", "-b:a", "128k"]),
        sound("Opus", ["-c:a", "libopus", "-b:a", "64k"]),
        sound("Opus with 5.1 channels", ["-c:a", "libopus", "-b:a", "200k", "-ac", "6"]),
    ]
}
