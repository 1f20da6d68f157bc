internal import ASCII

extension Cue {
    /// Puts the cue, with the timestamps in its text, on another timeline. What is endless stays so.
    ///
    /// - Parameter milliseconds: what is added to each time. A timestamp that would lie before 0 is at 0: a text
    ///   can't say less.
    public mutating func move(by milliseconds: Int) {
        start.milliseconds += milliseconds
        if !isEndless { end.milliseconds += milliseconds }
        moveTimestamps(by: milliseconds)
    }

    /// Moves the timestamps in the text alone (WebVTT §4.2.2). They get their longest form, so that equal times look
    /// the same.
    mutating func moveTimestamps(by milliseconds: Int) {
        if hasTimestampTag { text = Cue.moved(Array(text.utf8), by: milliseconds) }
    }

    /// The text without the timestamps in it: what is shown, whenever each part of it is.
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

    /// Whether a tag begins as timestamps do. Most texts have none, and stay as they are.
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
