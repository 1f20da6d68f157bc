/// A box of an MP4 file (ISO/IEC 14496-12, section 4.2).
struct Box {
    /// The four characters of its type; unprintable ones are replaced.
    let name: String
    let start: Int
    let content: Range<Int>
    var end: Int { content.upperBound }

    /// Reads the header of the box at an offset; `nil` without a valid one.
    init?<Source: MediaBytes>(_ window: inout ByteWindow<Source>, at offset: Int) throws(Source.Failure) {
        guard let head = try window.number(at: offset, 8) else { return nil }
        var (size, length) = (head >> 32, 8)
        if size == 1 {
            guard let large = try window.number(at: offset + 8, 8) else { return nil }
            (size, length) = (large, 16)
        } else if size == 0 {
            size = UInt64(window.source.count - offset)
        }
        let (end, overflow) = offset.addingReportingOverflow(Int(clamping: size))
        guard size >= UInt64(length), !overflow else { return nil }
        name = Self.name(UInt32(truncatingIfNeeded: head))
        start = offset
        content = offset + length..<end
    }

    private static func name(_ code: UInt32) -> String {
        let letters = (0..<4).map { UInt8(truncatingIfNeeded: code >> (24 - 8 * UInt32($0))) }
        return String(decoding: letters.map { (0x20..<0x7F).contains($0) ? $0 : 0x3F }, as: UTF8.self)
    }

    static func code(_ name: String) -> UInt32 { name.utf8.reduce(0) { $0 << 8 | UInt32($1) } }
}
