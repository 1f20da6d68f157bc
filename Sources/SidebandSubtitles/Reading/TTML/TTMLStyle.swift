/// The style attributes in force at an element, by name (TTML2 §10).
struct TTMLStyle {
    private(set) var attributes: [String: String] = [:]

    /// The properties that an element hands down to the elements within it.
    private static let inherited: Set<String> = [
        "fontStyle", "fontWeight", "textDecoration", "color", "textAlign", "displayAlign", "writingMode",
    ]
    private static let known = inherited.union(["origin", "extent", "ruby"])

    /// Puts attributes over those in force.
    mutating func apply(_ other: [String: String]) {
        for (name, value) in other where TTMLStyle.known.contains(name) { attributes[name] = value }
    }

    /// The style that an element within begins with, before its own attributes.
    var handedDown: TTMLStyle {
        var style = TTMLStyle()
        style.attributes = attributes.filter { TTMLStyle.inherited.contains($0.key) }
        return style
    }

    subscript(name: String) -> String? { attributes[name] }

    /// Text with the markup that the style means.
    func markup(_ text: String) -> String {
        var look = CueMarkup()
        let decoration = attributes["textDecoration"] ?? ""
        look.underline = decoration.contains("underline") && !decoration.contains("noUnderline")
        look.italic = ["italic", "oblique"].contains(attributes["fontStyle"])
        look.bold = attributes["fontWeight"] == "bold"
        look.color = attributes["color"].flatMap { ClassColor($0) }
        let marked = look.around(CueMarkup.escaped(text))
        return attributes["ruby"] == "text" ? "<rt>\(marked)</rt>" : marked
    }
}
