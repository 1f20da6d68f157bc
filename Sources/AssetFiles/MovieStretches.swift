internal import MediaContainers

/// The stretches of an asset without a change of codecs, picture sizes and sampling rates: each can be one file.
struct MovieStretches {
    /// The number of stretches.
    var count: Int { starts.count }

    /// A moment of the asset: a discontinuity and a time by the playlist, in seconds.
    private struct Moment {
        var discontinuity: Int
        var time: Double

        func isBehind(_ other: Moment) -> Bool {
            (discontinuity, time) >= (other.discontinuity, other.time)
        }
    }

    /// The starts of the stretches, in order.
    private var starts: [Moment] = []
    /// How the last samples of each track are coded.
    private var last: [Track: Coding] = [:]

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

    /// Looks at the first samples of each segment.
    ///
    /// - Parameters:
    ///   - segments: the rendition and the place of each.
    ///   - pieces: their times, in the same order.
    init(
        _ sources: [IndexedRendition], segments: [(source: Int, place: Int)],
        pieces: [MovieTimeline.Piece]
    ) throws(AssetFileError) {
        let groups = Dictionary(grouping: pieces.indices) { pieces[$0].discontinuity }
        for number in groups.keys.sorted() {
            let group = (groups[number] ?? []).sorted { pieces[$0].place < pieces[$1].place }
            var seen: Set<Int> = []
            // All renditions begin together behind a discontinuity.
            let first = group.filter { seen.insert(segments[$0].source).inserted }
            var codings: [Track: Coding] = [:]
            for index in first {
                codings.merge(try Self.codings(sources, segments[index])) { $1 }
            }
            take(codings, at: Moment(discontinuity: number, time: -.infinity), tolerance: 0)
            for index in group where !first.contains(index) {
                take(
                    try Self.codings(sources, segments[index]),
                    at: Moment(discontinuity: number, time: pieces[index].place),
                    tolerance: pieces[index].duration / 2)
            }
        }
    }

    /// Begins a stretch where samples are coded in another way than before.
    ///
    /// - Parameter tolerance: seconds after the start of a stretch. A change within them begins no other stretch, because
    ///   renditions may change at slightly different times.
    private mutating func take(_ codings: [Track: Coding], at moment: Moment, tolerance: Double) {
        let changes = codings.contains { last[$0.key] ?? $0.value != $0.value }
        last.merge(codings) { $1 }
        guard let start = starts.last else { return starts.append(moment) }
        let isJoined =
            start.discontinuity == moment.discontinuity && moment.time - start.time < tolerance
        if changes, !isJoined { starts.append(moment) }
    }

    /// The number, from 0, of the stretch that holds the middle of a segment.
    func number(of piece: MovieTimeline.Piece) -> Int {
        let middle = Moment(
            discontinuity: piece.discontinuity, time: piece.place + piece.duration / 2)
        return starts.lastIndex { middle.isBehind($0) } ?? 0
    }

    private static func codings(
        _ sources: [IndexedRendition], _ segment: (source: Int, place: Int)
    ) throws(AssetFileError) -> [Track: Coding] {
        guard let index = try sources[segment.source].index(at: segment.place) else { return [:] }
        let source = segment.source
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
