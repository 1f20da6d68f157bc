/// The look of a text that other formats have and cue text can say.
struct CueMarkup: Equatable {
    var bold = false
    var italic = false
    var underline = false
    var color: ClassColor?

    /// A cue text with the tags of this look around it.
    func around(_ text: String) -> String {
        var text = text
        if underline { text = "<u>\(text)</u>" }
        if italic { text = "<i>\(text)</i>" }
        if bold { text = "<b>\(text)</b>" }
        return color.map { "<c.\($0.rawValue)>\(text)</c>" } ?? text
    }

    /// Cue text that shows exactly this text.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars { append(scalar, to: &escaped) }
        return escaped
    }

    /// Appends a character to a cue text, which shows it.
    static func append(_ scalar: Unicode.Scalar, to text: inout String) {
        switch scalar {
        case "&": text += "&amp;"
        case "<": text += "&lt;"
        case ">": text += "&gt;"
        default: text.unicodeScalars.append(scalar)
        }
    }
}

/// The colors for which WebVTT has classes, except white, the default color of text (WebVTT §5).
enum ClassColor: String {
    case lime, cyan, red, yellow, magenta, blue, black

    /// The class of a color as CSS and TTML write it: a name, or `#rrggbb` with or without alpha. `nil` when there
    /// is no class for it.
    init?(_ text: String) {
        var text = text.lowercased()
        if text.hasPrefix("#"), text.utf8.count == 9 { text = String(text.dropLast(2)) }
        guard let color = ClassColor(rawValue: text) ?? ClassColor.byNumber[text] else {
            return nil
        }
        self = color
    }

    private static let byNumber: [String: ClassColor] = [
        "#00ff00": .lime, "#00ffff": .cyan, "#ff0000": .red, "#ffff00": .yellow, "#ff00ff": .magenta,
        "#0000ff": .blue, "#000000": .black, "aqua": .cyan, "fuchsia": .magenta,
    ]
}
