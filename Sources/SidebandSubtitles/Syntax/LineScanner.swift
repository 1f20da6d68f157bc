internal import ASCII

/// The place of a line's text, without its line end.
struct Line {
    var start: Int
    var end: Int
    /// The offset of the next line.
    var next: Int
    /// Whether `-->` occurs in it.
    var hasArrow: Bool

    var isEmpty: Bool { start == end }
    var range: Range<Int> { start..<end }
}

/// Walks over the lines of a WebVTT text. LF, CR and CRLF end a line (WebVTT §6.1, step 1).
struct LineScanner {
    let bytes: [UInt8]
    private(set) var position: Int
    /// The number of the line `next` gave last, counted from 1.
    private(set) var number = 0
    /// Whether a line so far had a CR or a NUL, so that its text is not just a range of the bytes.
    private(set) var needsRewriting = false

    init(_ bytes: [UInt8], from position: Int) {
        self.bytes = bytes
        self.position = position
    }

    /// The next line, or `nil` at the end of the text.
    mutating func next() -> Line? {
        guard position < bytes.count else { return nil }
        let (end, hasArrow, hasNUL) = scanLine()
        let line = Line(start: position, end: end, next: nextLine(after: end), hasArrow: hasArrow)
        if hasNUL || (end < bytes.count && bytes[end] == .carriageReturn) { needsRewriting = true }
        position = line.next
        number += 1
        return line
    }

    private func scanLine() -> (end: Int, hasArrow: Bool, hasNUL: Bool) {
        let span = bytes.span
        let start = position
        var index = start
        var hasArrow = false
        var hasNUL = false
        while index < span.count {
            let byte = span[index]
            if byte <= .greaterThan {
                if byte == .lineFeed || byte == .carriageReturn { break }
                if byte == .greaterThan, index - start >= 2, span[index - 1] == .hyphen {
                    hasArrow = hasArrow || span[index - 2] == .hyphen
                }
                hasNUL = hasNUL || byte == 0
            }
            index += 1
        }
        return (index, hasArrow, hasNUL)
    }

    /// Goes back to the start of the line that `next` gave last.
    mutating func putBack(_ line: Line) {
        position = line.start
        number -= 1
    }

    private func nextLine(after end: Int) -> Int {
        let isPair = end + 1 < bytes.count && bytes[end] == .carriageReturn && bytes[end + 1] == .lineFeed
        return min(end + (isPair ? 2 : 1), bytes.count)
    }
}
