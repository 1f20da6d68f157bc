import Testing

@testable import MediaContainers

@Suite("Transport streams that are nearly something else") struct StreamBorderTests {
    private typealias Entry = HandmadeStream.Entry
    private typealias Unit = HandmadeStream.Unit

    private static func picture(_ frame: Int) -> [UInt8] {
        HandmadePictures.stream(
            HandmadePictures.sequence(fields: false), HandmadePictures.pictureSet(),
            HandmadePictures.slice(5, kind: 7, frame: frame, fields: false, payload: 1))
    }

    @Test(
        "are encrypted where more than two packets of a stream say so, and more than half of them",
        arguments: [(9, 4, false), (9, 5, true), (40, 3, false), (3, 3, true), (2, 2, false), (4, 2, false)])
    func scrambled(count: Int, marked: Int, isEncrypted: Bool) throws {
        var bytes = HandmadeStream(
            [Entry(type: 0x1B)],
            (0..<count).map { Unit(presentation: 3600 * Int64($0), bytes: Self.picture($0 % 16)) }
        ).bytes
        let media = stride(from: 0, to: bytes.count, by: 188).filter { bytes[$0 + 1] & 0x1F == 1 }
        try #require(media.count == count)
        for place in media.suffix(marked) { bytes[place + 3] |= 0x80 }
        var reader = TransportSamples()
        let tracks = Result { try reader.read(bytes) }
        if isEncrypted {
            #expect(throws: SampleError.encrypted) { try tracks.get() }
        } else {
            #expect(try tracks.get().reduce(0) { $0 + $1.samples.count } <= count - marked)
        }
    }

    @Test("may change their tables often, but not without end", arguments: [(10, true), (100, false)])
    func changes(count: Int, isFollowed: Bool) throws {
        var stream = HandmadeStream([Entry(type: 0x1B)], [Unit(presentation: 0, bytes: Self.picture(0))])
        for change in 1...count {
            stream.appendTables(
                [Entry(type: 0x1B), Entry(stream: 300 + change, type: 0x0F)], version: UInt8(change % 32))
        }
        stream.appendTables([Entry(type: 0x1B), Entry(stream: 290, type: 0x1B)], version: 0)
        stream.append(Unit(stream: 290, presentation: 90_000, bytes: Self.picture(1)))
        var reader = TransportSamples()
        let tracks = try reader.read(stream.bytes)
        #expect(tracks.contains { $0.number == 290 } == isFollowed)
    }

    @Test("lack the picture whose end is lost, and have the one behind it")
    func lostEnds() throws {
        let payload = [UInt8](repeating: 0xA5, count: 500)
        var bytes = HandmadeStream(
            [Entry(type: 0x1B)],
            (0..<6).map { frame in
                let slice = HandmadePictures.slice(5, kind: 7, frame: frame, fields: false, payload: 1)
                let units = [
                    HandmadePictures.sequence(fields: false), HandmadePictures.pictureSet(), slice + payload,
                ]
                return Unit(presentation: 3600 * Int64(frame), bytes: units.flatMap { [0, 0, 1] + $0 })
            }
        ).bytes
        let media = stride(from: 0, to: bytes.count, by: 188).filter { bytes[$0 + 1] & 0x1F == 1 }
        let begins = media.filter { bytes[$0 + 1] & 0x40 != 0 }
        bytes.removeSubrange(begins[2] - 188..<begins[2])
        var reader = TransportSamples()
        let times = try reader.read(bytes).flatMap { $0.samples.map(\.decodeTime) }
        #expect(times == [0, 7200, 10_800, 14_400, 18_000])
    }

    @Test("lack nothing before one of them is read")
    func unread() {
        let reader = TransportSamples()
        #expect(!reader.lacksBeginning && !reader.lacksParameterSets)
        #expect(reader.leftOut.isEmpty && reader.metadata.isEmpty)
    }

    @Test("have slices of H.264 that end in their heads: they are no pictures")
    func cutSlices() throws {
        let cut: [UInt8] = HandmadePictures.code + [0x65]
        let stream = HandmadeStream(
            [Entry(type: 0x1B)],
            [Unit(presentation: 0, bytes: Self.picture(0)), Unit(presentation: 3600, bytes: cut + [0x80])])
        var reader = TransportSamples()
        #expect(try reader.read(stream.bytes).map(\.samples.count) == [1])
    }
}

@Suite("Supplemental messages") struct SupplementalMessageTests {
    @Test("end before the last byte, which has the stop bit")
    func types() {
        for (payload, types) in [
            ([6, 0, 0x80], [6]), ([6, 1], []), ([6, 1, 9, 0x80], [6]), ([5, 1, 9, 6, 0, 0x80], [5, 6]),
            ([255, 2, 0, 0x80], [257]), ([255, 255], []), ([6, 200, 1, 0x80], [6]), ([], []),
        ] as [([UInt8], [Int])] {
            #expect(SupplementalMessages.types(payload, payload.indices) == types)
        }
    }
}

@Suite("Pieces of a laid out file") struct MoviePieceTests {
    @Test("end where they are to end, also in its head, and at its border")
    func pieces() throws {
        let layout = try MadeFilm.usual().layout
        let head = UInt64(layout.head.count)
        func range(_ start: UInt64, _ end: UInt64) -> Range<Int>? {
            if case .head(let range)? = layout.piece(at: start, upTo: end) { range } else { nil }
        }
        #expect(range(3, 5) == 3..<5 && range(0, head) == 0..<Int(head))
        #expect(range(head - 1, head + 9) == Int(head) - 1..<Int(head) && range(head, head + 1) == nil)
        #expect(layout.piece(at: 5, upTo: 5) == nil)
        #expect(layout.piece(at: layout.length, upTo: layout.length + 1) == nil)
        guard case .chunk(let chunk, let bytes)? = layout.piece(at: head + 2, upTo: head + 7) else {
            Issue.record("samples follow the head")
            return
        }
        #expect(chunk.offset == head && bytes == 2..<7)
    }
}
