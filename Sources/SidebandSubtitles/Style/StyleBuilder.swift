/// Applies declarations to a style, step by step.
struct StyleBuilder {
    private let parent: TextStyle
    private let frame: FrameSize
    private(set) var style: TextStyle
    /// The color behind the element.
    private(set) var background: CueColor?
    private var opacity = 1.0
    private var lines: [TextStyle.Decoration.Line] = []
    private var lineColor = CSSColorValue.current
    private var outline = (color: CSSColorValue.current, width: 3.0, isDrawn: false)

    init(parent: TextStyle, in frame: FrameSize) {
        self.parent = parent
        self.frame = frame
        style = parent
    }

    /// Applies the look that an element has by itself (WebVTT §7.4 and §5.1).
    mutating func apply(defaultsOf element: CueText.Element) {
        switch element.tag {
        case .italic: style.isItalic = true
        case .bold: style.weight = 700
        case .underline: lines = [.underline]
        case .rubyText:
            style.fontSize = parent.fontSize / 2
            background = .shade
        default: break
        }
        for name in element.classes {
            if let color = DefaultClasses.colors[name] { style.color = color }
            if name.hasPrefix("bg_"), let color = DefaultClasses.colors[String(name.dropFirst(3))] {
                background = color
            }
        }
    }

    /// Applies declarations, a later one over an earlier one.
    mutating func apply(_ declarations: [StyleDeclaration]) {
        for declaration in declarations where declaration.comesFirst { apply(declaration) }
        for declaration in declarations where !declaration.comesFirst { apply(declaration) }
    }

    private mutating func apply(_ declaration: StyleDeclaration) {
        switch declaration {
        case .color(let value): style.color = value.color(parent.color)
        case .opacity(let value): opacity = value
        case .visibility(let value): style.isVisible = value
        case .background(let value): background = value.color(style.color)
        case .decorationLines(let value): lines = value
        case .decorationColor(let value): lineColor = value
        case .shadows(let values): style.shadows = values.map(shadow)
        case .outlineColor(let value): outline.color = value
        case .outlineWidth(let value): outline.width = pixels(value)
        case .outlineIsDrawn(let value): outline.isDrawn = value
        case .whiteSpace(let value): style.whiteSpace = value
        case .combinesUpright(let value): style.combinesUpright = value
        case .rubyIsUnder(let value): style.rubyIsUnder = value
        default: applyFont(declaration)
        }
    }

    private mutating func applyFont(_ declaration: StyleDeclaration) {
        switch declaration {
        case .fontFamilies(let names): style.fontFamilies = names
        case .fontSize(let value): style.fontSize = fontSize(value)
        case .weight(let value): style.weight = weight(value)
        case .isItalic(let value): style.isItalic = value
        case .lineHeight(.normal): style.lineHeight = .normal
        case .lineHeight(.factor(let factor)): style.lineHeight = .factor(min(factor, 100))
        case .lineHeight(.length(let length)): style.lineHeight = .pixels(pixels(length))
        default: break
        }
    }

    /// The finished style: its lines and backgrounds are painted over those of the surrounding elements.
    func finished(isRoot: Bool) -> TextStyle {
        var result = style
        let color = lineColor.color(style.color)
        result.decorations += lines.map { .init(line: $0, color: color) }
        if isRoot { return result }
        if let background, background.alpha > 0 { result.backgrounds.append(background.faded(by: opacity)) }
        result.opacity *= opacity
        if let frame = finishedOutline { result.outline = frame }
        return result
    }

    /// The box around everything.
    func box(default color: CueColor) -> BoxStyle {
        guard style.isVisible else { return BoxStyle(background: .clear, outline: nil, opacity: opacity) }
        return BoxStyle(background: background ?? color, outline: finishedOutline, opacity: opacity)
    }

    private var finishedOutline: TextStyle.Outline? {
        guard outline.isDrawn, outline.width > 0 else { return nil }
        return .init(width: outline.width, color: outline.color.color(style.color))
    }

    private func pixels(_ length: CSSLength) -> Double {
        let limit = 4 * Double(max(frame.width, frame.height))
        return min(max(length.pixels(fontSize: style.fontSize, in: frame), -limit), limit)
    }

    private func shadow(_ value: ShadowValue) -> TextStyle.Shadow {
        let lengths = value.lengths.map(pixels)
        let blur = lengths.count > 2 ? min(max(lengths[2], 0), 64) : 0
        return .init(x: lengths[0], y: lengths[1], blur: blur, color: value.color.color(style.color))
    }

    private func fontSize(_ value: FontSizeValue) -> Double {
        let height = Double(frame.height)
        let size =
            switch value {
            case .length(let length): length.pixels(fontSize: parent.fontSize, in: frame)
            case .relative(let factor): parent.fontSize * factor
            case .absolute(let factor): height / 20 * factor
            }
        return min(max(size, 0), height)
    }

    private func weight(_ value: WeightValue) -> Int {
        switch value {
        case .number(let number): number
        case .bolder: parent.weight < 350 ? 400 : parent.weight < 550 ? 700 : max(900, parent.weight)
        case .lighter: parent.weight < 550 ? min(100, parent.weight) : parent.weight < 750 ? 400 : 700
        }
    }
}

extension CSSColorValue {
    func color(_ current: CueColor) -> CueColor {
        switch self {
        case .color(let color): color
        case .current: current
        }
    }
}

/// The look of the box of a cue or region as a whole.
public struct BoxStyle: Sendable, Hashable {
    /// The color behind the box.
    public var background: CueColor
    /// A frame around it.
    public var outline: TextStyle.Outline?
    /// How much of it covers, from 0 to 1.
    public var opacity: Double
}

/// The class names that mean colors without a style sheet (WebVTT §5.1 and §5.2).
enum DefaultClasses {
    static let colors: [String: CueColor] = [
        "white": CueColor(0xFFFFFF), "lime": CueColor(0x00FF00), "cyan": CueColor(0x00FFFF),
        "red": CueColor(0xFF0000), "yellow": CueColor(0xFFFF00), "magenta": CueColor(0xFF00FF),
        "blue": CueColor(0x0000FF), "black": CueColor(0x000000),
    ]
}
