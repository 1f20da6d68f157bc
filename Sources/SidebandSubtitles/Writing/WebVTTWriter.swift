internal import ASCII

/// Writes a track as WebVTT (WebVTT §4).
///
/// The written file reads back as the same track. Content that WebVTT can't hold is changed as little as possible:
/// blank lines within a text are left out, `-->` within a text becomes `--&gt;`, and negative times become 0.
public struct WebVTTWriter: Sendable {
    /// The timestamp map of the header (RFC 8216bis §3.1.4); segments of an HLS playlist need one.
    public var timestampMap: TimestampMap?
    /// Other header lines, such as `Kind: captions`.
    public var headerLines: [String]

    /// A writer.
    public init(timestampMap: TimestampMap? = nil, headerLines: [String] = []) {
        self.timestampMap = timestampMap
        self.headerLines = headerLines
    }

    /// The track as WebVTT text in UTF-8. Without cues it is a header and a blank line.
    public func bytes(of track: SubtitleTrack) -> [UInt8] { OutputPieces.joined { write(track, to: $0) } }

    /// Writes the track in pieces of about 64 KiB, each passed to a function.
    ///
    /// - Throws: the function's error.
    public func write<Failure: Error>(
        _ track: SubtitleTrack, to receive: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        try OutputPieces.write(track.cues, after: definitions(of: track), to: receive) {
            WebVTTWriter.append($0, to: &$1)
        }
    }

    /// Everything before the first cue: header, regions and styles.
    func definitions(of track: SubtitleTrack) -> [UInt8] {
        var bytes = Array("WEBVTT\n".utf8)
        if let timestampMap { bytes += "\(timestampMap)\n".utf8 }
        for line in headerLines { WebVTTWriter.appendText(line, to: &bytes) }
        bytes.append(.lineFeed)
        for region in track.regions {
            bytes += "REGION\n\(region.serialized.joined(separator: "\n"))\n\n".utf8
        }
        for style in track.styles {
            bytes += "STYLE\n".utf8
            WebVTTWriter.appendText(style, to: &bytes)
            bytes.append(.lineFeed)
        }
        return bytes
    }

    func bytes(cues: ArraySlice<Cue>, definitions: [UInt8]) -> [UInt8] {
        var bytes = definitions
        for cue in cues { WebVTTWriter.append(cue, to: &bytes) }
        return bytes
    }

    static func append(_ cue: Cue, to bytes: inout [UInt8]) {
        appendIdentifier(cue.identifier, to: &bytes)
        max(cue.start, CueTime(milliseconds: 0)).append(to: &bytes)
        bytes += " --> ".utf8
        max(cue.end, CueTime(milliseconds: 0)).append(to: &bytes)
        if let settings = cue.storedSettings?.settings {
            for setting in settings.serialized { bytes += " \(setting)".utf8 }
        }
        bytes.append(.lineFeed)
        appendText(cue.text, to: &bytes)
        bytes.append(.lineFeed)
    }

    private static func appendIdentifier(_ text: String, to bytes: inout [UInt8]) {
        let isOneLine = !text.utf8.contains { $0 == .lineFeed || $0 == .carriageReturn }
        appendText(isOneLine ? text : text.linesWithText.joined(separator: " "), to: &bytes)
    }

    /// Appends the lines that are not blank, each with a line end.
    private static func appendText(_ text: String, to bytes: inout [UInt8]) {
        if !isWritable(text) { return appendRepaired(text, to: &bytes) }
        bytes += text.utf8
        bytes.append(.lineFeed)
    }

    /// Whether a text can be written unchanged: it has no blank line, no `-->`, no CR and no NUL.
    private static func isWritable(_ text: String) -> Bool {
        var (last, beforeLast) = (UInt8.lineFeed, UInt8.lineFeed)
        for byte in text.utf8 {
            if byte <= .greaterThan {
                if byte == .lineFeed && last == .lineFeed || byte == .carriageReturn || byte == 0 {
                    return false
                }
                if byte == .greaterThan && last == .hyphen && beforeLast == .hyphen { return false }
            }
            (last, beforeLast) = (byte, last)
        }
        return last != .lineFeed
    }

    private static func appendRepaired(_ text: String, to bytes: inout [UInt8]) {
        let start = bytes.count
        for byte in text.utf8 {
            switch byte {
            case .lineFeed, .carriageReturn:
                if bytes.count > start, bytes.last != .lineFeed { bytes.append(.lineFeed) }
            case .greaterThan where bytes.count >= start + 2 && bytes.suffix(2).allSatisfy { $0 == .hyphen }:
                bytes += "&gt;".utf8
            case 0: bytes += "\u{FFFD}".utf8
            default: bytes.append(byte)
            }
        }
        if bytes.count > start, bytes.last != .lineFeed { bytes.append(.lineFeed) }
    }
}
