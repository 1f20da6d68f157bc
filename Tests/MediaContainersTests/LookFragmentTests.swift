import TestSupport
import Testing

@testable import MediaContainers

@Suite("Numbers that are read one after the other")
struct LookNumberTests {
    @Test("end with their range, though more bytes follow")
    func range() {
        var reader = NumberReader([1, 2, 3, 4, 5], 1..<4)
        #expect(reader.left == 3 && reader.isValid)
        let first = reader.next(2)
        #expect(first == 0x0203 && reader.isValid)
        let rest = [reader.next(2), reader.next(1)]
        #expect(rest == [nil, 4])
        #expect(!reader.isValid && reader.left == 0)
    }

    @Test("end with the bytes, though their range goes on")
    func bytes() {
        var reader = NumberReader([1, 2, 3], 1..<9)
        #expect(reader.left == 2)
        let numbers = [reader.next(3), reader.next(2)]
        #expect(numbers == [nil, 0x0203])
    }

    @Test("are skipped as far as there are any")
    func skipping() {
        var reader = NumberReader([1, 2, 3, 4], 0..<4)
        reader.skip(-1)
        reader.skip(3)
        #expect(reader.isValid && reader.left == 1)
        let last = reader.next(1)
        #expect(last == 4)
        reader.skip(1)
        #expect(!reader.isValid && reader.left == 0)
    }
}

@Suite("A look at the boxes of a fragment, at their borders")
struct LookFragmentTests {
    private static let data = SampleMedia.box("mdat", [UInt8](repeating: 0x55, count: 100))
    private static let next = SampleMedia.box("free", [UInt8](repeating: 0, count: 40))

    private func look(_ track: [UInt8]) -> MediaVerdict {
        MediaContainersTests.look(SampleMedia.movieFragment(SampleMedia.box("traf", track)) + Self.data)
    }

    @Test(
        "refuses a track header without a field that its flags name, though another box follows",
        arguments: [(0x1, 2), (0x2, 1), (0x8, 1), (0x10, 1)])
    func header(_ flag: Int, words: Int) {
        func judged(_ count: Int) -> MediaVerdict {
            look(
                SampleMedia.fullBox("tfhd", flags: flag, [Int](repeating: 1, count: 1 + count)) + Self.next)
        }
        #expect(judged(words - 1) == .undecodable(.malformedBox("tfhd")))
        #expect(judged(words) == .media(.mp4))
        let empty = look(SampleMedia.fullBox("tfhd", flags: 0, []) + Self.next)
        #expect(empty == .undecodable(.malformedBox("tfhd")))
    }

    @Test(
        "refuses a run without a field that its flags name, though another box follows",
        arguments: [(0x1, 1), (0x4, 1), (0x5, 2)])
    func run(_ flags: Int, words: Int) {
        let header = SampleMedia.fullBox("tfhd", flags: 0x20010, [1, 5])
        func judged(_ count: Int) -> MediaVerdict {
            let numbers = [1] + [Int](repeating: 0, count: count)
            return look(header + SampleMedia.fullBox("trun", flags: flags, numbers) + Self.next)
        }
        #expect(judged(words - 1) == .undecodable(.malformedBox("trun")))
        #expect(judged(words) == .media(.mp4))
    }

    @Test(
        "takes 1,048,576 samples of a fragment, and not one more",
        arguments: [
            ([1 << 20], true), ([1 << 20 - 1, 1], true), ([1 << 20 + 1], false), ([1 << 20, 1], false),
        ] as [([Int], Bool)])
    func manySamples(_ counts: [Int], isTaken: Bool) {
        let header = SampleMedia.fullBox("tfhd", flags: 0x20010, [1, 0])
        let runs = counts.flatMap { SampleMedia.fullBox("trun", flags: 0, [$0]) }
        let defect = MediaVerdict.undecodable(.malformedBox("trun"))
        #expect(look(header + runs) == (isTaken ? .media(.mp4) : defect))
    }

    @Test(
        "looks at the first three samples of a run, at one in each quarter, and at the last one",
        arguments: [
            (0, []), (1, [0]), (2, [0, 1]), (3, [0, 1, 2]), (4, [0, 1, 2, 3]), (8, [0, 1, 2, 4, 6, 7]),
            (20, [0, 1, 2, 5, 10, 15, 19]),
        ] as [(Int, [Int])])
    func places(_ count: Int, _ places: [Int]) throws {
        let section = SampleMedia.movie([(1, "vide", SampleMedia.avcEntry())])
        let movie = try #require(MovieOutline.read(ArrayBytes(section)))
        let sizes = (0..<count).map { 100 + $0 }
        let own = SampleMedia.movieFragment(SampleMedia.track(1, offset: 1000, runs: [sizes]))
        let probes = try FragmentSamples(own, header: 8, movie).probes
        #expect(probes.map(\.size) == places.map { sizes[$0] })
        #expect(probes.map(\.offset) == places.map { 1000 + sizes.prefix($0).reduce(0, +) })
        let track =
            SampleMedia.fullBox("tfhd", flags: 0x20010, [1, 50])
            + SampleMedia.fullBox("trun", flags: 0x1, [count, 1000])
        let even = SampleMedia.movieFragment(SampleMedia.box("traf", track))
        let others = try FragmentSamples(even, header: 8, movie).probes
        #expect(others.allSatisfy { $0.size == 50 && $0.track == 1 })
        #expect(others.map(\.offset) == places.map { 1000 + 50 * $0 })
    }
}

@Suite("A look at samples, at the borders of what it reads")
struct LookReadTests {
    private func look(_ bytes: [UInt8], _ handler: String, _ entry: [UInt8]) throws -> MediaVerdict {
        let section = SampleMedia.movie([(1, handler, entry)])
        let outline = try #require(MovieOutline.read(ArrayBytes(section)))
        let expectation = MediaExpectation(.segment, start: .movie(outline))
        return MediaLook(expecting: expectation).judge(ArrayBytes(bytes))
    }

    @Test("looks at 512 samples of a segment, and takes the rest on trust", arguments: [511, 512])
    func manySamples(_ count: Int) throws {
        let good = SampleMedia.fragment([[0xFF, 0xF8]])
        var bytes = (0..<count).flatMap { _ in good }
        bytes += SampleMedia.fragment([[1, 2]])
        let verdict = try look(bytes, "soun", SampleMedia.soundEntry("fLaC"))
        #expect(verdict == (count < 512 ? .undecodable(.foreignSamples("FLAC")) : .media(.mp4)))
    }

    @Test("ends after 2048 reads, and what it has not seen is no defect", arguments: [2047, 2048])
    func manyReads(_ count: Int) {
        let good = SampleProbe(track: 1, coding: .flac, offset: 0, size: 2)
        var probes = [SampleProbe](repeating: good, count: count)
        probes.append(SampleProbe(fragment: 1, track: 1, coding: .flac, offset: 2, size: 2))
        var look = SampleLook(ArrayBytes([0xFF, 0xF8, 1, 2]))
        let defect = look.defect(probes)
        #expect(defect == (count < 2048 ? .foreignSamples("FLAC") : nil))
    }

    @Test("judges units of two bytes, and none of one")
    func shortUnits() throws {
        let avc = try look(
            SampleMedia.fragment([[0, 0, 0, 2, 0x65, 0x88]]), "vide", SampleMedia.avcEntry())
        #expect(avc == .media(.mp4))
        let picture = SampleMedia.units([[0x26, 1]])
        // A header of H.265 that no encoder makes, by its first bit.
        let short = try look(
            SampleMedia.fragment([[0, 0, 0, 1, 0xA6] + picture]), "vide", SampleMedia.hevcEntry())
        #expect(short == .media(.mp4))
        let whole = try look(
            SampleMedia.fragment([[0, 0, 0, 2, 0xA6, 1] + picture]), "vide", SampleMedia.hevcEntry())
        #expect(whole == .undecodable(.foreignSamples("H.265")))
    }
}
