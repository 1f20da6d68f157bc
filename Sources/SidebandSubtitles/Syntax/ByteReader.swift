internal import ASCII

/// A position in bytes that are read from left to right.
struct ByteReader {
    let bytes: [UInt8]
    private(set) var position: Int
    let end: Int

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    init(_ slice: ArraySlice<UInt8>) {
        self.init(Array(slice), 0..<slice.count)
    }

    var isAtEnd: Bool { position >= end }

    var next: UInt8? { position < end ? bytes[position] : nil }

    var remainder: Range<Int> { position..<end }

    /// Passes the byte when it is the next one.
    mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    mutating func skipWhitespace() {
        while let byte = next, byte.isWhitespace { position += 1 }
    }

    /// Reads as many digits as there are. The value stops growing at `limit`; `nil` when there is no digit.
    mutating func digits(limit: Int = 1 << 40) -> (value: Int, count: Int)? {
        let start = position
        var value = 0
        while let byte = next, byte.isDigit {
            value = min(value * 10 + Int(byte - 0x30), limit)
            position += 1
        }
        return position > start ? (value, position - start) : nil
    }

    /// The next stretch without ASCII whitespace, or `nil` at the end.
    mutating func token() -> Range<Int>? {
        skipWhitespace()
        let start = position
        while let byte = next, !byte.isWhitespace { position += 1 }
        return position > start ? start..<position : nil
    }
}
