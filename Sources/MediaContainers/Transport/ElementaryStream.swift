/// The bytes of one elementary stream in a segment, with the time stamps of their PES packets.
struct ElementaryStream: Sendable {
    /// A PES packet with a time stamp.
    struct Mark: Sendable, Equatable {
        /// The offset of its bytes.
        var offset: Int
        /// Its presentation time stamp, unwrapped.
        var presentation: Int64
        /// Its decoding time stamp, unwrapped; `nil` if it equals the presentation time stamp.
        var decoding: Int64?
        /// Whether the adaptation field marks it as a random access point.
        var isRandomAccess = false
    }

    /// All bytes of the stream, in order.
    var data: [UInt8] = []
    /// In the order of their offsets.
    var marks: [Mark] = []
    /// The offsets at which bytes are missing.
    var breaks: [Int] = []

    /// The first place in a range before which bytes are lacking.
    func firstBreak(in range: Range<Int>) -> Int? {
        guard !breaks.isEmpty else { return nil }
        let index = breaks.firstIndex(below: range.lowerBound) { $0 }
        return index < breaks.count && breaks[index] < range.upperBound ? breaks[index] : nil
    }

    /// Whether a PES packet with a time stamp begins at an offset.
    func hasMark(at offset: Int) -> Bool {
        let index = marks.firstIndex(below: offset) { $0.offset }
        return index < marks.count && marks[index].offset == offset
    }

    /// The bytes from an offset on, with their time stamps and gaps.
    ///
    /// - Parameter mark: the time stamp of the bytes at the offset, which may have come before.
    func rest(from offset: Int, mark: Mark?) -> ElementaryStream {
        var rest = ElementaryStream()
        rest.data = Array(data[offset...])
        rest.breaks = breaks.filter { $0 > offset }.map { $0 - offset }
        rest.marks = marks.filter { $0.offset > offset }
        if let mark { rest.marks.insert(mark, at: 0) }
        for index in rest.marks.indices {
            rest.marks[index].offset = max(0, rest.marks[index].offset - offset)
        }
        return rest
    }
}

/// Moves along an elementary stream and finds the time stamps of its units.
struct MarkCursor {
    private let marks: [ElementaryStream.Mark]
    private var next = 0

    init(_ stream: ElementaryStream) { marks = stream.marks }

    /// The time stamp of the unit that begins at an offset, which is of the first unit that begins in a PES packet.
    mutating func mark(upTo offset: Int) -> ElementaryStream.Mark? {
        var found: ElementaryStream.Mark?
        while next < marks.count, marks[next].offset <= offset {
            found = marks[next]
            next += 1
        }
        return found
    }
}

extension Array {
    /// The index of the first element whose key is not below a value; keys must not decrease.
    func firstIndex<Key: Comparable>(below value: Key, by key: (Element) -> Key) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if key(self[middle]) < value { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
