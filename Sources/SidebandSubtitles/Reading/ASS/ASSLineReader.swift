/// Makes cue text and settings of the text of one line of dialogue.
struct ASSLineReader {
    private(set) var text = ""
    private let base: ASSStyle
    private let styles: [String: ASSStyle]
    private let picture: (width: Double, height: Double)
    private let start: CueTime

    private var markup: CueMarkup
    private var alignment: Int?
    private var position: (x: Double, y: Double)?
    private var run = ""
    private var isDrawing = false
    /// Hundredths of a second of the syllables so far; `nil` without karaoke.
    private var sung: Int?

    init(
        _ style: ASSStyle, _ styles: [String: ASSStyle], start: CueTime,
        picture: (width: Double, height: Double)
    ) {
        base = style
        markup = style.markup
        self.styles = styles
        self.start = start
        self.picture = picture
    }

    /// The place of the line.
    var settings: CueSettings {
        let part = position.map { ($0.x / picture.width, $0.y / picture.height) }
        return ASSPlacement(alignment: alignment ?? base.alignment, position: part).settings
    }

    mutating func read(_ line: Substring) {
        var rest = line
        while let character = rest.popFirst() {
            if character == "{", let end = rest.firstIndex(of: "}") {
                apply(ASSOverrides(rest[..<end]))
                rest = rest[rest.index(after: end)...]
            } else if character == "\\", let next = rest.first, "NnhRr{}".contains(next) {
                rest = rest.dropFirst()
                if !isDrawing { run += next == "h" ? "\u{A0}" : "{}".contains(next) ? String(next) : "\n" }
            } else if !isDrawing {
                for scalar in character.unicodeScalars { CueMarkup.append(scalar, to: &run) }
            }
        }
        endRun()
        text = text.linesWithText.joined(separator: "\n")
    }

    private mutating func apply(_ overrides: ASSOverrides) {
        alignment = alignment ?? overrides.alignment
        position = position ?? overrides.position
        for (name, value) in overrides.tags {
            switch name {
            case "p": isDrawing = (Int(value) ?? 0) > 0
            case "k", "K", "kf", "ko": beginSyllable(lasting: Int(value) ?? 0)
            default: change(to: look(after: name, value))
            }
        }
    }

    /// The look of the text after a tag.
    private func look(after name: String, _ value: Substring) -> CueMarkup {
        var look = markup
        let number = Int(value)
        switch name {
        case "b": look.bold = number.map { $0 == 1 || $0 > 400 } ?? base.markup.bold
        case "i": look.italic = number.map { $0 != 0 } ?? base.markup.italic
        case "u": look.underline = number.map { $0 != 0 } ?? base.markup.underline
        case "c", "1c": look.color = value.isEmpty ? base.markup.color : ASSStyle.color(value)
        case "r": look = (styles[value.lowercased()] ?? base).markup
        default: break
        }
        return look
    }

    private mutating func change(to changed: CueMarkup) {
        guard changed != markup else { return }
        endRun()
        markup = changed
    }

    private mutating func endRun() {
        if !run.isEmpty { text += markup.around(run) }
        run = ""
    }

    /// The first syllable begins with the cue; each other one has a timestamp.
    private mutating func beginSyllable(lasting hundredths: Int) {
        endRun()
        let before = sung ?? 0
        if before > 0 { text += "<\(CueTime(milliseconds: start.milliseconds + before * 10))>" }
        sung = min(before + max(hundredths, 0), 1 << 30)
    }
}
