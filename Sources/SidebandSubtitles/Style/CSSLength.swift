/// A length of CSS that awaits a font and a picture to be in pixels (CSS Values 4 §6).
struct CSSLength: Hashable {
    /// The units there are. A percentage is of whatever the property says.
    enum Unit: String, Hashable {
        case pixels = "px"
        case fontSize = "em"
        case rootFontSize = "rem"
        case halfFontSize = "ex"
        case zeroWidth = "ch"
        case viewportHeight = "vh"
        case viewportWidth = "vw"
        case viewportMinimum = "vmin"
        case viewportMaximum = "vmax"
        case points = "pt"
        case picas = "pc"
        case inches = "in"
        case centimeters = "cm"
        case millimeters = "mm"
        case percent = "%"
    }

    var value: Double
    var unit: Unit

    init(_ value: Double, _ unit: Unit) {
        self.value = value
        self.unit = unit
    }

    /// Reads a length, or a percentage.
    init?(_ token: CSSToken) {
        switch token {
        case .number(0): self.init(0, .pixels)
        case .percentage(let value): self.init(value, .percent)
        case .dimension(let value, let name):
            guard let unit = Unit(rawValue: name) else { return nil }
            self.init(value, unit)
        default: return nil
        }
    }

    /// The length in pixels.
    ///
    /// - Parameter fontSize: the font size for `em` and `%`, in pixels.
    func pixels(fontSize: Double, in frame: FrameSize) -> Double {
        let (width, height) = (Double(frame.width), Double(frame.height))
        switch unit {
        case .pixels: return value
        case .fontSize: return value * fontSize
        case .rootFontSize: return value * height / 20
        case .halfFontSize, .zeroWidth: return value * fontSize / 2
        case .viewportHeight: return value * height / 100
        case .viewportWidth: return value * width / 100
        case .viewportMinimum: return value * min(width, height) / 100
        case .viewportMaximum: return value * max(width, height) / 100
        case .points: return value * 96 / 72
        case .picas: return value * 16
        case .inches: return value * 96
        case .centimeters: return value * 96 / 2.54
        case .millimeters: return value * 96 / 25.4
        case .percent: return value / 100 * fontSize
        }
    }
}
