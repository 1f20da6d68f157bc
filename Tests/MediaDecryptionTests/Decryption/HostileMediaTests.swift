import Testing

@testable import MediaDecryption
@testable import StoreModel

/// Media that an origin made up. What they say of themselves is not believed.
@Suite("Encrypted media that make no sense")
struct HostileMediaTests {
    private static let sample = SampleEncryption(
        scheme: .cbc1, cryptBlocks: 0, skipBlocks: 0, ivSize: 16, keyID: [UInt8](0..<16), constantIV: [])

    private func number(_ value: Int, _ count: Int = 4) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    private func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        number(content.count + 8) + Array(type.utf8) + content
    }

    /// Reads a fragment whose track is number 1.
    private func read(_ tracks: [[UInt8]], then media: [UInt8] = []) throws -> [UInt8] {
        let cipher = try ContentCipher([UInt8](0..<16))
        var reader = FragmentReader(tracks: [1: TrackEncryption(entries: [Self.sample])]) { _ in cipher }
        return try reader.all(of: box("moof", tracks.flatMap { box("traf", $0) }) + box("mdat", media))
    }

    private var header: [UInt8] { box("tfhd", number(0) + number(1)) }

    @Test("are refused with more samples than a fragment has, or more tracks than a file")
    func counts() throws {
        let run = box("trun", number(0) + number(60_000))
        #expect(throws: StoreError.self) { try read([header + run + run]) }
        let tracks = [[UInt8]](repeating: header, count: 65)
        #expect(throws: StoreError.self) { try read(tracks) }
    }

    @Test("are no reason to look at gigabytes that are not there")
    func sizes() throws {
        let run = box("trun", number(0x200) + number(1) + number(0xFFFF_FF00))
        let vectors = number(2) + number(1) + [UInt8](0..<16)
        let part = number(0, 2) + number(0xFFFF_FF00)
        let auxiliary = box("senc", vectors + number(1, 2) + part)
        let clear = try? read([header + run + auxiliary], then: [UInt8](repeating: 1, count: 64))
        #expect((clear?.count ?? 0) < 1000)
    }

    @Test("may have samples that overlap, and give an error or as many bytes")
    func overlaps() throws {
        for (first, second) in [(0, 0), (64, 32), (32, 64), (200, 0)] {
            let runs = [first, second].flatMap {
                box("trun", number(0x201) + number(1) + number($0) + number(48))
            }
            let parts = number(2, 2) + number(0, 2) + number(16) + number(0, 2) + number(32)
            let vectors =
                number(2) + number(2) + [[UInt8](0..<16) + parts, [UInt8](0..<16) + parts].flatMap { $0 }
            let tracks = [header + runs + box("senc", vectors)]
            let count = box("moof", tracks.flatMap { box("traf", $0) }).count + 8 + 300
            let clear = try? read(tracks, then: [UInt8](repeating: 9, count: 300))
            #expect(clear == nil || clear?.count == count)
        }
    }

    @Test(
        "keep the length of an initialization section of any format", arguments: [0, 3, 5, 900])
    func formats(count: Int) {
        let protection = box("sinf", box("frma", [UInt8](repeating: 65, count: count)))
        let entry = box("encv", [UInt8](repeating: 0, count: 78) + protection)
        let table = box("minf", box("stbl", box("stsd", number(0) + number(1) + entry)))
        let section = box("moov", box("trak", box("mdia", table)))
        #expect(TrackEncryption.clear(initialization: section).count == section.count)
    }

    @Test("may be a transport stream with a table that is no table", arguments: [0, 1, 8, 9, 0xFFF])
    func tables(length: Int) throws {
        func packet(_ stream: Int, _ content: [UInt8]) -> [UInt8] {
            let used = [0x47] + number(0x4000 | stream, 2) + [0x10, 0] + content
            return used + [UInt8](repeating: 0xFF, count: 188 - used.count)
        }
        let programs = [0, 0xB0, 13, 0, 1, 0xC1, 0, 0, 0, 1, 0xF0, 0, 0, 0, 0, 0] as [UInt8]
        let map = [2] + number(0xB000 | length, 2) + [UInt8](repeating: 0xDB, count: 20)
        let aes = SampleAES(cipher: try ContentCipher([UInt8](0..<16)), iv: [UInt8](0..<16))
        var reader = StreamReader(TransportStreamDecryption(aes))
        let bytes = packet(0, programs) + packet(0x1000, map)
        let clear = try? reader.all(of: bytes)
        #expect(clear == nil || clear?.count == bytes.count)
    }

    @Test(
        "may have packets of pictures that end in their heads: these come out as they are", arguments: 1...14)
    func cutHeads(count: Int) throws {
        func packet(_ stream: Int, _ payload: [UInt8]) -> [UInt8] {
            let filling = [UInt8](repeating: 0xFF, count: 182 - payload.count)
            return [0x47] + number(0x4000 | stream, 2) + [0x30, UInt8(filling.count + 1), 0] + filling
                + payload
        }
        let programs = [0, 0, 0xB0, 13, 0, 1, 0xC1, 0, 0, 0, 1, 0xF0, 0, 0, 0, 0, 0] as [UInt8]
        let map =
            [0, 2, 0xB0, 18, 0, 1, 0xC1, 0, 0, 0xE1, 0, 0xF0, 0, 0xDB, 0xE1, 0, 0xF0, 0, 0, 0, 0, 0]
            as [UInt8]
        let tables = packet(0, programs) + packet(0x1000, map)
        let aes = SampleAES(cipher: try ContentCipher([UInt8](0..<16)), iv: [UInt8](0..<16))
        for length: UInt8 in [0, 3, 200] {
            let head = [0, 0, 1, 0xE0, 0, 0, 0x80, 0, length, 0, 0, 1, 0x65, 7] as [UInt8]
            let media = packet(0x100, Array(head.prefix(count)))
            var reader = StreamReader(TransportStreamDecryption(aes))
            let clear = try reader.all(of: tables + media + media)
            #expect(clear.dropFirst(tables.count) == (media + media)[...])
            #expect(clear[188 + 188 - map.count + 13] == 0x1B, "it is a stream of encrypted pictures")
        }
    }

    @Test("have their encrypted bytes counted as they are found")
    func extents() {
        for (crypt, skip) in [(1, 0), (1, 9), (5, 5), (2, 1)] {
            for count in 0..<700 {
                let places = BlockPattern.places(7..<7 + count, crypt: crypt, skip: skip)
                let extent = BlockPattern.extent(7..<7 + count, crypt: crypt, skip: skip)
                #expect(extent.count == places.reduce(0) { $0 + $1.count })
                if let last = places.last, !last.isEmpty { #expect(extent.end == last.upperBound) }
            }
        }
    }
}
