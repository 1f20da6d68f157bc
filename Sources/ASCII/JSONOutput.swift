/// JSON text (RFC 8259) that is being written, in UTF-8. Commas are inserted between values, and optionally line
/// breaks for people.
package struct JSONOutput: Sendable {
    private enum Position { case beginning, first, next, behindName }

    /// The text up to now.
    package var bytes: [UInt8] = []
    private var position = Position.beginning
    /// How far the next line is indented; `nil` for text in one line.
    private var indent: Int?

    /// Makes an empty text.
    ///
    /// - Parameter hasLines: whether each value has a line of its own.
    package init(hasLines: Bool = false) { indent = hasLines ? 0 : nil }

    /// Begins an array or an object.
    package mutating func open(_ bracket: Unicode.Scalar) {
        separate()
        bytes.append(UInt8(ascii: bracket))
        indent = indent.map { $0 + 2 }
        position = .first
    }

    /// Ends the array or object that was begun last.
    package mutating func close(_ bracket: Unicode.Scalar) {
        indent = indent.map { $0 - 2 }
        if position == .next { breakLine() }
        bytes.append(UInt8(ascii: bracket))
        position = .next
    }

    /// Writes the name of a member. Its value must follow. The name must not need an escape.
    package mutating func name(_ name: StaticString) {
        separate()
        bytes.append(.quote)
        name.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
        bytes.append(.quote)
        endName()
    }

    /// The name of a member, whatever it has; its value follows.
    package mutating func name(escaping name: String) {
        separate()
        append(name)
        endName()
    }

    /// A string.
    package mutating func value(_ text: String) {
        separate()
        append(text)
        position = .next
    }

    /// `true` or `false`.
    package mutating func value(_ flag: Bool) { value(literal: flag ? "true" : "false") }

    package mutating func null() { value(literal: "null") }

    /// Writes a number, or another value, that is JSON text already.
    package mutating func value(literal text: String) {
        separate()
        bytes.append(contentsOf: text.utf8)
        position = .next
    }

    /// A member whose value is a string.
    package mutating func member(_ name: StaticString, _ text: String) {
        self.name(name)
        value(text)
    }

    /// A member whose value is an array.
    package mutating func array<Elements: Sequence>(
        _ name: StaticString, _ elements: Elements, write: (Elements.Element, inout JSONOutput) -> Void
    ) {
        self.name(name)
        open("[")
        for element in elements { write(element, &self) }
        close("]")
    }

    /// Appends members that were written before, with the comma that they begin with.
    package mutating func members(_ text: ArraySlice<UInt8>) {
        bytes.append(contentsOf: text)
        position = .next
    }
}

extension JSONOutput {
    private mutating func separate() {
        if position == .next { bytes.append(.comma) }
        if position == .next || position == .first { breakLine() }
    }

    private mutating func endName() {
        bytes.append(.colon)
        if indent != nil { bytes.append(.space) }
        position = .behindName
    }

    private mutating func breakLine() {
        guard let indent else { return }
        bytes.append(.lineFeed)
        bytes.append(contentsOf: repeatElement(.space, count: indent))
    }

    private mutating func append(_ text: String) {
        bytes.append(.quote)
        var text = text
        let isPlain = text.withUTF8 { text in
            guard unsafe !text.contains(where: JSONOutput.isSpecial) else { return false }
            unsafe bytes.append(contentsOf: text)
            return true
        }
        if !isPlain {
            for byte in text.utf8 { appendEscaped(byte) }
        }
        bytes.append(.quote)
    }

    /// Whether a byte is escaped. JSON permits DEL unescaped, but terminals interpret it.
    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte <= 0x1F || byte == .quote || byte == .backslash || byte == 0x7F
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        switch byte {
        case .quote, .backslash: bytes.append(contentsOf: [.backslash, byte])
        case .lineFeed: bytes.append(contentsOf: [.backslash, UInt8(ascii: "n")])
        case 0...0x1F, 0x7F:
            bytes.append(contentsOf: "\\u00".utf8)
            bytes.append(contentsOf: Hexadecimal.digits(byte))
        default: bytes.append(byte)
        }
    }
}
