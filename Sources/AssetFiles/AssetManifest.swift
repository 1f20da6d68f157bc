package import AssetStore
internal import HLSPlaylist
internal import MediaContainers

/// Makes the DASH manifest (ISO/IEC 23009-1) of a complete asset: of the segments that `?container=fmp4` serves.
///
/// If the tracks are coded alike from end to end, there is one period, and several discontinuities are put on one
/// timeline. Otherwise each discontinuity is a period. Renditions between which a player may switch form one
/// adaptation set. Subtitles are files whose times count from the start of the period: with several periods, each has
/// its part of every track.
package struct AssetManifest {
    let store: OfflineStore
    let token: AssetToken

    package init(of token: AssetToken, in store: OfflineStore) { (self.store, self.token) = (store, token) }

    /// The manifest. Blocks: for segments that were not indexed before, as long as reading them takes.
    package func bytes() throws(AssetFileError) -> [UInt8] {
        var streams: [ManifestStream] = []
        for row in try rows() {
            streams.append(
                try ManifestStream(IndexedRendition(row, of: token, in: store, skipping: .lost)))
        }
        streams.removeAll(where: \.segments.isEmpty)
        guard !streams.isEmpty else { throw .nothingFor(.mp4) }
        let periods = Self.periods(streams)
        let length = ManifestWriter.text(periods.reduce(0) { $0 + $1.end - $1.begin })
        // Lists of segments are not in the live profile.
        let isListed = periods.contains { $0.streams.contains(where: \.isListed) }
        var (text, start) = ("", 0.0)
        let subtitles = try subtitles()
        for (index, period) in periods.enumerated() {
            let part =
                periods.count == 1
                ? "" : ManifestWriter.part(from: period.place, to: periods.dropFirst(index + 1).first?.place)
            text += ManifestWriter.period(period, from: start, subtitles: subtitles, part: part)
            start += period.end - period.begin
        }
        return Array(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" \
            profiles="urn:mpeg:dash:profile:isoff-\(isListed ? "main" : "live"):2011" type="static" \
            mediaPresentationDuration="PT\(length)S" minBufferTime="PT2S">
            \(text)</MPD>

            """.utf8)
    }

    private func subtitles() throws(AssetFileError) -> [SubtitleRendition] {
        do throws(StoreError) {
            return try (store.reader.captions.subtitleRenditions(token) ?? []).filter(\.isComplete)
        } catch { throw .store(error) }
    }

    private func rows() throws(AssetFileError) -> [RenditionRecord] {
        do throws(StoreError) {
            if let refusal = try store.media.refusalOfFiles(token) {
                throw StoreError(.license(refusal, token))
            }
            let rows = try store.catalog.renditions.all(of: [token])[token] ?? []
            guard !rows.isEmpty else { throw StoreError(.noSuchAsset(token.description)) }
            return rows.filter { row in
                row.hasPlaylist && row.failure == nil && (row.kind == .variant || row.kind == .audio)
                    && (row.required || row.isComplete)
            }
        } catch { throw .store(error) }
    }

    private static func periods(_ streams: [ManifestStream]) -> [ManifestPeriod] {
        let numbers = Set(streams.flatMap { $0.segments.map(\.piece.discontinuity) }).sorted()
        if numbers.count > 1, streams.allSatisfy({ $0.isUniform && $0.has(numbers) }) {
            return [ManifestPeriod(number: numbers[0], streams: onOneTimeline(streams))]
        }
        return numbers.map { number in
            let parts = streams.map { $0.only(number) }
            return ManifestPeriod(number: number, streams: parts.filter { !$0.segments.isEmpty })
        }
    }

    /// Seconds before the first segment, so that no decoding time is below 0.
    private static let lead = 10.0

    /// The streams with the start times of their segments if each discontinuity follows the one before.
    private static func onOneTimeline(_ streams: [ManifestStream]) -> [ManifestStream] {
        let pieces = streams.enumerated().flatMap { number, stream in
            stream.segments.map { segment in
                var piece = segment.piece
                piece.stream = number
                return piece
            }
        }
        let timeline = MovieTimeline(pieces)
        var next = 0
        return streams.map { stream in
            var stream = stream
            stream.isShifted = true
            for index in stream.segments.indices {
                let shift = Int64(ticksOf: timeline.shifts[next] + lead, .toNearestOrAwayFromZero)
                stream.segments[index].start += shift
                stream.segments[index].end += shift
                next += 1
            }
            return stream
        }
    }
}

/// A rendition of a manifest with its segments.
struct ManifestStream {
    /// A segment with its times in ticks of 90 kHz.
    struct Segment {
        var number: Int
        var section: Int
        var piece: MovieTimeline.Piece
        var start: Int64
        var end: Int64
    }

    let row: RenditionRecord
    var segments: [Segment] = []
    private(set) var codecs: [String] = []
    /// The size of its pictures; `nil` without any.
    private(set) var size: (width: Int, height: Int)?
    var isSound: Bool { size == nil }
    /// The descriptions that each discontinuity begins with, pictures first.
    private var descriptions: [Int: [SampleDescription]] = [:]
    private(set) var part = FragmentedForm.Part.all
    /// Whether all segments fit the first initialization section.
    private(set) var isUniform = true
    /// Whether segments are served with other times than those of their source.
    var isShifted = false

    init(_ rendition: IndexedRendition) throws(AssetFileError) {
        row = rendition.row
        var place = rendition.start
        var first: [SampleIndex.Track] = []
        for position in rendition.playlist.segments.indices {
            let segment = rendition.playlist.segments[position]
            defer { place += segment.duration }
            guard let index = try rendition.index(at: position) else { continue }
            let tracks = index.tracks.filter { $0.kind == .video || $0.kind == .audio }
            let spans = tracks.compactMap(\.presentation)
            guard let start = spans.map(\.start).min(), let end = spans.map(\.end).max() else { continue }
            let piece = MovieTimeline.Piece(
                stream: 0, discontinuity: segment.discontinuitySequence, place: place,
                duration: segment.duration, start: start, end: end, wraps: index.wraps)
            let section =
                row.container.isConverted ? segment.discontinuitySequence : segment.initializationSection ?? 0
            segments.append(
                Segment(
                    number: segment.mediaSequence, section: section, piece: piece, start: index.firstTick,
                    end: Int64(ticksOf: max(0, end))))
            if first.isEmpty { first = tracks } else { isUniform = isUniform && Self.isLike(tracks, first) }
            if descriptions[segment.discontinuitySequence] == nil {
                let ordered = tracks.sorted { $0.kind == .video && $1.kind != .video }
                descriptions[segment.discontinuitySequence] = ordered.compactMap(\.descriptions.first)
            }
        }
        if let number = segments.first?.piece.discontinuity { describe(number) }
    }

    /// Takes codecs and size from the beginning of a discontinuity.
    private mutating func describe(_ discontinuity: Int) {
        let own = descriptions[discontinuity] ?? []
        (codecs, size) = (own.map(\.codec), nil)
        for case .video(let width, let height) in own.map(\.shape) { size = (width, height) }
    }

    /// The stream with the segments of one discontinuity alone.
    func only(_ discontinuity: Int) -> ManifestStream {
        var stream = self
        stream.segments = segments.filter { $0.piece.discontinuity == discontinuity }
        stream.describe(discontinuity)
        return stream
    }

    /// Whether the samples of tracks can be decoded with the descriptions of other tracks. Video samples contain
    /// their parameter sets.
    private static func isLike(_ tracks: [SampleIndex.Track], _ others: [SampleIndex.Track]) -> Bool {
        tracks.allSatisfy { track in
            let known = others.filter { $0.kind == track.kind }.flatMap(\.descriptions)
            return track.descriptions.allSatisfy { own in
                track.kind == .video
                    ? known.contains { $0.codec.prefix(4) == own.codec.prefix(4) } : known.contains(own)
            }
        }
    }

    /// Whether it has segments of all these discontinuities.
    func has(_ discontinuities: [Int]) -> Bool {
        Set(segments.map(\.piece.discontinuity)).count == discontinuities.count
    }

    /// The video and the audio as separate streams, which DASH players require.
    var parts: [ManifestStream] {
        guard codecs.count > 1, !isSound else { return [self] }
        var (pictures, sound) = (self, self)
        (pictures.part, pictures.codecs) = (.video, [codecs[0]])
        (sound.part, sound.codecs, sound.size) = (.audio, [codecs[1]], nil)
        return [pictures, sound]
    }

    /// Whether a player may switch between both at any segment: they have the same content in codecs of one kind, and
    /// segments with the same times.
    func isInterchangeable(with other: ManifestStream) -> Bool {
        isSound == other.isSound && row.language == other.row.language && row.title == other.row.title
            && codecs.map { $0.prefix(4) } == other.codecs.map { $0.prefix(4) }
            && segments.count == other.segments.count
            && zip(segments, other.segments).allSatisfy { abs($0.start - $1.start) <= Self.tolerance }
    }

    /// The largest difference of aligned segments in ticks: a millisecond, since containers round to it.
    private static let tolerance: Int64 = 90

    /// Whether its segments are listed one by one, because their numbers or addresses follow no rule.
    var isListed: Bool {
        isShifted || zip(segments, segments.dropFirst()).contains { $1.number != $0.number + 1 }
    }

    /// Whether segments are converted, not served as they are stored.
    private var isMade: Bool {
        FragmentedForm(part, beginning: isShifted ? 0 : nil).isMade(of: row.container)
    }

    /// The address of a segment; `$Number$` stands for the number of any.
    func address(of segment: Segment?) -> String {
        let number = segment.map { "\($0.number)" } ?? "$Number$"
        let suffix = !isMade && row.container == .mp4 ? "mp4" : "m4s"
        return "\(row.name)/\(number).\(suffix)\(query(at: segment?.start ?? 0))"
    }

    /// The address of the initialization section; `nil` where segments have their own.
    var section: String? {
        guard isMade || row.container != .mp4, let first = segments.first else { return nil }
        let number = isMade ? first.piece.discontinuity : first.section
        return "\(row.name)/init-\(number).mp4\(query(at: 0))"
    }

    private func query(at time: Int64) -> String {
        guard isMade else { return "?decrypt=1" }
        let tracks = part == .all ? "" : "&tracks=\(part.rawValue)"
        return "?container=fmp4\(tracks)\(isShifted ? "&at=\(time)" : "")"
    }
}

/// A period of a manifest: segments with a continuous clock.
struct ManifestPeriod {
    let number: Int
    let streams: [ManifestStream]

    init(number: Int, streams: [ManifestStream]) {
        (self.number, self.streams) = (number, streams.flatMap(\.parts))
    }

    /// The streams in adaptation sets; a player may switch between the streams of one set.
    var adaptationSets: [[ManifestStream]] {
        var sets: [[ManifestStream]] = []
        for stream in streams {
            if let index = sets.firstIndex(where: { $0[0].isInterchangeable(with: stream) }) {
                sets[index].append(stream)
            } else {
                sets.append([stream])
            }
        }
        return sets
    }

    /// The time in the presentation at which it begins, by the playlist, in seconds.
    var place: Double { streams.compactMap(\.segments.first?.piece.place).min() ?? 0 }
    /// The time at which it begins, on its own clock, in seconds.
    var begin: Double { Double(streams.compactMap(\.segments.first?.start).min() ?? 0) / 90_000 }
    /// The time at which it ends, on its own clock, in seconds.
    var end: Double { Double(streams.flatMap(\.segments).map(\.end).max() ?? 0) / 90_000 }
}
