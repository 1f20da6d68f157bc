internal import ASCII

/// Reads Advanced SubStation Alpha and SubStation Alpha.
///
/// It keeps times, line breaks, bold, italic, underline, colors of text, alignment, position and
/// karaoke. Drawings, movement and effects are ignored.
struct ASSReader {
    private var section = ""
    private var isOldVersion = false
    private var picture = (width: 384.0, height: 288.0)
    private var styleFields: [String] = []
    private var eventFields: [String] = [
        "layer", "start", "end", "style", "name", "marginl", "marginr", "marginv", "effect", "text",
    ]
    private var styles: [String: ASSStyle] = [:]
    private var track = SubtitleTrack()
    private let limits: WebVTTLimits

    /// Reads the cues.
    ///
    /// - Throws: when there are more than the limit.
    static func track(_ text: [UInt8], limits: WebVTTLimits) throws(WebVTTError) -> SubtitleTrack {
        var reader = ASSReader(limits: limits)
        var scanner = LineScanner(text, from: 0)
        while let line = scanner.next() {
            try reader.read(String(decoding: text[line.range].trimmed, as: UTF8.self))
        }
        return reader.track
    }

    private init(limits: WebVTTLimits) { self.limits = limits }

    private mutating func read(_ line: String) throws(WebVTTError) {
        if line.hasPrefix("[") {
            section = line.lowercased()
            isOldVersion = isOldVersion || section == "[v4 styles]"
            return
        }
        guard let colon = line.firstIndex(of: ":") else { return }
        let key = line[..<colon].lowercased()
        let value = line[line.index(after: colon)...].drop { $0 == " " }
        switch (section, key) {
        case ("[script info]", "playresx"):
            if let number = Double(value), number > 0, number.isFinite { picture.width = number }
        case ("[script info]", "playresy"):
            if let number = Double(value), number > 0, number.isFinite { picture.height = number }
        case ("[events]", "format"): eventFields = ASSReader.fields(value)
        case ("[events]", "dialogue"): try readDialogue(value)
        case (_, "format") where section.contains("styles"): styleFields = ASSReader.fields(value)
        case (_, "style") where section.contains("styles"): readStyle(value)
        default: break
        }
    }

    private static func fields(_ line: Substring) -> [String] {
        line.lowercased().split(separator: ",").map { String($0.filter { $0 != " " }) }
    }

    /// The values of a line by the names of their fields. The last one may hold commas.
    private static func values(_ line: Substring, _ fields: [String]) -> [String: Substring] {
        let parts = line.split(
            separator: ",", maxSplits: max(0, fields.count - 1), omittingEmptySubsequences: false)
        return Dictionary(zip(fields, parts)) { first, _ in first }
    }

    private mutating func readStyle(_ line: Substring) {
        let values = ASSReader.values(line, styleFields)
        guard let name = values["name"], styles.count < limits.blocks else { return }
        var style = ASSStyle()
        func isOn(_ field: String) -> Bool { values[field].flatMap { Int($0) } ?? 0 != 0 }
        style.markup.bold = isOn("bold")
        style.markup.italic = isOn("italic")
        style.markup.underline = isOn("underline")
        style.markup.color = values["primarycolour"].flatMap(ASSStyle.color)
        let alignment = values["alignment"].flatMap { Int($0) } ?? 2
        style.alignment =
            isOldVersion ? ASSStyle.alignment(old: alignment) : (1...9).contains(alignment) ? alignment : 2
        styles[ASSReader.styleName(name)] = style
    }

    private static func styleName(_ name: Substring) -> String {
        String(name.drop { $0 == " " || $0 == "*" }).lowercased()
    }

    private mutating func readDialogue(_ line: Substring) throws(WebVTTError) {
        let values = ASSReader.values(line, eventFields)
        guard let start = values["start"].flatMap(ASSReader.time),
            let end = values["end"].flatMap(ASSReader.time),
            let text = values["text"]
        else { return }
        let style = styles[ASSReader.styleName(values["style"] ?? "")] ?? styles["default"] ?? ASSStyle()
        var reader = ASSLineReader(style, styles, start: start, picture: picture)
        reader.read(text)
        guard !reader.text.utf8.allSatisfy(\.isWhitespace) else { return }
        guard track.cues.count < limits.cues else { throw WebVTTError(.tooManyCues) }
        track.cues.append(Cue(start: start, end: end, settings: reader.settings, text: reader.text))
    }

    private static func time(_ text: Substring) -> CueTime? {
        var reader = ByteReader(Array(text.utf8)[...].trimmed)
        return SubRipReader.time(&reader)
    }
}

/// The properties of a style of ASS that WebVTT has, too.
struct ASSStyle {
    var markup = CueMarkup()
    /// The alignment as on a numeric keypad: 1 is bottom left, 9 top right.
    var alignment = 2

    /// The class of a color such as `&H0000FFFF`, whose bytes are alpha, blue, green and red.
    static func color(_ text: Substring) -> ClassColor? {
        let digits = text.drop { "&Hh ".contains($0) }.prefix { $0.isHexDigit }
        guard let number = UInt64(digits, radix: 16) else { return nil }
        let bytes = (0..<3).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
        return ClassColor(CueColor(red: bytes[0], green: bytes[1], blue: bytes[2]))
    }

    /// The alignment that SubStation Alpha writes as 1 to 3, 5 to 7 above and 9 to 11 in the middle.
    static func alignment(old number: Int) -> Int {
        switch number {
        case 5...7: number + 2
        case 9...11: number - 5
        default: min(max(number, 1), 3)
        }
    }
}
