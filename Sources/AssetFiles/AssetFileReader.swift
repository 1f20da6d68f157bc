package import AssetStore
internal import HLSPlaylist
internal import Locking
internal import MediaContainers

/// Reads a file that is made of an asset, for one reader. It keeps the last segment of each rendition.
package final class AssetFileReader: Sendable {
    private struct State {
        var samplers: [Int: SegmentSampler] = [:]
        /// By the place of the rendition: the segment that was read last.
        var segments: [Int: (place: Int, samples: SegmentSamples)] = [:]
        var unit: (offset: UInt64, bytes: [UInt8])?
        var hasCounted = false
    }

    private let file: AssetFile
    private let store: OfflineStore
    private let state = Lock(State())

    /// Makes a reader at the beginning.
    package init(_ file: AssetFile, in store: OfflineStore) { (self.file, self.store) = (file, store) }

    /// Bytes from an offset on, as far as they are in memory; `nil` if `load` must bring them, empty at the end.
    package func ready(at offset: UInt64, count: Int) -> ArraySlice<UInt8>? {
        switch file.content {
        case .movie(let layout, let media):
            switch layout.piece(at: offset, upTo: offset + UInt64(count)) {
            case nil: return []
            case .head(let range): return layout.head[range]
            case .made(let range): return layout.made(range)
            case .chunk(let chunk, let range):
                let (source, place) = media.segments[chunk.segment ?? 0]
                let samples = state.withLock { state -> SegmentSamples? in
                    guard let known = state.segments[source], known.place == place else { return nil }
                    return known.samples
                }
                guard let samples else { return nil }
                let bytes = media.tracks[chunk.track].samples(samples)?.bytes ?? []
                let start = chunk.sourceOffset + range.lowerBound
                guard start + range.count <= bytes.count else { return nil }
                return bytes[start..<start + range.count]
            }
        case .packets(let stretches):
            guard let stretch = Self.stretch(at: offset, in: stretches) else { return [] }
            let bytes = state.withLock { $0.unit?.offset == stretch.offset ? $0.unit?.bytes : nil }
            guard let bytes else { return nil }
            let start = Int(offset - stretch.offset)
            return bytes[start..<min(start + count, bytes.count)]
        }
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

    /// Reads the bytes at an offset into memory. Blocks.
    package func load(at offset: UInt64) throws(AssetFileError) {
        switch file.content {
        case .movie(let layout, let media):
            guard case .chunk(let chunk, _)? = layout.piece(at: offset, upTo: offset + 1) else { return }
            try load(chunk.segment ?? 0, media)
        case .packets(let stretches):
            guard let stretch = Self.stretch(at: offset, in: stretches) else { return }
            let units = ClearUnits(store: store, token: file.token, row: file.sources[0].row)
            do throws(StoreError) {
                var bytes = try units.bytes(stretch.unit)
                guard bytes.count == stretch.length else { throw StoreError(.notWhole(file.token)) }
                TransportClock(shift: stretch.shift).move(&bytes)
                state.withLock { $0.unit = (stretch.offset, bytes) }
            } catch { throw .store(error) }
        }
    }

    private func load(_ number: Int, _ media: AssetFile.Media) throws(AssetFileError) {
        let (source, place) = media.segments[number]
        let rendition = file.sources[source]
        var sampler =
            state.withLock { $0.samplers[source] }
            ?? SegmentSampler(
                ClearUnits(store: store, token: file.token, row: rendition.row), rendition.playlist)
        sampler.isThere = { [gaps = rendition.gaps] in !gaps.contains($0) }
        // A segment that needs more of those before it than the last one is read with more of them.
        for lead in [1, 8, Int.max] {
            let samples = try sampler.segment(at: place, lead: lead)
            if samples.tracks.map(\.bytes.count) == media.sizes[number] {
                state.withLock { state in
                    state.segments[source] = (place, samples)
                    state.samplers[source] = sampler
                }
                return
            }
            sampler.forget()
        }
        throw .changed(
            rendition: rendition.row.name, segment: rendition.playlist.segments[place].mediaSequence)
    }
}
