internal import AssetStore
internal import HLSPlaylist
internal import MediaContainers

/// The indexing of one rendition, as far as it has come.
struct IndexRun: Sendable {
    private let store: OfflineStore
    private let token: AssetToken
    private let row: RenditionRecord
    private let playlist: MediaPlaylist
    private var sampler: SegmentSampler
    /// The place of the segment that comes next.
    private var next = 0
    /// The numbers of the segments that are stored.
    private var stored: Set<Int>
    private var made: [Int: [UInt8]] = [:]
    private var size = 0
    private let largest: Int

    /// - Parameter largest: bytes of indexes that are kept for a rendition; a day of video has some 30
    ///   million.
    /// - Returns: `nil` for a rendition without samples, and for a growing one.
    init?(_ place: IndexedPlace, _ store: OfflineStore, largest: Int = 32 << 20) throws(StoreError) {
        guard let source = try store.reader.source(of: place.token, place.rendition), source.row.hasMedia,
            try store.catalog.recordings.recording(of: place.token)?.isOpen != true
        else { return nil }
        (self.store, self.largest, token) = (store, largest, place.token)
        (row, playlist) = (source.row, source.playlist)
        stored = Set(try store.catalog.units.storedNumbers(ofRendition: source.row.id))
        sampler = SegmentSampler(
            ClearUnits(store: store, token: place.token, row: source.row), source.playlist)
    }

    /// Indexes all segments that are ready, and enters the indexes after the last one.
    ///
    /// - Parameter numbers: the segments that were stored since the last time.
    /// - Returns: whether it is done.
    mutating func advance(with numbers: Set<Int>, isStopped: () -> Bool) throws -> Bool {
        stored.formUnion(numbers)
        sampler.isThere = { [playlist, stored] in stored.contains(playlist.segments[$0].mediaSequence) }
        while next < playlist.segments.count, isReady(next) {
            guard !isStopped() else { return true }
            let index = try sampler.segment(at: next).index.encoded
            size += index.count
            guard size <= largest else { return true }
            made[playlist.segments[next].mediaSequence] = index
            next += 1
        }
        guard next == playlist.segments.count,
            let now = try store.catalog.renditions.rendition(token, row.name), now.isComplete
        else { return false }
        let revision = try IndexedRendition.revision(of: now, token, store)
        try store.catalog.sampleIndexes.enter(made, ofRendition: row.id, revision: revision)
        return true
    }

    /// Whether a segment is stored together with the next one, in which its last picture may end.
    private func isReady(_ place: Int) -> Bool {
        guard sampler.isThere(place) else { return false }
        let behind = place + 1
        guard row.container == .ts, behind < playlist.segments.count,
            playlist.segments[behind].discontinuitySequence == playlist.segments[place].discontinuitySequence
        else { return true }
        return sampler.isThere(behind)
    }
}

extension RenditionRecord {
    /// Whether it has video or audio in segments of its own.
    fileprivate var hasMedia: Bool {
        guard kind == .variant || kind == .audio, hasPlaylist else { return false }
        return container.isConverted || container == .m4s || container == .mp4
    }
}
