internal import ASCII

/// A color of the sRGB space with an opacity (CSS Color 4).
public struct CueColor: Sendable, Hashable {
    /// Red, from 0 to 255.
    public var red: UInt8
    /// Green, from 0 to 255.
    public var green: UInt8
    /// Blue, from 0 to 255.
    public var blue: UInt8
    /// The opacity, from 0 to 1.
    public var alpha: Double

    /// A color of the parts given.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: Double = 1) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    init(_ number: UInt32, alpha: Double = 1) {
        self.init(
            red: UInt8(number >> 16 & 0xFF), green: UInt8(number >> 8 & 0xFF), blue: UInt8(number & 0xFF),
            alpha: alpha)
    }

    /// White, the color of cues unless a style says otherwise (WebVTT §7.4).
    public static let white = CueColor(0xFFFFFF)
    /// The transparent color.
    public static let clear = CueColor(0, alpha: 0)
    /// The background of cues unless a style says otherwise: `rgba(0,0,0,0.8)` (WebVTT §7.4).
    public static let shade = CueColor(0, alpha: 0.8)

    /// The color, covering less by a factor from 0 to 1.
    public func faded(by factor: Double) -> CueColor {
        CueColor(red: red, green: green, blue: blue, alpha: alpha * factor)
    }
}

extension CueColor: CustomStringConvertible {
    /// The color in CSS: `#rrggbb`, or `rgba(r,g,b,a)` if it is not opaque.
    public var description: String {
        if alpha < 1 { return "rgba(\(red),\(green),\(blue),\(Decimal.text(alpha)))" }
        return "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

// MARK: - Reading

extension CueColor {
    /// Reads a CSS color: a name, `#rgb` and longer, `rgb()` and `hsl()` in both forms (CSS Color 4 §4 to §7).
    init?(_ token: CSSToken) {
        switch token {
        case .ident(let name):
            if token.keyword == "transparent" { self = .clear } else { self.init(name: name) }
        case .hash(let digits): self.init(hexadecimal: digits)
        case .function(let name, let arguments): self.init(function: name, arguments)
        default: return nil
        }
    }

    private init?(name: String) {
        guard let number = CueColor.names[name.asciiLowercased] else { return nil }
        self.init(number)
    }

    private init?(hexadecimal digits: String) {
        var values = digits.utf8.compactMap { $0.hexValue }
        guard values.count == digits.utf8.count else { return nil }
        if values.count == 3 || values.count == 4 { values = values.flatMap { [$0, $0] } }
        guard values.count == 6 || values.count == 8 else { return nil }
        let bytes = stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] * 16 + values[$0 + 1]) }
        let alpha = bytes.count == 4 ? Double(bytes[3]) / 255 : 1
        self.init(red: bytes[0], green: bytes[1], blue: bytes[2], alpha: alpha)
    }

    private init?(function name: String, _ arguments: [CSSToken]) {
        let values = arguments.filter { $0 != .whitespace && $0 != .comma && $0 != .delimiter("/") }
        guard values.count == 3 || values.count == 4 else { return nil }
        let alpha = values.count == 4 ? values[3].fraction : 1
        guard let alpha else { return nil }
        switch name {
        case "rgb", "rgba":
            let parts = values.prefix(3).compactMap(\.colorComponent)
            guard parts.count == 3 else { return nil }
            self.init(red: parts[0], green: parts[1], blue: parts[2], alpha: alpha)
        case "hsl", "hsla":
            guard let hue = values[0].degrees, let saturation = values[1].fraction,
                let lightness = values[2].fraction
            else { return nil }
            self.init(hue: hue, saturation: saturation, lightness: lightness, alpha: alpha)
        default: return nil
        }
    }

    /// CSS Color 4 §7.1.
    private init(hue: Double, saturation: Double, lightness: Double, alpha: Double) {
        func channel(_ shift: Double) -> UInt8 {
            let turned = (shift + hue / 30).truncatingRemainder(dividingBy: 12)
            let position = turned < 0 ? turned + 12 : turned
            let amplitude = saturation * min(lightness, 1 - lightness)
            let value = lightness - amplitude * max(-1, min(position - 3, 9 - position, 1))
            return CueColor.byte(value * 255)
        }
        self.init(red: channel(0), green: channel(8), blue: channel(4), alpha: alpha)
    }

    fileprivate static func byte(_ value: Double) -> UInt8 { UInt8(min(max(value.rounded(), 0), 255)) }
}

extension CSSToken {
    /// A number from 0 to 1, or a percentage, held within 0 and 1.
    var fraction: Double? {
        switch self {
        case .number(let value): min(max(value, 0), 1)
        case .percentage(let value): min(max(value / 100, 0), 1)
        default: nil
        }
    }

    fileprivate var colorComponent: UInt8? {
        switch self {
        case .number(let value): CueColor.byte(value)
        case .percentage(let value): CueColor.byte(value * 2.55)
        default: nil
        }
    }

    fileprivate var degrees: Double? {
        switch self {
        case .number(let value): value
        case .dimension(let value, "deg"): value
        case .dimension(let value, "turn"): value * 360
        case .dimension(let value, "rad"): value * 57.29577951308232
        case .dimension(let value, "grad"): value * 0.9
        default: nil
        }
    }
}
