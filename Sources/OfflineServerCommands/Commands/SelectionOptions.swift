internal import APIDocuments
internal import ArgumentParser
internal import AssetStore
internal import OfflineServer

/// The options that select renditions of a stream.
struct SelectionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Take the largest bandwidth not above this, else the lowest (bits per second, 800k, 5M).",
            valueName: "b"))
    var maxBitrate: Bitrate?

    @Option(
        help: ArgumentHelp("Take the smallest bandwidth not below this, else the highest.", valueName: "b"))
    var minBitrate: Bitrate?

    @Option(
        help: ArgumentHelp(
            "Largest picture height in pixels (`download`: 1080 unless a bit rate is given).", valueName: "h")
    )
    var maxHeight: Int?

    @Flag(help: "Take every variant.")
    var allVariants = false

    @Option(
        help: ArgumentHelp(
            "Audio: languages, names or ids of tracks, all or none (`download`: the stream's default).",
            valueName: "l,…"))
    var audio: String?

    @Option(
        help: ArgumentHelp(
            "Subtitles: languages, names or ids of tracks, all or none (`download`: all).", valueName: "l,…"))
    var subtitles: String?

    @Flag(help: "Take I-frame playlists and tracks of thumbnails too, for trick play.")
    var trickPlay = false

    func validate() throws {
        guard maxBitrate == nil || minBitrate == nil else {
            throw ValidationError("--max-bitrate and --min-bitrate exclude each other.")
        }
        guard (maxHeight ?? 1) > 0 else { throw ValidationError("--max-height must be above 0.") }
    }

    /// The selection that the flags mean.
    var selection: Selection {
        var selection = Selection()
        selection.maximumBitrate = maxBitrate?.bitsPerSecond
        selection.minimumBitrate = minBitrate?.bitsPerSecond
        selection.maximumHeight = maxHeight
        selection.allVariants = allVariants
        selection.audio = Selection.Languages(flag: audio)
        selection.subtitles = Selection.Languages(flag: subtitles)
        selection.trickPlay = trickPlay
        return selection
    }
}

/// Bits per second, as `2500000`, `2500k` or `2.5M`.
struct Bitrate: ExpressibleByArgument {
    var bitsPerSecond: Int

    init?(argument: String) {
        guard let value = ScaledNumber.parse(argument), value >= 1 else { return nil }
        bitsPerSecond = Int(value)
    }
}

/// Bytes per second, as `500k` or `2M`.
struct ByteRate: ExpressibleByArgument {
    var bytesPerSecond: UInt64

    init?(argument: String) {
        guard let value = ScaledNumber.parse(argument), value >= 1 else { return nil }
        bytesPerSecond = UInt64(value)
    }
}

enum ScaledNumber {
    /// A number with an optional k, M or G behind it; `nil` for more than any rate is.
    static func parse(_ text: String) -> Double? {
        let scales: [Character: Double] = ["k": 1e3, "K": 1e3, "M": 1e6, "m": 1e6, "G": 1e9, "g": 1e9]
        let scale = text.last.flatMap { scales[$0] }
        guard let number = Double(scale == nil ? text : String(text.dropLast())) else { return nil }
        let value = number * (scale ?? 1)
        return abs(value) < 1e15 ? value : nil
    }
}
