import StoreTestSupport
import TestSupport
import Testing

@testable import MediaDecryption
@testable import StoreModel

@Suite("Packets of an encrypted transport stream")
struct EncryptedPacketTests {
    private static let key = OriginResource.pattern(16, seed: 141)
    private static let iv = OriginResource.pattern(16, seed: 142)

    private func cipher() throws -> ContentCipher { try ContentCipher(Self.key) }

    private func stream() throws -> TransportStreamDecryption {
        TransportStreamDecryption(SampleAES(cipher: try cipher(), iv: Self.iv))
    }

    /// A packet of the stream 256 with a slice of a picture, in the clear and encrypted.
    ///
    /// - Parameters:
    ///   - count: the bytes of the slice; 172 at most. One block is encrypted if there are more than 48.
    ///   - tellsLength: whether the PES packet has a length; else it goes on to the next one.
    private func picture(
        _ count: Int, seed: UInt64 = 1, tellsLength: Bool
    ) throws -> (clear: [UInt8], hidden: [UInt8]) {
        let slice: [UInt8] = [0x65] + OriginResource.pattern(count - 1, seed: seed).map { $0 | 1 }
        var hidden = slice
        if count > 48 {
            hidden.replaceSubrange(32..<48, with: try cipher().chained(Array(slice[32..<48]), iv: Self.iv))
        }
        let length = tellsLength ? UInt8(6 + count) : 0
        let head: [UInt8] = [0, 0, 1, 0xE0, 0, length, 0x80, 0, 0, 0, 0, 1]
        return (
            SampleMedia.packet(256, begins: true, head + slice),
            SampleMedia.packet(256, begins: true, head + hidden)
        )
    }

    /// A packet of the stream 257 with a frame of AAC, in the clear and encrypted.
    private func sound(seed: UInt64 = 1) throws -> (clear: [UInt8], hidden: [UInt8]) {
        let frame = SampleMedia.adts([175], seed: seed)
        // Nine blocks behind the header of 7 bytes and 16 clear ones.
        let blocks = try cipher().chained(Array(frame[23..<167]), iv: Self.iv)
        let head: [UInt8] = [0, 0, 1, 0xC0, 0, 178, 0x80, 0, 0]
        return (
            SampleMedia.packet(257, begins: true, head + frame),
            SampleMedia.packet(257, begins: true, head + frame[..<23] + blocks + frame[167...])
        )
    }

    /// Tables with pictures in the stream 256 and sound in the stream 257.
    private var tables: [UInt8] {
        let map: [UInt8] = [
            0, 2, 0xB0, 23, 0, 1, 0xC1, 0, 0, 0xE1, 0, 0xF0, 0, 0xDB, 0xE1, 0, 0xF0, 0, 0xCF, 0xE1, 1, 0xF0,
            0, 1, 2, 3, 4,
        ]
        return Array(SampleMedia.tables.prefix(188)) + SampleMedia.packet(4096, begins: true, map)
    }

    @Test("are decrypted to the end of their content, whether they tell its length or not")
    func lengths() throws {
        for (count, tellsLength) in [(172, false), (172, true), (60, true), (49, true), (48, true)] {
            let picture = try picture(count, tellsLength: tellsLength)
            var stream = try stream()
            var clear = try stream.append(tables + picture.hidden)
            clear += try stream.end()
            #expect(
                clear == TransportTables.clear(section: tables) + picture.clear, "\(count) \(tellsLength)")
        }
    }

    @Test("of several streams come out in their order, each when the packets before it are complete")
    func order() throws {
        let pictures = try [1, 2].map { try picture(172, seed: $0, tellsLength: false) }
        let sounds = try [1, 2].map { try sound(seed: $0) }
        var stream = try stream()
        var clear = try stream.append(tables + pictures[0].hidden + sounds[0].hidden)
        // No more than the heads of the first picture.
        #expect((376...388).contains(clear.count))
        let none = try stream.append(sounds[1].hidden)
        #expect(none.isEmpty, "the picture may go on")
        clear += try stream.append(pictures[1].hidden)
        #expect((752...764).contains(clear.count), "the first packets are complete, and no other ones")
        clear += try stream.end()
        let media = [pictures[0], sounds[0], sounds[1], pictures[1]].flatMap(\.clear)
        #expect(clear == TransportTables.clear(section: tables) + media)
    }

    @Test("wait for the tables, 64 MB of them at most")
    func backlog() throws {
        let bytes = [UInt8](repeating: 0x47, count: 64 << 20)
        var stream = try stream()
        let ready = try stream.append(bytes)
        #expect(ready.isEmpty)
        #expect(throws: StoreError.self) { try stream.append([0x47]) }
    }
}

@Suite("Tables of a transport stream")
struct EncryptedTableTests {
    @Test("are told from other packets by their streams")
    func streams() {
        var (bytes, tables) = (SampleMedia.tables(0xDB), TransportTables())
        let early = tables.read(192..<376, of: 4096, in: &bytes)
        #expect(!early && !tables.hasMap, "no table has named this stream")
        let association = tables.read(4..<188, of: 0, in: &bytes)
        #expect(association && !tables.hasMap)
        let map = tables.read(192..<376, of: 4096, in: &bytes)
        #expect(map && tables.hasMap && tables.kinds.keys.sorted() == [256])
        let media = tables.read(192..<376, of: 256, in: &bytes)
        #expect(!media)
    }

    @Test(
        "that do not end in their packet stay as they are, and are no media either",
        arguments: [170, 171, 172, 182, 183, 184, 255])
    func cut(pointer: Int) {
        // A pointer to where a table begins, and none there.
        let packet = SampleMedia.packet(0, begins: true, [UInt8(pointer)])
        var (bytes, tables) = (packet, TransportTables())
        let isTable = tables.read(4..<188, of: 0, in: &bytes)
        #expect(isTable && bytes == packet && !tables.hasMap)
    }

    @Test(
        "have a header and a checksum at least, 12 bytes, and may end with their packet",
        arguments: [(7, false), (8, false), (9, true), (10, false)])
    func shortest(length: Int, isTable: Bool) {
        let table: [UInt8] = [2, 0xB0, UInt8(length), 0, 1, 0xC1, 0, 0, 1, 2, 3, 4]
        let map = [171] + [UInt8](repeating: 0xFF, count: 171) + table
        let association = Array(SampleMedia.tables.prefix(188))
        let section = association + SampleMedia.packet(4096, begins: true, map)
        #expect(TransportTables(section: section).hasMap == isTable)
    }
}
