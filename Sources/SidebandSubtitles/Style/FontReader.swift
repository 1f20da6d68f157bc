/// Reads `font` and the properties it stands for (CSS Fonts 4 §2).
enum FontReader {
    /// How many families are kept.
    private static let maximumFamilies = 16
    private static let scale: [String: Double] = [
        "xx-small": 0.6, "x-small": 0.75, "small": 8.0 / 9, "medium": 1, "large": 1.2, "x-large": 1.5,
        "xx-large": 2, "xxx-large": 3,
    ]
    private static let ignored: Set<String> = [
        "normal", "small-caps", "ultra-condensed", "extra-condensed", "condensed", "semi-condensed",
        "semi-expanded", "expanded", "extra-expanded", "ultra-expanded",
    ]

    /// Properties whose value is one token.
    static func single(_ name: String, _ token: CSSToken) -> StyleDeclaration? {
        switch name {
        case "font-size": size(token).map { .fontSize($0) }
        case "font-weight": weight(token).map { .weight($0) }
        case "font-style": isItalic(token).map { .isItalic($0) }
        case "line-height": lineHeight(token).map { .lineHeight($0) }
        default: nil
        }
    }

    static func families(_ value: [CSSToken]) -> [String]? {
        let parts = value.commaSeparated
        let names = parts.compactMap(family)
        return names.count == parts.count ? Array(names.prefix(maximumFamilies)) : nil
    }

    private static func family(_ tokens: [CSSToken]) -> String? {
        if case .string(let name)? = tokens.first { return tokens.count == 1 ? name : nil }
        let words = tokens.words
        let names = words.compactMap { token in
            if case .ident(let name) = token { name } else { String?.none }
        }
        return names.count == words.count && !names.isEmpty ? names.joined(separator: " ") : nil
    }

    /// Reads `[style || weight] size[/line-height] families`; missing parts get their initial values.
    static func shorthand(_ value: [CSSToken]) -> [StyleDeclaration] {
        var (rest, italic, bold) = (value[...], false, WeightValue.number(400))
        while let token = rest.first, size(token) == nil {
            if token == .whitespace || ignored.contains(token.keyword ?? "") {
                rest.removeFirst()
                continue
            }
            if let value = isItalic(token) {
                italic = value
            } else if let value = weight(token) {
                bold = value
            } else {
                return []
            }
            rest.removeFirst()
        }
        return sizeAndFamilies(rest).map { [.isItalic(italic), .weight(bold)] + $0 } ?? []
    }

    private static func sizeAndFamilies(_ value: ArraySlice<CSSToken>) -> [StyleDeclaration]? {
        guard let size = value.first.flatMap(size) else { return nil }
        var rest = value.dropFirst().drop { $0 == .whitespace }
        var height = LineHeightValue.normal
        if rest.first == .delimiter("/") {
            rest = rest.dropFirst().drop { $0 == .whitespace }
            guard let given = rest.first.flatMap(lineHeight) else { return nil }
            height = given
            rest = rest.dropFirst()
        }
        guard let families = families(Array(Array(rest).trimmed)) else { return nil }
        return [.fontSize(size), .lineHeight(height), .fontFamilies(families)]
    }

    private static func size(_ token: CSSToken) -> FontSizeValue? {
        if let word = token.keyword {
            switch word {
            case "larger": return .relative(1.2)
            case "smaller": return .relative(1 / 1.2)
            default: return scale[word].map { .absolute($0) }
            }
        }
        guard let length = CSSLength(token), length.value >= 0 else { return nil }
        return .length(length)
    }

    private static func weight(_ token: CSSToken) -> WeightValue? {
        switch token {
        case .number(let value) where value >= 1 && value <= 1000: .number(Int(value))
        case .ident:
            switch token.keyword {
            case "normal": .number(400)
            case "bold": .number(700)
            case "bolder": .bolder
            case "lighter": .lighter
            default: nil
            }
        default: nil
        }
    }

    private static func isItalic(_ token: CSSToken) -> Bool? {
        switch token.keyword {
        case "italic", "oblique": true
        case "normal": false
        default: nil
        }
    }

    private static func lineHeight(_ token: CSSToken) -> LineHeightValue? {
        if token.keyword == "normal" { return .normal }
        if case .number(let factor) = token { return factor >= 0 ? .factor(factor) : nil }
        return CSSLength(token).flatMap { $0.value >= 0 ? .length($0) : nil }
    }
}
