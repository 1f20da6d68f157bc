internal import AssetStore
internal import HLSPlaylist
internal import MediaContainers

/// The samples of one segment.
struct SegmentSamples: Sendable {
    /// The tracks with their bytes.
    var tracks: [TrackSamples]
    /// The tracks of an initialization section; empty without one.
    var movie: [MovieTrack] = []
    /// Bytes of the segment in the clear.
    var clearSize: Int
    /// Whether its clock has 33 bits.
    var wraps: Bool
    /// Its timed ID3 tags.
    var tags: [TimedTag] = []
    /// The numbers of the tracks whose description differs from that at the end of the segment before.
    var changed: Set<Int> = []

    /// The number of bytes of each track.
    var sizes: [Int] { tracks.map(\.bytes.count) }

    /// The index to store for it.
    var index: SampleIndex {
        let tracks = tracks.map { samples in
            let track = movie.first { $0.number == samples.number }
            return SampleIndex.Track(
                samples, kind: track?.kind ?? samples.kind, presentationStart: track?.presentationStart ?? 0,
                delay: track?.delay ?? 0, rollDistance: track?.rollDistance ?? 0,
                matrix: track?.matrix ?? [])
        }
        return SampleIndex(tracks: tracks, clearSize: UInt64(clearSize), wraps: wraps)
    }
}

/// A segment that was opened: its samples, or their places in its file.
enum OpenedSegment: Sendable {
    case samples(SegmentSamples)
    case stored(StoredFragments)

    /// The number of bytes of each track.
    var sizes: [Int] {
        switch self {
        case .samples(let samples): samples.sizes
        case .stored(let fragments): fragments.sizes
        }
    }
}

extension TrackSamples {
    /// The kind of track, by the picture or sound of the samples.
    var kind: MovieTrack.Kind { MovieTrack.Kind(descriptions.first?.shape) }
}

extension MovieTrack.Kind {
    /// The kind of track whose samples have a shape.
    init(_ shape: SampleDescription.Shape?) {
        switch shape {
        case .video: self = .video
        case .audio: self = .audio
        case .other, nil: self = .other
        }
    }
}

/// Reads the segments of a rendition into samples.
///
/// A segment of a transport stream or of packed audio may begin within a sample of the segment before. If segments
/// are read in order, each is read once. After a jump, the segment before is read, too.
struct SegmentSampler: Sendable {
    let units: ClearUnits
    let playlist: MediaPlaylist
    /// Whether a segment is stored, by its index in the playlist.
    var isThere: @Sendable (Int) -> Bool = { _ in true }
    /// The expected first timestamp of a segment in ticks of 90 kHz, by the segment's index, to resolve a wrapped
    /// clock; `nil` keeps the timestamp.
    var near: @Sendable (Int) -> Int64? = { _ in nil }

    /// Whether reading fails for a segment whose only video track, or whose only audio track, gives no samples.
    var refusesLoss = false

    private var movies: [Int: [MovieTrack]] = [:]
    /// The start of each segment by the playlist, computed at its first use.
    private var starts: [Double] = []
    private var transport: TransportSamples?
    private var packed: PackedSamples?
    /// The last description of each track of the transport stream.
    private var lastDescriptions: [Int: SampleDescription] = [:]
    /// The place behind the segment that was read last, from 1; -1 without one.
    private var next = -1
    /// The bytes that were read ahead.
    private var ahead: (place: Int, bytes: [UInt8])?

    init(_ units: ClearUnits, _ playlist: MediaPlaylist) { (self.units, self.playlist) = (units, playlist) }

    /// The samples of a segment, by its place in the playlist.
    ///
    /// - Parameter lead: how many segments before it are read first when it does not follow the last one.
    mutating func segment(at place: Int, lead: Int = 1) throws(AssetFileError) -> SegmentSamples {
        do throws(SampleError) {
            switch units.row.container {
            case .ts: return try transportSegment(at: place, lead: lead)
            case .aac, .mp3, .ac3, .ec3: return try packedSegment(at: place, lead: lead)
            default: return try movieSegment(at: place)
            }
        } catch { throw reason(for: error, at: place) }
    }

    /// Opens a segment, by its place in the playlist. The samples of fragmented MP4 that is stored in the clear stay in
    /// the file; those of other segments are read.
    mutating func opened(at place: Int, lead: Int = 1) throws(AssetFileError) -> OpenedSegment {
        guard !units.row.container.isConverted else { return .samples(try segment(at: place, lead: lead)) }
        do throws(SampleError) { return try openedMovie(at: place) } catch {
            throw reason(for: error, at: place)
        }
    }

    private func reason(for error: SampleError, at place: Int) -> AssetFileError {
        if let failure { return .store(failure) }
        return .unreadable(
            rendition: units.row.name, segment: playlist.segments[place].mediaSequence, error)
    }

    /// Forgets the last segments, so that the next one is read with those before it.
    mutating func forget() { (transport, packed, ahead, next) = (nil, nil, nil, -1) }

    /// Why a unit could not be read.
    private var failure: StoreError?

    private mutating func bytes(_ name: UnitName) throws(SampleError) -> [UInt8] {
        try read { (units) throws(StoreError) in try units.bytes(name) }
    }

    /// Reads units, and keeps the error of the store.
    private mutating func read<T>(
        _ body: (ClearUnits) throws(StoreError) -> T
    ) throws(SampleError) -> T {
        failure = nil
        do throws(StoreError) { return try body(units) } catch {
            failure = error
            throw .unknownContainer
        }
    }

    /// The bytes of a segment, at the beginning of a transport stream with those of its initialization section
    /// before.
    private mutating func bytes(at place: Int, isFirst: Bool = false) throws(SampleError) -> [UInt8] {
        let segment = playlist.segments[place]
        var bytes: [UInt8]
        if let ahead, ahead.place == place {
            bytes = ahead.bytes
            self.ahead = nil
        } else {
            bytes = try self.bytes(.segment(segment.mediaSequence))
        }
        sizeOfLast = bytes.count
        if isFirst, let section = segment.initializationSection {
            bytes = try self.bytes(.initialization(section)) + bytes
        }
        return bytes
    }

    /// The size in bytes of the segment that was read last. The segment read before it for context does not count.
    private var sizeOfLast = 0

    // MARK: - fMP4

    private mutating func movieSegment(at place: Int) throws(SampleError) -> SegmentSamples {
        let movie = try sectionMovie(at: place)
        return try samples(of: try unit(at: place), movie, at: place)
    }

    private mutating func openedMovie(at place: Int) throws(SampleError) -> OpenedSegment {
        let movie = try sectionMovie(at: place)
        let unit = try unit(at: place)
        // If the boxes can't be read from the file, reading the whole segment tells why.
        guard let movie, case .file(let file) = unit,
            let fragments = try? SegmentFragments(file, movie: movie, times: times(of: movie, at: place))
        else { return .samples(try samples(of: unit, movie, at: place)) }
        file.readAhead()
        return .stored(StoredFragments(file, fragments))
    }

    private mutating func unit(at place: Int) throws(SampleError) -> ClearUnits.Opened {
        let name = UnitName.segment(playlist.segments[place].mediaSequence)
        return try read { (units) throws(StoreError) in try units.open(name) }
    }

    /// The samples of a unit of fragmented MP4.
    ///
    /// - Parameter movie: the tracks of its initialization section; `nil` if it has a `moov` box of its own.
    private mutating func samples(
        of unit: ClearUnits.Opened, _ movie: [MovieTrack]?, at place: Int
    ) throws(SampleError) -> SegmentSamples {
        let bytes = try read { (units) throws(StoreError) in try units.bytes(of: unit) }
        let tracks = if let movie { movie } else { try MovieTrack.all(in: bytes) }
        let fragments = try SegmentFragments(bytes, movie: tracks, times: times(of: tracks, at: place))
        return SegmentSamples(
            tracks: fragments.samples(of: bytes), movie: tracks, clearSize: bytes.count, wraps: false)
    }

    /// The tracks of the initialization section of a segment; `nil` without one.
    private mutating func sectionMovie(at place: Int) throws(SampleError) -> [MovieTrack]? {
        try playlist.segments[place].initializationSection.map { (section) throws(SampleError) in
            try movie(section)
        }
    }

    /// The start of each track by the playlist, for fragments that tell no time.
    private mutating func times(of tracks: [MovieTrack], at place: Int) -> [Int: Int64] {
        if starts.isEmpty { starts = playlist.segmentStarts }
        let start = starts[place]
        return Dictionary(tracks.map { ($0.number, Int64(start * Double($0.timescale))) }) { first, _ in first
        }
    }

    private mutating func movie(_ section: Int) throws(SampleError) -> [MovieTrack] {
        if let known = movies[section] { return known }
        let movie = try MovieTrack.all(in: bytes(.initialization(section)))
        movies[section] = movie
        return movie
    }

    // MARK: - Transport streams and packed audio

    /// The first index from which segments must be read to get one of them.
    private func beginning(of place: Int, lead: Int) -> Int {
        let discontinuity = playlist.segments[place].discontinuitySequence
        var first = place
        while first > 0, place - first < lead, isThere(first - 1),
            playlist.segments[first - 1].discontinuitySequence == discontinuity
        {
            first -= 1
        }
        return first
    }

    /// Whether a segment continues the last one that was read.
    private func continues(_ place: Int) -> Bool {
        next == place
            && playlist.segments[place - 1].discontinuitySequence
                == playlist.segments[place].discontinuitySequence
    }

    private mutating func transportSegment(at place: Int, lead: Int) throws(SampleError) -> SegmentSamples {
        if !continues(place) || transport == nil {
            let first = beginning(of: place, lead: lead)
            transport = TransportSamples(near: near(first))
            lastDescriptions = [:]
            transport?.namedSoundObject = units.row.namedSoundObject
            ahead = nil
            for earlier in first..<place { _ = try? readTransport(at: earlier, isFirst: earlier == first) }
            return try readTransport(at: place, isFirst: first == place)
        }
        return try readTransport(at: place, isFirst: false)
    }

    private mutating func readTransport(at place: Int, isFirst: Bool) throws(SampleError) -> SegmentSamples {
        next = -1
        let bytes = try bytes(at: place, isFirst: isFirst)
        let size = sizeOfLast
        let behind = place + 1
        if behind < playlist.segments.count, isThere(behind),
            playlist.segments[behind].discontinuitySequence == playlist.segments[place].discontinuitySequence
        {
            ahead = (behind, try self.bytes(.segment(playlist.segments[behind].mediaSequence)))
        }
        let tracks = try transport?.read(bytes, following: ahead?.bytes ?? []) ?? []
        if refusesLoss, let lost = transport?.irreplaceable { throw .unsupportedCodec(lost.codec) }
        next = behind
        var samples = SegmentSamples(tracks: tracks, clearSize: size, wraps: true)
        samples.tags = transport?.metadata ?? []
        for track in tracks {
            guard let first = track.samples.first, let last = track.samples.last else { continue }
            if let known = lastDescriptions[track.number], known != track.descriptions[Int(first.description)]
            {
                samples.changed.insert(track.number)
            }
            lastDescriptions[track.number] = track.descriptions[Int(last.description)]
        }
        return samples
    }

    private mutating func packedSegment(at place: Int, lead: Int) throws(SampleError) -> SegmentSamples {
        if !continues(place) || packed == nil {
            let first = beginning(of: place, lead: lead)
            packed = PackedSamples(near: near(first))
            packed?.namedSoundObject = units.row.namedSoundObject
            for earlier in first..<place { _ = try? readPacked(at: earlier) }
        }
        return try readPacked(at: place)
    }

    private mutating func readPacked(at place: Int) throws(SampleError) -> SegmentSamples {
        next = -1
        let bytes = try bytes(at: place)
        var track: TrackSamples?
        if var reader = packed {
            track = try reader.read(bytes)
            packed = reader
        }
        next = place + 1
        return SegmentSamples(
            tracks: track.map { [$0] } ?? [], clearSize: bytes.count, wraps: true)
    }
}

extension MediaPlaylist {
    /// The start of each segment, in seconds from the first one.
    var segmentStarts: [Double] {
        var start = 0.0
        return segments.map { segment in
            defer { start += segment.duration }
            return start
        }
    }
}

extension RenditionRecord {
    /// The object type of AAC with SBR or PS that CODECS names.
    var namedSoundObject: Int? {
        guard let codecs else { return nil }
        return codecs.contains("mp4a.40.29") ? 29 : codecs.contains("mp4a.40.5") ? 5 : nil
    }
}
