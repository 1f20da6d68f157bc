/// The segments of a media playlist.
///
/// A segment is made when it is read from the list, so that a playlist of 500,000 segments takes about 80 bytes for
/// each of them besides its text. Copies share their storage.
public struct SegmentList: Sendable, RandomAccessCollection {
    private final class Storage: Sendable {
        let store: SegmentStore
        let duration: Double
        let longestDuration: Double

        init(_ store: SegmentStore) {
            self.store = store
            duration = store.records.reduce(0) { $0 + $1.duration }
            longestDuration = store.records.reduce(0) { Swift.max($0, $1.duration) }
        }
    }

    private let storage: Storage

    init(_ store: SegmentStore) {
        storage = Storage(store)
    }

    /// 0.
    public var startIndex: Int { 0 }
    /// The number of segments.
    public var endIndex: Int { storage.store.records.count }
    /// The segment at that place, counted from 0.
    public subscript(position: Int) -> MediaSegment { storage.store.segment(at: position) }

    /// The sum of the durations in seconds.
    public var duration: Double { storage.duration }
    /// The longest duration in seconds; 0 without segments.
    public var longestDuration: Double { storage.longestDuration }
}
