internal import ASCII

/// The texts of a small XML document, by the names of their elements, which is all that S3's answers need.
///
/// Namespaces, attributes and comments are ignored; the reading ends at a syntax error.
struct XMLText {
    /// An element with text, and the names of those around it.
    struct Element: Equatable {
        var path: [String]
        var text: String

        var name: String { path.last ?? "" }
        var parent: String? { path.dropLast().last }
    }

    /// The elements in the order of their ends.
    private(set) var elements: [Element] = []
    /// Whether the document's first element was closed; otherwise it was truncated.
    private(set) var isWhole = false
    private static let deepest = 32

    init(_ bytes: [UInt8]) {
        var open: [(name: String, text: [UInt8], hasChildren: Bool)] = []
        var rest = bytes[...]
        while let start = rest.firstIndex(of: .lessThan) {
            if !open.isEmpty { open[open.count - 1].text += rest[..<start] }
            guard let tag = Self.takeTag(&rest, from: start) else { return }
            guard let first = tag.first, first != .questionMark, first != UInt8(ascii: "!") else { continue }
            if first == .slash {
                guard let ended = open.popLast(), ended.name == Self.name(tag.dropFirst()) else { return }
                if !ended.hasChildren { add(ended.name, ended.text, within: open.map(\.name)) }
                isWhole = open.isEmpty
                if isWhole { return }
                continue
            }
            if !open.isEmpty { open[open.count - 1].hasChildren = true }
            let name = Self.name(tag)
            if tag.last == .slash {
                add(name, [], within: open.map(\.name))
            } else {
                guard open.count < Self.deepest else { return }
                open.append((name, [], false))
            }
        }
    }

    /// The text of the first element of a name.
    subscript(_ name: String) -> String? { elements.first { $0.name == name }?.text }

    private mutating func add(_ name: String, _ text: [UInt8], within path: [String]) {
        elements.append(Element(path: path + [name], text: Self.decoded(text)))
    }

    /// Takes the text between `<` and `>`, and leaves the rest after it.
    private static func takeTag(_ rest: inout ArraySlice<UInt8>, from start: Int) -> ArraySlice<UInt8>? {
        let end: Int?
        if rest[start...].starts(with: Array("<!--".utf8)) {
            end = rest[start...].firstRange(of: Array("-->".utf8)).map { $0.upperBound - 1 }
        } else {
            end = rest[start...].firstIndex(of: .greaterThan)
        }
        guard let end else { return nil }
        defer { rest = rest[(end + 1)...] }
        return rest[(start + 1)..<end]
    }

    /// The name of a tag, without the prefix of its namespace.
    private static func name(_ tag: ArraySlice<UInt8>) -> String {
        let whole = tag.prefix { !$0.isWhitespace && $0 != .slash }
        let local = whole.lastIndex(of: .colon).map { whole[($0 + 1)...] } ?? whole
        return String(decoding: local, as: UTF8.self)
    }

    /// Replaces references to characters.
    private static func decoded(_ text: [UInt8]) -> String {
        guard text.contains(.ampersand) else { return String(decoding: text, as: UTF8.self) }
        var result: [UInt8] = []
        var rest = text[...]
        while let start = rest.firstIndex(of: .ampersand) {
            result += rest[..<start]
            let name = rest[(start + 1)...].prefix { $0 != .semicolon }
            guard name.endIndex < rest.endIndex,
                let character = character(String(decoding: name, as: UTF8.self))
            else {
                result.append(.ampersand)
                rest = rest[(start + 1)...]
                continue
            }
            result += Array(String(character).utf8)
            rest = rest[(name.endIndex + 1)...]
        }
        return String(decoding: result + rest, as: UTF8.self)
    }

    private static func character(_ name: String) -> Character? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            let number =
                name.hasPrefix("#x")
                ? UInt32(name.dropFirst(2), radix: 16)
                : name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
            return number.flatMap(Unicode.Scalar.init).map(Character.init)
        }
    }

    /// A text in which references replace the special characters of XML.
    static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&apos;"
            default:
                // An XML parser would change a plain line end.
                let isControl = character.unicodeScalars.contains { $0.value < 0x20 }
                result +=
                    isControl
                    ? character.unicodeScalars.map { "&#\($0.value);" }.joined() : String(character)
            }
        }
    }
}
