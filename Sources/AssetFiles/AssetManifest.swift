package import AssetStore
internal import HLSPlaylist
internal import MediaContainers

extension OfflineStore {
    /// The asset as a DASH manifest (ISO/IEC 23009-1) of the segments that `?container=fmp4` serves. Blocks: for segments that
    /// were not indexed before, as long as reading them takes.
    package func manifest(of token: AssetToken) throws(AssetFileError) -> [UInt8] {
        try AssetManifest(store: self, token: token).bytes()
    }
}

/// Makes the DASH manifest of a complete asset: a period for each discontinuity, and in it an adaptation set of pictures and
/// one for each sound.
private struct AssetManifest {
    let store: OfflineStore
    let token: AssetToken

    /// Ticks per second of all times in it.
    private static let timescale = 90_000.0

    /// A segment of a rendition with its times.
    private struct Segment {
        var number: Int
        var discontinuity: Int
        var section: Int
        var start: Double
        var end: Double
    }

    /// A rendition with its segments.
    private struct Stream {
        var row: RenditionRecord
        var segments: [Segment] = []
        var codecs: [String] = []
        var isSound = true
        var size: (width: Int, height: Int)?
        var part = FragmentedPart.all

        /// Pictures and sound apart, as players of DASH want them, where segments have both and are made for them.
        var parts: [Stream] {
            guard row.container.isConverted, codecs.count > 1, !isSound else { return [self] }
            var (pictures, sound) = (self, self)
            (pictures.part, pictures.codecs) = (.video, [codecs[0]])
            (sound.part, sound.codecs, sound.isSound, sound.size) = (.audio, [codecs[1]], true, nil)
            return [pictures, sound]
        }
    }

    func bytes() throws(AssetFileError) -> [UInt8] {
        var streams: [Stream] = []
        for row in try rows() { streams += try stream(row).parts }
        guard !streams.isEmpty else { throw .nothingFor(.mp4) }
        let numbers = Set(streams.flatMap { $0.segments.map(\.discontinuity) }).sorted()
        var (periods, start) = ("", 0.0)
        for number in numbers {
            let parts = streams.map { stream -> Stream in
                var part = stream
                part.segments = stream.segments.filter { $0.discontinuity == number }
                return part
            }.filter { !$0.segments.isEmpty }
            let begin = parts.compactMap(\.segments.first?.start).min() ?? 0
            let end = parts.compactMap(\.segments.last?.end).max() ?? begin
            let sets = parts.enumerated().map { Self.adaptationSet($1, $0, from: begin) }.joined()
            periods += """
                <Period id="\(number)" start="PT\(Self.text(start))S" duration="PT\(Self.text(end - begin))S">\(sets)</Period>

                """
            start += end - begin
        }
        return Array(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:isoff-live:2011" type="static" \
            mediaPresentationDuration="PT\(Self.text(start))S" minBufferTime="PT2S">
            \(periods)</MPD>

            """.utf8)
    }

    private func rows() throws(AssetFileError) -> [RenditionRecord] {
        do throws(StoreError) {
            if let refusal = try store.keys.refusalWhenIdle(token) {
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

    private func stream(_ row: RenditionRecord) throws(AssetFileError) -> Stream {
        let indexed = try IndexedRendition(row, of: token, in: store, skipsGaps: true)
        var stream = Stream(row: row)
        for place in indexed.playlist.segments.indices {
            guard let index = try indexed.index(at: place) else { continue }
            let tracks = index.tracks.filter { $0.kind == .video || $0.kind == .audio }
            let spans = tracks.compactMap(\.presentation)
            guard let start = spans.map(\.start).min(), let end = spans.map(\.end).max() else { continue }
            let segment = indexed.playlist.segments[place]
            let section =
                row.container.isConverted ? segment.discontinuitySequence : segment.initializationSection ?? 0
            stream.segments.append(
                Segment(
                    number: segment.mediaSequence, discontinuity: segment.discontinuitySequence,
                    section: section, start: start, end: end))
            if stream.codecs.isEmpty {
                let ordered = tracks.sorted { $0.kind == .video && $1.kind != .video }
                stream.codecs = ordered.compactMap(\.descriptions.first?.codec)
                for case .video(let width, let height)? in tracks.map(\.descriptions.first?.shape) {
                    (stream.isSound, stream.size) = (false, (width, height))
                }
            }
        }
        return stream
    }

    private static func adaptationSet(_ stream: Stream, _ number: Int, from begin: Double) -> String {
        let row = stream.row
        let kind = stream.isSound ? "audio" : "video"
        let language = row.language.map { #" lang="\#(escaped($0))""# } ?? ""
        let size = stream.size.map { #" width="\#($0.width)" height="\#($0.height)""# } ?? ""
        let bandwidth = row.bandwidth ?? max(1, Int(Double(row.storedBytes) * 8 / max(row.duration, 1)))
        let codecs = escaped(stream.codecs.joined(separator: ","))
        return """
            <AdaptationSet id="\(number)" contentType="\(kind)" mimeType="\(kind)/mp4" segmentAlignment="true"\(language)>\
            <Representation id="\(escaped(row.name))\(stream.part == .audio ? "-sound" : "")" codecs="\(codecs)" bandwidth="\(bandwidth)"\(size)>\
            \(template(stream, from: begin))</Representation></AdaptationSet>
            """
    }

    private static func template(_ stream: Stream, from begin: Double) -> String {
        let row = stream.row
        let part = stream.part == .all ? "" : "&amp;tracks=\(stream.part.rawValue)"
        let query = row.container.isConverted ? "?container=fmp4\(part)" : "?decrypt=1"
        let suffix = row.container == .mp4 ? "mp4" : "m4s"
        let first = stream.segments.first
        var timeline = ""
        for (index, segment) in stream.segments.enumerated() {
            let next = index + 1 < stream.segments.count ? stream.segments[index + 1].start : segment.end
            let time = Int(max(0, segment.start) * timescale)
            timeline += #"<S t="\#(time)" d="\#(max(1, Int(max(0, next) * timescale) - time))"/>"#
        }
        let section =
            row.container == .mp4
            ? "" : #" initialization="\#(row.name)/init-\#(first?.section ?? 0).mp4\#(query)""#
        return """
            <SegmentTemplate timescale="90000" presentationTimeOffset="\(Int(max(0, begin) * timescale))" \
            startNumber="\(first?.number ?? 0)" media="\(row.name)/$Number$.\(suffix)\(query)"\(section)>\
            <SegmentTimeline>\(timeline)</SegmentTimeline></SegmentTemplate>
            """
    }

    private static func text(_ seconds: Double) -> String { "\((max(0, seconds) * 1000).rounded() / 1000)" }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
    }
}
