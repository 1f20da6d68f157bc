internal import MediaContainers

/// The stretches of an asset without a change of codecs, picture sizes and sampling rates: each can be one file.
struct MovieStretches {
    /// The discontinuity sequence numbers of each, in order.
    let list: [Set<Int>]

    /// A track of a rendition by its kind and its number among those of that kind.
    private struct Track: Hashable {
        var source: Int
        var isSound: Bool
        var ordinal: Int
    }

    /// How the samples of a track are coded.
    private struct Coding: Equatable {
        var name: [UInt8]
        var shape: SampleDescription.Shape
    }

    /// Looks at the first segment of each rendition in each discontinuity.
    ///
    /// - Parameters:
    ///   - segments: the rendition and the place of each.
    ///   - pieces: their times, in the same order.
    init(
        _ sources: [IndexedRendition], segments: [(source: Int, place: Int)],
        pieces: [MovieTimeline.Piece]
    ) throws(AssetFileError) {
        var codings: [Int: [Track: Coding]] = [:]
        var seen: Set<[Int]> = []
        for (segment, piece) in zip(segments, pieces) {
            guard seen.insert([segment.source, piece.discontinuity]).inserted,
                let index = try sources[segment.source].index(at: segment.place)
            else { continue }
            for (track, coding) in Self.codings(index, segment.source) {
                codings[piece.discontinuity, default: [:]][track] = coding
            }
        }
        var list: [Set<Int>] = []
        var last: [Track: Coding] = [:]
        for number in codings.keys.sorted() {
            let own = codings[number] ?? [:]
            if list.isEmpty || own.contains(where: { last[$0.key] ?? $0.value != $0.value }) {
                list.append([])
                last = [:]
            }
            list[list.count - 1].insert(number)
            last.merge(own) { $1 }
        }
        self.list = list
    }

    private static func codings(_ index: SampleIndex, _ source: Int) -> [Track: Coding] {
        var codings: [Track: Coding] = [:]
        for isSound in [false, true] {
            let alike = index.tracks.filter { $0.kind == (isSound ? .audio : .video) }
            for (ordinal, track) in alike.enumerated() {
                guard let first = track.descriptions.first else { continue }
                codings[Track(source: source, isSound: isSound, ordinal: ordinal)] = Coding(
                    name: Array(first.entry.dropFirst(4).prefix(4)), shape: first.shape)
            }
        }
        return codings
    }
}
