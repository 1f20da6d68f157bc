import Testing

@testable import MediaContainers

/// A PES packet that is found in a transport stream.
private struct FoundUnit {
    let stream: Int
    let presentation: Int64?
    /// The bytes behind its header.
    var bytes: [UInt8]

    /// Those of all elementary streams, in the order in which they begin.
    static func all(in bytes: [UInt8]) -> [FoundUnit] {
        var found: [FoundUnit] = []
        for place in stride(from: 0, to: bytes.count, by: TransportPacket.size) {
            let packet = TransportPacket(bytes, at: place)
            guard (ProgramWriter.firstStream..<ProgramWriter.mapStream).contains(packet.stream),
                let payload = packet.payload
            else { continue }
            if packet.begins {
                guard case .whole(let header) = PESHeader.read(bytes[payload]) else { continue }
                found.append(
                    FoundUnit(
                        stream: packet.stream, presentation: header.presentation,
                        bytes: Array(bytes[payload].dropFirst(header.length))))
            } else if let last = found.lastIndex(where: { $0.stream == packet.stream }) {
                found[last].bytes += bytes[payload]
            }
        }
        return found
    }
}

@Suite("Times of a transport stream that is laid out")
struct LayoutTimeTests {
    @Test("begin with the track that begins first, and end with the one that ends last", arguments: [0, 1])
    func twoTracks(_ first: Int) throws {
        let frames = [(size: 10, duration: 9000), (size: 10, duration: 9000)]
        let early = try MadeSound.track(frames)
        let late = try MadeSound.track(frames, pauses: [9000])
        let made = try MadeTransport([first == 0 ? [early, late] : [late, early]])
        #expect(made.layout.duration == 0.3)
        let units = FoundUnit.all(in: made.whole)
        func times(_ track: Int) -> [Int64?] {
            units.filter { $0.stream == ProgramWriter.firstStream + track }.map(\.presentation)
        }
        #expect(times(first) == [126_000, 135_000])
        #expect(times(1 - first) == [135_000, 144_000])
    }

    @Test(
        "are divided into blocks at multiples of 0.4 seconds, also below zero",
        arguments: [
            (0, [4, 4]), (-1, [1, 4, 3]), (-36_000, [4, 4]), (-36_001, [1, 4, 3]), (-44_999, [1, 4, 3]),
            (-45_000, [1, 4, 3]), (-45_001, [2, 4, 2]),
        ] as [(Int, [Int])])
    func blocks(_ start: Int, _ counts: [Int]) throws {
        let frames = (0..<8).map { _ in (size: 10, duration: 9000) }
        let made = try MadeTransport([[MadeSound.track(frames, pauses: [start])]])
        let blocks = made.layout.blocks.indices.map { FoundUnit.all(in: made.block($0) ?? []) }
        #expect(blocks.map(\.count) == counts)
        let times = blocks.flatMap { $0 }.compactMap(\.presentation)
        #expect(times == (0..<8).map { 126_000 + 9000 * Int64($0) })
    }
}

@Suite("Frames of sound in PES packets of a file")
struct LayoutSoundTests {
    @Test("are together only where none between them was left out")
    func leftOut() throws {
        // The second frame overlaps the first one.
        var track = try MadeSound.track([(10, 900), (10, 900), (10, 900)], pauses: [0, -800, -100])
        let contents = ([1, 2, 3] as [UInt8]).map { [UInt8](repeating: $0, count: 10) }
        track.bytes = contents.flatMap { $0 }
        let found = FoundUnit.all(in: try MadeTransport([[track]]).whole)
        #expect(found.map(\.bytes) == [contents[0], contents[2]])
        #expect(found.map(\.presentation) == [126_000, 126_900])
    }

    @Test("are together only where they have one description, which their headers tell")
    func descriptions() throws {
        var track = try MadeSound.track([(10, 900), (10, 900), (10, 900)])
        track.descriptions = [try MadeSound.aac(configuration: 2), try MadeSound.aac(configuration: 1)]
        for index in 1...2 { track.samples[index].description = 1 }
        let found = FoundUnit.all(in: try MadeTransport([[track]]).whole)
        // Each frame has a header of seven bytes.
        #expect(found.map(\.bytes.count) == [17, 34])
        let heads = found.map { Array($0.bytes.prefix(4)) }
        #expect(heads == [[0xFF, 0xF1, 0x4C, 0x80], [0xFF, 0xF1, 0x4C, 0x40]])
    }
}

@Suite("A transport stream that is laid out, at its limits")
struct LayoutLimitTests {
    /// A track of pictures of these sizes, the first of which begins a sequence. It has no bytes.
    private static func pictures(_ sizes: [Int]) throws -> TrackSamples {
        var sets = ParameterSets()
        sets[.init(type: 7, id: 0)] = [0x67, 0x42, 0, 0x1E, 0x8D, 0xF7, 0x20]
        sets[.init(type: 8, id: 0)] = [0x68, 0xCE, 0x80]
        let made = AVCCodec().description(sets, isInBand: false, light: LightFacts())
        let description = try #require(made).0
        let samples = sizes.enumerated().map { index, size in
            MediaSample(
                decodeTime: Int64(index * 3600), duration: 3600, size: UInt32(size), isSync: index == 0)
        }
        return TrackSamples(
            number: 1, timescale: 90_000, descriptions: [description], samples: samples, bytes: [])
    }

    private static func layout(_ tracks: [TrackSamples]) throws -> TransportLayout {
        let outputs = tracks.enumerated().map { OutputTrack(number: UInt32($0 + 1), of: $1) }
        var builder = TransportLayoutBuilder(tracks: outputs)
        for (number, track) in tracks.enumerated() {
            let index = SampleIndex.Track(track, kind: outputs[number].kind)
            try builder.add(index, to: number, segment: 0, shift: 0)
        }
        return try builder.layout()
    }

    @Test("has no picture behind 4 MiB of pictures in a run", arguments: [(4_194_303, 1), (4_194_304, 2)])
    func runs(_ size: Int, count: Int) throws {
        let layout = try Self.layout([Self.pictures([size, 10])])
        #expect(layout.runs.count == count && layout.blocks.count == 1)
    }

    @Test("has no run behind 16 MiB of packets in a block", arguments: [(89_238, 1), (89_239, 2)])
    func blocks(_ packets: Int, count: Int) throws {
        // A picture has a delimiter and parameter sets before it. The first packet has 8 bytes for its clock.
        let form = try #require(try Self.layout([Self.pictures([0])]).trackList[0].forms.first)
        let before = PESWriter.longHeader + form.size(of: 0, bringsSets: true)
        let layout = try Self.layout([Self.pictures([184 * packets - 8 - before, 10])])
        #expect(layout.runs.map(\.packets).first == packets)
        // Two packets have the tables.
        #expect(layout.blocks.count == count)
        #expect(layout.blocks.map(\.length).first == 188 * (packets + (count == 1 ? 3 : 2)))
    }

    @Test("has kinds of packets for sixteen streams of video, and one for all private streams")
    func kinds() throws {
        let videos = [TrackSamples](repeating: try Self.pictures([10]), count: 18)
        let kinds = (0..<18).map { UInt8(0xE0 + min($0, 15)) }
        #expect(try Self.layout(videos).trackList.map(\.packetKind) == kinds)
        var dolby = try MadeSound.track([(10, 900)])
        dolby.descriptions = [try MadeSound.dolby()]
        let mixed = try Self.layout([dolby, Self.pictures([10]), dolby, dolby])
        #expect(mixed.trackList.map(\.packetKind) == [0xBD, 0xE0, 0xBD, 0xBD])
    }

    @Test("has a thousand descriptions in a track, as a movie does, and not one more")
    func descriptions() throws {
        var track = try MadeSound.track([(10, 900)])
        let known = track.descriptions[0]
        func described(_ number: Int) -> SampleDescription {
            var description = known
            // These bytes of an entry are reserved.
            description.entry.replaceSubrange(8..<10, with: [UInt8(number >> 8), UInt8(number & 0xFF)])
            return description
        }
        var stream = TransportLayoutBuilder(tracks: [OutputTrack(number: 1, of: track)])
        var movie = MovieLayoutBuilder(tracks: [OutputTrack(number: 1, of: track)])
        track.descriptions = (0..<1000).map(described)
        let index = SampleIndex.Track(track, kind: .audio)
        try stream.add(index, to: 0, segment: 0, shift: 0)
        try movie.add(index, to: 0, segment: 0, shift: 0)
        track.descriptions = [described(1000)]
        let other = SampleIndex.Track(track, kind: .audio)
        #expect(throws: MovieLayoutError.tooLarge) {
            try stream.add(other, to: 0, segment: 1, shift: 0.01)
        }
        #expect(throws: MovieLayoutError.tooLarge) { try movie.add(other, to: 0, segment: 1, shift: 0.01) }
    }
}
