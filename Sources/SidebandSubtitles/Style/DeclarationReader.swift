/// Reads declarations (CSS Syntax 3 §5.4.4). Those that are unknown, not allowed in cues or invalid are left out.
enum DeclarationReader {
    /// A declaration and whether it is `!important`.
    typealias Entry = (declaration: StyleDeclaration, isImportant: Bool)

    /// The declarations of a rule's block.
    static func read(_ block: [CSSToken]) -> [Entry] {
        block.split(separator: .semicolon).flatMap { declaration(Array($0)) }
    }

    private static func declaration(_ tokens: [CSSToken]) -> [Entry] {
        let tokens = Array(tokens.trimmed)
        guard let name = tokens.first?.keyword else { return [] }
        let rest = Array(tokens.dropFirst().drop { $0 == .whitespace })
        guard rest.first == .colon else { return [] }
        let (value, isImportant) = withoutImportant(Array(rest.dropFirst()))
        return values(name, Array(value.trimmed)).map { ($0, isImportant) }
    }

    private static func withoutImportant(_ value: [CSSToken]) -> ([CSSToken], Bool) {
        let trimmed = Array(value.trimmed)
        guard trimmed.last?.keyword == "important" else { return (trimmed, false) }
        let rest = Array(Array(trimmed.dropLast()).trimmed)
        return rest.last == .delimiter("!") ? (Array(rest.dropLast()), true) : (trimmed, false)
    }

    private static func values(_ name: String, _ value: [CSSToken]) -> [StyleDeclaration] {
        guard let first = value.first else { return [] }
        switch name {
        case "background": return BackgroundReader.shorthand(value)
        case "font": return FontReader.shorthand(value)
        case "outline": return OutlineReader.shorthand(value)
        case "text-decoration": return DecorationReader.shorthand(value)
        case "text-decoration-line": return DecorationReader.lines(value).map { [.decorationLines($0)] } ?? []
        case "text-shadow": return ShadowReader.read(value).map { [.shadows($0)] } ?? []
        case "font-family": return FontReader.families(value).map { [.fontFamilies($0)] } ?? []
        default:
            guard value.count == 1 else { return [] }
            return (single(name, first) ?? FontReader.single(name, first)).map { [$0] } ?? []
        }
    }

    /// Properties whose value is one token.
    private static func single(_ name: String, _ token: CSSToken) -> StyleDeclaration? {
        switch name {
        case "color": CSSColorValue(token).map { .color($0) }
        case "background-color": CSSColorValue(token).map { .background($0) }
        case "text-decoration-color": CSSColorValue(token).map { .decorationColor($0) }
        case "outline-color": CSSColorValue(token).map { .outlineColor($0) }
        case "outline-width": OutlineReader.width(token).map { .outlineWidth($0) }
        case "outline-style": OutlineReader.isDrawn(token).map { .outlineIsDrawn($0) }
        case "opacity": token.fraction.map { .opacity($0) }
        case "visibility": visibility(token).map { .visibility($0) }
        case "white-space": token.keyword.flatMap(TextStyle.WhiteSpace.init).map { .whiteSpace($0) }
        case "text-combine-upright": combinesUpright(token).map { .combinesUpright($0) }
        case "ruby-position": rubyPosition(token).map { .rubyIsUnder($0) }
        default: nil
        }
    }

    private static func visibility(_ token: CSSToken) -> Bool? {
        switch token.keyword {
        case "visible": true
        case "hidden", "collapse": false
        default: nil
        }
    }

    private static func combinesUpright(_ token: CSSToken) -> Bool? {
        switch token.keyword {
        case "all", "digits": true
        case "none": false
        default: nil
        }
    }

    private static func rubyPosition(_ token: CSSToken) -> Bool? {
        switch token.keyword {
        case "over", "alternate": false
        case "under": true
        default: nil
        }
    }
}

/// Reads `background`: only its color can be shown, since pictures would have to be fetched.
enum BackgroundReader {
    static func shorthand(_ value: [CSSToken]) -> [StyleDeclaration] {
        guard !value.contains(.bad), let layer = value.commaSeparated.last else { return [] }
        let colors = layer.words.compactMap(CSSColorValue.init)
        guard colors.count <= 1 else { return [] }
        return [.background(colors.first ?? .color(.clear))]
    }
}

/// Reads `outline`.
enum OutlineReader {
    private static let styles: Set<String> = [
        "auto", "dotted", "dashed", "solid", "double", "groove", "ridge", "inset", "outset",
    ]

    static func shorthand(_ value: [CSSToken]) -> [StyleDeclaration] {
        var (color, length, drawn) = (CSSColorValue.current, CSSLength(3, .pixels), false)
        for token in value.words {
            if let isDrawn = isDrawn(token) {
                drawn = isDrawn
            } else if let width = width(token) {
                length = width
            } else if let other = CSSColorValue(token) {
                color = other
            } else {
                return []
            }
        }
        return [.outlineColor(color), .outlineWidth(length), .outlineIsDrawn(drawn)]
    }

    static func width(_ token: CSSToken) -> CSSLength? {
        switch token.keyword {
        case "thin": CSSLength(1, .pixels)
        case "medium": CSSLength(3, .pixels)
        case "thick": CSSLength(5, .pixels)
        default: CSSLength(token).flatMap { $0.value >= 0 && $0.unit != .percent ? $0 : nil }
        }
    }

    static func isDrawn(_ token: CSSToken) -> Bool? {
        guard let word = token.keyword else { return nil }
        if word == "none" || word == "hidden" { return false }
        return styles.contains(word) ? true : nil
    }
}

/// Reads `text-decoration`.
enum DecorationReader {
    private static let styles: Set<String> = ["solid", "double", "dotted", "dashed", "wavy", "blink"]

    static func shorthand(_ value: [CSSToken]) -> [StyleDeclaration] {
        var (lines, color): ([CSSToken], CSSColorValue) = ([], .current)
        for token in value.words {
            if let other = CSSColorValue(token) {
                color = other
            } else if let word = token.keyword, !styles.contains(word) {
                lines.append(token)
            } else if token.keyword == nil, CSSLength(token) == nil {
                return []
            }
        }
        guard let lines = self.lines(lines) else { return [] }
        return [.decorationLines(lines), .decorationColor(color)]
    }

    static func lines(_ value: [CSSToken]) -> [TextStyle.Decoration.Line]? {
        let words = value.words
        if words.isEmpty || words.first?.keyword == "none" { return words.count <= 1 ? [] : nil }
        let lines = words.compactMap { $0.keyword.flatMap(TextStyle.Decoration.Line.init) }
        return lines.count == words.count ? lines : nil
    }
}

/// Reads `text-shadow` (CSS Text Decoration 3 §4).
enum ShadowReader {
    /// How many shadows are kept.
    static let maximumCount = 8

    static func read(_ value: [CSSToken]) -> [ShadowValue]? {
        if value.first?.keyword == "none" { return value.count == 1 ? [] : nil }
        let parts = value.commaSeparated
        let shadows = parts.compactMap { shadow($0.words) }
        return shadows.count == parts.count ? Array(shadows.prefix(maximumCount)) : nil
    }

    private static func shadow(_ words: [CSSToken]) -> ShadowValue? {
        var shadow = ShadowValue(lengths: [], color: .current)
        for token in words {
            if let length = CSSLength(token), length.unit != .percent {
                shadow.lengths.append(length)
            } else if let color = CSSColorValue(token) {
                shadow.color = color
            } else {
                return nil
            }
        }
        return shadow.lengths.count == 2 || shadow.lengths.count == 3 ? shadow : nil
    }
}
