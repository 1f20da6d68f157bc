internal import AssetStore
internal import Crypto
internal import HLSPlaylist
internal import MediaContainers

/// A complete rendition with the samples of its segments.
struct IndexedRendition: Sendable {
    let row: RenditionRecord
    let playlist: MediaPlaylist
    /// Identifies its content.
    let revision: [UInt8]
    /// The start of its first segment, in seconds of the presentation.
    let start: Double
    /// The places of segments that are missing for good.
    let gaps: Set<Int>
    /// The encoded index of each segment, by its place in the playlist; `nil` for gaps.
    private var indexes: [[UInt8]?]

    /// A copy without the samples.
    var outline: IndexedRendition {
        var outline = self
        outline.indexes = []
        return outline
    }

    /// The index of a segment; `nil` for a gap.
    func index(at place: Int) throws(AssetFileError) -> SampleIndex? {
        guard let bytes = indexes[place] else { return nil }
        do throws(SampleError) { return try SampleIndex(decoding: bytes) } catch {
            throw .changed(rendition: row.name, segment: playlist.segments[place].mediaSequence)
        }
    }

    /// Reads the indexes of a rendition, and makes missing ones. Blocks.
    ///
    /// - Parameter skipped: the segments that may be missing.
    init(
        _ row: RenditionRecord, of token: AssetToken, in store: OfflineStore, skipping skipped: Skipped
    ) throws(AssetFileError) {
        let completion = try Self.completion(of: token, store)
        let takesWhatIsThere = skipped == .missing && completion != .arriving
        do throws(StoreError) {
            guard row.isComplete || takesWhatIsThere, row.hasPlaylist,
                let source = try store.catalog.renditions.mediaPlaylist(token, row.name),
                try store.catalog.recordings.recording(of: token)?.isOpen != true
            else { throw StoreError(.notWhole(token)) }
            (self.row, playlist) = (row, source.playlist)
            start = try store.catalog.units.start(ofRendition: row.id)
            revision = try Self.revision(of: row, token, store)
        } catch {
            if case .notWhole = error.code { throw .incomplete(rendition: row.name, completion) }
            throw .store(error)
        }
        gaps = try Self.gaps(of: row, in: playlist, store)
        if skipped == .none, let first = gaps.min() {
            throw .gap(rendition: row.name, at: Self.time(of: first, in: playlist, from: start))
        }
        indexes = try Self.indexes(
            of: row, in: playlist, token: token, store, revision: revision, gaps: gaps)
    }

    /// Whether none of its segments can be used.
    var isEmpty: Bool { gaps.count == playlist.segments.count }

    /// The start time of a segment in the presentation, in seconds.
    func time(of place: Int) -> Double { Self.time(of: place, in: playlist, from: start) }

    /// - Parameter start: the start time of the first segment. It is below 0 if the presentation begins within that
    ///   segment.
    private static func time(of place: Int, in playlist: MediaPlaylist, from start: Double) -> Double {
        max(0, playlist.segments[..<place].reduce(start) { $0 + $1.duration })
    }

    /// The error of a file that would be empty.
    func lack(of asset: AssetRecord, _ format: AssetFileFormat) -> AssetFileError {
        row.isComplete
            ? .nothingFor(format)
            : .nothingStored(rendition: row.name, Completion(asset.state))
    }

    /// The segments that a file may lack.
    enum Skipped {
        /// None: time without media is an error.
        case none
        /// Segments that are lost for good.
        case lost
        /// All that are not stored, unless they are being downloaded.
        case missing
    }

    private static func gaps(
        of row: RenditionRecord, in playlist: MediaPlaylist, _ store: OfflineStore
    ) throws(AssetFileError) -> Set<Int> {
        do throws(StoreError) {
            let lost = try store.reader.gaps(of: row)
            let stored = try row.isComplete ? nil : storedSegments(of: row, store)
            let missingSections =
                try row.isComplete ? [] : store.catalog.units.missingSections(ofRendition: row.id)
            return Set(
                playlist.segments.indices.filter {
                    let segment = playlist.segments[$0]
                    return segment.isGap || lost.contains(segment.mediaSequence)
                        || stored?.contains(segment.mediaSequence) == false
                        || segment.initializationSection.map(missingSections.contains) == true
                })
        } catch { throw .store(error) }
    }

    private static func storedSegments(
        of row: RenditionRecord, _ store: OfflineStore
    ) throws(StoreError) -> Set<Int> {
        Set(
            try store.catalog.units.all(of: row.id, states: [.stored]).filter { $0.kind == .segment }
                .map(\.number))
    }

    private static func completion(
        of token: AssetToken, _ store: OfflineStore
    ) throws(AssetFileError) -> Completion {
        do throws(StoreError) { return Completion(try store.catalog.assets.asset(token)?.state) } catch {
            throw .store(error)
        }
    }

    /// Identifies the present units of a rendition, and the keys with which they are decrypted.
    static func revision(
        of row: RenditionRecord, _ token: AssetToken, _ store: OfflineStore
    ) throws(StoreError) -> [UInt8] {
        var hash = SHA256()
        hash.update(data: [SampleIndex.version] + (try store.keys.digestOfGivenKeys(token)))
        try store.catalog.units.eachStored(of: row.id) { kind, number, sha256 in
            hash.update(data: [UInt8(kind.rawValue)] + Array("\(number):".utf8) + (sha256 ?? []))
        }
        return Array(hash.finalize().prefix(16))
    }

    private static func indexes(
        of row: RenditionRecord, in playlist: MediaPlaylist, token: AssetToken, _ store: OfflineStore,
        revision: [UInt8], gaps: Set<Int>
    ) throws(AssetFileError) -> [[UInt8]?] {
        do throws(StoreError) {
            let known = try store.catalog.sampleIndexes.all(ofRendition: row.id, revision: revision)
            let numbers = playlist.segments.indices.map { playlist.segments[$0].mediaSequence }
            let isWhole = numbers.indices.allSatisfy { gaps.contains($0) || known[numbers[$0]] != nil }
            if isWhole { return numbers.map { known[$0] } }
        } catch { throw .store(error) }
        var sampler = SegmentSampler(
            ClearUnits(store: store, token: token, row: row), playlist)
        sampler.isThere = { !gaps.contains($0) }
        var indexes: [[UInt8]?] = []
        var made: [Int: [UInt8]] = [:]
        for place in playlist.segments.indices {
            guard !gaps.contains(place) else {
                indexes.append(nil)
                continue
            }
            let index = try sampler.segment(at: place).index.encoded
            indexes.append(index)
            made[playlist.segments[place].mediaSequence] = index
        }
        do throws(StoreError) {
            try store.catalog.sampleIndexes.enter(made, ofRendition: row.id, revision: revision)
        } catch { throw .store(error) }
        return indexes
    }
}

extension IndexedRendition {
    /// Checks that a file of the samples would have the video and the audio that the transport stream has.
    ///
    /// - Parameter isSoundOnly: whether the file has no pictures anyway.
    /// - Throws: `unreadable` with the codec that has no samples.
    func refuseLoss(
        of token: AssetToken, in store: OfflineStore, isSoundOnly: Bool
    ) throws(AssetFileError) {
        guard row.container == .ts, let place = playlist.segments.indices.first(where: { !gaps.contains($0) })
        else { return }
        // Where there are samples of a kind, no lost stream of that kind is missed: the segment need not be read.
        let kinds = Set(try index(at: place)?.tracks.map(\.kind) ?? [])
        if kinds.contains(.audio), isSoundOnly || kinds.contains(.video) { return }
        let units = ClearUnits(store: store, token: token, row: row)
        let number = playlist.segments[place].mediaSequence
        var segment: [UInt8] = []
        do throws(StoreError) {
            // Tables may be in an initialization section.
            if let section = playlist.segments[place].initializationSection {
                segment = try units.bytes(.initialization(section))
            }
            segment += try units.bytes(.segment(number))
        } catch { throw .store(error) }
        guard let lost = TransportSamples.irreplaceable(in: segment), !(isSoundOnly && lost.isPictures) else {
            return
        }
        throw .unreadable(rendition: row.name, segment: number, .unsupportedCodec(lost.codec))
    }

    /// Checks that no track changes its codec within a segment: no file, and no part of it, can hold that.
    func refuseCodecChange(in index: SampleIndex, at place: Int) throws(AssetFileError) {
        var known: [Int: SampleDescription] = [:]
        for track in index.tracks {
            for description in track.descriptions {
                let first = known[track.number] ?? description
                known[track.number] = first
                guard first.entry.dropFirst(4).prefix(4) == description.entry.dropFirst(4).prefix(4) else {
                    throw .codecChanges(
                        rendition: row.name, at: time(of: place), from: first.codec, to: description.codec,
                        within: playlist.segments[place].mediaSequence)
                }
            }
        }
    }

    /// The times of all segments that have samples, and their places in the playlist.
    ///
    /// - Parameter stream: the number that names the rendition in a timeline.
    func pieces(stream: Int) throws(AssetFileError) -> (places: [Int], pieces: [MovieTimeline.Piece]) {
        var made: (places: [Int], pieces: [MovieTimeline.Piece]) = ([], [])
        var place = start
        for position in playlist.segments.indices {
            let segment = playlist.segments[position]
            defer { place += segment.duration }
            guard let index = try index(at: position) else { continue }
            let spans = index.tracks.filter { $0.kind == .video || $0.kind == .audio }
                .compactMap(\.presentation)
            guard let start = spans.map(\.start).min(), let end = spans.map(\.end).max() else { continue }
            made.places.append(position)
            made.pieces.append(
                MovieTimeline.Piece(
                    stream: stream, discontinuity: segment.discontinuitySequence, place: place,
                    duration: segment.duration, start: start, end: end, wraps: index.wraps))
        }
        return made
    }
}
