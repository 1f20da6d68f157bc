import TestSupport
import Testing

@testable import MediaContainers

@Suite("The packets of one stream") struct TransportReaderTests {
    /// A packet full of one value, behind a PES header of nine bytes where one begins.
    private static func packet(_ counter: Int, begins: Bool = false, _ seed: UInt8) -> [UInt8] {
        let head: [UInt8] = begins ? [0, 0, 1, 0xC0, 0, 0, 0x80, 0, 0] : []
        let content = [UInt8](repeating: seed, count: 184 - head.count)
        var packet = SampleMedia.packet(256, begins: begins, head + content)
        packet[3] |= UInt8(counter & 0xF)
        return packet
    }

    /// A packet with an adaptation field before some bytes.
    private static func packet(_ counter: Int, begins: Bool, flags: UInt8, _ payload: [UInt8]) -> [UInt8] {
        let head: [UInt8] = [
            0x47, begins ? 0x41 : 1, 0, 0x30 | UInt8(counter), UInt8(183 - payload.count), flags,
        ]
        return head + [UInt8](repeating: 0xFF, count: 182 - payload.count) + payload
    }

    private static func read(_ packets: [[UInt8]]) -> StreamReader {
        var reader = StreamReader(ProgramMap.Entry(stream: 256, kind: .adts), .metadata)
        var clock = StampClock(near: nil)
        let bytes = Array(packets.joined())
        for place in stride(from: 0, to: bytes.count, by: 188) {
            let packet = TransportPacket(bytes, at: place)
            guard let payload = packet.payload else { continue }
            reader.take(packet, payload: payload, at: place, in: bytes, clock: &clock)
        }
        return reader
    }

    /// So many bytes of each value.
    private static func data(_ parts: (UInt8, Int)...) -> [UInt8] {
        parts.flatMap { [UInt8](repeating: $0.0, count: $0.1) }
    }

    @Test("behind a lost one are read on, and the place is noted")
    func lost() {
        let reader = Self.read([
            Self.packet(0, begins: true, 1), Self.packet(1, 2), Self.packet(3, 4), Self.packet(4, 5),
        ])
        #expect(reader.elementary.data == Self.data((1, 175), (2, 184), (4, 184), (5, 184)))
        #expect(reader.elementary.breaks == [359])
    }

    @Test(
        "are taken once if they are repeated; with other content a packet of the same number is another one")
    func repeated() {
        let repeated = Self.read([
            Self.packet(0, begins: true, 1), Self.packet(1, 2), Self.packet(1, 2), Self.packet(2, 3),
        ])
        #expect(repeated.elementary.data == Self.data((1, 175), (2, 184), (3, 184)))
        #expect(repeated.elementary.breaks == [])
        let other = Self.read([Self.packet(0, begins: true, 1), Self.packet(1, 2), Self.packet(1, 3)])
        #expect(other.elementary.data == Self.data((1, 175), (2, 184), (3, 184)))
        #expect(other.elementary.breaks == [359])
    }

    @Test(
        "may be numbered anew where they say so", arguments: [(0x80, []), (0x40, [359])] as [(UInt8, [Int])])
    func discontinuous(flags: UInt8, breaks: [Int]) {
        let rest = [UInt8](repeating: 3, count: 100)
        let reader = Self.read([
            Self.packet(0, begins: true, 1), Self.packet(1, 2),
            Self.packet(9, begins: false, flags: flags, rest), Self.packet(10, 4),
        ])
        #expect(reader.elementary.data == Self.data((1, 175), (2, 184), (3, 100), (4, 184)))
        #expect(reader.elementary.breaks == breaks)
    }

    @Test("complete a PES header that goes on; without its rest all is left out up to the next one")
    func headers() {
        let first = Self.packet(0, begins: true, flags: 0, [0, 0, 1, 0xC0])
        var second = Self.packet(1, 2)
        second.replaceSubrange(4..<9, with: [0, 0, 0x80, 0, 0])
        #expect(Self.read([first, second]).elementary.data == Self.data((2, 179)))
        let cut = Self.read([first, Self.packet(2, 3), Self.packet(3, 4), Self.packet(4, begins: true, 5)])
        #expect(cut.elementary.data == Self.data((5, 175)))
    }

    @Test("are not read where they say that they are damaged")
    func damaged() {
        var damaged = Self.packet(1, 2)
        damaged[1] |= 0x80
        let reader = Self.read([Self.packet(0, begins: true, 1), damaged, Self.packet(2, 3)])
        #expect(reader.elementary.data == Self.data((1, 175), (3, 184)))
        #expect(reader.elementary.breaks == [175])
    }

    @Test(
        "lack something only where their numbers are right as a rule: all but four, or an eighth of them",
        arguments: [
            (10, 4, true), (10, 5, false), (47, 5, true), (47, 6, false), (48, 6, true), (64, 8, true),
            (64, 9, false),
        ])
    func rule(count: Int, losses: Int, isKept: Bool) {
        var (counter, packets) = (0, [[UInt8]]())
        for index in 0..<count {
            packets.append(Self.packet(counter, begins: index == 0, UInt8(index)))
            counter += index < losses ? 2 : 1
        }
        let reader = Self.read(packets)
        #expect(reader.elementary.breaks.count == losses)
        #expect(reader.whole().breaks.count == (isKept ? losses : 0))
        #expect(reader.whole().data == reader.elementary.data)
    }

    @Test("are read of up to 256 streams, however the tables change", arguments: [(63, true), (64, false)])
    func mostStreams(first: Int, isRead: Bool) throws {
        func sounds(_ count: Int, from number: Int) -> [HandmadeStream.Entry] {
            (0..<count).map { HandmadeStream.Entry(stream: number + $0, type: 0x0F) }
        }
        var stream = HandmadeStream(sounds(first, from: 300))
        for change in 1...3 {
            stream.appendTables(sounds(64, from: 300 + 64 * change), version: UInt8(change))
        }
        stream.appendTables([HandmadeStream.Entry(stream: 290, type: 0x1B)], version: 4)
        let picture = HandmadePictures.stream(
            HandmadePictures.sequence(fields: false), HandmadePictures.pictureSet(),
            HandmadePictures.slice(5, kind: 7, frame: 0, fields: false, payload: 1))
        stream.append(HandmadeStream.Unit(stream: 290, presentation: 90_000, bytes: picture))
        var reader = TransportSamples()
        let tracks = try reader.read(stream.bytes)
        #expect(tracks.map(\.number) == (isRead ? [290] : []))
    }
}

@Suite("The bytes of an elementary stream") struct TransportElementaryTests {
    private static func mark(_ offset: Int) -> ElementaryStream.Mark {
        ElementaryStream.Mark(offset: offset, presentation: 90_000 + Int64(offset))
    }

    @Test("have time stamps at the offsets of their PES packets, and nowhere else")
    func marks() {
        var stream = ElementaryStream()
        #expect(!stream.hasMark(at: 0))
        stream.marks = [Self.mark(4), Self.mark(9)]
        #expect((0..<12).filter { stream.hasMark(at: $0) } == [4, 9])
    }

    @Test("have gaps, of which the first in a range is found")
    func breaks() {
        var stream = ElementaryStream()
        #expect(stream.firstBreak(in: 0..<9) == nil)
        stream.breaks = [3, 5, 8]
        let ranges = [0..<3, 0..<4, 3..<4, 4..<5, 4..<9, 6..<8, 8..<9, 9..<20]
        #expect(ranges.map { stream.firstBreak(in: $0) } == [nil, 3, 3, nil, 5, nil, 8, nil])
    }

    @Test("have a rest with the time stamps and gaps behind its beginning")
    func rest() {
        let stream = ElementaryStream(
            data: Array(0..<10), marks: [Self.mark(2), Self.mark(4), Self.mark(7)], breaks: [2, 4, 5, 10])
        let rest = stream.rest(from: 4, mark: nil)
        #expect(rest.data == [4, 5, 6, 7, 8, 9])
        #expect(rest.breaks == [1, 6])
        #expect(rest.marks == [.init(offset: 3, presentation: 90_007)])
        let timed = stream.rest(from: 4, mark: Self.mark(2))
        #expect(timed.marks.map(\.offset) == [0, 3] && timed.marks[0].presentation == 90_002)
        #expect(stream.rest(from: 10, mark: nil).data == [])
    }

    @Test("give a unit the last time stamp up to its beginning that no unit before it has")
    func cursor() {
        var stream = ElementaryStream()
        stream.marks = [0, 3, 4, 9].map(Self.mark)
        var cursor = MarkCursor(stream)
        let found = [0, 4, 8, 9, 20].map { cursor.mark(upTo: $0)?.offset }
        #expect(found == [0, 4, nil, 9, nil])
    }
}

@Suite("A walk along packets") struct TransportWalkTests {
    private static let other = SampleMedia.packet(300, begins: false, [])

    private static func own(begins: Bool) -> [UInt8] { SampleMedia.packet(256, begins: begins, []) }

    private static func others(_ count: Int) -> [UInt8] {
        Array(repeatElement(other, count: count).joined())
    }

    @Test("tells whether a stream goes on: by the first packet with bytes of it")
    func goesOn() {
        let empty: [UInt8] = [0x47, 1, 0, 0x20, 183, 0] + [UInt8](repeating: 0xFF, count: 182)
        let (other, first, next) = (Self.other, Self.own(begins: true), Self.own(begins: false))
        let segments: [(packets: [[UInt8]], goesOn: Bool)] = [
            ([], false), ([[UInt8](repeating: 1, count: 999)], false), ([other, other, other], false),
            ([other, next, first], true), ([other, first, next], false), ([empty, first], false),
            ([empty, next], true), ([empty], false),
        ]
        for (index, segment) in segments.enumerated() {
            let found = PacketWalk.goesOn(256, in: Array(segment.packets.joined()), after: [])
            #expect(found == segment.goesOn, "segment \(index)")
        }
    }

    @Test("looks for a stream in 4096 packets", arguments: [(4095, true), (4096, false)])
    func scanned(count: Int, isFound: Bool) {
        let bytes = Self.others(count) + Self.own(begins: false)
        #expect(PacketWalk.goesOn(256, in: bytes, after: []) == isFound)
    }

    @Test("puts a packet together that two segments share, if its parts fit", arguments: [true, false])
    func shared(_ begins: Bool) {
        let (packet, next) = (Self.own(begins: begins), Self.own(begins: !begins))
        let rest = Array(packet[100...]) + next + Self.others(2)
        #expect(PacketWalk.goesOn(256, in: rest, after: Array(packet[..<100])) == !begins)
        #expect(PacketWalk.goesOn(256, in: rest, after: Array(packet[..<99])) == begins)
        #expect(PacketWalk.goesOn(256, in: rest, after: []) == begins)
    }

    @Test("finds the first packet behind up to 65,535 other bytes", arguments: [65_535, 65_536])
    func start(_ count: Int) {
        let walk = PacketWalk([UInt8](repeating: 1, count: count) + Self.others(3))
        #expect(walk?.start == (count < 65_536 ? count : nil))
    }

    @Test("passes over damaged packets, and ends with the packet that is cut")
    func damaged() throws {
        var bytes = Self.others(10) + [0x47, 1, 2]
        bytes[6 * 188] = 0
        var walk = try #require(PacketWalk(bytes))
        var places: [Int] = []
        while let place = walk.next() { places.append(place / 188) }
        #expect(places == [0, 1, 2, 3, 4, 5, 7, 8, 9])
        #expect(walk.cut == [0x47, 1, 2])
    }

    @Test("has no cut packet at the end, before other bytes, or with bytes beside packets")
    func notCut() throws {
        let timed = SampleMedia.withTimes(Self.others(6)) + [0, 0, 0, 0, 0x47, 1, 2]
        for (bytes, stride) in [(Self.others(6), 188), (Self.others(6) + [1, 2, 3], 188), (timed, 192)] {
            var walk = try #require(PacketWalk(bytes))
            var count = 0
            while walk.next() != nil { count += 1 }
            #expect(count == 6 && walk.stride == stride && walk.cut == [])
        }
    }
}
