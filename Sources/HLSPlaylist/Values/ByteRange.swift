internal import ASCII

/// A part of a resource: `length` bytes from `offset` (RFC 8216bis §4.4.4.2).
public struct ByteRange: Sendable, Hashable {
    /// Bytes in the range, from 0.
    public var length: Int
    /// Bytes before the range, from 0.
    public var offset: Int

    /// A range; `end` must not pass `Int.max`.
    public init(length: Int, offset: Int) {
        self.length = length
        self.offset = offset
    }

    /// The first byte after the range.
    public var end: Int { offset + length }

    /// The range as `EXT-X-BYTERANGE` writes it, with its offset.
    public var verbatim: String { "\(length)@\(offset)" }
}

/// A byte range as written: `length[@offset]`.
struct ByteRangeText: Hashable {
    var length: Int
    var offset: Int?

    /// `nil` when the text is not a range, or its end passes `Int.max`.
    init?<Bytes: BidirectionalCollection<UInt8>>(_ text: Bytes) {
        let at = text.firstIndex(of: .at)
        guard let length = DecimalText.integer(text[..<(at ?? text.endIndex)]) else { return nil }
        self.length = length
        guard let at else { return }
        guard let offset = DecimalText.integer(text[text.index(after: at)...]) else { return nil }
        guard !offset.addingReportingOverflow(length).overflow else { return nil }
        self.offset = offset
    }

    /// The range when the offset, if omitted, is `start`; `nil` when its end passes `Int.max`.
    func resolved(from start: Int) -> ByteRange? {
        let offset = self.offset ?? start
        guard !offset.addingReportingOverflow(length).overflow else { return nil }
        return ByteRange(length: length, offset: offset)
    }
}
