package import AssetStore
internal import HLSPlaylist
internal import Locking
internal import MediaContainers

/// Reads a file that is made of an asset, for one response.
///
/// It keeps two segments of each rendition open: the current one, and the next one if it was opened ahead. The samples
/// of a segment are in memory. Only fragmented MP4 that is stored in the clear is not read into memory: its samples are
/// sent from its files. For a transport stream the reader keeps the segments of the last block. If a segment ends within
/// the block, these are two of one rendition.
package final class AssetFileReader: Sendable {
    private struct State {
        var samplers: [Int: SegmentSampler] = [:]
        /// By the place of the rendition: the current segment.
        var segments: [Int: (place: Int, media: OpenedSegment)] = [:]
        /// By the place of the rendition: the next segment, if it was opened ahead.
        var ahead: [Int: (place: Int, media: OpenedSegment)] = [:]
        /// The offset at which a new segment has begun, until `takeTurn` is called.
        var turn: UInt64?
        /// By the number of the segment: those of the block that was made last.
        var ofBlock: [Int: SegmentSamples] = [:]
        /// The unit that was read last, or the block that was made last, by its offset in the file.
        var unit: (offset: UInt64, bytes: [UInt8])?
    }

    private let file: AssetFile
    private let store: OfflineStore
    private let state = Lock(State())

    /// Makes a reader at the beginning.
    package init(_ file: AssetFile, in store: OfflineStore) { (self.file, self.store) = (file, store) }

    /// The next bytes from an offset on, at most `count`; none at the end of the file.
    ///
    /// - Returns: `nil` if `load` must be called first.
    package func ready(at offset: UInt64, count: Int) -> AssetFileBytes? {
        switch file.content {
        case .movie(let layout, let media):
            switch layout.piece(at: offset, upTo: offset + UInt64(count)) {
            case nil: return .memory([])
            case .head(let range): return .memory(layout.head[range])
            case .made(let range): return .memory(layout.made(range))
            case .chunk(let chunk, let range):
                let (source, place) = media.segments[chunk.segment ?? 0]
                guard let segment = known(source, place, at: offset) else { return nil }
                return Self.bytes(
                    at: chunk.sourceOffset + range.lowerBound, count: range.count, of: segment,
                    media.tracks[chunk.track])
            }
        case .packets(let stretches):
            guard let stretch = Self.stretch(at: offset, in: stretches) else { return .memory([]) }
            return unit(from: stretch.offset, at: offset, count: count)
        case .transport(let layout, _):
            guard let number = layout.block(at: offset) else { return .memory([]) }
            return unit(from: layout.blocks[number].offset, at: offset, count: count)
        }
    }

    private static func bytes(
        at start: Int, count: Int, of segment: OpenedSegment, _ track: AssetFile.Track
    ) -> AssetFileBytes? {
        switch segment {
        case .stored(let fragments): return fragments.stretch(of: track, at: start, count: count)
        case .samples(let samples):
            let bytes = track.samples(samples)?.bytes ?? []
            return start + count <= bytes.count ? .memory(bytes[start..<start + count]) : nil
        }
    }

    /// A segment, if it is open. The segment that was opened ahead becomes the current one.
    private func known(_ source: Int, _ place: Int, at offset: UInt64) -> OpenedSegment? {
        state.withLock { state in
            if let last = state.segments[source], last.place == place { return last.media }
            guard let next = state.ahead[source], next.place == place else { return nil }
            (state.ahead[source], state.segments[source]) = (nil, next)
            state.turn = offset
            return next.media
        }
    }

    /// Bytes of the unit that begins at an offset, if it is in memory.
    private func unit(from start: UInt64, at offset: UInt64, count: Int) -> AssetFileBytes? {
        guard let bytes = state.withLock({ $0.unit?.offset == start ? $0.unit?.bytes : nil }) else {
            return nil
        }
        let first = Int(offset - start)
        return .memory(bytes[first..<min(first + count, bytes.count)])
    }

    private static func stretch(at offset: UInt64, in list: [AssetFile.Stretch]) -> AssetFile.Stretch? {
        // The first one begins at 0.
        var (low, high) = (1, list.count)
        while low < high {
            let middle = (low + high) / 2
            if list[middle].offset <= offset { low = middle + 1 } else { high = middle }
        }
        let last = list[low - 1]
        return offset < last.offset + UInt64(last.length) ? last : nil
    }

    /// Opens or reads the segment with the bytes at an offset, so that they are ready. Blocks.
    package func load(at offset: UInt64) throws(AssetFileError) {
        switch file.content {
        case .movie(let layout, let media):
            guard case .chunk(let chunk, _)? = layout.piece(at: offset, upTo: offset + 1) else { return }
            let number = chunk.segment ?? 0
            let (source, place) = media.segments[number]
            guard state.withLock({ $0.ahead[source]?.place != place }) else { return }
            let segment = try segment(number, media)
            state.withLock { state in
                state.segments[source] = (place, segment)
                state.turn = offset
            }
        case .packets(let stretches):
            guard let stretch = Self.stretch(at: offset, in: stretches) else { return }
            let units = ClearUnits(
                store: store, token: file.token, row: file.sources[0].row, counts: true)
            do throws(StoreError) {
                var bytes = try units.bytes(stretch.unit)
                guard bytes.count == stretch.length else { throw StoreError(.notWhole(file.token)) }
                TransportClock(shift: stretch.shift).move(&bytes)
                state.withLock { $0.unit = (stretch.offset, bytes) }
            } catch {
                if case .notWhole = error.code, case .segment(let number) = stretch.unit {
                    throw lost(number, of: file.sources[0])
                }
                throw .store(error)
            }
        case .transport(let layout, let media):
            guard let number = layout.block(at: offset) else { return }
            try loadBlock(number, of: layout, media)
        }
    }

    /// The offset at which a new segment has begun; `nil` if none has begun since the last call.
    package func takeTurn() -> UInt64? {
        state.withLock { state in
            defer { state.turn = nil }
            return state.turn
        }
    }

    /// Opens or reads one more segment: the first one after an offset that is not open yet. Blocks, and must not run at
    /// the same time as `load`. After an error nothing is kept; `load` reads the segment later and throws the error.
    ///
    /// - Parameter end: the offset at which the response ends.
    package func loadAhead(of offset: UInt64, upTo end: UInt64) {
        guard case .movie(let layout, let media) = file.content else { return }
        var place = offset
        for _ in 0..<Self.farthest {
            guard place < end, case .chunk(let chunk, _)? = layout.piece(at: place, upTo: place + 1) else {
                return
            }
            place = chunk.offset + UInt64(chunk.length)
            let number = chunk.segment ?? 0
            let (source, segment) = media.segments[number]
            let isKnown = state.withLock { state in
                state.segments[source]?.place == segment || state.ahead[source] != nil
            }
            guard !isKnown else { continue }
            guard let media = try? self.segment(number, media) else { return }
            return state.withLock { $0.ahead[source] = (segment, media) }
        }
    }

    /// How many chunks are looked at for a segment to read ahead: those of some 50 s.
    private static let farthest = 64

    private func loadBlock(
        _ number: Int, of layout: TransportLayout, _ media: AssetFile.Media
    ) throws(AssetFileError) {
        let needed = Set(layout.runs(ofBlock: number).map(\.segment))
        state.withLock { state in
            state.unit = nil
            state.ofBlock = state.ofBlock.filter { needed.contains($0.key) }
        }
        let bytes = try layout.bytes(ofBlock: number) { (run) throws(AssetFileError) -> TrackSamples? in
            let known = state.withLock { $0.ofBlock[run.segment] }
            let samples = if let known { known } else { try samples(run.segment, media) }
            state.withLock { $0.ofBlock[run.segment] = samples }
            return media.tracks[run.track].samples(samples)
        }
        guard let bytes else { throw changed(layout.runs(ofBlock: number).first?.segment ?? 0, media) }
        state.withLock { $0.unit = (layout.blocks[number].offset, bytes) }
    }

    /// Opens a segment, by the number that the layout has for it.
    private func segment(_ number: Int, _ media: AssetFile.Media) throws(AssetFileError) -> OpenedSegment {
        try read(number, media, sizes: \.sizes) { (sampler, place, lead) throws(AssetFileError) in
            try sampler.opened(at: place, lead: lead)
        }
    }

    /// Reads the samples of a segment, by the number that the layout has for it.
    private func samples(_ number: Int, _ media: AssetFile.Media) throws(AssetFileError) -> SegmentSamples {
        try read(number, media, sizes: \.sizes) { (sampler, place, lead) throws(AssetFileError) in
            try sampler.segment(at: place, lead: lead)
        }
    }

    private func read<Segment>(
        _ number: Int, _ media: AssetFile.Media, sizes: (Segment) -> [Int],
        body: (inout SegmentSampler, Int, Int) throws(AssetFileError) -> Segment
    ) throws(AssetFileError) -> Segment {
        let (source, place) = media.segments[number]
        var sampler = sampler(of: source)
        // If the samples have other sizes than in the layout, the segment needs more of the segments before it. It is
        // read again with more of them.
        for lead in [1, 8, Int.max] {
            let segment: Segment
            do throws(AssetFileError) { segment = try body(&sampler, place, lead) } catch {
                if case .store(let error) = error, case .notWhole = error.code {
                    throw changed(number, media)
                }
                throw error
            }
            if sizes(segment) == media.sizes[number] {
                state.withLock { $0.samplers[source] = sampler }
                return segment
            }
            sampler.forget()
        }
        throw changed(number, media)
    }

    /// The sampler of a rendition, with what it knows from earlier segments.
    private func sampler(of source: Int) -> SegmentSampler {
        let rendition = file.sources[source]
        var sampler =
            state.withLock { $0.samplers[source] }
            ?? SegmentSampler(
                ClearUnits(store: store, token: file.token, row: rendition.row, counts: true),
                rendition.playlist)
        sampler.isThere = { [gaps = rendition.gaps] in !gaps.contains($0) }
        return sampler
    }

    private func changed(_ number: Int, _ media: AssetFile.Media) -> AssetFileError {
        let (source, place) = media.segments[number]
        let rendition = file.sources[source]
        return lost(rendition.playlist.segments[place].mediaSequence, of: rendition)
    }

    /// The error for a segment that is gone or has changed. The catalog notes a file that is missing or has another size.
    private func lost(_ segment: Int, of rendition: IndexedRendition) -> AssetFileError {
        ClearUnits(store: store, token: file.token, row: rendition.row).noteDamage(of: .segment(segment))
        return .changed(rendition: rendition.row.name, segment: segment)
    }
}
