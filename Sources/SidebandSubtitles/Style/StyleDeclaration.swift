/// A property with its value, among those that WebVTT §8.2.1 permits.
enum StyleDeclaration: Hashable {
    case color(CSSColorValue)
    case opacity(Double)
    case visibility(Bool)
    case background(CSSColorValue)
    case decorationLines([TextStyle.Decoration.Line])
    case decorationColor(CSSColorValue)
    case shadows([ShadowValue])
    case outlineColor(CSSColorValue)
    case outlineWidth(CSSLength)
    case outlineIsDrawn(Bool)
    case fontFamilies([String])
    case fontSize(FontSizeValue)
    case weight(WeightValue)
    case isItalic(Bool)
    case lineHeight(LineHeightValue)
    case whiteSpace(TextStyle.WhiteSpace)
    case combinesUpright(Bool)
    case rubyIsUnder(Bool)

    /// Whether it changes the size of boxes, so that `:past` and `:future` may not use it.
    var affectsLayout: Bool {
        switch self {
        case .fontFamilies, .fontSize, .weight, .isItalic, .lineHeight, .whiteSpace, .combinesUpright,
            .rubyIsUnder:
            true
        default: false
        }
    }

    /// Whether other properties are relative to it.
    var comesFirst: Bool {
        switch self {
        case .fontSize, .color: true
        default: false
        }
    }
}

/// A color, or the color of the text.
enum CSSColorValue: Hashable {
    case color(CueColor)
    case current

    init?(_ token: CSSToken) {
        if token.keyword == "currentcolor" {
            self = .current
        } else {
            guard let color = CueColor(token) else { return nil }
            self = .color(color)
        }
    }
}

/// A shadow before its lengths are in pixels.
struct ShadowValue: Hashable {
    var lengths: [CSSLength]
    var color: CSSColorValue
}

/// A font size before it is in pixels.
enum FontSizeValue: Hashable {
    case length(CSSLength)
    /// Times the size of the parent's font.
    case relative(Double)
    /// Times the size that cues have by default.
    case absolute(Double)
}

/// A font weight.
enum WeightValue: Hashable {
    case number(Int)
    case bolder
    case lighter
}

/// A line height before it is in pixels.
enum LineHeightValue: Hashable {
    case normal
    case factor(Double)
    case length(CSSLength)
}
