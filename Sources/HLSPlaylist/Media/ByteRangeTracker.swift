/// Works out the offsets that EXT-X-BYTERANGE omits (RFC 8216bis §4.4.4.2): the range begins where the
/// previous range of the same resource ends.
struct ByteRangeTracker {
    /// The end of the last range that was read, and the URI of its resource.
    private var last: (uri: TextRange, end: Int)?
    /// The end of the last range of each resource, by URI; `nil` until a range without an offset belongs to another
    /// resource than the range before.
    private var ends: [String: Int]?

    /// The range with its offset. If the first range of a playlist has no offset, it begins at 0. `nil` if a range has
    /// no offset and no earlier range has the same resource, or if the end exceeds `Int.max`.
    mutating func resolve(_ text: ByteRangeText, uri: TextRange, store: SegmentStore) -> ByteRange? {
        guard let start = text.offset ?? start(of: uri, store: store), let range = text.resolved(from: start)
        else {
            return nil
        }
        last = (uri, range.end)
        if ends != nil { ends?[store.uri(uri)] = range.end }
        return range
    }

    private mutating func start(of uri: TextRange, store: SegmentStore) -> Int? {
        guard let last else { return 0 }
        if isSame(last.uri, uri, store: store) { return last.end }
        let known = ends ?? ByteRangeTracker.ends(in: store)
        ends = known
        return known[store.uri(uri)]
    }

    private func isSame(_ first: TextRange, _ second: TextRange, store: SegmentStore) -> Bool {
        if first.replacement != nil || second.replacement != nil {
            return store.uri(first) == store.uri(second)
        }
        return store.bytes[first.bytes].elementsEqual(store.bytes[second.bytes])
    }

    private static func ends(in store: SegmentStore) -> [String: Int] {
        var ends: [String: Int] = [:]
        for record in store.records where record.byteRange >= 0 {
            ends[store.uri(record.uri)] = store.byteRanges[Int(record.byteRange)].end
        }
        return ends
    }
}
