/// A color of text in other formats, as a class of cue text: WebVTT has classes for eight colors (section 5), and the
/// class of any other one needs a rule of a style sheet.
struct ClassColor: Equatable {
    /// The name of its class.
    let name: String
    /// The default color of text.
    static let white = ClassColor(CueColor.white)

    init(_ color: CueColor) {
        let opaque = CueColor(red: color.red, green: color.green, blue: color.blue)
        name = Self.standard[opaque] ?? Self.own + opaque.description.dropFirst()
    }

    /// Reads a color as CSS, TTML and SubRip write it; its opacity is ignored. `nil` for other text.
    init?(_ text: String) {
        // People write SubRip's numbers without their sign.
        let isBare = text.utf8.count == 6 && text.allSatisfy(\.isHexDigit)
        var tokenizer = CSSTokenizer(isBare ? "#\(text)" : text)
        guard let token = tokenizer.values().first(where: { $0 != .whitespace }), let color = CueColor(token)
        else { return nil }
        self.init(color)
    }

    private static let standard: [CueColor: String] = [
        .white: "white", CueColor(0x00FF00): "lime", CueColor(0x00FFFF): "cyan", CueColor(0xFF0000): "red",
        CueColor(0xFFFF00): "yellow", CueColor(0xFF00FF): "magenta", CueColor(0x0000FF): "blue",
        CueColor(0): "black",
    ]
    /// The beginning of the names of other classes.
    private static let own = "rgb-"
    /// Colors that get a rule. A file with more of them changes colors gradually.
    private static let mostRules = 1000

    /// The style sheet for colors of the cues. WebVTT has classes for eight colors; every other color gets a rule.
    /// `nil` if the cues have no other color.
    static func styleSheet(for cues: [Cue]) -> String? {
        var digits: Set<Substring> = []
        let tag = "<c.\(own)"
        for cue in cues {
            var rest = cue.text[...]
            while let found = rest.firstRange(of: tag) {
                rest = rest[found.upperBound...]
                let name = rest.prefix { $0 != ">" }
                if digits.count < mostRules { digits.insert(name) }
            }
        }
        guard !digits.isEmpty else { return nil }
        return digits.sorted().map { "::cue(.\(own)\($0)) { color: #\($0) }" }.joined(separator: "\n")
    }
}
