internal import ASCII

/// Reads SubRip, which has no specification: numbers may be missing or wrong, the fraction may follow a dot, hours
/// may be missing, and a text may have blank lines.
struct SubRipReader {
    /// Reads the cues.
    ///
    /// - Throws: when there are more than the limit.
    static func track(_ text: [UInt8], limits: WebVTTLimits) throws(WebVTTError) -> SubtitleTrack {
        var scanner = LineScanner(text, from: 0)
        var track = SubtitleTrack()
        var lines: [ArraySlice<UInt8>] = []
        var times: (CueTime, CueTime)?
        while let line = scanner.next() {
            if line.hasArrow, let found = timings(text[line.range]) {
                try append(times, lines, beforeAnother: true, limits: limits, to: &track)
                (times, lines) = (found, [])
            } else if times != nil {
                lines.append(text[line.range].trimmed)
            }
        }
        try append(times, lines, beforeAnother: false, limits: limits, to: &track)
        return track
    }

    /// - Parameter beforeAnother: whether the next cue follows, whose number is the last line.
    private static func append(
        _ times: (CueTime, CueTime)?, _ lines: [ArraySlice<UInt8>], beforeAnother: Bool,
        limits: WebVTTLimits,
        to track: inout SubtitleTrack
    ) throws(WebVTTError) {
        guard let (start, end) = times else { return }
        var lines = lines.filter { !$0.isEmpty }
        if beforeAnother, let last = lines.last, last.allSatisfy(\.isDigit) { lines.removeLast() }
        guard !lines.isEmpty else { return }
        guard track.cues.count < limits.cues else { throw WebVTTError(.tooManyCues) }
        var markup = SubRipMarkup()
        let text = lines.map { markup.cueText(String(decoding: $0, as: UTF8.self)) }.joined(separator: "\n")
        track.cues.append(Cue(start: start, end: end, settings: markup.settings, text: text))
    }

    private static func timings(_ line: ArraySlice<UInt8>) -> (CueTime, CueTime)? {
        var reader = ByteReader(line)
        reader.skipWhitespace()
        guard let start = time(&reader) else { return nil }
        reader.skipWhitespace()
        while reader.skip(.hyphen) {}
        guard reader.skip(.greaterThan) else { return nil }
        reader.skipWhitespace()
        return time(&reader).map { (start, $0) }
    }

    /// Reads `01:02:03,500`, also without hours, with a dot or with another number of fraction digits, of which three
    /// count.
    static func time(_ reader: inout ByteReader) -> CueTime? {
        var total = 0
        var count = 0
        repeat {
            guard let digits = reader.digits(limit: 1 << 30), count < 3 else { return nil }
            total = total * 60 + digits.value
            count += 1
            reader.skipWhitespace()
        } while reader.skip(.colon)
        guard count > 1 else { return nil }
        guard reader.skip(.comma) || reader.skip(.dot) else { return CueTime(milliseconds: total * 1000) }
        reader.skipWhitespace()
        let start = reader.position
        _ = reader.digits()
        let digits = reader.bytes[start..<reader.position].prefix(3)
        let fraction = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        return CueTime(milliseconds: total * 1000 + fraction * [1000, 100, 10, 1][digits.count])
    }
}

/// Makes cue text of SubRip's: `<b>`, `<i>`, `<u>`, `<font color>` and the placing tags of ASS that people write.
struct SubRipMarkup {
    private(set) var settings = CueSettings()
    private var fonts: [Bool] = []

    /// A line as cue text.
    mutating func cueText(_ line: String) -> String {
        var text = ""
        var rest = Substring(line)
        while let next = rest.unicodeScalars.first {
            if next == "<", let end = rest.firstIndex(of: ">"),
                let tag = tag(rest[rest.index(after: rest.startIndex)..<end])
            {
                text += tag
                rest = rest[rest.index(after: end)...]
            } else if rest.hasPrefix("{\\"), let end = rest.firstIndex(of: "}") {
                ASSOverrides(rest[..<end].dropFirst()).place(&settings)
                rest = rest[rest.index(after: end)...]
            } else {
                CueMarkup.append(next, to: &text)
                rest = Substring(rest.unicodeScalars.dropFirst())
            }
        }
        return text
    }

    /// The cue text of a tag; `nil` when it is no tag of SubRip but text.
    private mutating func tag(_ content: Substring) -> String? {
        let words = content.lowercased().split(separator: " ", maxSplits: 1)
        guard let name = words.first, content.first != " ", !content.contains("<") else { return nil }
        switch name {
        case "b", "i", "u", "/b", "/i", "/u": return "<\(name)>"
        case "s", "/s": return ""
        case "/font": return fonts.popLast() == true ? "</c>" : ""
        case "font":
            let value = words.last?.split(separator: "color=").last?.split(separator: " ").first ?? ""
            let color = ClassColor(value.filter { $0 != "\"" && $0 != "'" })
            // White stands for itself only within another color.
            let isTag = color.map { $0 != .white || fonts.contains(true) } ?? false
            fonts.append(isTag)
            return isTag ? color.map { "<c.\($0.name)>" } ?? "" : ""
        default: return nil
        }
    }
}
