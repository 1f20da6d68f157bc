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
        guard let color, color != .white else { return text }
        return "<c.\(color.name)>\(text)</c>"
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
