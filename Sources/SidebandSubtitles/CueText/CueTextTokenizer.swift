internal import ASCII

/// A part of a cue text (WebVTT §6.4, "cue text tokenizer").
enum CueTextToken {
    case text(String)
    case startTag(name: ArraySlice<UInt8>, classes: [String], annotation: String)
    case endTag(ArraySlice<UInt8>)
    case timestampTag(ArraySlice<UInt8>)
}

/// Splits a cue text into texts and tags.
struct CueTextTokenizer {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func next() -> CueTextToken? {
        guard position < bytes.count else { return nil }
        guard bytes[position] == .lessThan else {
            return .text(CueTextTokenizer.string(decoded { $0 == .lessThan }))
        }
        position += 1
        switch position < bytes.count ? bytes[position] : .greaterThan {
        case .slash:
            position += 1
            return .endTag(restOfTag())
        case let byte where byte.isDigit:
            return .timestampTag(restOfTag())
        default:
            return startTag()
        }
    }

    private mutating func startTag() -> CueTextToken {
        let name = run { $0 == .dot || $0.isWhitespace || $0 == .greaterThan }
        var classes: [String] = []
        while position < bytes.count, bytes[position] == .dot {
            position += 1
            let item = run { $0 == .dot || $0.isWhitespace || $0 == .greaterThan }
            if !item.isEmpty && classes.count < CueText.maximumClasses {
                classes.append(CueTextTokenizer.string(item))
            }
        }
        let annotation = CueTextTokenizer.collapsed(decoded { $0 == .greaterThan })
        skipTagEnd()
        return .startTag(name: name, classes: classes, annotation: annotation)
    }

    /// The bytes up to the end of the tag, which is passed.
    private mutating func restOfTag() -> ArraySlice<UInt8> {
        let rest = run { $0 == .greaterThan }
        skipTagEnd()
        return rest
    }

    private mutating func skipTagEnd() {
        position = min(position + 1, bytes.count)
    }

    private mutating func run(until isEnd: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = position
        while position < bytes.count, !isEnd(bytes[position]) { position += 1 }
        return bytes[start..<position]
    }

    /// The text up to a byte, character references resolved.
    private mutating func decoded(until isEnd: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let plain = run { $0 == .ampersand || isEnd($0) }
        guard position < bytes.count, bytes[position] == .ampersand else { return plain }
        var text = Array(plain)
        while position < bytes.count, bytes[position] == .ampersand {
            if let reference = CharacterReference(bytes, at: position) {
                text.append(contentsOf: reference.text.utf8)
                position += reference.length
            } else {
                text.append(.ampersand)
                position += 1
            }
            text.append(contentsOf: run { $0 == .ampersand || isEnd($0) })
        }
        return text[...]
    }

    /// The text without whitespace at the ends, and with one blank for each run of whitespace.
    private static func collapsed(_ text: ArraySlice<UInt8>) -> String {
        var result: [UInt8] = []
        for byte in text.trimmed {
            if !byte.isWhitespace {
                result.append(byte)
            } else if result.last != .space {
                result.append(.space)
            }
        }
        return string(result)
    }

    private static func string(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
}
