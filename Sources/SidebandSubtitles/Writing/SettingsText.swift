extension CueSettings {
    /// The settings that are not the default, in the form of WebVTT §4.4.
    ///
    /// The region comes last, because a line, size or direction after it would take the cue out of the region.
    var serialized: [String] {
        var settings: [String] = []
        if writingDirection != .horizontal { settings.append("vertical:\(writingDirection.rawValue)") }
        if let line {
            let alignment = lineAlignment == .start ? "" : ",\(lineAlignment.rawValue)"
            settings.append("line:\(Decimal.text(line))\(snapsToLines ? "" : "%")\(alignment)")
        }
        if let position {
            let alignment = positionAlignment == .auto ? "" : ",\(positionAlignment.rawValue)"
            settings.append("position:\(Decimal.text(position))%\(alignment)")
        }
        if size != 100 { settings.append("size:\(Decimal.text(size))%") }
        if textAlignment != .center { settings.append("align:\(textAlignment.rawValue)") }
        if let region, !region.isEmpty { settings.append("region:\(region)") }
        return settings
    }
}

extension CueRegion {
    /// The lines of the region's block in the form of WebVTT §4.3. Never empty, since a block needs a line.
    var serialized: [String] {
        let plain = CueRegion()
        var settings: [String] = []
        if !identifier.isEmpty { settings.append("id:\(identifier)") }
        settings.append("width:\(Decimal.text(width))%")
        if lines != plain.lines { settings.append("lines:\(Decimal.text(lines))") }
        if anchor != plain.anchor { settings.append("regionanchor:\(anchor.serialized)") }
        if viewportAnchor != plain.viewportAnchor {
            settings.append("viewportanchor:\(viewportAnchor.serialized)")
        }
        if scrollsUp { settings.append("scroll:up") }
        return settings
    }
}

extension CueRegion.Anchor {
    fileprivate var serialized: String { "\(Decimal.text(x))%,\(Decimal.text(y))%" }
}
