/// Reads the samples of MPEG-2 transport streams (ISO/IEC 13818-1), segment by segment.
///
/// The value keeps the state that later segments need: tables, parameter sets, unfinished frames. Keep a copy to
/// return to this point of the stream. After a discontinuity, begin with a new value.
///
/// ```swift
/// var reader = TransportSamples()
/// let tracks = try reader.read(segment, following: next)
/// ```
public struct TransportSamples: Sendable {
    /// A stream of pictures or sound that has no samples.
    public struct LeftOut: Sendable, Equatable {
        /// The packet identifier.
        public let number: Int
        /// The name of the codec.
        public let codec: String

        /// Whether it has pictures, not sound.
        public let isPictures: Bool
    }

    /// A stream that has no samples, where no other one has pictures, or sound, in its place.
    public var irreplaceable: LeftOut? { tables.map?.irreplaceable }

    /// The object type of AAC with SBR or PS that a playlist's CODECS names: 5 or 29. ADTS does not tell it.
    public var namedSoundObject: Int?
    /// Streams of the last segment that have no samples.
    public var leftOut: [LeftOut] { tables.map?.leftOut ?? [] }
    /// The timed ID3 tags of the last segment.
    public private(set) var metadata: [TimedTag] = []
    /// Whether pictures of the last segment began before it, in a segment that was not read.
    public private(set) var lacksBeginning = false

    /// Whether the last segment has pictures whose parameter sets are in no segment that was read. These pictures are
    /// left out.
    public private(set) var lacksParameterSets = false

    private var tables = TransportTables()
    private var streams: [StreamReader] = []
    private var clock: StampClock
    /// The beginning of a packet that the last segment cut.
    private var cut: [UInt8] = []
    /// Parameter sets that pictures begin with.
    private let sets: [ParameterSets]

    /// Changes of tables that a segment may have.
    private static let mostChanges = 64
    /// The largest unfinished picture, and frame of sound, that are kept for the next segment.
    private static let largestRest = (pictures: 16 << 20, sound: 1 << 16)

    /// The same of one segment, of which only the tables are read.
    public static func irreplaceable(in segment: [UInt8]) -> LeftOut? {
        guard let walk = PacketWalk(segment) else { return nil }
        var tables = TransportTables()
        tables.scan(walk, segment)
        return tables.map?.irreplaceable
    }

    /// Makes a reader at the beginning of a stream.
    ///
    /// - Parameters:
    ///   - time: a time, in ticks of 90 kHz, near which time stamps are unwrapped; `nil` takes the first time stamp
    ///     unchanged.
    ///   - descriptions: descriptions of samples of segments before, for segments that do not repeat parameter sets.
    public init(near time: Int64? = nil, knowing descriptions: [SampleDescription] = []) {
        clock = StampClock(near: time)
        sets = descriptions.compactMap { ParameterSets(entry: $0.entry) }
    }

    /// Reads a whole segment. When this throws, the value has not changed.
    ///
    /// - Parameters:
    ///   - bytes: the segment.
    ///   - following: the next segment, or its first bytes. If the last picture goes on there, it becomes a sample of
    ///     the next segment. Without it, the last picture ends with this segment. Frames of sound that cross segments
    ///     are always joined.
    /// - Returns: the tracks that have samples, in the order of the program map.
    public mutating func read(
        _ bytes: [UInt8], following: [UInt8] = []
    ) throws(SampleError) -> [TrackSamples] {
        guard let walk = PacketWalk(bytes) else { throw .unknownContainer }
        var next = self
        let tracks = try next.read(bytes, by: walk, following: following)
        self = next
        return tracks
    }

    private mutating func read(
        _ bytes: [UInt8], by walk: PacketWalk, following: [UInt8]
    ) throws(SampleError) -> [TrackSamples] {
        (metadata, lacksBeginning, lacksParameterSets) = ([], false, false)
        tables.scan(walk, bytes)
        update()
        // The video stream usually has most of the bytes.
        let largest = streams.firstIndex(where: \.isPictures) ?? streams.indices.first
        if let largest { streams[largest].reserve(bytes.count) }
        readPackets(walk, bytes)
        guard tables.map != nil else { throw .lacksConfiguration }
        if streams.contains(where: \.isScrambled) { throw .encrypted }
        if tables.map?.entries.contains(where: { $0.kind == .encrypted }) == true { throw .encrypted }
        let tracks = try finish(following: following)
        if tracks.isEmpty, let first = leftOut.first { throw .unsupportedCodec(first.codec) }
        return tracks
    }
}

// MARK: - Packets

extension TransportSamples {
    private mutating func readPackets(_ walk: PacketWalk, _ bytes: [UInt8]) {
        var (walk, slots, changes) = (walk, slots(), 0)
        if let first = walk.completed(cut) { takePacket(at: 0, in: first, slots: &slots, changes: &changes) }
        while let place = walk.next() { takePacket(at: place, in: bytes, slots: &slots, changes: &changes) }
        cut = walk.cut
    }

    private mutating func takePacket(
        at place: Int, in bytes: [UInt8], slots: inout [Int16], changes: inout Int
    ) {
        let stream = Int(bytes[place + 1] & 0x1F) << 8 | Int(bytes[place + 2])
        let slot = Int(slots[stream])
        if slot >= 0 {
            let packet = TransportPacket(bytes, at: place)
            guard let payload = packet.payload else { return }
            streams[slot].take(packet, payload: payload, at: place, in: bytes, clock: &clock)
        } else if slot == TransportTables.slot, changes < Self.mostChanges, tables.take(place, bytes) {
            changes += 1
            update()
            slots = self.slots()
        }
    }

    /// The index of the reader of each packet identifier, that of tables, or another negative number.
    private func slots() -> [Int16] {
        var slots = [Int16](repeating: -1, count: 0x2000)
        for entry in tables.map?.entries ?? [] {
            if let index = streams.lastIndex(where: { $0.entry == entry }) {
                slots[entry.stream] = Int16(index)
            }
        }
        for stream in tables.streams { slots[stream] = Int16(TransportTables.slot) }
        return slots
    }

    /// Makes readers for streams of the map without one.
    private mutating func update() {
        for entry in tables.map?.entries ?? [] where !streams.contains(where: { $0.entry == entry }) {
            guard let memory = memory(for: entry.kind), streams.count < 256 else { continue }
            streams.append(StreamReader(entry, memory))
        }
    }

    private func memory(for kind: StreamKind) -> StreamReader.Memory? {
        func sound(_ codec: SoundCodec) -> StreamReader.Memory { .sound(SoundMemory(codec: codec)) }
        return switch kind {
        case .avc: .pictures(PictureMemory(sets: sets.first { $0.has(7) } ?? ParameterSets()))
        case .hevc: .pictures(PictureMemory(sets: sets.first { $0.has(33) } ?? ParameterSets()))
        case .adts: sound(.adts(ADTS(namedObject: namedSoundObject)))
        case .latm: sound(.latm(LATM()))
        case .mpegSound: sound(.mpeg)
        case .dolby: sound(.dolby)
        case .opus(let stream): sound(.opus(stream))
        case .metadata: .metadata
        case .encrypted, .unsupported, .other: nil
        }
    }
}

// MARK: - Samples

extension TransportSamples {
    private mutating func finish(following: [UInt8]) throws(SampleError) -> [TrackSamples] {
        let entries = tables.map?.entries ?? []
        var tracks: [TrackSamples] = []
        for index in streams.indices {
            guard var track = try finish(index, following), !track.samples.isEmpty else { continue }
            track.language = streams[index].entry.language
            tracks.append(track)
        }
        // Streams that the map does not name any more are at an end.
        streams.removeAll { !entries.contains($0.entry) }
        return tracks
    }

    private mutating func finish(_ index: Int, _ following: [UInt8]) throws(SampleError) -> TrackSamples? {
        let stream = streams[index].whole()
        switch streams[index].memory {
        case .metadata:
            metadata += Self.tags(stream)
            streams[index].finish(keeping: nil, mayGoOn: false)
            return nil
        case .sound(let memory): return try finishSound(index, stream, after: memory)
        case .pictures(let memory):
            return try finishPictures(index, stream, after: memory, following: following)
        }
    }

    private mutating func finishSound(
        _ index: Int, _ stream: ElementaryStream, after memory: SoundMemory
    ) throws(SampleError) -> TrackSamples {
        var sampler = SoundSampler(stream, after: memory, number: streams[index].entry.stream)
        let (track, next, rest) = try sampler.samples()
        streams[index].memory = .sound(next)
        let isKept = rest.map { $0.data.count <= Self.largestRest.sound } ?? false
        streams[index].finish(keeping: isKept ? rest : nil, mayGoOn: true)
        return track
    }

    private mutating func finishPictures(
        _ index: Int, _ stream: ElementaryStream, after memory: PictureMemory, following: [UInt8]
    ) throws(SampleError) -> TrackSamples {
        let entry = streams[index].entry
        if streams[index].isLackingBeginning { lacksBeginning = true }
        let continues = PacketWalk.goesOn(entry.stream, in: following, after: cut)
        let (track, next, rest) =
            if case .hevc(let dolbyVision) = entry.kind {
                try pictures(
                    of: entry, stream, by: HEVCCodec(dolbyVision: dolbyVision), after: memory,
                    continues: continues)
            } else {
                try pictures(of: entry, stream, by: AVCCodec(), after: memory, continues: continues)
            }
        if let rest, rest.data.count > Self.largestRest.pictures { throw .tooLarge }
        streams[index].memory = .pictures(next)
        streams[index].finish(keeping: rest, mayGoOn: continues)
        return track
    }

    private mutating func pictures(
        of entry: ProgramMap.Entry, _ stream: ElementaryStream, by codec: some PictureCodec,
        after memory: PictureMemory, continues: Bool
    ) throws(SampleError) -> (TrackSamples, PictureMemory, ElementaryStream?) {
        var sampler = try PictureSampler(codec, stream, after: memory)
        let samples = try sampler.samples(number: entry.stream, continues: continues)
        if sampler.lacksParameterSets { lacksParameterSets = true }
        return (samples.track, samples.memory, samples.rest)
    }

    /// The tags that begin in PES packets with a time.
    private static func tags(_ stream: ElementaryStream) -> [TimedTag] {
        stream.marks.indices.map { index in
            let end = index + 1 < stream.marks.count ? stream.marks[index + 1].offset : stream.data.count
            let mark = stream.marks[index]
            return TimedTag(time: mark.presentation, bytes: Array(stream.data[mark.offset..<end]))
        }
    }
}
