/// A transport stream that is laid out and not written: which samples lie in which of its packets.
///
/// ```swift
/// guard let number = layout.block(at: offset) else { return [] }
/// let bytes = try layout.bytes(ofBlock: number) { run in try samples(of: run.track, in: run.segment) }
/// ```
public struct TransportLayout: Sendable {
    /// Samples of one track of one segment that follow each other.
    public struct Run: Sendable {
        /// The place of its track among those of the file.
        public let track: Int
        /// The segment that it is from, by the number that the builder was given.
        public let segment: Int
        /// The first sample and the one behind the last, among those of the segment.
        var samples: Range<Int32>
        /// The offset of its bytes among those of all samples of the track in the segment.
        let offset: Int
        /// What is added to times, in ticks of the track.
        let shift: Int64
        /// The clock of the track before it.
        let clock: SampleClock
        /// The number of the form that the sample before it has; -1 before the first one.
        let lastForm: Int
        /// The silence that it is, which no segment has; `nil` for samples of a segment.
        var silence: Silence?
        /// Bytes of its samples.
        var size = 0
        /// Packets that it takes.
        var packets = 0
        /// The continuity counter of the first of them.
        var counter: UInt8 = 0
    }

    /// Frames without sound.
    struct Silence: Sendable {
        /// The number of the form whose description they have.
        var form: Int
        /// Their time, in ticks of the track.
        var range: Range<Int64>
    }

    /// A stretch of the file that is made at once: tables, and all samples of less than half a second.
    public struct Block: Sendable {
        /// Its offset in the file.
        public let offset: UInt64
        /// Its length in bytes.
        public let length: Int
        /// The places of its samples among the runs.
        let runs: Range<Int>
    }

    /// A track as it lies in the file.
    struct Track: Sendable {
        var output: OutputTrack
        var forms: [StreamForm]
        /// The packet identifier.
        var stream: Int
        /// The kind of its PES packets.
        var packetKind: UInt8
        /// Whether its packets have the clock references.
        var hasClock: Bool
        /// How much earlier its samples are decoded than their source says, in ticks of 90 kHz, so that none is shown before.
        var lead: Int64
        var isSound: Bool { output.kind == .audio }
    }

    /// The stretches of the file in order.
    public let blocks: [Block]
    let runs: [Run]
    let trackList: [Track]
    /// The program map.
    let map: [UInt8]
    /// The time that becomes the first time stamp, in ticks of 90 kHz.
    let origin: Int64
    /// How long it plays, in seconds.
    public let duration: Double

    /// The first time stamp, and how much earlier bytes come than they are decoded, in ticks of 90 kHz.
    static let (firstStamp, delay) = (Int64(126_000), Int64(63_000))

    /// The length of the file in bytes.
    public var length: UInt64 { blocks.last.map { $0.offset + UInt64($0.length) } ?? 0 }
    /// The tracks of the file.
    public var tracks: [OutputTrack] { trackList.map(\.output) }

    /// The number of the block that has an offset; `nil` behind the end.
    public func block(at offset: UInt64) -> Int? {
        guard offset < length else { return nil }
        return blocks.firstIndex(below: offset + 1) { $0.offset } - 1
    }

    /// The samples of segments in a block.
    public func runs(ofBlock number: Int) -> [Run] { runs[blocks[number].runs].filter { $0.silence == nil } }

    /// Bytes that are others when the bytes of the file are, for the same samples.
    public var fingerprint: [UInt8] {
        var writer = VarintWriter()
        writer.data(map)
        writer.signed(origin)
        for track in trackList { writer.signed(track.lead) }
        for run in runs {
            for number in [run.track, run.segment, run.packets] { writer.signed(Int64(number)) }
            writer.unsigned(UInt64(run.samples.lowerBound))
            writer.unsigned(UInt64(run.samples.upperBound))
            writer.signed(run.shift)
            writer.signed(run.clock.lastTime ?? 0)
        }
        return writer.bytes
    }
}
