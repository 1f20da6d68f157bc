/// The style of a part of a text, as far as ASS can express it. `nil` means the style of the whole line.
struct ASSLook: Equatable {
    var bold = false
    var italic = false
    var underline = false
    /// The color of the letters, as `&HBBGGRR&`.
    var color: String?
    /// How much shines through them, as `&HAA&`.
    var alpha: String?
    /// The color of the box behind them.
    var background: String?
    /// How much shines through the box.
    var backgroundAlpha: String?
    /// The height of a line, in pixels.
    var size: Int?

    /// The tags that change another style into this one.
    func tags(after before: ASSLook) -> String {
        var tags = ""
        if bold != before.bold { tags += "\\b\(bold ? 1 : 0)" }
        if italic != before.italic { tags += "\\i\(italic ? 1 : 0)" }
        if underline != before.underline { tags += "\\u\(underline ? 1 : 0)" }
        if color != before.color { tags += "\\1c\(color ?? "")" }
        if alpha != before.alpha { tags += "\\1a\(alpha ?? "")" }
        if background != before.background { tags += "\\3c\(background ?? "")" }
        if backgroundAlpha != before.backgroundAlpha { tags += "\\3a\(backgroundAlpha ?? "")" }
        if size != before.size { tags += "\\fs\(size.map(String.init) ?? "")" }
        return tags
    }
}

/// The looks that style sheets give a cue.
struct ASSLooks {
    let root: ASSLook
    /// The looks of elements, by their nodes.
    let elements: [Int: ASSLook]

    /// Makes the style; `nil` if the line's style is enough: without style sheets, and in karaoke, which has colors
    /// of its own in ASS.
    init?(of cue: Cue, _ content: CueText, by styler: CueStyler) {
        guard !styler.sheet.rules.isEmpty, content.timestamps.isEmpty else { return nil }
        let styled = styler.style(cue, content, at: cue.start, base: styler.initial)
        let usual = styler.initial.fontSize
        let line = Double(ASSPlace.lineHeight(of: styler.frame))
        func look(_ style: TextStyle) -> ASSLook {
            ASSLook(style, on: styled.box.background, line: line * style.fontSize / usual, usual: line)
        }
        root = look(styled.root)
        elements = styled.styles.mapValues(look)
    }
}

extension ASSLook {
    /// - Parameters:
    ///   - box: the background of the whole cue.
    ///   - line: the height of a line; left out if it is the default.
    fileprivate init(_ style: TextStyle, on box: CueColor, line: Double, usual: Double) {
        bold = style.weight >= 600
        italic = style.isItalic
        underline = style.decorations.contains { $0.line == .underline }
        let opacity = style.isVisible ? style.opacity : 0
        if style.color.faded(by: 0) != CueColor.white.faded(by: 0) { color = ASSLook.color(style.color) }
        alpha = ASSLook.alpha(style.color.faded(by: opacity), unless: 1)
        let behind = style.backgrounds.last ?? box
        if behind.faded(by: 0) != CueColor.shade.faded(by: 0) { background = ASSLook.color(behind) }
        backgroundAlpha = ASSLook.alpha(behind.faded(by: opacity), unless: CueColor.shade.alpha)
        if line != usual { size = Int(min(max(line, 1), 10_000).rounded()) }
    }

    private static func color(_ color: CueColor) -> String {
        "&H\(digits(color.blue))\(digits(color.green))\(digits(color.red))&"
    }

    private static func alpha(_ color: CueColor, unless usual: Double) -> String? {
        let covering = min(max(color.alpha, 0), 1)
        return covering == usual ? nil : "&H\(digits(UInt8((255 * (1 - covering)).rounded())))&"
    }

    private static func digits(_ byte: UInt8) -> String {
        let text = String(byte, radix: 16, uppercase: true)
        return text.utf8.count == 1 ? "0\(text)" : text
    }
}
