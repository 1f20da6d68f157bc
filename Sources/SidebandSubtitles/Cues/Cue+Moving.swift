internal import ASCII

extension Cue {
    /// Moves the cue, with the timestamps in its text, to another timeline. An endless cue stays endless.
    ///
    /// - Parameter milliseconds: the number to add to each time. A timestamp that would be negative becomes 0, since
    ///   text can't express it.
    public mutating func move(by milliseconds: Int) {
        start.milliseconds += milliseconds
        if !isEndless { end.milliseconds += milliseconds }
        moveTimestamps(by: milliseconds)
    }

    /// Moves only the timestamps in the text (WebVTT §4.2.2). They are written in their longest form, so that equal
    /// times have equal texts.
    mutating func moveTimestamps(by milliseconds: Int) {
        if hasTimestampTag { text = Cue.moved(Array(text.utf8), by: milliseconds) }
    }

    /// The text without its timestamps, which does not depend on the time of its parts.
    var textWithoutTimestamps: String {
        guard hasTimestampTag else { return text }
        let bytes = Array(text.utf8)
        var kept: [UInt8] = []
        kept.reserveCapacity(bytes.count)
        var rest = bytes[...]
        while let opening = rest.firstIndex(of: .lessThan) {
            let tag = rest[(opening + 1)...].prefix { $0 != .greaterThan }
            let isTime = CueTime(tag) != nil
            kept += rest[..<(isTime ? opening : tag.endIndex)]
            rest = isTime ? rest[tag.endIndex...].dropFirst() : rest[tag.endIndex...]
        }
        kept += rest
        return String(decoding: kept, as: UTF8.self)
    }

    /// Whether the text has a tag that begins like a timestamp. Most texts have none, and stay unchanged.
    private var hasTimestampTag: Bool {
        var before: UInt8 = 0
        for byte in text.utf8 {
            if before == .lessThan && byte.isDigit { return true }
            before = byte
        }
        return false
    }

    private static func moved(_ text: [UInt8], by milliseconds: Int) -> String {
        var moved: [UInt8] = []
        moved.reserveCapacity(text.count + 16)
        var rest = text[...]
        while let opening = rest.firstIndex(of: .lessThan) {
            let tag = rest[(opening + 1)...].prefix { $0 != .greaterThan }
            moved += rest[...opening]
            if let time = CueTime(tag) {
                CueTime(milliseconds: max(time.milliseconds + milliseconds, 0)).append(to: &moved)
            } else {
                moved += tag
            }
            rest = text[tag.endIndex...]
        }
        moved += rest
        return String(decoding: moved, as: UTF8.self)
    }
}
