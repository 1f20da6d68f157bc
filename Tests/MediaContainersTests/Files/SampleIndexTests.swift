import MediaContainers
import TestSupport
import Testing

@Suite("An index of samples")
struct SampleIndexTests {
    @Test("is read as it was written, and takes five bytes a sample at most")
    func coding() throws {
        let index = MadeMedia.index(
            [MadeMedia.pictures(from: 1 << 40), MadeMedia.sound(from: -2048)], wraps: true)
        #expect(try SampleIndex(decoding: index.encoded) == index)
        #expect(index.encoded.count < 5 * (50 + 94) + 400)
    }

    @Test("keeps edits, languages and gaps between samples")
    func edits() throws {
        var index = MadeMedia.index([MadeMedia.sound()])
        index.tracks[0].presentationStart = 1024
        index.tracks[0].delay = -5
        index.tracks[0].samples[3].decodeTime += 77
        index.tracks[0].samples[4].presentationOffset = .min
        #expect(try SampleIndex(decoding: index.encoded) == index)
    }

    @Test("is refused when it is cut, longer, or of another version")
    func damaged() {
        let bytes = MadeMedia.index([MadeMedia.sound(count: 5)]).encoded
        for length in bytes.indices {
            #expect(throws: SampleError.self) { try SampleIndex(decoding: Array(bytes.prefix(length))) }
        }
        #expect(throws: SampleError.self) { try SampleIndex(decoding: bytes + [0]) }
        #expect(throws: SampleError.self) {
            try SampleIndex(decoding: [SampleIndex.version + 1] + bytes.dropFirst())
        }
    }

    @Test("tells when its samples are presented, without those that only prepare the decoder")
    func presentation() {
        var track = MadeMedia.index([MadeMedia.sound()]).tracks[0]
        track.presentationStart = 1024
        #expect(track.presentation?.start == 0)
        track.delay = 48_000
        #expect(track.presentation?.start == 1)
    }
}

@Suite("A timeline of segments")
struct MovieTimelineTests {
    private static func piece(
        _ stream: Int = 0, _ discontinuity: Int = 0, at place: Double, from start: Double, to end: Double,
        wraps: Bool = false
    ) -> MovieTimeline.Piece {
        MovieTimeline.Piece(
            stream: stream, discontinuity: discontinuity, place: place, duration: 2, start: start, end: end,
            wraps: wraps)
    }

    @Test("begins at 0 and keeps the distance between separate sound and its pictures")
    func streams() {
        let line = MovieTimeline([
            Self.piece(0, at: 0, from: 10, to: 12), Self.piece(1, at: 0, from: 10.02, to: 12.05),
        ])
        #expect(line.shifts == [-10, -10])
        #expect(abs(line.end - 2.05) < 1e-9)
    }

    @Test("begins a discontinuity at the real end of the one before")
    func discontinuities() {
        let line = MovieTimeline([
            Self.piece(0, 0, at: 0, from: 0, to: 1.9), Self.piece(1, 0, at: 0, from: 0, to: 2.01),
            Self.piece(0, 1, at: 2, from: 500.1, to: 502), Self.piece(1, 1, at: 2, from: 500, to: 502),
        ])
        #expect(line.shifts[0] == 0)
        #expect(abs(line.shifts[2] - (2.01 - 500)) < 1e-9)
        #expect(line.shifts[2] == line.shifts[3])
    }

    @Test("goes on where a clock of 33 bits begins anew")
    func wraps() {
        let period = Double(1 << 33) / 90_000
        let line = MovieTimeline([
            Self.piece(0, at: 0, from: period - 1, to: period + 1, wraps: true),
            Self.piece(0, at: 2, from: 1, to: 3, wraps: true),
            Self.piece(1, at: 0, from: period - 1, to: period + 0.9, wraps: true),
            Self.piece(1, at: 2, from: 0.9, to: 3, wraps: true),
        ])
        #expect(abs(line.shifts[1] - line.shifts[0] - period) < 1e-6)
        #expect(abs(line.shifts[3] - line.shifts[0] - period) < 1e-6)
        #expect(abs(line.end - 4) < 1e-6)
    }

    @Test("takes the playlist's word where a clock was set anew without saying so")
    func reset() {
        let line = MovieTimeline([
            Self.piece(at: 0, from: 0, to: 2), Self.piece(at: 2, from: 2, to: 4),
            Self.piece(at: 4, from: 0, to: 2),
            Self.piece(at: 6, from: 0, to: 2),
        ])
        // Within ten seconds a clock is believed.
        #expect(line.shifts == [0, 0, 0, 0])
        let far = MovieTimeline([
            Self.piece(at: 100, from: 100, to: 102), Self.piece(at: 102, from: 0, to: 2),
        ])
        #expect(far.shifts == [-100, 2])
    }
}
