internal import ASCII

/// Makes the harmless part of a line that an error may show.
enum Excerpt {
    private static let limit = 80

    /// An excerpt of a line: a tag up to the first quote, query or URL; of keys and variables only the name; of a URI
    /// the part that a log may show.
    static func make<Bytes: Collection<UInt8>>(_ line: Bytes) -> String {
        guard line.first == .hash else { return uri(line) }
        let isSecret = secretTags.contains { line.starts(with: $0) }
        var text = ""
        var previous: UInt8 = 0
        for byte in line {
            let isValue = byte == .quote || byte == .questionMark || (byte == .slash && previous == .slash)
            if isValue || text.utf8.count >= limit || (isSecret && byte == .equals) { return text + "…" }
            text.unicodeScalars.append(printable(byte))
            previous = byte
        }
        return text
    }

    private static let secretTags = ["#EXT-X-KEY", "#EXT-X-SESSION-KEY", "#EXT-X-DEFINE"].map {
        Array($0.utf8)
    }

    private static func uri<Bytes: Collection<UInt8>>(_ line: Bytes) -> String {
        var text = ""
        for byte in line.prefix(4 * limit).prefix(while: { $0 != .quote }) {
            text.unicodeScalars.append(printable(byte))
        }
        let shown = URIReference.shown(text)
        return shown.utf8.count <= limit ? shown : String(shown.prefix(limit)) + "…"
    }

    private static func printable(_ byte: UInt8) -> Unicode.Scalar {
        byte >= 0x20 && byte < 0x7F ? Unicode.Scalar(byte) : "\u{FFFD}"
    }
}
