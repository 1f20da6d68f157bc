internal import ASCII
package import AssetStore
internal import HLSPlaylist
internal import Languages
internal import Locking
internal import MediaContainers

/// Converts segments of transport streams and packed audio to fragmented MP4 on request.
///
/// Their times are those of the source, so that playlists and subtitles fit. The latest segments are cached in
/// memory.
package final class FragmentedMedia: Sendable {
    private struct Key: Hashable {
        var token: AssetToken
        var rendition: String
        /// The media sequence number, or the number of a discontinuity for its initialization section.
        var number: Int
        var form = FragmentedForm()
    }

    private struct Kept {
        var digest: [UInt8]
        var bytes: [UInt8]
        var usedAt: UInt64
    }

    /// The facts of a discontinuity, taken from its first stored segment.
    private struct Discontinuity {
        var writer: FragmentWriter
        var place: Int
        /// The start of that segment, in ticks of 90 kHz.
        var time: Int64
    }

    private struct State {
        var segments: [Key: Kept] = [:]
        var writers: [Key: Discontinuity] = [:]
        var size = 0
        var clock: UInt64 = 0
    }

    private let state = Lock(State())
    /// Bytes of segments that are cached.
    var cachedBytes: Int { state.withLock(\.size) }
    private let largest: Int
    /// Discontinuities that are kept.
    private static let mostWriters = 1024

    /// - Parameter largest: bytes of segments that are cached at most.
    package init(caching largest: Int = 64 << 20) { self.largest = largest }

    /// A segment, by its media sequence number. Blocks.
    ///
    /// - Parameter counts: whether this counts as a play.
    /// - Returns: its bytes and their validator; `nil` if there is no such segment.
    package func segment(
        _ number: Int, of rendition: String, _ token: AssetToken, as form: FragmentedForm = FragmentedForm(),
        in store: OfflineStore, counts: Bool
    ) throws(AssetFileError) -> (bytes: [UInt8], entityTag: String)? {
        guard
            let source = try ConvertedRendition(rendition, of: token, in: store, form: form, counts: counts),
            let place = source.place(of: number), let digest = try source.digest(of: number)
        else { return nil }
        try source.refuseWithoutLicense()
        let key = Key(token: token, rendition: rendition, number: number, form: form)
        let tag = Hexadecimal.text(digest) + "-fmp4-\(form.name)-\(Self.version)"
        let known = state.withLock { state -> [UInt8]? in
            state.clock += 1
            guard let kept = state.segments[key], kept.digest == digest else { return nil }
            state.segments[key]?.usedAt = state.clock
            return kept.bytes
        }
        if let known { return (known, tag) }
        let start = try discontinuity(of: source, at: place)
        let samples = try source.samples(at: place, near: start.time, of: start.place)
        // On one timeline all segments use the first initialization section.
        let first = form.beginning == nil ? start : try discontinuity(of: source, at: 0)
        let isLater =
            source.playlist.segments[place].discontinuitySequence
            != source.playlist.segments[0].discontinuitySequence
        let bytes = form.segment(
            samples, by: first.writer, number: number, repeatsSets: isLater || form.beginning != nil)
        keep(bytes, digest: digest, as: key)
        return (bytes, tag)
    }

    /// The version of the conversion. It is raised when the same segment gets other bytes.
    private static let version = 3

    /// The initialization section of a discontinuity, by its discontinuity sequence number. Blocks.
    ///
    /// - Returns: `nil` if there is no such discontinuity.
    /// - Throws: `incomplete` if none of its segments is stored yet.
    package func section(
        _ discontinuity: Int, of rendition: String, _ token: AssetToken,
        as form: FragmentedForm = FragmentedForm(), in store: OfflineStore
    ) throws(AssetFileError) -> [UInt8]? {
        guard let source = try ConvertedRendition(rendition, of: token, in: store, form: form) else {
            return nil
        }
        try source.refuseWithoutLicense()
        guard let place = source.places(of: discontinuity).first else { return nil }
        return try form.writer(self.discontinuity(of: source, at: place).writer).initializationSection
    }

    /// The format of a rendition whose segments are made into fragmented MP4 of a form; `nil` for others.
    package func container(
        of rendition: String, _ token: AssetToken, as form: FragmentedForm, in store: OfflineStore
    ) throws(AssetFileError) -> ContainerFormat? {
        do throws(StoreError) {
            let row = try store.catalog.renditions.rendition(token, rendition)
            return row.flatMap { form.isMade(of: $0.container) ? $0.container : nil }
        } catch { throw .store(error) }
    }

    /// The first segment of a discontinuity, which determines its initialization section.
    package func firstSegment(
        of discontinuity: Int, _ rendition: String, _ token: AssetToken, as form: FragmentedForm,
        in store: OfflineStore
    ) throws(AssetFileError) -> Int? {
        guard let source = try ConvertedRendition(rendition, of: token, in: store, form: form) else {
            return nil
        }
        let places = source.places(of: discontinuity)
        let place = places.first { source.isThere($0) } ?? places.first
        return place.map { source.playlist.segments[$0].mediaSequence }
    }

    /// The codecs of a rendition, by one of its segments; `nil` if none is stored.
    package func codecs(
        of rendition: String, _ token: AssetToken, in store: OfflineStore
    ) throws(AssetFileError) -> String? {
        guard
            let source = try ConvertedRendition(rendition, of: token, in: store, form: FragmentedForm()),
            let place = source.playlist.segments.indices.first(where: { source.isThere($0) })
        else { return nil }
        return try discontinuity(of: source, at: place).writer.tracks.compactMap(\.descriptions.first?.codec)
            .joined(separator: ",")
    }

    /// The tracks of a discontinuity, by its first stored segment.
    private func discontinuity(
        of source: ConvertedRendition, at place: Int
    ) throws(AssetFileError) -> Discontinuity {
        let discontinuity = source.playlist.segments[place].discontinuitySequence
        let key = Key(token: source.token, rendition: source.row.name, number: discontinuity)
        if let known = state.withLock({ $0.writers[key] }) { return known }
        let first = source.places(of: discontinuity).first { source.isThere($0) }
        guard let first else { throw .incomplete(rendition: source.row.name, .resumable) }
        let samples = try source.samples(at: first)
        let tracks = samples.tracks.sorted { $0.kind == .video && $1.kind != .video }
        let language = source.row.language.flatMap(LanguageCodes.threeLetter)
        let writer = FragmentWriter(
            tracks: tracks.enumerated().map { number, track in
                var output = OutputTrack(number: UInt32(number + 1), of: track)
                output.language = output.language ?? language
                if let edited = samples.movie.first(where: { $0.number == track.number }) {
                    (output.presentationStart, output.delay) = (edited.presentationStart, edited.delay)
                    (output.rollDistance, output.matrix) = (edited.rollDistance, edited.matrix)
                }
                return output
            })
        let start = Discontinuity(writer: writer, place: first, time: samples.index.firstTick)
        state.withLock { state in
            if state.writers.count >= Self.mostWriters { state.writers = [:] }
            state.writers[key] = start
        }
        return start
    }

    private func keep(_ bytes: [UInt8], digest: [UInt8], as key: Key) {
        state.withLock { state in
            state.size += bytes.count - (state.segments[key]?.bytes.count ?? 0)
            state.segments[key] = Kept(digest: digest, bytes: bytes, usedAt: state.clock)
            while state.size > largest,
                let oldest = state.segments.min(by: { $0.value.usedAt < $1.value.usedAt })
            {
                state.size -= oldest.value.bytes.count
                state.segments[oldest.key] = nil
            }
        }
    }
}

/// A rendition whose segments are made into fragmented MP4.
private struct ConvertedRendition {
    let token: AssetToken
    let row: RenditionRecord
    let playlist: MediaPlaylist
    private let store: OfflineStore
    private let stored: Set<Int>
    private let counts: Bool

    /// - Returns: `nil` when there is no such rendition, or it needs no conversion.
    init?(
        _ rendition: String, of token: AssetToken, in store: OfflineStore, form: FragmentedForm,
        counts: Bool = false
    ) throws(AssetFileError) {
        do throws(StoreError) {
            guard let source = try store.reader.source(of: token, rendition),
                form.isMade(of: source.row.container)
            else { return nil }
            (row, playlist) = (source.row, source.playlist)
            stored = Set(try store.catalog.units.storedNumbers(ofRendition: row.id))
        } catch { throw .store(error) }
        (self.token, self.store, self.counts) = (token, store, counts)
    }

    func refuseWithoutLicense() throws(AssetFileError) {
        do throws(StoreError) {
            if let refusal = try store.keys.refusalWhenIdle(token) {
                throw StoreError(.license(refusal, token))
            }
        } catch { throw .store(error) }
    }

    func place(of number: Int) -> Int? {
        let place = number - (playlist.segments.first?.mediaSequence ?? 0)
        return playlist.segments.indices.contains(place) ? place : nil
    }

    func isThere(_ place: Int) -> Bool { stored.contains(playlist.segments[place].mediaSequence) }

    func places(of discontinuity: Int) -> [Int] {
        playlist.segments.indices.filter { playlist.segments[$0].discontinuitySequence == discontinuity }
    }

    /// The digest of a stored segment with those around it; `nil` when it is not stored.
    func digest(of number: Int) throws(AssetFileError) -> [UInt8]? {
        do throws(StoreError) {
            var digest: [UInt8] = []
            for near in [number, number - 1, number + 1] where stored.contains(near) {
                let unit = try store.catalog.units.unit(of: row.id, .segment, near)
                digest += (unit?.sha256 ?? []).prefix(near == number ? 16 : 4)
            }
            return stored.contains(number)
                ? digest + (try store.keys.digestOfGivenKeys(token).prefix(8)) : nil
        } catch { throw .store(error) }
    }

    /// - Parameters:
    ///   - time: the start of another segment, in ticks of 90 kHz: a clock wraps after 26.5 hours.
    ///   - other: the index of that segment.
    func samples(
        at place: Int, near time: Int64? = nil, of other: Int = 0
    ) throws(AssetFileError) -> SegmentSamples {
        let units = ClearUnits(store: store, token: token, row: row, counts: counts)
        var sampler = SegmentSampler(units, playlist)
        sampler.refusesLoss = true
        sampler.isThere = { [self] in isThere($0) }
        let starts = playlist.segmentStarts
        // The first segment to be read may be one before this one.
        sampler.near = { first in time.map { $0 + Int64(ticksOf: starts[first] - starts[other]) } }
        return try sampler.segment(at: place)
    }
}
