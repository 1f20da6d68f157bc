import HLSPlaylist
import ModelTestSupport
import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import MediaDecryption
@testable import StoreFiles
@testable import StoreModel
@testable import StorePlanning

@Suite("A track's samples in a fragment")
struct TrackFragmentTests {
    private func number(_ value: Int, _ count: Int = 4) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    private func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        number(content.count + 8) + Array(type.utf8) + content
    }

    /// - Parameters:
    ///   - header: flags of `tfhd`, and what they announce.
    ///   - runs: flags of each `trun`, how many samples it has, and what follows.
    private func fragment(
        _ header: (Int, [UInt8]), _ runs: [(Int, Int, [UInt8])], start: Int = 1000, end: Int? = nil
    ) -> (fragment: TrackFragment, data: FragmentData) {
        let content =
            box("tfhd", number(header.0) + number(1) + header.1)
            + runs.flatMap { box("trun", number($0.0) + number($0.1) + $0.2) }
        let bytes = box("traf", content)
        let moof = MovieFragmentBytes(bytes: bytes, start: start)
        var data = FragmentData(moof)
        if let end { data.end = end }
        let made = TrackFragment(moof, MP4Box.list(bytes, in: 0..<bytes.count)[0], after: &data)
        return (made, data)
    }

    private func end(
        _ header: (Int, [UInt8]), _ runs: [(Int, Int, [UInt8])], previous: Int? = nil, defaultSize: Int = 7
    ) -> Int? {
        fragment(header, runs, end: previous).fragment.end(defaultSize: defaultSize)
    }

    @Test("have the size that the run tells, else that of the fragment, else that of the track")
    func sizes() {
        #expect(end((0, []), [(0x200, 2, number(5) + number(6))]) == 1011)
        #expect(end((0x10, number(100)), [(0, 3, [])]) == 1300)
        #expect(end((0, []), [(0, 3, [])]) == 1021)
        #expect(end((0x10, number(100)), [(0x200, 1, number(5))]) == 1005)
    }

    @Test("are found after any optional fields before their sizes")
    func fields() {
        let header = (0x2 | 0x8 | 0x10 | 0x20, number(1) + number(99) + number(100) + number(0))
        #expect(end(header, [(0, 1, [])]) == 1100)
        let flags = 0x1 | 0x4 | 0x100 | 0x200 | 0x400 | 0x800
        let sample = number(9) + number(50) + number(9) + number(9)
        #expect(end((0, []), [(flags, 2, number(30) + number(9) + sample + sample)]) == 1130)
    }

    @Test("of a second run follow those of the first, unless it has an offset of its own")
    func runs() {
        #expect(end((0, []), [(0, 1, []), (0, 2, [])]) == 1021)
        #expect(end((0, []), [(0, 1, []), (1, 1, number(500))]) == 1507)
        #expect(end((0, []), []) == 1000)
        #expect(end((0, []), [(0x200, 2, number(0) + number(5))]) == 1005)
    }

    @Test("lie where the fragment begins, or behind the track before, or where an offset of the file leads")
    func bases() {
        #expect(end((0x20000, []), [(0, 1, [])], previous: 5000) == 1007)
        #expect(end((0, []), [(0, 1, [])], previous: 5000) == 5007)
        #expect(end((1, number(1 << 33, 8)), [(0, 1, [])], previous: 5000) == 1007)
    }

    @Test("of several tracks keep their distances in the origin's file, if these are plausible")
    func distances() {
        let moof = MovieFragmentBytes(bytes: [], start: 1000)
        var data = FragmentData(moof)
        #expect(data.place(ofOffset: 500, in: moof) == 1000 && data.place(ofOffset: 700, in: moof) == 1200)
        #expect(data.place(ofOffset: 500 + 1 << 40, in: moof) == 1000 + 1 << 40)
        #expect(data.place(ofOffset: 501 + 1 << 40, in: moof) == nil)
        #expect(data.place(ofOffset: .min, in: moof) == nil)
    }

    @Test("are refused when a run is cut off, begins before the fragment, or is too long")
    func limits() {
        #expect(end((0, []), [(0x200, 2, number(5))]) == nil)
        #expect(end((0, []), [(1, 1, number(-1001))]) == nil && end((0, []), [(1, 1, number(-1000))]) == 7)
        #expect(end((0, []), [(0, 100_000, [])]) == 701_000 && end((0, []), [(0, 100_001, [])]) == nil)
        #expect(end((0, []), [(0, 60_000, []), (0, 40_001, [])]) == nil)
        #expect(end((0, []), [(0, 60_000, []), (0, 40_000, [])]) == 701_000)
    }

    @Test("are refused when the end of the track before is unknown or its offset is invalid")
    func unplaced() {
        let moof = MovieFragmentBytes(bytes: [], start: 1000)
        var data = FragmentData(moof)
        #expect(data.place(ofOffset: 0, in: moof) == 1000)
        let header = box("tfhd", number(1) + number(1) + number(1 << 41, 8))
        let bytes = box("traf", header + box("trun", number(0) + number(1)))
        let far = MovieFragmentBytes(bytes: bytes, start: 1000)
        let track = TrackFragment(far, MP4Box.list(bytes, in: 0..<bytes.count)[0], after: &data)
        #expect(track.end(defaultSize: 7) == nil)
        #expect(throws: StoreError.self) { try track.parts(TrackEncryption(entries: [.none])) }
    }
}

@Suite("The encrypted blocks of a range")
struct BlockPatternTests {
    @Test("are whole ones, and the last one is left where that was said")
    func borders() {
        func places(_ count: Int, _ crypt: Int, _ skip: Int, keepsLast: Bool = false) -> [Range<Int>] {
            BlockPattern.places(100..<100 + count, crypt: crypt, skip: skip, keepsLast: keepsLast)
        }
        #expect(places(15, 1, 0) == [] && places(16, 1, 0) == [100..<116] && places(47, 1, 0) == [100..<132])
        #expect(places(16, 1, 0, keepsLast: true) == [] && places(17, 1, 0, keepsLast: true) == [100..<116])
        #expect(places(32, 1, 0, keepsLast: true) == [100..<116])
        #expect(places(16, 1, 9) == [100..<116] && places(175, 1, 9) == [100..<116])
        #expect(places(176, 1, 9) == [100..<116, 260..<276])
        #expect(places(176, 1, 9, keepsLast: true) == [100..<116])
        #expect(places(40, 5, 5) == [100..<132])
    }

    @Test("without a pattern count as wholly encrypted, also if the numbers differ")
    func extent() {
        #expect(BlockPattern.extent(5..<52, crypt: 0, skip: 0) == (32, 37))
        #expect(BlockPattern.extent(5..<20, crypt: 1, skip: 0) == (0, 5))
    }
}

@Suite("How the parts of a rendition are encrypted")
struct DecryptionPlanTests {
    private func plan(_ text: String) throws -> DecryptionPlan {
        let playlist = try Playlists.parsedMedia(
            "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:5\n\(text)#EXT-X-ENDLIST\n"
        )
        return DecryptionPlan(playlist, keys: ServedKeys([], base: URIReference("")))
    }

    private let segment = "#EXTINF:4,\na.ts\n"

    @Test("is known of the segments and sections that the playlist has, and of no later one")
    func reach() throws {
        let plan = try plan("#EXT-X-MAP:URI=\"m\"\n\(segment)\(segment)")
        #expect(plan.reaches(.segment(6)) && !plan.reaches(.segment(7)) && !plan.hasKeys)
        #expect(plan.reaches(.initialization(0)) && !plan.reaches(.initialization(1)))
        #expect(plan.section(ofSegment: 5) == 0 && plan.section(ofSegment: 7) == nil)
        #expect(
            plan.part(.segment(5)) == nil && plan.part(.initialization(0)) == nil
                && plan.part(.initialization(1)) == nil)
    }

    @Test("is taken from the first key with a method; NONE means unencrypted")
    func methods() throws {
        let key = "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\",IV=0x00000000000000000000000000000001\n"
        let plan = try plan("\(segment)\(key)\(segment)#EXT-X-KEY:METHOD=NONE\n\(segment)")
        #expect(plan.hasKeys && plan.part(.segment(5)) == nil && plan.part(.segment(7)) == nil)
        let part = try #require(plan.part(.segment(6)))
        #expect(
            part.method == .sampleAES && part.keyID == nil
                && part.iv == [UInt8](repeating: 0, count: 15) + [1])
    }
}

@Suite("The bytes of a stored file")
struct FileBytesTests {
    @Test("are there from its first to its last, and no others")
    func borders() throws {
        let folder = try TemporaryDirectory()
        let bytes = FileBytes(file: try OpenedFile(FilePath(try folder.write([1, 2, 3], to: "a"))))
        #expect(bytes.count == 3)
        #expect(try bytes.read(at: 1, count: 9) == [2, 3] && bytes.read(at: 0, count: 2) == [1, 2])
        #expect(try bytes.read(at: 3, count: 1) == [] && bytes.read(at: -1, count: 1) == [])
    }
}
