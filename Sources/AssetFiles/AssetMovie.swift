internal import AssetStore
internal import HLSPlaylist
internal import Languages
internal import MediaContainers
internal import SidebandSubtitles

/// Puts the samples of an asset's renditions into one movie.
struct AssetMovie {
    private let sources: [IndexedRendition]
    private let chosen: AssetFileChoice.Sources
    /// Whether it has video.
    private let hasPictures: Bool
    private(set) var media = AssetFile.Media(segments: [], tracks: [], sizes: [])
    private var builder: MovieLayoutBuilder?
    /// The places of the segments of the first rendition: by the playlist and in the movie, in seconds.
    private var places: [(start: Double, duration: Double, shown: Double)] = []
    private var end = 0.0
    /// Whether it is a part of the asset.
    private var isPart = false
    private(set) var chapters: [MovieInformation.Chapter] = []

    init(_ sources: [IndexedRendition], hasPictures: Bool, _ chosen: AssetFileChoice.Sources) {
        (self.sources, self.hasPictures, self.chosen) = (sources, hasPictures, chosen)
    }

    /// Reads the indexes of all segments: once for their times, once for their samples.
    ///
    /// - Parameter part: the number of a stretch without a change of codecs, from 1; `nil` takes all.
    mutating func read(part: Int?) throws(AssetFileError) {
        var pieces = try pieces()
        if let part { try take(part: part, of: &pieces) }
        let timeline = MovieTimeline(pieces)
        end = timeline.end
        var builder = MovieLayoutBuilder(tracks: try tracks())
        guard !media.tracks.isEmpty else { throw .nothingFor(hasPictures ? .mp4 : .m4a) }
        for (number, segment) in media.segments.enumerated() {
            guard let index = try sources[segment.source].index(at: segment.place) else { continue }
            if segment.source == 0 {
                let piece = pieces[number]
                places.append((piece.place, piece.duration, piece.start + timeline.shifts[number]))
            }
            media.sizes.append(index.tracks.map { $0.samples.reduce(0) { $0 + Int($1.size) } })
            for (output, track) in media.tracks.enumerated() where track.source == segment.source {
                guard let samples = track.samples(index) else { continue }
                try add(samples, to: output, segment: number, shift: timeline.shifts[number], &builder)
            }
        }
        self.builder = builder
    }

    private func add(
        _ samples: SampleIndex.Track, to output: Int, segment number: Int, shift: Double,
        _ builder: inout MovieLayoutBuilder
    ) throws(AssetFileError) {
        do throws(MovieLayoutError) {
            try builder.add(samples, to: output, segment: number, shift: shift)
        } catch {
            guard case .codecChanges(let number, let from, let to) = error else { throw .tooLarge }
            let (source, place) = media.segments[number]
            let start = sources[source].playlist.segments[..<place].reduce(0) { $0 + $1.duration }
            throw .codecChanges(rendition: sources[source].row.name, at: start, from: from, to: to)
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

    /// Keeps the segments of one stretch without a change of codecs.
    private mutating func take(part: Int, of pieces: inout [MovieTimeline.Piece]) throws(AssetFileError) {
        let stretches = try MovieStretches(sources, segments: media.segments, pieces: pieces).list
        guard stretches.indices.contains(part - 1) else { throw .noSuchPart(part, of: stretches.count) }
        let kept = pieces.indices.filter { stretches[part - 1].contains(pieces[$0].discontinuity) }
        pieces = kept.map { pieces[$0] }
        media.segments = kept.map { media.segments[$0] }
        isPart = stretches.count > 1
    }

    /// The tracks of the file: pictures first, then the sound that comes with them, then sound of its own.
    private mutating func tracks() throws(AssetFileError) -> [OutputTrack] {
        var outputs: [OutputTrack] = []
        for (number, source) in sources.enumerated() {
            let isVariant = chosen.video != nil && number == 0
            let row = isVariant ? chosen.muxed : source.row
            guard let first = try firstIndex(of: number) else { continue }
            for isSound in [false, true] {
                guard isSound ? !isVariant || chosen.takesMuxedSound : isVariant && hasPictures else {
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
                    output.rollDistance = track.rollDistance
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

    /// Adds a track of subtitles, whose times are those of the presentation.
    mutating func addSubtitles(_ track: SubtitleTrack, _ row: RenditionRecord) {
        var lines: [TimedText.Line] = []
        for cue in track.cues {
            let text = String(
                decoding: PlainTextWriter().bytes(of: SubtitleTrack(cues: [cue])), as: UTF8.self)
            let shown = text.split(separator: "\n").joined(separator: "\n")
            guard !shown.isEmpty else { continue }
            let (start, stop) = (shownTime(cue.start.seconds), min(shownTime(cue.end.seconds), end))
            guard !isPart || stop > 0 && start < end else { continue }
            lines.append(.init(start: max(0, start), end: stop, text: shown))
        }
        builder?.addSubtitles(
            lines, language: row.language.flatMap(LanguageCodes.threeLetter), name: row.title,
            isForced: row.listings.contains { $0.contains("FORCED=YES") })
    }

    /// Adds the chapters of the presentation that begin in it, and the one that is running at its start.
    mutating func addChapters(_ list: [MovieInformation.Chapter]) {
        let moved = list.map { MovieInformation.Chapter(start: shownTime($0.start), title: $0.title) }
        let first = moved.lastIndex { $0.start <= 0 } ?? 0
        chapters = moved[min(first, moved.count)...].filter { $0.start < end }
            .map { MovieInformation.Chapter(start: max(0, $0.start), title: $0.title) }
        // A chapter that begins with the presentation begins with the file: sound may come before the first picture.
        if let begin = places.first?.start, let own = list.first?.start, own <= begin, !chapters.isEmpty {
            chapters[0].start = 0
        }
    }

    /// The time in the movie for a time of the presentation: segments may differ in length from the playlist.
    private func shownTime(_ time: Double) -> Double {
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle].start <= time { low = middle + 1 } else { high = middle }
        }
        guard let place = places.first.map({ low > 0 ? places[low - 1] : $0 }) else { return time }
        return place.shown + time - place.start
    }

    /// The file.
    mutating func layout(_ information: MovieInformation) throws(AssetFileError) -> MovieLayout {
        guard var builder else { throw .nothingFor(hasPictures ? .mp4 : .m4a) }
        builder.addChapters(information.chapters, end: end)
        do throws(MovieLayoutError) { return try builder.layout(information) } catch { throw .tooLarge }
    }
}

extension AssetFile.Track {
    /// The track of a segment.
    func samples(_ index: SampleIndex) -> SampleIndex.Track? {
        let alike = index.tracks.filter { $0.kind == (isSound ? .audio : .video) }
        return alike.indices.contains(ordinal) ? alike[ordinal] : nil
    }
}
