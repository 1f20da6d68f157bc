import AssetStore
import MediaContainers
import TestSupport
import Testing

@testable import AssetFiles

/// A segment that is wanted, and how many segments may be read before it.
private typealias Wish = (place: Int, lead: Int)

extension SegmentSampler {
    /// Reads segments one after the other: how many samples each has, and the time of the first one.
    fileprivate func read(_ wishes: [Wish]) throws -> [(count: Int, time: Int64)] {
        var sampler = self
        var found: [(count: Int, time: Int64)] = []
        for wish in wishes {
            let samples = try sampler.segment(at: wish.place, lead: wish.lead).tracks.first?.samples ?? []
            found.append((samples.count, samples.first?.decodeTime ?? -1))
        }
        return found
    }
}

@Suite("Segments of packed audio without time stamps", .timeLimit(.minutes(1)))
struct ContinuedAudioTests {
    /// A tag with a time stamp in ticks of 90 kHz (RFC 8216bis, section 3.4).
    private static func stamp(_ ticks: Int) -> [UInt8] {
        let owner = Array("com.apple.streaming.transportStreamTimestamp".utf8) + [0]
        let head = Array("PRIV".utf8) + [0, 0, 0, UInt8(owner.count + 8), 0, 0]
        let frame = head + owner + ProtectedMovie.number(ticks, 8)
        return Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, UInt8(frame.count)] + frame
    }

    /// Four segments of 4608 ticks of 48 kHz, of which only the first one has a time stamp: ten seconds.
    private static var segments: [[UInt8]] {
        (0..<4).map { (index: Int) -> [UInt8] in
            (index == 0 ? stamp(900_000) : []) + MadePackets.frames(seed: index + 1)
        }
    }

    @Test("are read behind as many segments as are wanted, and begin at zero behind none")
    func lead() async throws {
        try await FilmFixture.run(segments: Self.segments, "ac3") { film async throws in
            let cases: [(place: Int, lead: Int, time: Int64)] = [
                (0, 1, 480_000), (1, 1, 484_608), (1, 0, 0), (2, 1, 4608), (2, 2, 489_216), (3, 0, 0),
                (3, 1, 4608), (3, 2, 9216), (3, 3, 493_824), (3, 4, 493_824), (3, .max, 493_824),
            ]
            for (place, lead, time) in cases {
                let found = try film.sampler.read([(place, lead)])
                #expect(found.map(\.time) == [time] && found.map(\.count) == [3], "\(place) by \(lead)")
            }
        }
    }

    @Test("continue the segment that was read before, unless another one follows that or it was forgotten")
    func sequence() async throws {
        try await FilmFixture.run(segments: Self.segments, "ac3") { film async throws in
            let cases: [([Wish], [Int64])] = [
                ([(0, 0), (1, 0), (2, 0), (3, 0)], [480_000, 484_608, 489_216, 493_824]),
                ([(2, 2), (3, 0)], [489_216, 493_824]), ([(0, 0), (2, 0)], [480_000, 0]),
                ([(0, 0), (2, 1)], [480_000, 4608]), ([(1, 1), (1, 1)], [484_608, 484_608]),
                ([(2, 2), (0, 0)], [489_216, 480_000]),
            ]
            for (wishes, times) in cases {
                #expect(try film.sampler.read(wishes).map(\.time) == times, "\(wishes)")
            }
            var sampler = try film.sampler
            _ = try sampler.segment(at: 0)
            sampler.forget()
            #expect(try sampler.read([(1, 0)]).map(\.time) == [0])
        }
    }

    @Test("are not read behind a segment that is missing, nor behind those before it")
    func missing() async throws {
        try await FilmFixture.run(segments: Self.segments, "ac3") { film async throws in
            let cases: [(missing: Int, place: Int, time: Int64)] = [
                (0, 1, 0), (0, 2, 4608), (1, 2, 0), (1, 3, 4608), (2, 3, 0), (3, 2, 489_216),
            ]
            for (missing, place, time) in cases {
                var sampler = try film.sampler
                sampler.isThere = { $0 != missing }
                #expect(try sampler.read([(place, 8)]).map(\.time) == [time], "\(place) without \(missing)")
            }
        }
    }

    @Test("are not read behind a segment before a discontinuity")
    func discontinuity() async throws {
        let tags = [2: "#EXT-X-DISCONTINUITY\n"]
        try await FilmFixture.run(segments: Self.segments, "ac3", tags: tags) { film async throws in
            let cases: [([Wish], [Int64])] = [
                ([(1, 8)], [484_608]), ([(2, 8)], [0]), ([(3, 8)], [4608]),
                ([(0, 0), (1, 0), (2, 0), (3, 0)], [480_000, 484_608, 0, 4608]),
            ]
            for (wishes, times) in cases {
                #expect(try film.sampler.read(wishes).map(\.time) == times, "\(wishes)")
            }
        }
    }

    @Test("have a clock of 33 bits, which is near the time that the first of them is expected at")
    func clock() async throws {
        try await FilmFixture.run(segments: Self.segments, "ac3") { film async throws in
            var sampler = try film.sampler
            sampler.near = { $0 == 0 ? 15 << 33 : nil }
            let late = Int64(1) << 36
            #expect(try sampler.read([(1, 1)]).map(\.time) == [late + 484_608])
            #expect(try sampler.read([(1, 0)]).map(\.time) == [0])
            let segment = try sampler.segment(at: 0)
            #expect(segment.wraps && segment.index.wraps && segment.clearSize == Self.segments[0].count)
        }
    }
}

@Suite("Segments of a transport stream that end within a frame", .timeLimit(.minutes(1)))
struct CutSegmentTests {
    private static let headers = [[UInt8]](repeating: MadePackets.stereo, count: 3)
    /// Three segments of three frames; the last frames of the first two end in the next segment.
    private static let segments = MadePackets.sound(headers, cut: 3)

    @Test("give that frame to the next segment, which is read behind as many as are wanted")
    func lead() async throws {
        try await FilmFixture.run(segments: Self.segments, "ts") { film async throws in
            let cases: [([Wish], [Int], [Int64])] = [
                ([(0, 1), (1, 0), (2, 0)], [2, 3, 4], [480_000, 483_072, 487_680]),
                ([(1, 1)], [3], [483_072]), ([(1, 0)], [2], [484_608]), ([(2, 1)], [4], [487_680]),
                ([(2, 8)], [4], [487_680]), ([(2, 0)], [3], [489_216]),
                ([(0, 1), (2, 1)], [2, 4], [480_000, 487_680]),
                ([(0, 1), (2, 0)], [2, 3], [480_000, 489_216]),
                ([(2, 1), (2, 1)], [4, 4], [487_680, 487_680]),
                ([(2, 1), (0, 1)], [4, 2], [487_680, 480_000]),
            ]
            for (wishes, counts, times) in cases {
                let found = try film.sampler.read(wishes)
                #expect(found.map(\.count) == counts && found.map(\.time) == times, "\(wishes)")
            }
            var sampler = try film.sampler
            for place in 0..<3 {
                let segment = try sampler.segment(at: place)
                #expect(segment.wraps && segment.clearSize == Self.segments[place].count)
            }
        }
    }

    @Test("give it to no segment behind a discontinuity, and to none if they are missing")
    func alone() async throws {
        let tags = [2: "#EXT-X-DISCONTINUITY\n"]
        try await FilmFixture.run(segments: Self.segments, "ts", tags: tags) { film async throws in
            let found = try film.sampler.read([(0, 1), (1, 1), (2, 8)])
            #expect(found.map(\.count) == [2, 3, 3])
            #expect(found.map(\.time) == [480_000, 483_072, 489_216])
        }
        try await FilmFixture.run(segments: Self.segments, "ts") { film async throws in
            for (missing, count) in [(0, 4), (1, 3)] {
                var sampler = try film.sampler
                sampler.isThere = { $0 != missing }
                #expect(try sampler.read([(2, 8)]).map(\.count) == [count])
            }
        }
    }

    @Test("tell that their sound is described in another way than at the end of the segment before")
    func changes() async throws {
        let (stereo, mono) = (MadePackets.stereo, MadePackets.mono)
        let segments = MadePackets.sound([stereo, stereo, mono, mono])
        try await FilmFixture.run(segments: segments, "ts") { film async throws in
            let cases: [([Wish], [Set<Int>])] = [
                ([(0, 1), (1, 1), (2, 1), (3, 1)], [[], [], [256], []]), ([(2, 1)], [[256]]),
                ([(2, 0), (3, 0)], [[], []]), ([(3, 1)], [[]]), ([(0, 1), (2, 0)], [[], []]),
            ]
            for (wishes, changes) in cases {
                var sampler = try film.sampler
                for (wish, changed) in zip(wishes, changes) {
                    let segment = try sampler.segment(at: wish.place, lead: wish.lead)
                    #expect(segment.changed == changed, "\(wish) in \(wishes)")
                }
            }
        }
    }
}
