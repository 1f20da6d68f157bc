internal import ASCII

/// Reads the elements and texts of an XML document from left to right. It is sufficient for TTML: name prefixes are
/// dropped, and a document type is skipped and defines nothing.
struct XMLScanner {
    /// A part of a document.
    enum Event {
        /// A start tag, or an empty-element tag, whose end tag follows.
        case start(name: String, attributes: [String: String])
        case end
        case text(String)
    }

    private let bytes: [UInt8]
    private var position = 0
    private var endsElement = false

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> Event? {
        if endsElement {
            endsElement = false
            return .end
        }
        while position < bytes.count {
            guard bytes[position] == .lessThan else { return .text(text(until: .lessThan)) }
            if isNext("<!--") {
                skip(through: "-->")
            } else if isNext("<![CDATA[") {
                let start = position + 9
                skip(through: "]]>")
                let end = max(start, position - 3)
                return .text(DecodedText(bytes, start..<end, rewriting: true).string)
            } else if isNext("<?") {
                skip(through: "?>")
            } else if isNext("<!") {
                skipDocumentType()
            } else if isNext("</") {
                skip(through: ">")
                return .end
            } else {
                return startTag()
            }
        }
        return nil
    }

    private mutating func startTag() -> Event {
        position += 1
        let name = name()
        var attributes: [String: String] = [:]
        while position < bytes.count, bytes[position] != .greaterThan {
            let byte = bytes[position]
            if byte == .slash {
                endsElement = true
                position += 1
            } else if byte.isWhitespace {
                position += 1
            } else {
                endsElement = false
                readAttribute(into: &attributes)
            }
        }
        position += 1
        return .start(name: name, attributes: attributes)
    }

    private mutating func readAttribute(into attributes: inout [String: String]) {
        let start = position
        let name = name()
        skipWhitespace()
        if position < bytes.count, bytes[position] == .equals {
            position += 1
            skipWhitespace()
            guard position < bytes.count, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(bytes[position])
            else {
                return
            }
            let quote = bytes[position]
            position += 1
            let value = text(until: quote)
            position += 1
            if attributes.count < 100 { attributes[name] = value }
        }
        if position == start { position += 1 }
    }

    /// A name without its prefix.
    private mutating func name() -> String {
        let start = position
        while position < bytes.count, !bytes[position].isWhitespace,
            ![.greaterThan, .slash, .equals].contains(bytes[position])
        {
            position += 1
        }
        let name = bytes[start..<position]
        let local = name.lastIndex(of: .colon).map { name[($0 + 1)...] } ?? name
        return String(decoding: local, as: UTF8.self)
    }

    private mutating func skipWhitespace() {
        while position < bytes.count, bytes[position].isWhitespace { position += 1 }
    }

    /// The text up to a byte, references resolved.
    private mutating func text(until end: UInt8) -> String {
        var decoded: [UInt8] = []
        while position < bytes.count, bytes[position] != end {
            if bytes[position] == .ampersand, let reference = CharacterReference(bytes, at: position) {
                decoded.append(contentsOf: reference.text.utf8)
                position += reference.length
            } else {
                decoded.append(bytes[position])
                position += 1
            }
        }
        return DecodedText(decoded, 0..<decoded.count, rewriting: true).string
    }

    private func isNext(_ text: StaticString) -> Bool { bytes[position...].starts(with: text) }

    private mutating func skip(through text: StaticString) {
        position += 2
        while position < bytes.count, !isNext(text) { position += 1 }
        position = min(position + text.utf8CodeUnitCount, bytes.count)
    }

    /// Passes `<!DOCTYPE … [ … ]>`.
    private mutating func skipDocumentType() {
        var depth = 0
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if byte == UInt8(ascii: "[") { depth += 1 }
            if byte == UInt8(ascii: "]") { depth -= 1 }
            if byte == .greaterThan, depth <= 0 { return }
        }
    }
}
