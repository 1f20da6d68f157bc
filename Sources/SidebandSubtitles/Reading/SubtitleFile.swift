internal import ASCII

/// A subtitle file of any of the formats that are read, made a track.
///
/// ```swift
/// let file = try SubtitleFile(reading: bytes)  // WebVTT, SubRip, ASS or TTML
/// print(file.format, file.track.cues.count)
/// ```
public struct SubtitleFile: Sendable {
    /// A format that can be read.
    public enum Format: String, Sendable, CaseIterable {
        /// WebVTT.
        case vtt
        /// SubRip.
        case srt
        /// Advanced SubStation Alpha, and SubStation Alpha before it.
        case ass
        /// Timed Text, as IMSC and its forerunners have it.
        case ttml
    }

    /// The format of the file.
    public let format: Format
    /// How its text is written.
    public let encoding: TextEncoding
    /// Its readable cues, sorted by time.
    public let track: SubtitleTrack

    /// Reads a file; its content determines the format.
    ///
    /// Readers are tolerant: an unreadable part costs only its cue, and features that WebVTT lacks are left out. Text
    /// that is neither UTF-8 nor has a byte order mark is read as Windows-1252; in WebVTT with valid UTF-8
    /// characters, invalid bytes become U+FFFD instead.
    ///
    /// - Throws: the error of an unknown format, or of a limit in `limits` that is exceeded.
    public init(reading bytes: [UInt8], limits: WebVTTLimits = .init()) throws(WebVTTError) {
        guard bytes.count <= limits.bytes else { throw WebVTTError(.tooManyBytes) }
        let (text, encoding) = TextEncoding.decode(bytes)
        self.encoding = encoding
        format = try SubtitleFile.format(of: text)
        var track: SubtitleTrack
        switch format {
        case .vtt: track = try WebVTTFile(parsing: text, limits: limits).track
        case .srt: track = try SubRipReader.track(text, limits: limits)
        case .ass: track = try ASSReader.track(text, limits: limits)
        case .ttml: track = try TTMLReader.file(text, limits: limits)
        }
        // There are no cues: the content only resembled the format.
        if track.cues.isEmpty && format == .srt { throw WebVTTError(.unknownFormat) }
        track.sortCues()
        if format != .vtt, let rules = ClassColor.styleSheet(for: track.cues) { track.styles.append(rules) }
        self.track = track
    }

    private static func format(of text: [UInt8]) throws(WebVTTError) -> Format {
        let start = text.prefix(4096).drop(while: \.isWhitespace)
        if start.isEmpty { throw WebVTTError(.empty) }
        if text.starts(with: Array("WEBVTT".utf8)) { return .vtt }
        if start.first == .lessThan {
            let opening = String(decoding: start, as: UTF8.self)
            let isDocument = ["<tt ", "<tt>", ":tt ", ":tt>", "<tt\n", "<tt\r"].contains {
                opening.contains($0)
            }
            guard isDocument else { throw WebVTTError(.webPage) }
            return .ttml
        }
        return start.first == UInt8(ascii: "[") && isScript(start) ? .ass : .srt
    }

    private static func isScript(_ start: ArraySlice<UInt8>) -> Bool {
        let text = String(decoding: start, as: UTF8.self).lowercased()
        return text.hasPrefix("[script info]") || text.hasPrefix("[v4") || text.hasPrefix("[events]")
    }
}
