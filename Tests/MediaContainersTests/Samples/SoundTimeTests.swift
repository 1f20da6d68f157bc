import Testing

@testable import MediaContainers

/// Frames of sound, where they are found and at which times.
@Suite("The times of sound") struct SoundTimeTests {
    private typealias Mark = ElementaryStream.Mark

    /// An ADTS frame of AAC-LC at 24 kHz, or 48 kHz, with 41 bytes of content; it takes 3840 ticks of 90 kHz at 24 kHz.
    private static func frame(_ seed: UInt8 = 1, rateIndex: UInt8 = 6) -> [UInt8] {
        [0xFF, 0xF1, 0x40 | rateIndex << 2, 0x80, 6, 0x1F, 0xFC] + [UInt8](repeating: seed, count: 41)
    }

    /// Four frames, of 48 bytes each.
    private static let four = ([1, 2, 3, 4] as [UInt8]).flatMap { frame($0) }
    private static let noise = [UInt8](repeating: 1, count: 9)

    private static func sample(
        _ data: [UInt8], _ marks: [Mark], breaks: [Int] = [], next: (time: Int64, rate: Int)? = nil
    ) throws(SampleError) -> (track: TrackSamples, memory: SoundMemory, rest: ElementaryStream?) {
        let stream = ElementaryStream(data: data, marks: marks, breaks: breaks)
        let memory = SoundMemory(codec: .adts(ADTS()), next: next)
        var sampler = SoundSampler(stream, after: memory, number: 256)
        return try sampler.samples()
    }

    private static func times(
        _ data: [UInt8], _ marks: [Mark], breaks: [Int] = [], next: (time: Int64, rate: Int)? = nil
    ) throws(SampleError) -> [Int64] {
        try sample(data, marks, breaks: breaks, next: next).track.samples.map(\.decodeTime)
    }

    @Test("a frame that is alone in its segment is a sample, and tells when the next one is expected")
    func alone() throws {
        let found = try Self.sample(Self.frame(), [Mark(offset: 0, presentation: 90_000)])
        #expect(found.track.samples.map(\.decodeTime) == [24_000])
        #expect(found.track.samples.map(\.duration) == [1024])
        #expect(found.memory.next?.time == 25_024 && found.memory.next?.rate == 24_000)
        #expect(found.rest?.data == nil)
    }

    @Test("the first frame is one that another one follows, or a part of one, or that has a time stamp")
    func followed() throws {
        let (frame, expected) = (Self.frame(), (time: Int64(24_000), rate: 24_000))
        #expect(try Self.times(frame + frame, [], next: expected) == [24_000, 25_024])
        let cut = try Self.sample(frame + frame.prefix(20), [], next: expected)
        #expect(cut.track.samples.count == 1 && cut.rest?.data == Array(frame.prefix(20)))
        #expect(try Self.times(frame + Self.noise, [], next: expected) == [])
        #expect(try Self.times(frame + Self.noise, [Mark(offset: 0, presentation: 90_000)]) == [24_000])
    }

    @Test("a frame before one of another rate is none")
    func otherRate() throws {
        let marks = [Mark(offset: 48, presentation: 90_000)]
        let track = try Self.sample(Self.frame() + Self.frame(2, rateIndex: 3), marks).track
        #expect(track.timescale == 48_000 && track.samples.map(\.decodeTime) == [48_000])
        #expect(track.bytes == [UInt8](repeating: 2, count: 41))
    }

    @Test(
        "the beginning of a frame stays for the next segment: at the begin of this one, or with a time stamp")
    func rest() throws {
        let part = Array(Self.frame().prefix(20))
        #expect(try Self.sample(part, []).rest?.data == part)
        let noise: [UInt8] = [1, 2, 3]
        #expect(try Self.sample(noise + part, []).rest?.data == nil)
        let rest = try #require(try Self.sample(noise + part, [Mark(offset: 3, presentation: 7)]).rest)
        #expect(rest.data == part && rest.marks == [Mark(offset: 0, presentation: 7)])
    }

    @Test("where no frame ends, the next one is expected when it was before")
    func nothingEnds() throws {
        let part = Array(Self.frame().prefix(20))
        for data in [[], part] {
            let found = try Self.sample(data, [], next: (time: 25_024, rate: 24_000))
            #expect(found.track.samples.isEmpty)
            #expect(found.memory.next?.time == 25_024 && found.memory.next?.rate == 24_000)
        }
        // Frames that are left out for want of a time say nothing about the next one.
        #expect(try Self.sample(Self.four, [], next: (time: 25_024, rate: 48_000)).memory.next?.time == nil)
    }

    @Test("frames without any time are left out")
    func unknown() throws {
        let found = try Self.sample(Self.four, [])
        #expect(found.track.samples.isEmpty && found.memory.next?.time == nil)
        #expect(try Self.times(Self.four, [], next: (time: 25_024, rate: 48_000)) == [])
        let late = [Mark(offset: 96, presentation: 90_000)]
        #expect(try Self.times(Self.four, late) == [24_000, 25_024])
    }

    @Test(
        "a segment follows the one before it where its first time stamp is up to a millisecond off",
        arguments: [
            (93_840, 25_024), (93_930, 25_024), (93_934, 25_049), (93_750, 25_024), (93_746, 24_999),
        ] as [(Int64, Int64)])
    func following(stamp: Int64, time: Int64) throws {
        let marks = [Mark(offset: 0, presentation: stamp)]
        let data = Self.frame(1) + Self.frame(2)
        #expect(try Self.times(data, marks, next: (time: 25_024, rate: 24_000)) == [time, time + 1024])
    }

    @Test("the time that another rate led to is none")
    func followingOtherRate() throws {
        let marks = [Mark(offset: 0, presentation: 93_930)]
        #expect(try Self.times(Self.frame(), marks, next: (time: 25_024, rate: 48_000)) == [25_048])
    }

    @Test("behind the first time stamp of a segment, samples follow each other up to half a sample")
    func insideOfSegment() throws {
        // The second is 400 samples late.
        let marks = [Mark(offset: 0, presentation: 93_840), Mark(offset: 48, presentation: 99_180)]
        let data = Self.frame(1) + Self.frame(2)
        #expect(try Self.times(data, marks, next: (time: 25_024, rate: 24_000)) == [25_024, 26_048])
    }

    @Test(
        "a time stamp counts where it is more than half a sample off",
        arguments: [(95_756, 25_024), (95_764, 25_537), (91_924, 25_024), (91_916, 24_511)]
            as [(Int64, Int64)])
    func half(stamp: Int64, time: Int64) throws {
        let marks = [Mark(offset: 0, presentation: 90_000), Mark(offset: 48, presentation: stamp)]
        #expect(try Self.times(Self.frame(1) + Self.frame(2), marks) == [24_000, time])
    }

    @Test(
        "a time stamp some seconds back is of sound that is there; one far back is of none, and does not count"
    )
    func behind() throws {
        // The second frame is expected at 481,024: 9 and 11 seconds before that.
        for (stamp, times) in [(993_840, [480_000]), (813_840, [480_000, 481_024])] as [(Int64, [Int64])] {
            let marks = [Mark(offset: 0, presentation: 1_800_000), Mark(offset: 48, presentation: stamp)]
            #expect(try Self.times(Self.frame(1) + Self.frame(2), marks) == times)
        }
    }

    @Test("times in another clock are rounded to the nearest tick, away from zero in the middle")
    func scaled() {
        let cases: [(ticks: Int64, rate: Int64, scaled: Int64)] = [
            (0, 24_000, 0), (90_000, 24_000, 24_000), (-90_000, 24_000, -24_000), (1, 45_000, 1),
            (-1, 45_000, -1), (1, 44_999, 0), (-1, 44_999, 0), (90_001, 44_999, 44_999),
            (1 << 40, 48_000, 586_406_201_481), (-1 << 40, 48_000, -586_406_201_481),
        ]
        for (ticks, rate, scaled) in cases {
            #expect(SoundSampler.scaled(ticks, to: rate) == scaled, "\(ticks) at \(rate)")
        }
    }
}

/// Sound of which packets got lost.
@Suite("Sound behind a gap") struct SoundGapTests {
    private typealias Mark = ElementaryStream.Mark

    /// Samples of four frames of 48 bytes; the first begins at 24,000.
    private static func sample(
        _ marks: [Mark], breaks: [Int]
    ) throws(SampleError) -> (track: TrackSamples, memory: SoundMemory, rest: ElementaryStream?) {
        let frames = (1...4).flatMap { (seed: UInt8) -> [UInt8] in
            [0xFF, 0xF1, 0x58, 0x80, 6, 0x1F, 0xFC] + [UInt8](repeating: seed, count: 41)
        }
        let first = Mark(offset: 0, presentation: 90_000)
        let stream = ElementaryStream(data: frames, marks: [first] + marks, breaks: breaks)
        var sampler = SoundSampler(stream, after: SoundMemory(codec: .adts(ADTS())), number: 256)
        return try sampler.samples()
    }

    @Test("ends where the next time stamp says, so that the gap is before it")
    func placed() throws {
        // One frame is lost between the first and the second.
        let track = try Self.sample([Mark(offset: 144, presentation: 105_360)], breaks: [48]).track
        #expect(track.samples.map(\.decodeTime) == [24_000, 26_048, 27_072, 28_096])
        #expect(track.samples.map(\.duration) == [2048, 1024, 1024, 1024])
    }

    @Test("stays where it is if the next time stamp knows of none")
    func nothingLost() throws {
        let track = try Self.sample([Mark(offset: 144, presentation: 101_520)], breaks: [48]).track
        #expect(track.samples.map(\.decodeTime) == [24_000, 25_024, 26_048, 27_072])
    }

    @Test("is left out where no time stamp follows, and the next segment can't follow it")
    func unplaced() throws {
        let found = try Self.sample([], breaks: [48])
        #expect(found.track.samples.map(\.decodeTime) == [24_000])
        #expect(found.track.bytes == [UInt8](repeating: 1, count: 41))
        #expect(found.memory.next?.time == nil)
    }

    @Test(
        "begins in the next segment where the last bytes are lost",
        arguments: [([], 28_096), ([192], nil)] as [([Int], Int64?)])
    func end(breaks: [Int], next: Int64?) throws {
        let found = try Self.sample([], breaks: breaks)
        #expect(found.track.samples.map(\.decodeTime) == [24_000, 25_024, 26_048, 27_072])
        #expect(found.memory.next?.time == next)
    }

    @Test("lacks the frame of which bytes are lost")
    func torn() throws {
        let track = try Self.sample([Mark(offset: 144, presentation: 101_520)], breaks: [60]).track
        #expect(track.samples.map(\.decodeTime) == [24_000, 26_048, 27_072])
        #expect(track.bytes == [1, 3, 4].flatMap { [UInt8](repeating: $0, count: 41) })
    }
}
