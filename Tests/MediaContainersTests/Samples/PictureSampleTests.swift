import Testing

@testable import MediaContainers

/// What encoders of broadcasts do with H.264, made by hand.
@Suite("Pictures of broadcasts") struct PictureSampleTests {
    private typealias Pictures = HandmadePictures

    private static func track(_ units: [HandmadeStream.Unit]) throws -> TrackSamples {
        let stream = HandmadeStream([HandmadeStream.Entry(type: 0x1B)], units)
        return try #require(try TransportSampleTests.tracks(stream.bytes).first)
    }

    private static func unit(_ time: Int64?, _ units: [UInt8]..., decoding: Int64? = nil)
        -> HandmadeStream.Unit
    {
        HandmadeStream.Unit(
            presentation: time, decoding: decoding, bytes: units.reduce([]) { $0 + Pictures.code + $1 })
    }

    @Test(
        "two fields of a frame are one sample, whether they share a PES packet or not",
        arguments: [true, false])
    func fields(_ share: Bool) throws {
        let sets = [Pictures.sequence(), Pictures.pictureSet()]
        func field(_ type: UInt8, _ frame: Int, _ isBottom: Bool) -> [UInt8] {
            Pictures.slice(type, kind: type == 5 ? 7 : 5, frame: frame, field: isBottom, payload: 9)
        }
        var units: [HandmadeStream.Unit] = []
        for frame in 0..<4 {
            let time = Int64(90_000 + 3600 * frame)
            let type: UInt8 = frame == 0 ? 5 : 1
            let head =
                frame == 0 ? Pictures.stream([9, 0xF0], sets[0], sets[1]) : Pictures.stream([9, 0xF0])
            let first = head + Pictures.code + field(type, frame, false)
            let second =
                Pictures.stream([9, 0xF0], Pictures.recoveryPoint) + Pictures.code + field(1, frame, true)
            units.append(
                HandmadeStream.Unit(presentation: time, bytes: share ? first + second : first))
            if !share { units.append(HandmadeStream.Unit(presentation: time + 1800, bytes: second)) }
        }
        let track = try Self.track(units)
        #expect(track.samples.map(\.decodeTime) == [90_000, 93_600, 97_200, 100_800])
        #expect(track.samples.map(\.isSync) == [true, false, false, false])
        #expect(track.samples.allSatisfy { $0.duration == 3600 })
        #expect(track.descriptions[0].shape == .video(width: 64, height: 64))
    }

    @Test(
        "an I picture is a sync sample with a recovery point or where its packet says so, a P picture never")
    func recovery() throws {
        func picture(_ kind: Int, _ frame: Int, _ message: [UInt8]?) -> [UInt8] {
            Pictures.stream([9, 0xF0]) + (message.map { Pictures.code + $0 } ?? []) + Pictures.code
                + Pictures.slice(1, kind: kind, frame: frame, payload: 1)
        }
        let sets = Pictures.stream(Pictures.sequence(), Pictures.pictureSet())
        let pictures: [(kind: Int, message: [UInt8]?, access: Bool)] = [
            (7, Pictures.recoveryPoint, false), (5, nil, false), (7, nil, false), (7, nil, true),
            (5, Pictures.recoveryPoint, true),
        ]
        let units = pictures.enumerated().map { index, entry in
            HandmadeStream.Unit(
                presentation: 90_000 + 3600 * Int64(index),
                bytes: (index == 0 ? sets : []) + picture(entry.kind, index, entry.message),
                isRandomAccess: entry.access)
        }
        #expect(try Self.track(units).samples.map(\.isSync) == [true, false, false, true, false])
    }

    @Test("several pictures of a PES packet follow the first, and slices without delimiters are told apart")
    func several() throws {
        func slice(_ first: Int, _ frame: Int) -> [UInt8] {
            Pictures.slice(
                frame == 0 ? 5 : 1, first: first, kind: 7, frame: frame, fields: false, payload: UInt8(frame))
        }
        let sets = Pictures.stream(Pictures.sequence(fields: false), Pictures.pictureSet())
        let first =
            sets
            + Pictures.stream(slice(0, 0), slice(8, 0), slice(0, 1), slice(8, 1), slice(0, 2), slice(8, 2))
        let second = Pictures.stream(slice(0, 3), slice(8, 3))
        let third = Pictures.stream(slice(0, 4), slice(8, 4))
        let track = try Self.track([
            HandmadeStream.Unit(presentation: 90_000, bytes: first),
            HandmadeStream.Unit(presentation: 100_800, bytes: second),
            HandmadeStream.Unit(presentation: 104_400, bytes: third),
        ])
        #expect(track.samples.map(\.decodeTime) == [90_000, 93_600, 97_200, 100_800, 104_400])
    }

    @Test("without decoding times pictures are decoded early enough to be shown in order")
    func reordered() throws {
        let order: [Int64] = [2, 5, 3, 4, 8, 6, 7]
        let sets = Pictures.stream(Pictures.sequence(fields: false), Pictures.pictureSet())
        let units = order.enumerated().map { index, place in
            HandmadeStream.Unit(
                presentation: 90_000 + 3600 * place,
                bytes: (index == 0 ? sets : [])
                    + Pictures.stream(
                        Pictures.slice(
                            index == 0 ? 5 : 1, kind: 7, frame: index, fields: false, payload: UInt8(index))))
        }
        let samples = try Self.track(units).samples
        let shown = samples.map { $0.decodeTime + Int64($0.presentationOffset) }
        #expect(shown == order.map { 90_000 + 3600 * $0 })
        #expect(zip(samples, samples.dropFirst()).allSatisfy { $0.decodeTime < $1.decodeTime })
        #expect(samples.allSatisfy { $0.presentationOffset >= 0 && $0.duration == 3600 })
    }

    @Test("parameter sets are in the sample entry alone, and in samples, too, where they change")
    func parameterSets() throws {
        func track(_ second: [UInt8]) throws -> TrackSamples {
            let picture = [0, 1].map { frame in
                Pictures.stream(
                    frame == 0 ? Pictures.pictureSet() : second,
                    Pictures.slice(5, kind: 7, frame: frame, fields: false, payload: UInt8(frame)))
            }
            let sequence = Pictures.stream(Pictures.sequence(fields: false))
            return try Self.track([
                HandmadeStream.Unit(presentation: 90_000, bytes: sequence + picture[0]),
                HandmadeStream.Unit(presentation: 93_600, bytes: picture[1]),
            ])
        }
        let (same, other) = (try track(Pictures.pictureSet()), try track(Pictures.pictureSet(0xC0)))
        let set = UInt32(4 + Pictures.pictureSet().count)
        #expect(same.descriptions == other.descriptions)
        #expect(other.samples[1].size == same.samples[1].size + set)
        #expect(other.samples[0].size > same.samples[0].size + set)
    }

    @Test("a stream of which each picture brings another sequence is too large, up to 255 are not")
    func sequences() throws {
        func units(_ count: Int) -> [HandmadeStream.Unit] {
            (0..<count).map { index in
                HandmadeStream.Unit(
                    presentation: 90_000 + 3600 * Int64(index),
                    bytes: Pictures.stream(
                        Pictures.sequence(fields: false, columns: 4 + index % 3), Pictures.pictureSet(),
                        Pictures.slice(5, kind: 7, frame: 0, fields: false, payload: 1)))
            }
        }
        let track = try Self.track(units(255))
        #expect(track.descriptions.count == 255)
        #expect(track.samples.map(\.description) == (0..<255).map { UInt8($0) })
        #expect(throws: SampleError.tooLarge) { try Self.track(units(256)) }
    }

    @Test("filler, zeros behind units and start codes of three bytes are no part of samples")
    func trailing() throws {
        let slice = Pictures.slice(5, kind: 7, frame: 0, fields: false, payload: 3)
        let bytes =
            Pictures.stream(
                Pictures.sequence(fields: false), Pictures.pictureSet(), [0x0C, 0xFF, 0xFF, 0x80])
            + [0, 0, 1] + slice + [0, 0, 0, 0, 0]
        let track = try Self.track([HandmadeStream.Unit(presentation: 90_000, bytes: bytes)])
        #expect(track.bytes == [0, 0, 0, UInt8(slice.count)] + slice)
    }
}
