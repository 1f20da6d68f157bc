/// The place of a TTML region, and the cue settings that it makes (TTML2 §11, IMSC 1.1 §8).
struct TTMLLayout {
    /// The picture in pixels and in cells, to which lengths may be relative.
    private var picture: (width: Double, height: Double)?
    private var cells = (columns: 32.0, rows: 15.0)

    init() {}

    /// Reads the attributes of the root element.
    init(_ attributes: [String: String]) {
        if let extent = attributes["extent"].map(TTMLLayout.numbers), extent.count == 2 {
            picture = (extent[0], extent[1])
        }
        if let resolution = attributes["cellResolution"].map(TTMLLayout.numbers), resolution.count == 2,
            resolution.allSatisfy({ $0 > 0 })
        {
            cells = (resolution[0], resolution[1])
        }
    }

    /// The settings of a cue.
    ///
    /// - Parameter isPlaced: whether the document places the text in a region. Without one, players use their default
    ///   place.
    func settings(_ style: TTMLStyle, isPlaced: Bool) -> CueSettings {
        var settings = CueSettings()
        if let alignment = style["textAlign"].flatMap(CueSettings.TextAlignment.init(rawValue:)) {
            settings.textAlignment = alignment
        } else if isPlaced {
            settings.textAlignment = .start
        }
        switch style["writingMode"] {
        case "tbrl", "tb": settings.writingDirection = .growingLeft
        case "tblr": settings.writingDirection = .growingRight
        default: if isPlaced { place(&settings, style) }
        }
        return settings
    }

    private func place(_ settings: inout CueSettings, _ style: TTMLStyle) {
        let origin = pair(style["origin"]) ?? (0, 0)
        let extent = pair(style["extent"]) ?? (100 - origin.0, 100 - origin.1)
        func part(_ value: Double) -> Double { min(max((value * 1000).rounded() / 1000, 0), 100) }
        settings.size = part(extent.0)
        switch settings.textAlignment {
        case .start, .left: (settings.position, settings.positionAlignment) = (part(origin.0), .lineLeft)
        case .center:
            (settings.position, settings.positionAlignment) = (part(origin.0 + extent.0 / 2), .center)
        case .end, .right:
            (settings.position, settings.positionAlignment) = (part(origin.0 + extent.0), .lineRight)
        }
        settings.snapsToLines = false
        switch style["displayAlign"] {
        case "after": (settings.line, settings.lineAlignment) = (part(origin.1 + extent.1), .end)
        case "center": (settings.line, settings.lineAlignment) = (part(origin.1 + extent.1 / 2), .center)
        default: (settings.line, settings.lineAlignment) = (part(origin.1), .start)
        }
    }

    /// Reads two lengths, horizontal and vertical, in percent of the picture.
    private func pair(_ text: String?) -> (Double, Double)? {
        let parts = (text ?? "").split(separator: " ").map(String.init)
        guard parts.count == 2, let across = length(parts[0], isAcross: true),
            let down = length(parts[1], isAcross: false)
        else { return nil }
        return (across, down)
    }

    private func length(_ text: String, isAcross: Bool) -> Double? {
        let unit = String(text.reversed().prefix { $0.isLetter || $0 == "%" }.reversed())
        guard let number = Double(text.dropLast(unit.count)), number.isFinite else { return nil }
        switch unit {
        case "%", "rw", "rh": return number
        case "c": return number * 100 / (isAcross ? cells.columns : cells.rows)
        case "px":
            guard let side = picture.map({ isAcross ? $0.width : $0.height }), side > 0 else { return nil }
            return number * 100 / side
        default: return nil
        }
    }

    private static func numbers(_ text: String) -> [Double] {
        text.split(separator: " ").compactMap { part in Double(part.prefix { $0.isNumber || $0 == "." }) }
    }
}
