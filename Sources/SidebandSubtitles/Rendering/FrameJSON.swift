internal import ASCII

/// Writes a layout as JSON: the picture's `width` and `height`, `valid_from` and `valid_until` in seconds (the latter
/// `null` if no change follows), and `regions` and `cues` with their boxes in pixels.
///
/// A box is `x`, `y`, `width` and `height`. A cue has its `lines`, each with the box of its `background` and its
/// `fragments`: `text`, box, `color`, `font_size`, and the members that differ from plain text.
public enum FrameJSON {
    /// The layout as JSON text (RFC 8259) in UTF-8.
    public static func bytes(of layout: FrameLayout) -> [UInt8] {
        var output = JSONOutput()
        output.open("{")
        output.member("width", numberOrAuto: Double(layout.size.width))
        output.member("height", numberOrAuto: Double(layout.size.height))
        output.member("valid_from", seconds: layout.validFrom)
        if let end = layout.validUntil {
            output.member("valid_until", seconds: end)
        } else {
            output.name("valid_until")
            output.null()
        }
        output.array("regions", layout.regions, write: write(region:to:))
        output.array("cues", layout.cues, write: write(cue:to:))
        output.close("}")
        output.bytes.append(.lineFeed)
        return output.bytes
    }

    private static func write(region: RegionBox, to output: inout JSONOutput) {
        output.open("{")
        output.member("id", region.identifier)
        write(region.rect, to: &output)
        output.member("background", region.style.background.description)
        output.array("cues", region.cues, write: write(cue:to:))
        output.close("}")
    }

    private static func write(cue: CueBox, to output: inout JSONOutput) {
        output.open("{")
        output.member("id", cue.identifier)
        output.member("track", numberOrAuto: Double(cue.track))
        output.member("start", seconds: cue.start)
        output.member("end", seconds: cue.end)
        output.member("vertical", cue.writingDirection.rawValue)
        write(cue.rect, to: &output)
        output.member("background", cue.style.background.description)
        if cue.style.opacity < 1 { output.member("opacity", numberOrAuto: cue.style.opacity) }
        output.array("lines", cue.lines, write: write(line:to:))
        output.close("}")
    }

    private static func write(line: LineBox, to output: inout JSONOutput) {
        output.open("{")
        write(line.rect, to: &output)
        if let background = line.background {
            output.name("background")
            output.open("{")
            write(background, to: &output)
            output.close("}")
        }
        output.array("fragments", line.fragments, write: write(fragment:to:))
        output.close("}")
    }

    private static func write(fragment: TextFragment, to output: inout JSONOutput) {
        let style = fragment.style
        output.open("{")
        output.member("text", fragment.run.text)
        write(fragment.rect, to: &output)
        output.member("color", style.color.description)
        output.member("font_size", numberOrAuto: rounded(style.fontSize))
        if style.weight != 400 { output.member("font_weight", numberOrAuto: Double(style.weight)) }
        if let background = style.backgrounds.last { output.member("background", background.description) }
        if !fragment.run.language.isEmpty { output.member("lang", fragment.run.language) }
        let flags: [(StaticString, Bool)] = [
            ("italic", style.isItalic), ("rtl", fragment.run.isRightToLeft), ("ruby", fragment.isReading),
            ("upright", fragment.isCombined), ("hidden", !style.isVisible),
        ]
        for (name, isSet) in flags where isSet {
            output.name(name)
            output.value(true)
        }
        output.close("}")
    }

    private static func write(_ rect: FrameRect, to output: inout JSONOutput) {
        output.member("x", numberOrAuto: rounded(rect.x))
        output.member("y", numberOrAuto: rounded(rect.y))
        output.member("width", numberOrAuto: rounded(rect.width))
        output.member("height", numberOrAuto: rounded(rect.height))
    }

    /// To hundredths of a pixel.
    private static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}
