import Testing

@testable import MediaContainers

/// Times of pictures, from the time stamps that some of them have.
@Suite("The times of pictures") struct PictureTimeTests {
    /// Makes the times of pictures with these time stamps of presentation and decoding.
    private static func samples(
        _ stamps: [(Int64?, Int64?)], ticks: Int? = nil, depth: Int? = nil, _ memory: inout PictureMemory
    ) -> [MediaSample] {
        var facts = PictureFacts()
        (facts.pictureTicks, facts.reorderDepth) = (ticks, depth)
        var samples = stamps.map { _ in MediaSample(decodeTime: 0, duration: 0, size: 1, isSync: true) }
        let times = stamps.map { PictureTimes.Stamp(presentation: $0.0, decoding: $0.1) }
        PictureTimes(stamps: times, facts: facts).set(in: &samples, &memory)
        return samples
    }

    /// The same of pictures whose decoding has no time stamps, at the beginning of a stream.
    private static func samples(
        _ stamps: [Int64?], ticks: Int? = nil, depth: Int? = nil
    ) -> [MediaSample] {
        var memory = PictureMemory()
        return samples(stamps.map { ($0, nil) }, ticks: ticks, depth: depth, &memory)
    }

    @Test("reach back from the first time stamp to the pictures before it")
    func before() {
        let samples = Self.samples([nil, nil, 97_200, 100_800], ticks: 3600)
        #expect(samples.map(\.decodeTime) == [90_000, 93_600, 97_200, 100_800])
        #expect(samples.allSatisfy { $0.presentationOffset == 0 && $0.duration == 3600 })
    }

    @Test("begin at 0 without any time stamp, and behind the segment before if there is one")
    func without() {
        #expect(Self.samples([nil, nil], ticks: 3003).map(\.decodeTime) == [0, 3003])
        #expect(Self.samples([nil, nil]).map(\.decodeTime) == [0, 3600])
        var memory = PictureMemory()
        (memory.lastDecoding, memory.lastDuration) = (90_000, 3003)
        let samples = Self.samples([(nil, nil), (nil, nil)], ticks: 1500, &memory)
        #expect(samples.map(\.decodeTime) == [93_003, 94_503])
        #expect(memory.lastDecoding == 94_503 && memory.lastDuration == 1500)
    }

    @Test("have the usual distance of those that are known, counted in pictures")
    func distance() {
        let samples = Self.samples([90_000, nil, nil, 99_009, nil, 105_015, nil])
        #expect(samples.map(\.decodeTime) == [90_000, 93_003, 96_006, 99_009, 102_012, 105_015, 108_018])
    }

    @Test("last as long as the one before, as the stream tells, or a 25th of a second, where one is alone")
    func alone() {
        var memory = PictureMemory()
        (memory.lastDecoding, memory.lastDuration) = (86_997, 3003)
        let following = Self.samples([(90_000, nil)], ticks: 1800, &memory)
        #expect(following.map(\.duration) == [3003])
        #expect(Self.samples([90_000], ticks: 1800).map(\.duration) == [1800])
        #expect(Self.samples([90_000]).map(\.duration) == [3600])
    }

    @Test("of decoding increase, and pictures are shown when they are to be shown")
    func increasing() {
        var memory = PictureMemory()
        let stamps: [(Int64?, Int64?)] = [
            (110_000, 100_000), (113_600, 100_000), (117_200, 99_000), (120_800, 103_600),
        ]
        let samples = Self.samples(stamps, &memory)
        #expect(samples.map(\.decodeTime) == [100_000, 100_001, 100_002, 103_600])
        #expect(samples.map(\.presentationOffset) == [10_000, 13_599, 17_198, 17_200])
        #expect(samples.map(\.duration) == [1, 1, 3598, 3598])
        #expect(memory.lastDecoding == 103_600 && memory.lastDuration == 3598)
    }

    @Test("of decoding increase from one segment to the next")
    func increasingOn() {
        var memory = PictureMemory()
        memory.lastDecoding = 100_000
        let samples = Self.samples([(100_000, 100_000), (103_600, 103_600)], &memory)
        #expect(samples.map(\.decodeTime) == [100_001, 103_600])
        #expect(samples.map(\.presentationOffset) == [-1, 0])
    }

    @Test(
        "of decoding that are ten seconds back are a new beginning, others are errors",
        arguments: [(1_100_001, 2_000_001), (1_100_000, 1_100_000), (2_000_001, 2_000_001)]
            as [(Int64, Int64)])
    func jump(stamp: Int64, time: Int64) {
        var memory = PictureMemory()
        let samples = Self.samples([(2_000_000, 2_000_000), (stamp, stamp)], &memory)
        #expect(samples.map(\.decodeTime) == [2_000_000, time])
        #expect(samples[0].duration == (time > 2_000_000 ? 1 : 0))
    }

    @Test(
        "of decoding are as much earlier as pictures are reordered, by their order or as the stream tells",
        arguments: [(nil, 86_400), (0, 86_400), (1, 86_400), (2, 82_800)] as [(Int?, Int64)])
    func depth(depth: Int?, first: Int64) {
        let shown: [Int64] = [90_000, 100_800, 93_600, 97_200]
        let samples = Self.samples(shown, depth: depth)
        #expect(samples.map(\.decodeTime) == (0..<4).map { first + 3600 * $0 })
        #expect(samples.map { $0.decodeTime + Int64($0.presentationOffset) } == shown)
    }

    @Test("of decoding are not behind those of presentation where two pictures have the same time")
    func same() {
        let samples = Self.samples([90_000, 90_000])
        #expect(samples.map(\.decodeTime) == [86_400, 90_000])
        #expect(samples.map(\.presentationOffset) == [3600, 0])
    }
}
