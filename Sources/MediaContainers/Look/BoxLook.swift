/// A look at MP4 (ISO/IEC 14496-12): do the boxes fit into each other, and do samples lie in the media data?
struct BoxLook {
    private let expectation: MediaExpectation
    private var hasMovie = false
    private var hasMedia = false
    /// A fragment with samples waits for its media data.
    private var isOpen = false
    /// The latest end of the samples of the last fragments.
    private var samplesEnd = 0
    private var mediaEnd = 0
    private var fragments = 0
    /// The tracks; `nil` while they are unknown.
    private var outline: MovieOutline?
    /// Whether samples belong to known tracks, and whether to unknown ones.
    private var (hasKnownTracks, hasUnknownTracks) = (false, false)
    /// Samples to look at.
    private var probes: [SampleProbe] = []
    private static let mostProbes = 512

    /// Bytes that a `moof` or `moov` box may have to be looked into; a larger one is taken on trust.
    static let largestHeader = 16 << 20

    init(_ expectation: MediaExpectation) {
        self.expectation = expectation
        if case .movie(let movie, _) = expectation.start { outline = movie }
    }

    private static let types: Set<UInt32> = Set(
        [
            "ftyp", "styp", "moof", "sidx", "ssix", "moov", "emsg", "prft", "mdat", "free", "skip", "uuid",
            "mfra",
            "meta", "pdin", "wide", "udta", "pssh", "imda", "meco",
        ].map(Box.code))

    /// Whether bytes begin with a box of a type that is possible at the top of a file.
    static func mayBegin(_ head: [UInt8]) -> Bool {
        head.count >= 8 && types.contains(head[4..<8].reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
    }

    /// Judges bytes that begin with a box.
    func judge<Source: MediaBytes>(_ source: Source) throws(Source.Failure) -> MediaVerdict {
        var look = self
        // Between the headers lie media data.
        var window = ByteWindow(source, pieceSize: 1024)
        var offset = 0
        while offset < source.count {
            guard let box = try Box(&window, at: offset) else {
                return look.cut("", atEnd: offset, of: source.count)
            }
            guard box.end <= source.count else { return look.cut(box.name, atEnd: offset, of: source.count) }
            if let defect = try look.take(box, source) { return .undecodable(defect) }
            offset = box.end
        }
        guard look.verdict == .media(.mp4) else { return look.verdict }
        var samples = SampleLook(source)
        return try samples.defect(look.probes).map { .undecodable($0) } ?? look.verdict
    }

    /// The end comes inside a box, or a few bytes behind the last one.
    private func cut(_ name: String, atEnd offset: Int, of count: Int) -> MediaVerdict {
        if expectation.mayEndInBox { return .media(.mp4) }
        // Padding behind whole media is harmless.
        if name.isEmpty, hasMedia || hasMovie, count - offset < 16 { return verdict }
        return .undecodable(.boxCut(name))
    }

    private mutating func take<Source: MediaBytes>(
        _ box: Box, _ source: Source
    ) throws(Source.Failure) -> MediaDefect? {
        switch box.name {
        case "moov":
            guard box.content.count <= Self.largestHeader else {
                hasMovie = true
                break
            }
            let movie = try source.read(at: box.content.lowerBound, count: box.content.count)
            hasMovie = Self.hasTracks(movie)
            outline = MovieOutline(movie: movie)
        case "moof":
            fragments += 1
            guard box.content.count <= Self.largestHeader else { break }
            return try take(fragment: box, source)
        case "mdat", "imda":
            (hasMedia, isOpen) = (true, false)
            mediaEnd = box.end
        default: break
        }
        return nil
    }

    private mutating func take<Source: MediaBytes>(
        fragment box: Box, _ source: Source
    ) throws(Source.Failure) -> MediaDefect? {
        let bytes = try source.read(at: box.start, count: box.end - box.start)
        do throws(MediaDefect) {
            let samples = try FragmentSamples(bytes, header: box.content.lowerBound - box.start, outline)
            isOpen = isOpen || samples.count > 0
            if let end = samples.end { samplesEnd = max(samplesEnd, box.start + end) }
            hasKnownTracks = hasKnownTracks || samples.hasKnownTracks
            hasUnknownTracks = hasUnknownTracks || samples.hasUnknownTracks
            for probe in samples.probes.prefix(Self.mostProbes - probes.count) {
                var probe = probe
                (probe.fragment, probe.offset) = (fragments, probe.offset + box.start)
                probes.append(probe)
            }
            return nil
        } catch {
            return error
        }
    }

    private static func hasTracks(_ movie: [UInt8]) -> Bool {
        var window = ByteWindow(ArrayBytes(movie))
        var offset = 0
        while let box = Box(&window, at: offset), box.end <= movie.count, box.end > offset {
            if box.name == "trak" { return true }
            offset = box.end
        }
        return false
    }

    private var verdict: MediaVerdict {
        if expectation.role == .initialization, !hasMovie { return .undecodable(.noMovie) }
        if expectation.mayEndInBox { return .media(.mp4) }
        if let defect = defectOfStart { return .undecodable(defect) }
        if isOpen { return .undecodable(.noMediaData) }
        if samplesEnd > mediaEnd { return .undecodable(.samplesBeyondData) }
        return .media(.mp4)
    }

    /// The defect of a segment beside the initialization section that it has.
    private var defectOfStart: MediaDefect? {
        guard expectation.role != .initialization, !hasMovie else { return nil }
        if hasMedia, fragments == 0 { return .noFragment }
        switch expectation.start {
        case .nothing where fragments > 0: return .noInitialization
        case .packets: return .otherContainer(.mp4)
        case .unknown, .nothing, .movie: break
        }
        return hasUnknownTracks && !hasKnownTracks ? .unknownTracks : nil
    }
}
