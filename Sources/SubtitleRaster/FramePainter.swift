internal import SidebandSubtitles

/// Paints a layout. It makes no decisions about positions.
struct FramePainter {
    let canvas: Canvas
    let text: PangoText

    func paint(_ layout: FrameLayout) {
        for region in layout.regions {
            canvas.group(opacity: region.style.opacity) { paint(region) }
        }
        for cue in layout.cues { paint(cue) }
    }

    private func paint(_ region: RegionBox) {
        canvas.fill(region.rect, region.style.background)
        canvas.saved {
            canvas.clip(region.rect)
            for cue in region.cues { paint(cue) }
        }
        if let outline = region.style.outline { canvas.stroke(region.rect, outline) }
    }

    private func paint(_ cue: CueBox) {
        canvas.group(opacity: cue.style.opacity) {
            for background in cue.lines.compactMap(\.background) {
                canvas.fill(background, cue.style.background)
                if let outline = cue.style.outline { canvas.stroke(background, outline) }
            }
            let isVertical = cue.writingDirection != .horizontal
            for fragment in cue.lines.lazy.flatMap(\.fragments) where fragment.style.isVisible {
                paint(fragment, isVertical: isVertical)
            }
        }
    }

    private func paint(_ fragment: TextFragment, isVertical: Bool) {
        for background in fragment.style.backgrounds { canvas.fill(fragment.rect, background) }
        if let outline = fragment.style.outline { canvas.stroke(fragment.rect, outline) }
        canvas.saved {
            if fragment.isCombined {
                enterCombined(fragment)
            } else if isVertical {
                // The line's top is at the right.
                canvas.translate(x: fragment.rect.right, y: fragment.rect.y)
                canvas.turn()
            } else {
                canvas.translate(x: fragment.rect.x, y: fragment.rect.y)
            }
            paintText(fragment, length: isVertical ? fragment.rect.height : fragment.rect.width)
        }
    }

    /// Makes upright text in a vertical line as narrow as the line.
    private func enterCombined(_ fragment: TextFragment) {
        let width = max(text.measure(fragment.run).width, 1)
        let factor = min(1, fragment.rect.width / width)
        canvas.translate(x: fragment.rect.x + (fragment.rect.width - width * factor) / 2, y: fragment.rect.y)
        canvas.scale(x: factor)
    }

    /// Paints text whose line begins at the origin.
    private func paintText(_ fragment: TextFragment, length: Double) {
        let style = fragment.style
        for shadow in style.shadows.reversed() { paint(shadow, of: fragment) }
        let lines = style.decorations
        for decoration in lines where decoration.line != .lineThrough {
            paint(decoration, of: fragment, length: length)
        }
        canvas.setColor(style.color.faded(by: style.opacity))
        unsafe text.show(fragment.run, on: canvas.context, ascent: fragment.ascent)
        for decoration in lines where decoration.line == .lineThrough {
            paint(decoration, of: fragment, length: length)
        }
    }

    private func paint(_ decoration: TextStyle.Decoration, of fragment: TextFragment, length: Double) {
        let metrics = text.metrics(of: fragment.run.font)
        let thickness = max(1, metrics.thickness.rounded())
        let offset =
            switch decoration.line {
            case .underline: fragment.ascent + metrics.underline
            case .overline: fragment.ascent - metrics.ascent
            case .lineThrough: fragment.ascent + metrics.strikethrough
            }
        canvas.fillExactly(
            FrameRect(x: 0, y: offset.rounded(), width: length, height: thickness),
            decoration.color.faded(by: fragment.style.opacity))
    }

    /// Paints a shadow. A blurred one is a ring of pale copies around a pale one.
    private func paint(_ shadow: TextStyle.Shadow, of fragment: TextFragment) {
        let opacity = fragment.style.opacity
        guard shadow.blur > 0 else {
            return paintCopy(of: fragment, x: shadow.x, y: shadow.y, shadow.color.faded(by: opacity))
        }
        let radius = shadow.blur / 2
        let pale = shadow.color.faded(by: opacity / 4)
        let directions: [(Double, Double)] = [
            (0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (0.7, 0.7), (-0.7, 0.7), (0.7, -0.7), (-0.7, -0.7),
        ]
        for (x, y) in directions {
            paintCopy(of: fragment, x: shadow.x + x * radius, y: shadow.y + y * radius, pale)
        }
    }

    private func paintCopy(of fragment: TextFragment, x: Double, y: Double, _ color: CueColor) {
        canvas.saved {
            canvas.translate(x: x, y: y)
            canvas.setColor(color)
            unsafe text.show(fragment.run, on: canvas.context, ascent: fragment.ascent)
        }
    }
}
