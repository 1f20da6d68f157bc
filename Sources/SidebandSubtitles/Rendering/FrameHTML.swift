internal import ASCII

/// Writes a layout as a piece of HTML: one `<div class="subtitles">` of the picture's size, with one box for each
/// background, region and stretch of text of the layout. It needs no script and no style sheet.
public enum FrameHTML {
    /// The layout as HTML in UTF-8.
    public static func bytes(of layout: FrameLayout) -> [UInt8] {
        let size = "width:\(layout.size.width)px;height:\(layout.size.height)px"
        var html = "<div class=\"subtitles\" style=\"position:relative;overflow:hidden;\(size)\">\n"
        for region in layout.regions {
            let clip = "overflow:hidden;opacity:\(Decimal.text(region.style.opacity))"
            html += box(region.rect, clip + background(region.style.background), name: "region")
            for cue in region.cues { append(cue, within: region.rect, to: &html) }
            html += "</div>\n"
        }
        let frame = FrameRect(x: 0, y: 0, width: 0, height: 0)
        for cue in layout.cues { append(cue, within: frame, to: &html) }
        return Array((html + "</div>\n").utf8)
    }

    private static func append(_ cue: CueBox, within outer: FrameRect, to html: inout String) {
        let rect = cue.rect.moved(x: -outer.x, y: -outer.y)
        html += box(rect, "opacity:\(Decimal.text(cue.style.opacity))", name: "cue")
        for line in cue.lines {
            guard let place = line.background?.moved(x: -cue.rect.x, y: -cue.rect.y) else { continue }
            let style = background(cue.style.background) + outline(cue.style.outline)
            html += box(place, style, name: "background") + "</div>\n"
        }
        for fragment in cue.lines.flatMap(\.fragments) {
            let place = fragment.rect.moved(x: -cue.rect.x, y: -cue.rect.y)
            let direction =
                cue.writingDirection == .horizontal || fragment.isCombined
                ? "" : ";writing-mode:vertical-rl"
            html += box(place, style(fragment) + direction, name: "text")
            html += escaped(fragment.run.text) + "</div>\n"
        }
        html += "</div>\n"
    }

    private static func box(_ rect: FrameRect, _ style: String, name: String) -> String {
        let place = [("left", rect.x), ("top", rect.y), ("width", rect.width), ("height", rect.height)]
            .map { "\($0):\(Decimal.text(($1 * 100).rounded() / 100))px" }.joined(separator: ";")
        return "<div class=\"\(name)\" style=\"position:absolute;\(place);\(escaped(style))\">"
    }

    private static func background(_ color: CueColor) -> String {
        color.alpha > 0 ? ";background:\(color)" : ""
    }

    private static func style(_ fragment: TextFragment) -> String {
        let style = fragment.style
        let families = style.fontFamilies.map(family)
        let vertical = fragment.run.isVertical ? fragment.rect.width : fragment.rect.height
        return [
            "white-space:pre", "color:\(style.color)", "opacity:\(Decimal.text(style.opacity))",
            "font:\(style.isItalic ? "italic " : "")\(style.weight) \(Decimal.text(style.fontSize))px/"
                + "\(Decimal.text(vertical))px \(families.joined(separator: ","))",
            "direction:\(fragment.run.isRightToLeft ? "rtl" : "ltr")",
            decorations(style), shadows(style), style.isVisible ? "" : "visibility:hidden",
        ].filter { !$0.isEmpty }.joined(separator: ";") + (style.backgrounds.last.map(background) ?? "")
            + outline(style.outline)
    }

    /// Writes the name of a font family in CSS. A single word has no quotes, because it may be a keyword such as
    /// `sans-serif`.
    private static func family(_ name: String) -> String {
        let isWord = !name.isEmpty && name.utf8.allSatisfy { $0.isLetter || $0 == .hyphen }
        guard !isWord else { return name }
        // By scalars: a mark behind a quote makes one character of both. Control characters end a string.
        let safe = name.unicodeScalars.filter {
            $0 != "'" && $0 != "\\" && $0.value >= 0x20 && $0.value != 0x7F
        }
        return "'\(String(String.UnicodeScalarView(safe)))'"
    }

    private static func outline(_ outline: TextStyle.Outline?) -> String {
        outline.map { ";outline:\(Decimal.text($0.width))px solid \($0.color)" } ?? ""
    }

    /// Lines of several colors get that of the innermost.
    private static func decorations(_ style: TextStyle) -> String {
        guard let color = style.decorations.last?.color else { return "" }
        let lines = style.decorations.map(\.line.rawValue)
        let unique = lines.enumerated().filter { lines.firstIndex(of: $1) == $0 }.map(\.element)
        return "text-decoration:\(unique.joined(separator: " ")) \(color)"
    }

    private static func shadows(_ style: TextStyle) -> String {
        if style.shadows.isEmpty { return "" }
        let values = style.shadows.map { shadow in
            [shadow.x, shadow.y, shadow.blur].map { "\(Decimal.text($0))px" }.joined(separator: " ")
                + " \(shadow.color)"
        }
        return "text-shadow:" + values.joined(separator: ",")
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
