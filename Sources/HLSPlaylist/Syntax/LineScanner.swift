internal import ASCII

/// The place of a line's text, without the blanks around it and its line end. Never empty.
struct Line {
    var start: Int
    var end: Int
    /// Counted from 1.
    var number: Int
}

/// Walks over the lines of a text that are not blank. LF, CR and CRLF end a line (RFC 8216bis §4.1).
struct LineScanner {
    let bytes: [UInt8]
    private let limit: Int
    private var position: Int
    private var number = 0

    init(bytes: [UInt8], limit: Int) {
        self.bytes = bytes
        self.limit = limit
        position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    mutating func next() throws(PlaylistError) -> Line? {
        while position < bytes.count {
            let start = position
            let end = try lineEnd(from: start)
            number += 1
            position = end + 1
            if end + 1 < bytes.count, bytes[end] == .carriageReturn, bytes[end + 1] == .lineFeed {
                position += 1
            }
            let line = trimmed(start, end)
            if line.start < line.end { return line }
        }
        return nil
    }

    /// The index of the byte that ends the line, or the end of the text.
    private func lineEnd(from start: Int) throws(PlaylistError) -> Int {
        let span = bytes.span
        let stop = min(span.count, start + limit + 1)
        var index = start
        while index < stop {
            let byte = span[index]
            if byte <= .carriageReturn {
                if byte == .lineFeed || byte == .carriageReturn { return index }
                if byte == 0 { throw failure(.controlCharacter, start, end: index) }
            }
            index += 1
        }
        if index < span.count { throw failure(.overLimit(.lineLength(limit)), start, end: index) }
        return index
    }

    private func trimmed(_ start: Int, _ end: Int) -> Line {
        var start = start
        var end = end
        while start < end, bytes[start].isBlank { start += 1 }
        while start < end, bytes[end - 1].isBlank { end -= 1 }
        return Line(start: start, end: end, number: number)
    }

    private func failure(_ code: PlaylistError.Code, _ start: Int, end: Int) -> PlaylistError {
        PlaylistError(code: code, line: number + 1, excerpt: Excerpt.make(bytes[start..<end]))
    }
}
