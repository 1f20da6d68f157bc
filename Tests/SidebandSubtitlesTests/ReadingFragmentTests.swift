import Testing

@testable import SidebandSubtitles

@Suite("A reader of boxes")
struct ReadingBoxTests {
    @Test("passes bytes up to the end, and stays where it is if there are fewer")
    func skipping() {
        var reader = BoxReader([1, 2, 3])
        let steps = [reader.skip(4), reader.skip(-1), reader.skip(0), reader.skip(1)]
        #expect(steps == [false, false, true, true])
        let number = reader.number(2)
        #expect(number == 0x0203)
        let end = [reader.skip(1), reader.skip(0)]
        #expect(end == [false, true])
        let none = reader.number(1)
        #expect(none == nil)
        #expect(reader.rest.isEmpty)
    }
}

@Suite("Samples of a track")
struct ReadingSampleTests {
    private static let zero = [UInt8](repeating: 0, count: 4)

    /// A fragment of a track, at the beginning of a segment.
    private static func fragment(_ header: [UInt8], _ runs: [[UInt8]]) -> [UInt8] {
        let content = Movie.box("tfhd", header) + runs.flatMap { Movie.box("trun", $0) }
        return Movie.box("moof", Movie.box("traf", content))
    }

    /// A video track and one of sound, with a duration and a size that their fragments leave out.
    private static var tracks: [MovieTrack] {
        func track(_ id: Int) -> [UInt8] {
            let header = Movie.box("tkhd", zero, zero, zero, Movie.number(id))
            return Movie.box("trak", header, Movie.box("mdia", Movie.box("mdhd", zero, zero, zero, zero)))
        }
        func values(_ id: Int, _ duration: Int, _ size: Int) -> [UInt8] {
            Movie.box(
                "trex", zero, Movie.number(id), zero, Movie.number(duration), Movie.number(size), zero)
        }
        let extended = Movie.box("mvex", values(1, 10, 100), values(2, 20, 200))
        return MovieTrack.all(in: Movie.box("moov", track(1), track(2), extended))
    }

    @Test(
        "have the duration and size of their own track, unless their fragment says otherwise",
        arguments: [
            ([0, 2, 0, 0], 1, [], [10, 100]), ([0, 2, 0, 0], 2, [], [20, 200]),
            ([0, 2, 0, 0], 3, [], [0, 0]),
            ([0, 2, 0, 8], 2, [7], [7, 200]), ([0, 2, 0, 0x10], 2, [9], [20, 9]),
            ([0, 2, 0, 0x18], 2, [7, 9], [7, 9]), ([0, 2, 0, 0x1A], 2, [1, 7, 9], [7, 9]),
        ] as [([UInt8], Int, [Int], [Int])])
    func defaults(flags: [UInt8], track: Int, values: [Int], expected: [Int]) {
        let header = flags + Movie.number(track) + values.flatMap { Movie.number($0) }
        let run = [0, 0, 0, 1] + Movie.number(2) + Movie.number(50)
        var fragments = MovieFragments(Self.tracks)
        let found = fragments.all(in: Self.fragment(header, [run]))
        #expect(found.map(\.track) == [UInt64(track)])
        let samples = found.flatMap(\.samples)
        let (duration, size) = (expected[0], expected[1])
        #expect(samples.map(\.duration) == [duration, duration])
        #expect(samples.map(\.decodeTime) == [0, duration])
        let middle = 50 + size
        #expect(samples.map(\.range) == [50..<middle, middle..<middle + size])
    }

    @Test(
        "end where their list is cut off; lists behind it are not read",
        arguments: [
            // A whole list with a size, flags of the first sample, or flags of each sample.
            ([0, 0, 2, 0, 0, 0, 0, 1, 0, 0, 0, 3], [3, 5]),
            ([0, 0, 2, 4, 0, 0, 0, 1, 9, 9, 9, 9, 0, 0, 0, 3], [3, 5]),
            ([0, 0, 6, 0, 0, 0, 0, 1, 0, 0, 0, 3, 9, 9, 9, 9], [3, 5]),
            // Without a sample.
            ([0, 0, 2, 0, 0, 0, 0, 0], [5]),
            // Cut off: version, count, offset, the second size, the flags of a sample.
            ([0, 0, 2], []), ([0, 0, 2, 0], []), ([0, 0, 2, 1, 0, 0, 0, 1], []),
            ([0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 3], [3]), ([0, 0, 6, 0, 0, 0, 0, 1, 0, 0, 0, 3, 9], []),
        ] as [([UInt8], [Int])])
    func cut(list: [UInt8], sizes: [Int]) {
        let whole = [0, 0, 2, 0] + Movie.number(1) + Movie.number(5)
        var fragments = MovieFragments(Self.tracks)
        let found = fragments.all(in: Self.fragment([0, 2, 0, 0] + Movie.number(1), [list, whole]))
        #expect(found.map { $0.samples.map(\.range.count) } == [sizes])
    }

    @Test("are so many of a segment that a short list cannot claim more")
    func limit() {
        let counts = [MovieFragments.sampleLimit - 1, 5]
        let runs = counts.map { Self.zero + Movie.number($0) }
        var fragments = MovieFragments(Self.tracks)
        let found = fragments.all(in: Self.fragment([0, 2, 0, 0] + Movie.number(1), runs))
        #expect(found.map(\.samples.count) == [MovieFragments.sampleLimit])
    }
}
