import TestSupport
import Testing

@testable import MediaDecryption
@testable import StoreModel

@Suite("The encrypted parts of a track's samples")
struct SamplePartTests {
    private static let identifiers = (0..<3).map { OriginResource.pattern(16, seed: UInt64(100 + $0)) }
    private static let vectors = (0..<4).map { OriginResource.pattern(8, seed: UInt64(110 + $0)) }

    private func number(_ value: Int, _ count: Int = 4) -> [UInt8] { ProtectedMovie.number(value, count) }

    private func box(_ type: String, _ content: [UInt8]) -> [UInt8] { ProtectedMovie.box(type, content) }

    /// The encryption with one of the keys, and a vector for each sample.
    private func encryption(_ key: Int) -> SampleEncryption {
        SampleEncryption(
            scheme: .cenc, cryptBlocks: 0, skipBlocks: 0, ivSize: 8, keyID: Self.identifiers[key],
            constantIV: [])
    }

    /// A track's fragment with these boxes and so many samples of 40 bytes each, which begin at byte 1000.
    private func fragment(_ count: Int, _ more: [UInt8]...) -> TrackFragment {
        let header = box("tfhd", number(0x20000) + number(1))
        let run = box("trun", number(0x200) + number(count) + (0..<count).flatMap { _ in number(40) })
        let bytes = box("traf", header + run + more.flatMap(\.self))
        let moof = MovieFragmentBytes(bytes: bytes, start: 1000)
        var data = FragmentData(moof)
        return TrackFragment(moof, MP4Box.list(bytes, in: 0..<bytes.count)[0], after: &data)
    }

    /// A list of vectors for so many samples.
    private func list(_ count: Int) -> [UInt8] {
        box("senc", number(0) + number(count) + Self.vectors.prefix(count).flatMap(\.self))
    }

    /// Runs of samples with the numbers of their groups.
    private func groups(_ runs: [(Int, Int)]) -> [UInt8] {
        box(
            "sbgp",
            number(0) + Array("seig".utf8) + number(runs.count)
                + runs.flatMap { number($0.0) + number($0.1) })
    }

    @Test("are whole samples, each with its vector; a list of more or fewer vectors is refused")
    func vectors() throws {
        let track = TrackEncryption(entries: [encryption(0)])
        let parts = try fragment(2, list(2)).parts(track)
        #expect(parts.map(\.range) == [1000..<1040, 1040..<1080])
        #expect(parts.map(\.iv) == [Self.vectors[0], Self.vectors[1]])
        for count in [0, 1, 3] {
            #expect(throws: StoreError.self) { try fragment(2, list(count)).parts(track) }
        }
    }

    @Test("need no list of vectors if the track has a constant one, or if the samples are clear")
    func constant() throws {
        var sample = encryption(0)
        #expect(throws: StoreError.self) { try fragment(2).parts(TrackEncryption(entries: [sample])) }
        (sample.ivSize, sample.constantIV) = (0, Self.vectors[3])
        let parts = try fragment(2).parts(TrackEncryption(entries: [sample]))
        #expect(parts.map(\.range) == [1000..<1040, 1040..<1080])
        #expect(parts.map(\.iv) == [Self.vectors[3], Self.vectors[3]])
        #expect(try fragment(2).parts(TrackEncryption(entries: [.none])).isEmpty)
    }

    @Test("have the keys of their groups, which the movie describes")
    func movieGroups() throws {
        let track = TrackEncryption(entries: [encryption(0)], groups: [encryption(1), encryption(2)])
        let cases =
            [
                ([], [0, 0, 0]), ([(1, 1), (1, 2)], [1, 2, 0]), ([(1, 0), (2, 2)], [0, 2, 2]),
                ([(3, 1)], [1, 1, 1]), ([(1, 2), (0, 1), (2, 1)], [2, 1, 1]),
            ] as [([(Int, Int)], [Int])]
        for (runs, keys) in cases {
            let parts = try fragment(3, list(3), groups(runs)).parts(track)
            #expect(parts.map(\.sample.keyID) == keys.map { Self.identifiers[$0] }, "\(runs)")
        }
    }

    @Test(
        "are refused in a group that nothing describes, and in groups of more samples than there are",
        arguments: [
            [(1, 3)], [(3, 0), (1, 3)], [(1, 0x10001)], [(1, 0x10000)], [(4, 1)], [(4, 0)], [(2, 1), (2, 2)],
        ] as [[(Int, Int)]])
    func strayGroups(runs: [(Int, Int)]) {
        let track = TrackEncryption(entries: [encryption(0)], groups: [encryption(1), encryption(2)])
        #expect(throws: StoreError.self) { try fragment(3, list(3), groups(runs)).parts(track) }
    }
}

@Suite("Vectors of samples at another place of the fragment")
struct AuxiliaryPlaceTests {
    private static let vectors = (0..<2).map { OriginResource.pattern(8, seed: UInt64(120 + $0)) }

    private func number(_ value: Int, _ count: Int = 4) -> [UInt8] { ProtectedMovie.number(value, count) }

    private func box(_ type: String, _ content: [UInt8]) -> [UInt8] { ProtectedMovie.box(type, content) }

    /// The first sample has a vector only, and the second one also a range of 20 bytes behind 5 clear ones.
    private var entries: [UInt8] {
        Self.vectors[0] + Self.vectors[1] + number(1, 2) + number(5, 2) + number(20)
    }

    /// The parts of two samples of 40 bytes each, which begin at byte 1000.
    ///
    /// - Parameters:
    ///   - sizes: the content of `saiz` behind its version: the usual size, the count and the sizes.
    ///   - place: makes the content of `saio` of the place where the vectors are.
    private func parts(_ sizes: [UInt8], _ place: (Int) -> [UInt8]) throws -> [ProtectedPart] {
        let header = box("tfhd", number(0x20000) + number(1))
        let run = box("trun", number(0x200) + number(2) + number(40) + number(40))
        let lengths = box("saiz", number(0) + sizes)
        let head = header + run + lengths
        // The vectors stand behind the headers of `traf` and `free`, and behind the boxes between these.
        let offset = 8 + head.count + box("saio", place(0)).count + 8
        let bytes = box("traf", head + box("saio", place(offset)) + box("free", entries))
        let moof = MovieFragmentBytes(bytes: bytes, start: 1000)
        var data = FragmentData(moof)
        let fragment = TrackFragment(moof, MP4Box.list(bytes, in: 0..<bytes.count)[0], after: &data)
        let sample = SampleEncryption(
            scheme: .cenc, cryptBlocks: 0, skipBlocks: 0, ivSize: 8,
            keyID: OriginResource.pattern(16, seed: 122), constantIV: [])
        return try fragment.parts(TrackEncryption(entries: [sample]))
    }

    private var sizes: [UInt8] { [0] + number(2) + [8, 16] }

    private func usual(_ place: Int) -> [UInt8] { number(0) + number(1) + number(place) }

    @Test("are read by the size that each sample has, at a place of four or eight bytes")
    func sized() throws {
        for isLong in [false, true] {
            let parts = try parts(sizes) { place in
                isLong ? [1, 0, 0, 0] + number(1) + number(place, 8) : usual(place)
            }
            #expect(parts.map(\.range) == [1000..<1040, 1045..<1065])
            #expect(parts.map(\.iv) == Self.vectors)
        }
    }

    @Test("are refused if sizes are missing, or are those of another number of samples")
    func wrongSizes() {
        let cases: [[UInt8]] = [
            [0] + number(2) + [8], [0] + number(2), [0] + number(1) + [8], [0] + number(3) + [8, 16, 8],
        ]
        for sizes in cases {
            #expect(throws: StoreError.self) { try parts(sizes, usual) }
        }
    }

    @Test("are refused outside of the fragment, and at several places")
    func wrongPlaces() {
        for distance in [1000, 1 << 31] {
            #expect(throws: StoreError.self) { try parts(sizes) { usual($0 + distance) } }
        }
        // Its last byte, and the one behind it.
        for distance in [entries.count - 1, entries.count] {
            #expect(throws: StoreError.self) { try parts(sizes) { usual($0 + distance) } }
        }
        #expect(throws: StoreError.self) {
            try parts(sizes) { _ in [1, 0, 0, 0] + number(1) + number(-1, 8) }
        }
        #expect(throws: StoreError.self) {
            try parts(sizes) { number(0) + number(2) + number($0) + number($0) }
        }
    }
}

@Suite("What a movie says of its encrypted tracks")
struct MovieTrackTests {
    private static let identifiers = (0..<2).map { OriginResource.pattern(16, seed: UInt64(130 + $0)) }

    private func entry(_ scheme: String, _ key: Int) -> [UInt8] {
        ProtectedMovie.entry(ProtectedMovie.protection(scheme, Self.identifiers[key]))
    }

    /// The defaults for the fragments of a track: its sample entry, and the size of its samples.
    private func defaults(_ track: Int, entry: Int, size: Int) -> [UInt8] {
        SampleMedia.fullBox("trex", flags: 0, [track, entry, 0, size, 0])
    }

    @Test("are the defaults for its fragments, by the number of the track")
    func fragments() throws {
        let entries = [entry("cenc", 0), entry("cenc", 1)]
        let plain = ProtectedMovie.initialization([entries, entries, entries])
        let movie = try #require(MP4Box.find(["moov"], plain, in: 0..<plain.count))
        let extends = ProtectedMovie.box(
            "mvex", defaults(2, entry: 1, size: 70) + defaults(1, entry: 2, size: 50))
        let tracks = try TrackEncryption.tracks(
            ofInitialization: ProtectedMovie.box("moov", Array(plain[movie.content]) + extends))
        let found = (1...3).map { [tracks[$0]?.defaultEntry, tracks[$0]?.defaultSampleSize] }
        #expect(found == [[2, 50], [1, 70], [1, 0]])
        #expect(tracks[1]?.sample(ofEntry: nil)?.keyID == Self.identifiers[1])
        #expect(tracks[1]?.sample(ofEntry: 1)?.keyID == Self.identifiers[0])
    }

    @Test("may be that some of its samples are clear: these need no key")
    func clearEntries() throws {
        let section = ProtectedMovie.initialization([[SampleMedia.avcEntry(), entry("cbcs", 0)]])
        let track = try #require(try TrackEncryption.tracks(ofInitialization: section)[1])
        #expect(track.entries.map(\.isProtected) == [false, true])
        #expect(track.keyIDs == [Self.identifiers[0]] && track.scheme == .cbcs)
    }
}
