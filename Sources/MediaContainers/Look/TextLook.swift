/// Distinguishes text from media, and kinds of text from one another.
enum TextLook {
    /// Whether bytes begin with the signature of WebVTT (W3C WebVTT, section 4.1).
    static func hasSignature(_ head: [UInt8]) -> Bool {
        var rest = head[...]
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        guard rest.starts(with: "WEBVTT".utf8) else { return false }
        guard let next = rest.dropFirst(6).first else { return true }
        return next == 0x20 || next == 0x09 || next == 0x0A || next == 0x0D
    }

    /// The kind of text that bytes are; `nil` when they are no text.
    static func kind(_ head: [UInt8]) -> ForeignFormat? {
        guard isText(head) else { return isWideText(head) ? .text : nil }
        let text = String(decoding: head, as: UTF8.self).lowercased()
        let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        if isJSON(start) { return .json }
        guard start.hasPrefix("<") else { return .text }
        if text.contains("<html") { return .html }
        if text.contains("<tt") { return .ttml }
        return start.hasPrefix("<?xml") ? .text : .html
    }

    /// Whether a text begins a JSON object or array; a section of a subtitle file begins with a bracket, too.
    private static func isJSON(_ text: Substring) -> Bool {
        if text.hasPrefix("{") { return true }
        guard text.hasPrefix("["), let next = text.dropFirst().first(where: { !$0.isWhitespace }) else {
            return false
        }
        return "{[]\"".contains(next)
    }

    /// Whether bytes are text in UTF-16: a byte order mark, and some ASCII letters.
    private static func isWideText(_ head: [UInt8]) -> Bool {
        let isLittle = head.starts(with: [0xFF, 0xFE])
        guard isLittle || head.starts(with: [0xFE, 0xFF]), head.count >= 16 else { return false }
        let units = stride(from: 2, to: head.count - 1, by: 2).map { place in
            Int(head[place + (isLittle ? 1 : 0)]) << 8 | Int(head[place + (isLittle ? 0 : 1)])
        }
        let plain = units.count { $0 >= 0x20 && $0 < 0x7F || (0x09...0x0D).contains($0) }
        return plain * 8 >= units.count && units.allSatisfy { $0 >= 0x20 || (0x09...0x0D).contains($0) }
    }

    /// Whether bytes are text: media, encrypted or not, soon have bytes that no text has.
    static func isText(_ head: [UInt8]) -> Bool {
        guard !head.isEmpty, head.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || (0x09...0x0D).contains($0) })
        else {
            return false
        }
        // The last character may be cut.
        return !String(decoding: head, as: UTF8.self).unicodeScalars.dropLast(3).contains("\u{FFFD}")
    }
}
