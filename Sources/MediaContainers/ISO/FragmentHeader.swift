/// A `tfhd` box (ISO/IEC 14496-12, section 8.8.7), and how far the runs behind it were read.
struct FragmentHeader {
    let track: Int
    /// The base of its data offsets, in bytes of the origin's file.
    let dataOffset: Int?
    let isBasedOnFragment: Bool
    private var description: Int?
    private var duration: UInt32?
    private var size: UInt32?
    private var flags: UInt32?

    /// The offset of the current `moof` box in the segment, and the length of the segment.
    var (origin, end) = (0, 0)
    /// The base of data offsets, in bytes of the segment.
    var base = 0
    /// The offset of the next sample.
    var offset = 0
    /// The decode time of the next sample.
    var time: Int64 = 0
    /// The samples of the last run.
    private(set) var count = 0

    init?(_ bytes: [UInt8], _ content: Range<Int>) {
        var reader = NumberReader(bytes, content)
        guard let word = reader.next(4), let track = reader.next(4) else { return nil }
        self.track = track
        isBasedOnFragment = word & 0x20000 != 0
        func field(_ flag: Int, _ count: Int) -> Int? { word & flag == 0 ? nil : reader.next(count) }
        dataOffset = field(0x1, 8)
        description = field(0x2, 4)
        duration = field(0x8, 4).map { UInt32($0) }
        size = field(0x10, 4).map { UInt32($0) }
        flags = field(0x20, 4).map { UInt32($0) }
        guard reader.isValid else { return nil }
    }

    mutating func takeDefaults(of track: MovieTrack) {
        let usual = track.defaults
        description = description ?? usual.description
        (duration, size) = (duration ?? usual.duration, size ?? usual.size)
        flags = flags ?? usual.flags
        let last = max(track.descriptions.count, 1)
        description = min(max(description ?? 1, 1), last)
    }

    /// The sample is no place where decoding can begin (section 8.8.3.1).
    private static let isDependent: UInt32 = 0x10000

    /// Reads a `trun` box (section 8.8.8).
    ///
    /// - Parameter room: the samples that it may have.
    mutating func read(
        _ bytes: [UInt8], _ content: Range<Int>, into track: inout SegmentFragments.Track, room: Int
    ) throws(SampleError) {
        var reader = NumberReader(bytes, content)
        guard let word = reader.next(4), let count = reader.next(4) else {
            throw .malformed(offset: origin + content.lowerBound, reason: "trun")
        }
        guard count <= room else { throw .tooLarge }
        self.count = count
        if word & 0x1 != 0 { offset = base + Int(Int32(truncatingIfNeeded: reader.next(4) ?? 0)) }
        let first = word & 0x4 == 0 ? nil : reader.next(4).map { UInt32($0) }
        track.samples.reserveCapacity(track.samples.count + count)
        track.offsets.reserveCapacity(track.offsets.count + count)
        let usual = (duration ?? 0, size ?? 0, flags ?? 0)
        for index in 0..<count {
            let duration = word & 0x100 == 0 ? usual.0 : UInt32(reader.next(4) ?? 0)
            let size = word & 0x200 == 0 ? usual.1 : UInt32(reader.next(4) ?? 0)
            let own = word & 0x400 == 0 ? usual.2 : UInt32(reader.next(4) ?? 0)
            let flags = index == 0 ? first ?? own : own
            let shift = word & 0x800 == 0 ? 0 : Int32(truncatingIfNeeded: reader.next(4) ?? 0)
            guard reader.isValid, offset >= 0, offset + Int(size) <= end else {
                throw .malformed(offset: origin + content.lowerBound, reason: "samples beyond the segment")
            }
            track.samples.append(
                MediaSample(
                    decodeTime: time, presentationOffset: shift, duration: duration, size: size,
                    isSync: flags & Self.isDependent == 0,
                    description: UInt8(truncatingIfNeeded: (description ?? 1) - 1)))
            track.offsets.append(offset)
            track.size += Int(size)
            offset += Int(size)
            time += Int64(duration)
        }
    }
}
