/// A box of an MP4 file (ISO/IEC 14496-12 §4.2), by where it lies.
struct Box {
    /// Four letters.
    var type: UInt32
    /// The offset at which the box starts, header included.
    var start: Int
    /// The range of its content, within the bytes that are there.
    var content: Range<Int>
    /// Whether all of its content is there.
    var isWhole: Bool

    func isType(_ name: StaticString) -> Bool { type == Box.type(name) }

    /// The number that four ASCII letters are.
    static func type(_ name: StaticString) -> UInt32 {
        name.withUTF8Buffer { letters in
            unsafe letters.reduce(0) { $0 << 8 | UInt32($1) }
        }
    }
}

/// Reads boxes and the big-endian numbers in them. Reading beyond the end gives `nil`.
struct BoxReader {
    let bytes: [UInt8]
    private(set) var position: Int
    let end: Int

    init(_ bytes: [UInt8], _ range: Range<Int>? = nil) {
        self.bytes = bytes
        let range = (range ?? 0..<bytes.count).clamped(to: 0..<bytes.count)
        position = range.lowerBound
        end = range.upperBound
    }

    /// The next box. The last one may be cut off.
    mutating func next() -> Box? {
        let start = position
        guard let small = number(4), let type = number(4) else { return nil }
        var size = small
        if small == 1 {
            guard let large = number(8) else { return nil }
            size = large
        }
        let header = position - start
        let length = size == 0 ? end - start : Int(clamping: size)
        guard length >= header else { return nil }
        let wanted = start.addingReportingOverflow(length)
        let limit = wanted.overflow ? end : min(wanted.partialValue, end)
        let isWhole = !wanted.overflow && wanted.partialValue <= end
        position = limit
        let content = min(start + header, limit)..<limit
        return Box(type: UInt32(truncatingIfNeeded: type), start: start, content: content, isWhole: isWhole)
    }

    /// The content of the first box of a type among the next ones.
    func first(_ type: StaticString) -> BoxReader? {
        var reader = self
        while let box = reader.next() {
            if box.isType(type) { return BoxReader(bytes, box.content) }
        }
        return nil
    }

    /// The content of a nested box, by its path.
    func descendant(_ path: StaticString...) -> BoxReader? {
        var reader: BoxReader? = self
        for type in path { reader = reader?.first(type) }
        return reader
    }

    /// The boxes of a type among the next ones.
    func all(_ type: StaticString) -> [Box] {
        var reader = self
        var boxes: [Box] = []
        while let box = reader.next() {
            if box.isType(type) { boxes.append(box) }
        }
        return boxes
    }

    mutating func number(_ count: Int) -> UInt64? {
        guard end - position >= count else { return nil }
        var value: UInt64 = 0
        for byte in bytes[position..<position + count] { value = value << 8 | UInt64(byte) }
        position += count
        return value
    }

    mutating func skip(_ count: Int) -> Bool {
        guard count >= 0, end - position >= count else { return false }
        position += count
        return true
    }

    /// The bytes that have not been read.
    var rest: ArraySlice<UInt8> { bytes[min(position, end)..<end] }
}

extension BoxReader {
    /// The version and flags that a full box starts with.
    mutating func versionAndFlags() -> (version: UInt64, flags: UInt64)? {
        guard let word = number(4) else { return nil }
        return (word >> 24, word & 0xFF_FFFF)
    }

    /// A number of 64 bits in version 1 and of 32 bits in version 0.
    mutating func number(inVersion version: UInt64) -> UInt64? { number(version == 1 ? 8 : 4) }
}

extension [UInt8] {
    /// Whether these are boxes of MP4: the first one has a type with which such a file begins.
    var looksLikeMP4: Bool {
        var reader = BoxReader(self)
        guard let box = reader.next() else { return false }
        let known: [StaticString] = ["ftyp", "styp", "moov", "moof", "sidx", "emsg", "prft", "free"]
        return known.contains { box.isType($0) }
    }
}
