/// A component value of CSS (CSS Syntax 3 §5): a token, or a function or block with its content.
indirect enum CSSToken: Hashable {
    case ident(String)
    case function(String, [CSSToken])
    case atKeyword(String)
    case hash(String)
    case string(String)
    case url
    case number(Double)
    case percentage(Double)
    /// The unit is in lower case.
    case dimension(Double, String)
    case whitespace
    case colon
    case semicolon
    case comma
    /// `{…}`, `[…]` or `(…)`, named by its opening byte.
    case block(UInt8, [CSSToken])
    case delimiter(Character)
    /// Invalid CSS, such as a string with a line end in it.
    case bad

    /// The word, in lower case.
    var keyword: String? {
        if case .ident(let name) = self { return name.asciiLowercased }
        return nil
    }
}

extension String {
    /// The text with the letters A to Z in lower case, and other characters unchanged.
    var asciiLowercased: String {
        if utf8.allSatisfy({ $0 &- 0x41 >= 26 }) { return self }
        return String(decoding: utf8.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}

extension [CSSToken] {
    /// The values without whitespace at both ends.
    var trimmed: ArraySlice<CSSToken> {
        guard let first = firstIndex(where: { $0 != .whitespace }),
            let last = lastIndex(where: { $0 != .whitespace })
        else { return [] }
        return self[first...last]
    }

    /// The stretches between commas, trimmed.
    var commaSeparated: [[CSSToken]] {
        split(separator: .comma, omittingEmptySubsequences: false).map { Array(Array($0).trimmed) }
    }

    /// The values between whitespace.
    var words: [CSSToken] { filter { $0 != .whitespace } }
}
