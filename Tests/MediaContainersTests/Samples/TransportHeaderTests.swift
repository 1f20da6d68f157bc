import Testing

@testable import MediaContainers

@Suite("The head of a packet") struct TransportPacketTests {
    private static func packet(_ head: [UInt8]) -> [UInt8] {
        head + [UInt8](repeating: 0xFF, count: 188 - head.count)
    }

    @Test(
        "tells where its payload begins: behind an adaptation field, if that leaves a byte",
        arguments: [
            (0x10, 0, 4), (0x10, 9, 4), (0x30, 0, 5), (0x30, 182, 187), (0x30, 183, nil), (0x30, 255, nil),
            (0x20, 0, nil), (0x00, 0, nil),
        ] as [(UInt8, UInt8, Int?)])
    func payload(control: UInt8, length: UInt8, start: Int?) {
        let bytes = [9, 9] + Self.packet([0x47, 1, 0, control, length])
        #expect(TransportPacket(bytes, at: 2).payload == start.map { $0 + 2..<190 })
    }

    @Test("tells its stream of 13 bits, whether something begins, and whether it is scrambled")
    func fields() {
        let first = TransportPacket(Self.packet([0x47, 0x5F, 0xFF, 0x10]), at: 0)
        #expect(first.stream == 0x1FFF && first.begins && !first.isScrambled)
        let second = TransportPacket(Self.packet([0x47, 0xBF, 0xFE, 0x10]), at: 0)
        #expect(second.stream == 0x1FFE && !second.begins)
        for control in [0x50, 0x90, 0xD0] as [UInt8] {
            #expect(TransportPacket(Self.packet([0x47, 0, 0, control]), at: 0).isScrambled)
        }
    }

    @Test("marks random access and discontinuities only in an adaptation field that is not empty")
    func marks() {
        let flags: [(head: [UInt8], random: Bool, discontinuous: Bool)] = [
            ([0x30, 1, 0x40], true, false), ([0x30, 1, 0x80], false, true), ([0x20, 183, 0xC0], true, true),
            ([0x30, 0, 0xC0], false, false), ([0x10, 1, 0xC0], false, false),
            ([0x30, 1, 0x3F], false, false),
        ]
        for (head, random, discontinuous) in flags {
            let bytes = Self.packet([0x47, 1, 0] + head)
            #expect(TransportPacket.isRandomAccess(bytes, 0) == random)
            #expect(TransportPacket.isDiscontinuous(bytes, 0) == discontinuous)
        }
    }
}

@Suite("Tables in the packet in which they begin") struct TransportTablePartTests {
    private enum Found: Equatable {
        case whole([Int: UInt8])
        case part
        case broken
        case other
    }

    private static func map(_ bytes: [UInt8], upTo end: Int) -> Found {
        switch TransportTable.map(bytes, 0..<end) {
        case .whole(let streams)?: .whole(streams)
        case .part?: .part
        case .broken?: .broken
        case nil: .other
        }
    }

    /// A map with a stream of pictures, which ends at 18, and its checksum.
    private static func bytes(_ table: UInt8 = 2, form: UInt8 = 0xB0, length: UInt8 = 18) -> [UInt8] {
        [0, table, form, length, 0, 1, 0xC1, 0, 0, 0xE1, 0, 0xF0, 0, 0x1B, 0xE1, 0, 0xF0, 0, 1, 2, 3, 4]
    }

    @Test("a map is whole where all streams are there, also if its checksum is in the next packet")
    func whole() {
        let streams: Found = .whole([256: 0x1B])
        for (end, found) in [(22, streams), (18, streams), (17, .part), (4, .part), (3, .other)]
            as [(Int, Found)]
        {
            #expect(Self.map(Self.bytes(), upTo: end) == found, "\(end) bytes")
        }
    }

    @Test("a map that ends before its streams could begin is broken; one that ends there has none")
    func broken() {
        #expect(Self.map(Self.bytes(length: 12), upTo: 22) == .broken)
        #expect(Self.map(Self.bytes(length: 13), upTo: 22) == .whole([:]))
        #expect(Self.map(Self.bytes(length: 17), upTo: 22) == .whole([:]))
    }

    @Test("other tables, short forms and pointers behind the packet are no map")
    func other() {
        #expect(Self.map(Self.bytes(0), upTo: 22) == .other)
        #expect(Self.map(Self.bytes(form: 0x30), upTo: 22) == .other)
        #expect(Self.map([200] + Self.bytes().dropFirst(), upTo: 22) == .other)
        #expect(Self.map([2, 9, 9] + Self.bytes().dropFirst(), upTo: 24) == .whole([256: 0x1B]))
    }

    @Test("an association table names the maps that are in the packet, without its checksum")
    func programs() {
        let head: [UInt8] = [0, 0, 0xB0, 17, 0, 1, 0xC1, 0, 0]
        let bytes = head + [0, 0, 0xE0, 16, 0, 1, 0xF0, 0] + [0, 9, 0xE0, 9]
        #expect(TransportTable.programs(bytes, 0..<21) == [4096])
        #expect(TransportTable.programs(bytes, 0..<17) == [4096])
        #expect(TransportTable.programs(bytes, 0..<16) == [])
        #expect(TransportTable.programs(Self.bytes(), 0..<22) == [])
    }
}

@Suite("The header of a PES packet") struct TransportHeaderTests {
    private enum Found: Equatable {
        case whole(Int, Int64?, Int64?)
        case part
        case broken
    }

    /// Reads bytes that are a part of others.
    private static func read(_ bytes: [UInt8]) -> Found {
        switch PESHeader.read(([0, 0, 1, 0xBE] + bytes)[4...]) {
        case .whole(let header): .whole(header.length, header.presentation, header.decoding)
        case .part: .part
        case .broken: .broken
        }
    }

    private static func header(_ presentation: Int64, _ decoding: Int64? = nil) -> [UInt8] {
        var bytes: [UInt8] = []
        PESWriter.begin(&bytes, kind: 0xE0, presentation: presentation, decoding: decoding)
        return bytes
    }

    @Test("is whole where its last byte is there, before that more is needed")
    func parts() {
        let last = Int64(1) << 33 - 1
        let headers: [(bytes: [UInt8], found: Found)] = [
            ([0, 0, 1, 0xBD, 0, 0, 0x80, 0, 0], .whole(9, nil, nil)),
            (Self.header(0x1_2345_6789), .whole(14, 0x1_2345_6789, nil)),
            (Self.header(last, last - 3600), .whole(19, last, last - 3600)),
        ]
        for (bytes, found) in headers {
            for count in bytes.indices { #expect(Self.read(Array(bytes.prefix(count))) == .part) }
            #expect(Self.read(bytes) == found && Self.read(bytes + [1, 2]) == found)
        }
    }

    @Test(
        "has six bytes in streams without more, as padding",
        arguments: [0xBC, 0xBE, 0xBF, 0xF0, 0xF1, 0xF2, 0xF8, 0xFF] as [UInt8])
    func plain(_ kind: UInt8) {
        #expect(Self.read([0, 0, 1, kind, 0]) == .part)
        #expect(Self.read([0, 0, 1, kind, 0, 0]) == .whole(6, nil, nil))
        #expect(Self.read([0, 0, 1, kind, 0, 3, 0, 0xC0, 9]) == .whole(6, nil, nil))
    }

    @Test("has the time stamps that its flags name, as far as its length has room for them")
    func stamps() {
        func found(_ flags: UInt8, _ length: Int) -> Found {
            let stamps: [UInt8] = [0x31, 0, 1, 0, 0xB, 0x11, 0, 1, 0, 7]
            let more = stamps + [UInt8](repeating: 0xFF, count: 9)
            return Self.read([0, 0, 1, 0xE0, 0, 0, 0x80, flags, UInt8(length)] + more.prefix(length))
        }
        for (flags, length, presentation, decoding) in [
            (0x80, 4, nil, nil), (0x80, 5, 5, nil), (0x80, 10, 5, nil), (0xC0, 9, 5, nil), (0xC0, 10, 5, 3),
            (0xC0, 19, 5, 3), (0x40, 10, nil, nil), (0x00, 10, nil, nil), (0x3F, 10, nil, nil),
        ] as [(UInt8, Int, Int64?, Int64?)] {
            #expect(found(flags, length) == .whole(9 + length, presentation, decoding))
        }
    }

    @Test("begins with a start code, and has the form of MPEG-2")
    func broken() {
        for bytes in [[1], [0, 1], [0, 0, 2], [0, 0, 0, 1, 0xE0, 0, 0, 0x80, 0, 0]] as [[UInt8]] {
            #expect(Self.read(bytes) == .broken)
        }
        for form in [0x00, 0x40, 0xC0] as [UInt8] {
            #expect(Self.read([0, 0, 1, 0xE0, 0, 0, form, 0, 0]) == .broken)
        }
    }

    @Test("has times of 33 bits, which are nearest to those before them")
    func wraps() {
        let range = Int64(1) << 33
        #expect(StampClock.nearest(range / 2 - 1, to: 0) == range / 2 - 1)
        #expect(StampClock.nearest(range / 2 + 1, to: 0) == 1 - range / 2)
        #expect(StampClock.nearest(5, to: 3 * range + 10) == 3 * range + 5)
        #expect(StampClock.nearest(range - 5, to: 3 * range + 2) == 3 * range - 5)
        var clock = StampClock(near: nil)
        let times = [range - 1, 4, range - 2, 3600].map { clock.unwrap($0) }
        #expect(times == [range - 1, range + 4, range - 2, range + 3600])
        #expect(clock.last == range + 3600)
    }
}
