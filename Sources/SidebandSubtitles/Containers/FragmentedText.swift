/// Subtitles in fragmented MP4 (ISO/IEC 14496-30): `wvtt` is WebVTT cut into samples, `stpp` is a TTML document a
/// sample.
enum FragmentedText {
    /// Reads a segment as a WebVTT file with cue times on the media clock, from 0 ticks on.
    ///
    /// - Parameter initialization: the initialization section; the segment may also contain it.
    static func file(_ bytes: [UInt8], initialization: [UInt8]?, limits: WebVTTLimits) throws(WebVTTError)
        -> WebVTTFile
    {
        guard bytes.count <= limits.bytes else { throw WebVTTError(.tooManyBytes) }
        let tracks = MovieTrack.all(in: initialization ?? bytes)
        guard
            let track = tracks.first(where: { $0.codec == Box.type("wvtt") || $0.codec == Box.type("stpp") })
        else { throw WebVTTError(.unknownContainer) }
        var file = WebVTTFile()
        if !track.configuration.isEmpty {
            file = try WebVTTFile(parsing: track.configuration, limits: limits, needsSignature: false)
            file.track.cues = []
        }
        file.timestampMap = TimestampMap()
        var fragments = MovieFragments(tracks)
        var cues = JoinedCues(limit: limits.cues)
        for fragment in fragments.all(in: bytes) where fragment.track == track.id {
            for sample in fragment.samples where sample.range.upperBound <= bytes.count {
                let interval = time(of: sample, track)
                let found = Self.cues(
                    bytes[sample.range], interval, track: track, regions: file.track.regions)
                try cues.add(found, sample: interval)
            }
        }
        file.track.cues = cues.cues
        return file
    }

    private static func time(of sample: MovieSample, _ track: MovieTrack) -> Range<CueTime> {
        let start = sample.decodeTime + sample.compositionOffset + track.editOffset
        let end = start.addingReportingOverflow(sample.duration).partialValue
        func time(_ ticks: Int) -> CueTime {
            CueTime(seconds: Double(ticks) / Double(track.timescale))
        }
        return time(start)..<max(time(start), time(end))
    }

    private static func cues(
        _ sample: ArraySlice<UInt8>, _ time: Range<CueTime>, track: MovieTrack, regions: [CueRegion]
    ) -> [Cue] {
        if track.codec == Box.type("wvtt") {
            return WebVTTSample.cues(Array(sample), time, regions: regions)
        }
        guard let document = try? TTMLReader.track(Array(sample)) else { return [] }
        return document.cues.compactMap { clipped($0, to: time) }
    }

    /// The cue within the time of its sample: a document is valid for this time only, which ends cues without an end
    /// (ISO/IEC 14496-30 §5.9).
    private static func clipped(_ cue: Cue, to time: Range<CueTime>) -> Cue? {
        var cue = cue
        cue.start = max(cue.start, time.lowerBound)
        cue.end = min(cue.end, time.upperBound)
        return cue.start < cue.end ? cue : nil
    }
}

/// The boxes of a `wvtt` sample (ISO/IEC 14496-30 §7.5).
enum WebVTTSample {
    static func cues(_ sample: [UInt8], _ time: Range<CueTime>, regions: [CueRegion]) -> [Cue] {
        BoxReader(sample).all("vttc").compactMap { box in
            let content = BoxReader(sample, box.content)
            guard let payload = content.first("payl") else { return nil }
            var cue = Cue(start: time.lowerBound, end: time.upperBound, text: text(payload))
            cue.identifier = content.first("iden").map(text) ?? ""
            if let settings = content.first("sttg") {
                let reader = ByteReader(settings.rest)
                cue.settings =
                    CueSettings.parse(reader) { name in regions.contains { $0.identifier == name } }.settings
            }
            return cue
        }
    }

    private static func text(_ box: BoxReader) -> String {
        DecodedText(Array(box.rest), 0..<box.rest.count, rewriting: true).string
    }
}

/// Cues put together again from the samples into which they were cut.
struct JoinedCues {
    private(set) var cues: [Cue] = []
    private let limit: Int
    /// The cues that lasted to the end of the sample before, by their appearance.
    private var open: [Look: Int] = [:]

    private struct Look: Hashable {
        var identifier: String
        var settings: CueSettings
        var text: String

        init(_ cue: Cue) { (identifier, settings, text) = (cue.identifier, cue.settings, cue.text) }
    }

    init(limit: Int) { self.limit = limit }

    /// Adds the cues of the next sample. A cue that continues one of the sample before extends it.
    mutating func add(_ found: [Cue], sample: Range<CueTime>) throws(WebVTTError) {
        var stillOpen: [Look: Int] = [:]
        for cue in found {
            let look = Look(cue)
            var index = cues.count
            if let known = open.removeValue(forKey: look), cues[known].end == cue.start {
                cues[known].end = cue.end
                index = known
            } else {
                guard index < limit else { throw WebVTTError(.tooManyCues) }
                cues.append(cue)
            }
            if cue.end == sample.upperBound { stillOpen[look] = index }
        }
        open = stillOpen
    }
}
