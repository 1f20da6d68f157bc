internal import AssetStore
internal import HLSPlaylist
internal import Languages
internal import MediaContainers

/// Lays samples out in a file, as they are added to its tracks.
protocol LayoutBuilder {
    init(tracks: [OutputTrack])

    mutating func add(
        _ source: SampleIndex.Track, to track: Int, segment: Int, shift: Double
    ) throws(MovieLayoutError)
}

extension MovieLayoutBuilder: LayoutBuilder {}
extension TransportLayoutBuilder: LayoutBuilder {}

/// Puts the samples of an asset's renditions on one timeline, and into the tracks of a file.
struct AssetTracks {
    private let sources: [IndexedRendition]
    private let chosen: AssetFileChoice.Sources
    private let format: AssetFileFormat
    private(set) var media = AssetFile.Media(segments: [], tracks: [], sizes: [])
    /// The places of the segments of the first rendition: by the playlist and in the file, in seconds.
    private(set) var places: [(start: Double, duration: Double, shown: Double)] = []
    private(set) var end = 0.0

    init(_ sources: [IndexedRendition], _ format: AssetFileFormat, _ chosen: AssetFileChoice.Sources) {
        (self.sources, self.format, self.chosen) = (sources, format, chosen)
    }

    /// Reads the indexes of all segments: once for their times, once for their samples.
    ///
    /// - Parameter part: the number of a stretch in which codecs stay, from 1; `nil` takes all.
    /// - Returns: the builder that they were added to.
    mutating func read<Builder: LayoutBuilder>(part: Int?) throws(AssetFileError) -> Builder {
        var pieces = try pieces()
        if let part { try take(part: part, of: &pieces) }
        let timeline = MovieTimeline(pieces)
        end = timeline.end
        var builder = Builder(tracks: try tracks())
        guard !media.tracks.isEmpty else { throw .nothingFor(format) }
        for (number, segment) in media.segments.enumerated() {
            guard let index = try sources[segment.source].index(at: segment.place) else { continue }
            try sources[segment.source].refuseCodecChange(in: index, at: segment.place)
            if segment.source == 0 {
                let piece = pieces[number]
                // The times of subtitles count from the first picture; sound may begin earlier.
                let picture = index.tracks.first { $0.kind == .video }?.presentation?.start
                let start = picture ?? piece.start
                places.append((piece.place, piece.duration, start + timeline.shifts[number]))
            }
            media.sizes.append(index.tracks.map { $0.samples.reduce(0) { $0 + Int($1.size) } })
            for (output, track) in media.tracks.enumerated() where track.source == segment.source {
                guard let samples = track.samples(index) else { continue }
                try add(samples, to: output, segment: number, shift: timeline.shifts[number], &builder)
            }
        }
        return builder
    }

    private func add<Builder: LayoutBuilder>(
        _ samples: SampleIndex.Track, to output: Int, segment number: Int, shift: Double,
        _ builder: inout Builder
    ) throws(AssetFileError) {
        do throws(MovieLayoutError) {
            try builder.add(samples, to: output, segment: number, shift: shift)
        } catch {
            throw failure(error)
        }
    }

    /// The error in terms of the asset.
    func failure(_ error: MovieLayoutError) -> AssetFileError {
        switch error {
        case .codecChanges(let number, let from, let to):
            let (source, place) = media.segments[number]
            return .codecChanges(
                rendition: sources[source].row.name, at: sources[source].time(of: place), from: from, to: to)
        case .unsupportedCodec(let number, let codec):
            return .unsupportedCodec(
                rendition: sources[media.segments[number].source].row.name, codec: codec, format)
        case .tooLarge: return .tooLarge
        case .empty: return .nothingFor(format)
        }
    }

    /// The times of all segments that have samples.
    private mutating func pieces() throws(AssetFileError) -> [MovieTimeline.Piece] {
        var pieces: [MovieTimeline.Piece] = []
        for (number, source) in sources.enumerated() {
            let (places, more) = try source.pieces(stream: number)
            media.segments += places.map { (number, $0) }
            pieces += more
        }
        return pieces
    }

    /// Leaves the segments of one stretch in which the codecs stay.
    private mutating func take(part: Int, of pieces: inout [MovieTimeline.Piece]) throws(AssetFileError) {
        let stretches = try MovieStretches(sources, segments: media.segments, pieces: pieces)
        guard part > 0, part <= stretches.count else {
            throw .noSuchPart(part, of: stretches.count)
        }
        let kept = pieces.indices.filter { stretches.number(of: pieces[$0]) == part - 1 }
        pieces = kept.map { pieces[$0] }
        media.segments = kept.map { media.segments[$0] }
    }

    /// The tracks of the file: pictures first, then the sound that comes with them, then sound of its own.
    private mutating func tracks() throws(AssetFileError) -> [OutputTrack] {
        var outputs: [OutputTrack] = []
        for (number, source) in sources.enumerated() {
            let isVariant = chosen.video != nil && number == 0
            let row = isVariant ? chosen.muxed : source.row
            guard let first = try firstIndex(of: number) else { continue }
            for isSound in [false, true] {
                guard isSound ? !isVariant || chosen.takesMuxedSound : isVariant && format != .m4a else {
                    continue
                }
                let alike = first.tracks.filter { $0.kind == (isSound ? .audio : .video) }
                for (ordinal, track) in alike.enumerated() {
                    media.tracks.append(.init(source: number, isSound: isSound, ordinal: ordinal))
                    let isFirst = !outputs.contains { $0.kind == track.kind }
                    var output = OutputTrack(
                        number: UInt32(outputs.count + 1), timescale: track.timescale,
                        language: (isSound ? row?.language : nil).flatMap(LanguageCodes.threeLetter)
                            ?? track.language,
                        name: isSound ? row?.title : nil, kind: track.kind, descriptions: [],
                        isEnabled: isFirst, alternateGroup: isSound ? 1 : 0)
                    (output.rollDistance, output.matrix) = (track.rollDistance, track.matrix)
                    outputs.append(output)
                }
            }
        }
        return outputs
    }

    private func firstIndex(of source: Int) throws(AssetFileError) -> SampleIndex? {
        for segment in media.segments where segment.source == source {
            return try sources[source].index(at: segment.place)
        }
        return nil
    }
}

extension AssetFile.Track {
    /// The track of a segment.
    func samples(_ index: SampleIndex) -> SampleIndex.Track? {
        let alike = index.tracks.filter { $0.kind == (isSound ? .audio : .video) }
        return alike.indices.contains(ordinal) ? alike[ordinal] : nil
    }
}
