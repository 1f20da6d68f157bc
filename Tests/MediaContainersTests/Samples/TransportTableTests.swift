import TestSupport
import Testing

@testable import MediaContainers

/// Sections of tables with their checksums, and packets of them (ISO/IEC 13818-1, section 2.4.4).
private enum MadeSection {
    static func bytes(
        _ table: UInt8, _ content: [UInt8], version: UInt8 = 0, number: UInt8 = 0, last: UInt8 = 0,
        form: UInt8 = 0xB0
    ) -> [UInt8] {
        let length = content.count + 9
        let head: [UInt8] = [
            table, form | UInt8(length >> 8), UInt8(length & 0xFF), 0, 1, 0xC1 | version << 1, number, last,
        ]
        let sum = CRC32.mpeg(head + content)
        let end: [UInt8] = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> $0) }
        return head + content + end
    }

    /// An association table that names the maps of some programs.
    static func association(
        _ maps: [Int], version: UInt8 = 0, number: UInt8 = 0, last: UInt8 = 0
    ) -> [UInt8] {
        var content: [UInt8] = []
        for (index, map) in maps.enumerated() {
            content += [0, UInt8(index + 1), 0xE0 | UInt8(map >> 8), UInt8(map & 0xFF)]
        }
        return bytes(0, content, version: version, number: number, last: last)
    }

    /// A map of streams by their types; its clock is in stream 256.
    static func map(_ streams: [(stream: Int, type: UInt8)], version: UInt8 = 0) -> [UInt8] {
        bytes(2, [0xE1, 0, 0xF0, 0] + streams.flatMap { entry($0.stream, $0.type) }, version: version)
    }

    static func entry(_ stream: Int, _ type: UInt8, length: Int? = nil, _ descriptors: [UInt8] = [])
        -> [UInt8]
    {
        let head: [UInt8] = [type, 0xE0 | UInt8(stream >> 8), UInt8(stream & 0xFF), 0xF0]
        return head + [UInt8(length ?? descriptors.count)] + descriptors
    }

    static func packet(_ stream: Int, _ section: [UInt8]) -> [UInt8] {
        SampleMedia.packet(stream, begins: true, [0] + section)
    }
}

@Suite("Sections in the packets of a table") struct TransportSectionTests {
    private let one = MadeSection.map([(256, 0x1B)])
    private let two = MadeSection.map([(257, 0x0F)], version: 1)
    private let stuffing = [UInt8](repeating: 0xFF, count: 9)

    @Test("begin in packets that say so: other bytes are no section, even if they look like one")
    func beginning() {
        var assembler = SectionAssembler()
        let torn = assembler.take(one[...], begins: false)
        #expect(torn == [])
        let behind = assembler.take(([0] + one + stuffing)[...], begins: true)
        #expect(behind == [one])
        // Stuffing ends the payload of a table up to the next section.
        let stuffed = assembler.take(two[...], begins: false)
        #expect(stuffed == [])
    }

    @Test("are not the bytes before the first beginning, which are of a section that was not seen")
    func pointer() {
        var assembler = SectionAssembler()
        let found = assembler.take(([UInt8(one.count)] + one + two + stuffing)[...], begins: true)
        #expect(found == [two])
    }

    @Test("have up to 4098 bytes, and at least the head and the checksum")
    func sizes() {
        let longest = MadeSection.bytes(2, [UInt8](repeating: 7, count: 4086))
        let shortest = MadeSection.bytes(2, [])
        #expect(longest.count == 4098 && shortest.count == 12)
        var assembler = SectionAssembler()
        var found = assembler.take(([0] + shortest + longest.prefix(100))[...], begins: true)
        for place in stride(from: 100, to: longest.count, by: 184) {
            found += assembler.take(longest[place..<min(place + 184, longest.count)], begins: false)
        }
        #expect(found == [shortest, longest])
    }

    @Test("have the long form")
    func form() {
        var assembler = SectionAssembler()
        let short = MadeSection.bytes(2, [1, 2, 3, 4], form: 0x30)
        let found = assembler.take(([0] + short + one + stuffing)[...], begins: true)
        #expect(found == [one])
    }
}

@Suite("A program map") struct TransportMapTests {
    private let head: [UInt8] = [0xE1, 0, 0xF0, 0]

    @Test("may have no stream, and is not shorter than that")
    func empty() throws {
        let map = try #require(ProgramMap(MadeSection.map([])))
        #expect(map.entries.isEmpty)
        #expect(ProgramMap(MadeSection.bytes(2, [0xE1, 0, 0xF0])) == nil)
        #expect(ProgramMap(MadeSection.bytes(3, head)) == nil)
    }

    @Test(
        "has descriptors up to its checksum; one that says more is invalid",
        arguments: [(6, true), (7, false)])
    func descriptors(length: Int, isValid: Bool) {
        let language: [UInt8] = [0x0A, 4] + Array("deu".utf8)
        let section = MadeSection.bytes(
            2, head + MadeSection.entry(257, 0x0F, length: length, language + [0]))
        let map = ProgramMap(section)
        let entry = ProgramMap.Entry(stream: 257, kind: .adts, language: "deu")
        #expect(map?.entries == (isValid ? [entry] : nil))
    }

    @Test("has its streams behind the descriptors of the program, and ends before a part of one")
    func border() throws {
        let content: [UInt8] = [0xE1, 0, 0xF0, 3, 0x0E, 1, 9]
        let part = MadeSection.entry(258, 0x0F).prefix(4)
        let section = MadeSection.bytes(2, content + MadeSection.entry(257, 0x1B) + part)
        let map = try #require(ProgramMap(section))
        #expect(map.entries == [.init(stream: 257, kind: .avc)])
    }

    @Test("has up to 64 streams")
    func most() throws {
        let map = try #require(ProgramMap(MadeSection.map((0..<65).map { (stream: 300 + $0, type: 0x0F) })))
        #expect(map.entries.map(\.stream) == Array(300..<364))
    }

    @Test(
        "names a language by three letters, in any case",
        arguments: [("deu", "deu"), ("DEU", "deu"), ("de1", nil), ("de", nil), ("d@u", nil), ("zzA", "zza")]
            as [(String, String?)])
    func language(text: String, language: String?) {
        let descriptor: [UInt8] = [0x0A, UInt8(text.utf8.count)] + Array(text.utf8)
        #expect(Descriptors(descriptor[...]).language == language)
        #expect(Descriptors(([5, 1, 9] + descriptor)[...]).language == language)
    }

    @Test("is named by an association table, as networks are not")
    func association() {
        let network: [UInt8] = [0, 0, 0xE0, 16]
        let section = MadeSection.bytes(0, network + [0, 1, 0xF0, 0, 1, 0, 0xE1, 2])
        #expect(ProgramTable.maps(section) == [4096, 258])
        #expect(ProgramTable.maps(MadeSection.bytes(2, [0, 1, 0xF0, 0])) == [])
        #expect(ProgramTable.maps(MadeSection.bytes(0, [])) == [])
    }
}

@Suite("Tables that come again and again") struct TransportTableTests {
    /// The tables of a stream that begins with an association table and a map with pictures.
    private static func begun(_ maps: [Int] = [4096]) -> TransportTables {
        var tables = TransportTables()
        _ = tables.take(0, MadeSection.packet(0, MadeSection.association(maps)))
        _ = tables.take(0, MadeSection.packet(4096, MadeSection.map([(256, 0x1B)])))
        return tables
    }

    @Test("tell a change where an association table is new, and none where it is repeated")
    func associations() {
        var tables = TransportTables()
        let association = MadeSection.packet(0, MadeSection.association([4096]))
        let isNew = [association, association, association].map { tables.take(0, $0) }
        #expect(isNew == [true, false, false])
        #expect(tables.streams.sorted() == [0, 4096])
        let later = tables.take(0, MadeSection.packet(0, MadeSection.association([4096, 4097], version: 1)))
        #expect(later && tables.streams.sorted() == [0, 4096, 4097])
    }

    @Test("tell a change where a map has other streams, not where only its version is another")
    func maps() {
        var tables = TransportTables()
        _ = tables.take(0, MadeSection.packet(0, MadeSection.association([4096])))
        let sections = [
            MadeSection.map([(256, 0x1B)]), MadeSection.map([(256, 0x1B)]),
            MadeSection.map([(256, 0x1B)], version: 1),
            MadeSection.map([(256, 0x1B), (257, 0x0F)], version: 2),
        ]
        let isNew = sections.map { tables.take(0, MadeSection.packet(4096, $0)) }
        #expect(isNew == [true, false, false, true])
        #expect(tables.map?.entries.map(\.stream) == [256, 257])
    }

    @Test(
        "pass over a program that has neither pictures nor sound",
        arguments: [[0x15], [0x86], [0x86, 0x15]] as [[UInt8]])
    func data(_ types: [UInt8]) {
        var tables = TransportTables()
        _ = tables.take(0, MadeSection.packet(0, MadeSection.association([4096, 4097])))
        let data = MadeSection.map(types.enumerated().map { (stream: 300 + $0.offset, type: $0.element) })
        let isTaken = tables.take(0, MadeSection.packet(4096, data))
        #expect(!isTaken && tables.map == nil)
        let film = tables.take(0, MadeSection.packet(4097, MadeSection.map([(256, 0x1B), (258, 0x15)])))
        #expect(film && tables.map?.entries.map(\.kind) == [.avc, .metadata])
    }

    @Test("stay with the first program as long as it is named, then take another one")
    func programs() {
        var tables = Self.begun([4096, 4097])
        let other = MadeSection.map([(300, 0x0F)])
        let second = tables.take(0, MadeSection.packet(4097, other))
        #expect(!second && tables.map?.entries.map(\.stream) == [256])
        let association = tables.take(0, MadeSection.packet(0, MadeSection.association([4098], version: 1)))
        #expect(association && tables.streams.sorted() == [0, 4098])
        let gone = tables.take(0, MadeSection.packet(4097, MadeSection.map([(301, 0x0F)], version: 1)))
        #expect(!gone && tables.map?.entries.map(\.stream) == [256])
        let third = tables.take(0, MadeSection.packet(4098, other))
        #expect(third && tables.map?.entries.map(\.stream) == [300])
    }

    @Test("put an association table of several sections together, up to 64 maps")
    func sections() {
        var tables = TransportTables()
        for number in [0, 1] as [UInt8] {
            let maps = (0..<33).map { 1000 + 100 * Int(number) + $0 }
            let section = MadeSection.association(maps, number: number, last: 1)
            let isNew = tables.take(0, MadeSection.packet(0, section))
            #expect(isNew)
        }
        #expect(tables.streams.sorted() == [0] + Array(1000..<1033) + Array(1100..<1131))
    }

    @Test("do not change by an association table without maps, or another table in its place")
    func unfit() {
        var tables = Self.begun()
        let sections = [
            MadeSection.bytes(0, []), MadeSection.bytes(0, [0, 0, 0xE0, 16]), MadeSection.map([(300, 0x0F)]),
        ]
        let isNew = sections.map { tables.take(0, MadeSection.packet(0, $0)) }
        #expect(isNew == [false, false, false])
        #expect(tables.streams.sorted() == [0, 4096] && tables.map?.entries.map(\.stream) == [256])
    }

    @Test("are searched in the whole segment as long as there are none")
    func firstMap() throws {
        let media = Array(repeatElement(SampleMedia.packet(256, begins: false, []), count: 4100).joined())
        let association = MadeSection.packet(0, MadeSection.association([4096]))
        let bytes = media + association + MadeSection.packet(4096, MadeSection.map([(256, 0x1B)]))
        var tables = TransportTables()
        let walk = try #require(PacketWalk(bytes))
        tables.scan(walk, bytes)
        #expect(tables.map?.entries.map(\.stream) == [256])
    }

    @Test("are searched in 4096 packets where some are known", arguments: [(4095, [257]), (4096, [256])])
    func laterMap(count: Int, streams: [Int]) throws {
        let media = Array(repeatElement(SampleMedia.packet(256, begins: false, []), count: count).joined())
        let bytes = media + MadeSection.packet(4096, MadeSection.map([(257, 0x0F)], version: 1))
        var tables = Self.begun()
        let walk = try #require(PacketWalk(bytes))
        tables.scan(walk, bytes)
        #expect(tables.map?.entries.map(\.stream) == streams)
    }
}
