/// The time stamp that packed audio begins with (RFC 8216bis, section 3.4): a private frame of an ID3 tag.
package enum ID3Timestamp {
    private static let owner = Array("com.apple.streaming.transportStreamTimestamp".utf8)

    /// Reads the tags at the beginning of bytes.
    ///
    /// - Returns: their end, and the time stamp of 33 bits, if one of them has it.
    package static func read(_ bytes: [UInt8]) -> (end: Int, stamp: Int64?) {
        var (end, stamp) = (0, Int64?.none)
        while let tag = tag(bytes[end...]) {
            stamp = stamp ?? self.stamp(in: tag)
            end = tag.endIndex + (tag[tag.startIndex + 5] & 0x10 == 0 ? 0 : 10)
            guard end <= bytes.count else { return (bytes.count, stamp) }
        }
        return (end, stamp)
    }

    /// The tag that bytes begin with, with its header, without its footer.
    private static func tag(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard bytes.count >= 10, bytes.starts(with: "ID3".utf8) else { return nil }
        let length = 10 + number(bytes.dropFirst(6), isSafe: true)
        return length <= bytes.count ? bytes.prefix(length) : nil
    }

    /// Reads a number of four bytes; a syncsafe one has seven bits in each.
    private static func number(_ bytes: ArraySlice<UInt8>, isSafe: Bool) -> Int {
        bytes.prefix(4).reduce(0) { isSafe ? $0 << 7 | Int($1 & 0x7F) : $0 << 8 | Int($1) }
    }

    private static func stamp(in tag: ArraySlice<UInt8>) -> Int64? {
        let isSafe = tag[tag.startIndex + 3] >= 4
        var rest = tag.dropFirst(10)
        // The extended header tells its own length.
        if tag[tag.startIndex + 5] & 0x40 != 0 {
            rest = rest.dropFirst(number(rest, isSafe: isSafe) + (isSafe ? 0 : 4))
        }
        while rest.count > 10 {
            let length = number(rest.dropFirst(4), isSafe: isSafe)
            let content = rest.dropFirst(10).prefix(length)
            if rest.starts(with: "PRIV".utf8), content.starts(with: owner), content.count == owner.count + 9 {
                return content.suffix(8).reduce(0) { $0 << 8 | Int64($1) } & (1 << 33 - 1)
            }
            rest = rest.dropFirst(10 + length)
        }
        return nil
    }
}
