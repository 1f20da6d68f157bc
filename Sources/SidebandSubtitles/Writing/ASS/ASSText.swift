internal import ASCII

/// The text of a cue with the override tags of ASS.
struct ASSText {
    private(set) var text = ""
    /// The voice that speaks first, for the field of the name.
    private(set) var voice = ""
    private let start: CueTime
    private let reversesLines: Bool
    /// The start of the syllable before the next timestamp, in hundredths of a second of the cue.
    private var sung = 0
    private var style = ASSLook()
    private let looks: ASSLooks?

    private struct OpenElement {
        var end: Int
        var outside: ASSLook
        var isReading: Bool
    }

    init(start: CueTime, reversesLines: Bool, looks: ASSLooks?) {
        self.looks = looks
        self.start = start
        self.reversesLines = reversesLines
    }

    /// Appends a cue's text, and how long each syllable of karaoke is.
    mutating func append(_ content: CueText, until end: CueTime) {
        var times = content.timestamps.map { hundredths($0) }[...]
        let length = hundredths(end)
        if !times.isEmpty { beginSyllable(until: times.first ?? length) }
        if let root = looks?.root { change { $0 = root } }
        var open: [OpenElement] = []
        for (index, node) in content.nodes.enumerated() {
            while let last = open.last, last.end == index { close(open.removeLast()) }
            switch node.content {
            case .text(let value): text += ASSText.escaped(value)
            case .timestamp:
                times = times.dropFirst()
                beginSyllable(until: times.first ?? length)
            case .element(let element):
                open.append(OpenElement(end: node.end, outside: style, isReading: element.tag == .rubyText))
                begin(element, at: index)
            }
        }
        while let last = open.popLast() { close(last) }
        finish()
    }

    private func hundredths(_ time: CueTime) -> Int {
        ASSWriter.hundredths(CueTime(milliseconds: max(0, time.milliseconds - start.milliseconds)))
    }

    private mutating func beginSyllable(until end: Int) {
        let end = max(end, sung)
        text += "{\\k\(end - sung)}"
        sung = end
    }

    private mutating func begin(_ element: CueText.Element, at node: Int) {
        switch element.tag {
        case .bold: change { $0.bold = true }
        case .italic: change { $0.italic = true }
        case .underline: change { $0.underline = true }
        case .rubyText: text += "{\\fscx60\\fscy60}("
        case .voice where voice.isEmpty: voice = ASSText.name(element.annotation)
        case .voice, .classSpan, .language, .ruby: break
        }
        guard var look = looks?.elements[node] else {
            for name in element.classes { apply(name) }
            return
        }
        // A reading is made smaller by a tag of its own.
        if element.tag == .rubyText { look.size = style.size }
        change { $0 = look }
    }

    /// The default classes for colors (WebVTT §5).
    private mutating func apply(_ name: String) {
        if let color = ASSText.colors[name] { change { $0.color = color } }
        if name.hasPrefix("bg_"), let color = ASSText.colors[String(name.dropFirst(3))] {
            change { $0.background = color }
        }
    }

    private mutating func close(_ element: OpenElement) {
        if element.isReading { text += "){\\fscx100\\fscy100}" }
        change { $0 = element.outside }
    }

    private mutating func change(_ edit: (inout ASSLook) -> Void) {
        let before = style
        edit(&style)
        let tags = style.tags(after: before)
        if !tags.isEmpty { text += "{\(tags)}" }
    }

    /// Lines are joined in drawing order. Tags stay with the text behind them, so that a style over several lines of
    /// a rotated text may end too early.
    private mutating func finish() {
        let lines = text.split(separator: "\n").filter { !$0.isEmpty }
        text = (reversesLines ? lines.reversed() : lines).joined(separator: "\\N")
    }

    /// The text with libass's markup characters escaped. A word joiner separates a backslash from its letter.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\u{2060}"
            case "{": escaped += "\\{"
            case "}": escaped += "\\}"
            case "\r": escaped += "\n"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// A name that fits into a field that a comma ends.
    private static func name(_ voice: String) -> String {
        String(voice.prefix(100).map { $0 == "," || $0.isNewline ? " " : $0 })
    }

    private static let colors: [String: String] = [
        "white": "&HFFFFFF&", "lime": "&H00FF00&", "cyan": "&HFFFF00&", "red": "&H0000FF&",
        "yellow": "&H00FFFF&", "magenta": "&HFF00FF&", "blue": "&HFF0000&", "black": "&H000000&",
    ]
}

extension CueText {
    /// The timestamps in the order of the text.
    var timestamps: [CueTime] {
        nodes.compactMap { node in
            if case .timestamp(let time) = node.content { time } else { nil }
        }
    }

    /// Whether anything would be drawn.
    var hasVisibleText: Bool {
        nodes.contains { node in
            guard case .text(let text) = node.content else { return false }
            return !text.utf8.allSatisfy(\.isWhitespace)
        }
    }

    /// Whether the text as a whole runs from right to left.
    var isRightToLeft: Bool {
        BaseDirection.isRightToLeft(
            nodes.lazy.flatMap { node in
                if case .text(let text) = node.content { text.unicodeScalars } else { "".unicodeScalars }
            })
    }
}
