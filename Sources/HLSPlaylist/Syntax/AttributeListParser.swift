internal import ASCII

/// Reads an attribute list. Blanks around names and values, and empty places between commas, are skipped.
struct AttributeListParser {
    let bytes: [UInt8]
    var position: Int
    let line: Line

    mutating func parse() throws(PlaylistError) -> [AttributeList.Pair] {
        var pairs: [AttributeList.Pair] = []
        while skipToName() {
            let name = try self.name()
            pairs.append(AttributeList.Pair(name: name, value: try value()))
        }
        return pairs
    }

    /// Moves to the next byte that is neither blank nor comma.
    private mutating func skipToName() -> Bool {
        while position < line.end, bytes[position].isBlank || bytes[position] == .comma { position += 1 }
        return position < line.end
    }

    private mutating func name() throws(PlaylistError) -> String {
        let start = position
        while position < line.end, isNameByte(bytes[position]) { position += 1 }
        let name = bytes[start..<position]
        skipBlanks()
        guard !name.isEmpty, position < line.end, bytes[position] == .equals else { throw failure }
        position += 1
        skipBlanks()
        return String(decoding: name, as: UTF8.self)
    }

    private mutating func value() throws(PlaylistError) -> AttributeList.Value {
        guard position < line.end, bytes[position] == .quote else { return .plain(plainText()) }
        let start = position + 1
        guard let end = bytes[start..<line.end].firstIndex(of: .quote) else { throw failure }
        position = end + 1
        skipBlanks()
        guard position == line.end || bytes[position] == .comma else { throw failure }
        return .quoted(String(decoding: bytes[start..<end], as: UTF8.self))
    }

    private mutating func plainText() -> String {
        let start = position
        while position < line.end, bytes[position] != .comma { position += 1 }
        var end = position
        while end > start, bytes[end - 1].isBlank { end -= 1 }
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }

    private mutating func skipBlanks() {
        while position < line.end, bytes[position].isBlank { position += 1 }
    }

    private func isNameByte(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || byte == .hyphen || byte == UInt8(ascii: "_") || byte == .dot
    }

    private var failure: PlaylistError {
        PlaylistError(
            code: .badAttributeList, line: line.number, excerpt: Excerpt.make(bytes[line.start..<line.end]))
    }
}
