import Testing

@testable import MediaContainers

/// Descriptions of sound that no test has to encode.
enum MadeSound {
    static func layer3(rate: Int = 48_000) throws -> SampleDescription {
        let format = SoundFormat(rate: rate, channels: 2, key: 0x6B)
        let frame = SoundFrame(length: 4, payloads: [[0, 0, 0, 0]], samples: 1152, format: format)
        return try #require(MPEGSound.description(of: frame))
    }

    static func dolby() throws -> SampleDescription {
        let bytes: [UInt8] = [0x0B, 0x77, 0, 0, 0, 0x40, 0x40, 0] + [UInt8](repeating: 0, count: 120)
        guard case .frame(let frame) = DolbySound.look(bytes, at: 0) else { throw SampleError.tooLarge }
        return try #require(DolbySound.description(of: frame))
    }

    /// MPEG audio at a low rate, whose object type is another one.
    static func lowRate() throws -> SampleDescription {
        let format = SoundFormat(rate: 24_000, channels: 2, key: 0x69)
        let frame = SoundFrame(length: 4, payloads: [[0, 0, 0, 0]], samples: 576, format: format)
        return try #require(MPEGSound.description(of: frame))
    }

    static func aac(configuration: Int = 2) throws -> SampleDescription {
        let made = AACConfiguration(
            object: 2, rateIndex: 3, configuration: configuration, elements: nil, named: nil)
        return try #require(made).description
    }

    /// A track of frames of these sizes and durations, each behind a pause; all in ticks of 90 kHz.
    static func track(_ frames: [(size: Int, duration: Int)], pauses: [Int] = []) throws -> TrackSamples {
        var (samples, time) = ([MediaSample](), 0)
        for (index, frame) in frames.enumerated() {
            if pauses.indices.contains(index) { time += pauses[index] }
            samples.append(
                MediaSample(
                    decodeTime: Int64(time), duration: UInt32(frame.duration), size: UInt32(frame.size),
                    isSync: true))
            time += frame.duration
        }
        let bytes = [UInt8](repeating: 0x55, count: frames.reduce(0) { $0 + $1.size })
        return TrackSamples(
            number: 1, timescale: 90_000, descriptions: [try layer3()], samples: samples, bytes: bytes)
    }
}

@Suite("Packets that are written") struct PacketWriterTests {
    private static let marks: [PacketWriter.Marks] = [
        .init(), .init(clock: 1 << 32 + 5), .init(isRandomAccess: true),
        .init(clock: 7, isRandomAccess: true),
    ]

    /// The payloads of packets, one after the other.
    private func payload(_ bytes: [UInt8]) -> [UInt8] {
        stride(from: 0, to: bytes.count, by: 188).flatMap { place -> ArraySlice<UInt8> in
            TransportPacket(bytes, at: place).payload.map { bytes[$0] } ?? []
        }
    }

    @Test("have all bytes of a PES packet of any length, and are as few as it needs", arguments: 0..<4)
    func lengths(_ number: Int) {
        let marks = Self.marks[number]
        let first = 184 - [0, 8, 2, 8][number]
        for count in 1...600 {
            let content = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
            let packets = PacketWriter.packets(of: count, marks)
            #expect(packets == (count <= first ? 1 : 1 + (count - first + 183) / 184))
            for more in 0...1 where packets + more <= count {
                var (writer, counter) = (PacketWriter(reserving: 0), UInt8(14))
                writer.append(
                    content, stream: 0x1234, counter: &counter, packets: packets + more, marks: marks)
                #expect(writer.bytes.count == 188 * (packets + more) && payload(writer.bytes) == content)
                #expect(Int(counter) == (14 + packets + more) & 0xF)
            }
        }
    }

    @Test("begin with the mark of a PES packet, which only the first has")
    func marks() {
        for (number, marks) in Self.marks.enumerated() {
            var (writer, counter) = (PacketWriter(reserving: 0), UInt8(0))
            writer.append(
                [UInt8](repeating: 1, count: 300), stream: 0x1FFE, counter: &counter, packets: 2, marks: marks
            )
            let packets = [0, 188].map { TransportPacket(writer.bytes, at: $0) }
            #expect(packets.map(\.begins) == [true, false] && packets.allSatisfy { $0.stream == 0x1FFE })
            #expect(TransportPacket.isRandomAccess(writer.bytes, 0) == (number > 1))
            #expect(!TransportPacket.isRandomAccess(writer.bytes, 188))
        }
        var (writer, counter) = (PacketWriter(reserving: 0), UInt8(0))
        writer.append([1], stream: 1, counter: &counter, packets: 1, marks: .init(clock: 1 << 32 + 5))
        #expect(Array(writer.bytes[6..<12]) == [0x80, 0, 0, 2, 0xFE, 0])
    }

    @Test(
        "of a table are as many as it takes, with 0xFF behind it",
        arguments: [1, 182, 183, 184, 366, 367, 368])
    func tables(_ count: Int) {
        let section = (0..<count).map { UInt8(truncatingIfNeeded: $0 + 1) }
        let packets = PacketWriter.packets(ofTable: section)
        #expect(packets == (count + 1 + 183) / 184)
        var writer = PacketWriter(reserving: 0)
        writer.append(table: section, stream: 0x1000, counter: 31)
        let found = payload(writer.bytes)
        #expect(writer.bytes.count == 188 * packets && Array(found.prefix(count + 1)) == [0] + section)
        #expect(found.dropFirst(count + 1).allSatisfy { $0 == 0xFF })
        #expect(writer.bytes[3] == 0x1F && (packets == 1 || writer.bytes[191] == 0x10))
    }

    @Test("have a program map of 1024 bytes at most")
    func maps() throws {
        let forms = (plain: StreamForm(try MadeSound.layer3()), dolby: StreamForm(try MadeSound.dolby()))
        let (plain, dolby) = (try #require(forms.plain), try #require(forms.dolby))
        func map(_ plains: Int, _ dolbies: Int) -> [UInt8]? {
            let all =
                [StreamForm](repeating: plain, count: plains) + [StreamForm](repeating: dolby, count: dolbies)
            return ProgramWriter.map(
                all.enumerated().map { ProgramWriter.Stream(form: $1, number: 0x100 + $0, language: nil) })
        }
        #expect(map(195, 3)?.count == 1024 && map(193, 4) == nil && map(1, 0)?.count == 21)
        let spoken = ProgramWriter.map([.init(form: plain, number: 0x100, language: "deu")])
        #expect(spoken?.count == 27)
        #expect(ProgramWriter.map([.init(form: plain, number: 0x100, language: "de")])?.count == 21)
    }

    @Test("have frames of AAC below 8192 bytes with their headers, and others of what a PES packet holds")
    func sizes() throws {
        let (adts, plain) = (StreamForm(try MadeSound.aac()), StreamForm(try MadeSound.layer3()))
        #expect(adts?.holds(8184) == true && adts?.holds(8185) == false)
        #expect(plain?.holds(0xFEFF) == true && plain?.holds(0xFF00) == false)
        #expect(adts?.size(of: 10, bringsSets: true) == 17 && plain?.size(of: 10, bringsSets: true) == 10)
    }

    @Test("have the type of stream that MPEG-1 audio has, or that of MPEG-2")
    func soundTypes() throws {
        #expect(try MadeSound.layer3().transportStreamType == 3)
        #expect(try MadeSound.lowRate().transportStreamType == 4)
        #expect(try MadeSound.aac().transportStreamType == 0x0F)
    }

    @Test("have the element that tells their channels before frames of AAC that bring none")
    func programElements() throws {
        var bits = BitWriter()
        // AAC-LC at 48 kHz, its channels in an element: one pair in front.
        for (value, count) in [
            (2, 5), (3, 4), (0, 4), (0, 3), (0, 4), (1, 2), (3, 4), (1, 4), (0, 4), (0, 4), (0, 2), (0, 3),
            (0, 4), (0, 3), (1, 1), (0, 4),
        ] { bits.put(value, count) }
        bits.align()
        bits.put(0, 8)
        let form = try #require(ADTSForm(bits.bytes))
        func written(_ frame: [UInt8]) -> [UInt8] {
            var payload: [UInt8] = []
            form.write(frame[...], to: &payload)
            return payload
        }
        // The first three bits name a pair of channels, or that element.
        let (bare, whole): ([UInt8], [UInt8]) = ([0x20, 7, 7], [0xA0, 7, 7])
        let length = form.overhead - 7
        try #require(length > 0)
        #expect(written(whole).dropFirst(7) == whole[...] && written(whole).count == 10)
        #expect(written(bare).count == 10 + length && written(bare)[7] >> 5 == 5)
        #expect(written(bare).suffix(3) == bare[...])
        #expect(written([]).count == 7)
        for frame in [bare, whole] {
            let bytes = written(frame)
            #expect(Int(bytes[3] & 3) << 11 | Int(bytes[4]) << 3 | Int(bytes[5] >> 5) == bytes.count)
        }
    }
}

@Suite("PES packets of sound") struct SoundGroupTests {
    /// How many there are for frames of sound.
    private func count(_ frames: [(size: Int, duration: Int)], pauses: [Int] = []) throws -> Int {
        let bytes = try MadeTransport([[MadeSound.track(frames, pauses: pauses)]]).whole
        return stride(from: 0, to: bytes.count, by: 188).count { place in
            let packet = TransportPacket(bytes, at: place)
            return packet.begins && packet.stream == ProgramWriter.firstStream
        }
    }

    @Test("have frames of 2800 bytes together")
    func bytes() throws {
        #expect(try count([(1400, 900), (1400, 900)]) == 1 && count([(1400, 900), (1401, 900)]) == 2)
        #expect(try count([(2000, 900), (700, 900), (100, 900), (1, 900)]) == 2)
    }

    @Test("have frames of a tenth of a second together")
    func durations() throws {
        #expect(try count([(10, 4500), (10, 4500)]) == 1 && count([(10, 4500), (10, 4501)]) == 2)
        #expect(try count([(10, 3000), (10, 3000), (10, 3000), (10, 3000)]) == 2)
    }

    @Test("have no frames with more than half a millisecond between them")
    func pauses() throws {
        #expect(try count([(10, 80), (10, 80)], pauses: [0, 45]) == 1)
        #expect(try count([(10, 80), (10, 80)], pauses: [0, 46]) == 2)
    }
}

@Suite("Streams of a file") struct StreamNumberTests {
    @Test("of sound have kinds of packets of their own, up to the 32nd")
    func sounds() throws {
        let tracks = try (0..<34).map { _ in try MadeSound.track([(10, 900)]) }
        let bytes = try MadeTransport([tracks]).whole
        var kinds: [Int: UInt8] = [:]
        for place in stride(from: 0, to: bytes.count, by: 188) {
            let packet = TransportPacket(bytes, at: place)
            guard packet.begins, packet.stream >= ProgramWriter.firstStream, let payload = packet.payload,
                packet.stream != ProgramWriter.mapStream
            else { continue }
            kinds[packet.stream - ProgramWriter.firstStream] = bytes[payload.lowerBound + 3]
        }
        #expect((0..<34).map { kinds[$0] } == (0..<34).map { 0xC0 + min($0, 31) })
    }
}

@Suite("The clock of a track") struct SampleClockTests {
    private func sample(_ time: Int64, offset: Int32 = 0, duration: UInt32 = 1024) -> MediaSample {
        MediaSample(
            decodeTime: time, presentationOffset: offset, duration: duration, size: 1, isSync: true)
    }

    @Test(
        "takes sound for continuous that is off by half a frame, keeps longer gaps, and drops what overlaps",
        arguments: [(0, 0), (512, 0), (513, 513), (-512, 0), (-513, nil), (-5000, nil)] as [(Int64, Int64?)])
    func sound(off: Int64, placed: Int64?) {
        var clock = SampleClock()
        #expect(clock.place(sample(100), isSound: true)?.decodeTime == 100 && clock.end == 1124)
        let next = clock.place(sample(1124 + off), isSound: true)
        #expect(next?.decodeTime == placed.map { 1124 + $0 })
        #expect(clock.lastTime == (placed.map { 1124 + $0 } ?? 100))
    }

    @Test(
        "lets times of decoding grow, and shows pictures when their source does",
        arguments: [(101, 101, 0), (100, 101, -1), (90, 101, -11), (5000, 5000, 0)] as [(Int64, Int64, Int32)]
    )
    func pictures(time: Int64, placed: Int64, offset: Int32) {
        var clock = SampleClock()
        _ = clock.place(sample(100), isSound: false)
        let next = clock.place(sample(time), isSound: false)
        #expect(next?.decodeTime == placed && next?.presentationOffset == offset)
    }

    @Test("knows the time before a sample in which nothing is decoded")
    func gaps() {
        var clock = SampleClock()
        #expect(clock.gap(before: sample(100)) == nil && clock.end == nil)
        _ = clock.place(sample(100), isSound: true)
        #expect(clock.gap(before: sample(1124)) == nil && clock.gap(before: sample(5)) == nil)
        #expect(clock.gap(before: sample(1125)) == 1124..<1125)
    }

    @Test("rounds seconds to the nearest tick, and knows no time beyond 62 bits")
    func seconds() {
        #expect([0.5, 0.49, -0.5, -0.49, 1.5].map(Ticks.whole) == [1, 0, -1, 0, 2])
        #expect(Ticks.whole(1e30) == 4_000_000_000_000_000_000)
        #expect(Ticks.whole(-1e30) == -4_000_000_000_000_000_000)
        #expect(Ticks.nearest(1.5, 90_000) == 135_000)
        #expect(Ticks.limited(1 << 60) == 1 << 60 && Ticks.limited(1 << 60 + 1) == 1 << 60)
        #expect(Ticks.limited(-1 << 61) == -1 << 60 && Ticks.scaled(5, from: 0, to: 9) == 5)
    }
}

@Suite("Files of too many samples") struct SampleLimitTests {
    @Test("are refused, with frames of silence among the samples")
    func limits() throws {
        let track = try MadeSound.track([(10, 900), (10, 900), (10, 900)])
        var late = track
        late.descriptions = [try MadeSound.aac()]
        late.samples[2].decodeTime += 45_000
        for (source, count) in [(track, 3), (late, 26)] {
            let index = SampleIndex.Track(source, kind: .audio)
            for limit in [count - 1, count] {
                var stream = TransportLayoutBuilder(tracks: [OutputTrack(number: 1, of: source)])
                var movie = MovieLayoutBuilder(tracks: [OutputTrack(number: 1, of: source)])
                (stream.mostSamples, movie.mostSamples) = (limit, limit)
                let isRefused = [
                    Result { try stream.add(index, to: 0, segment: 0, shift: 0) },
                    Result { try movie.add(index, to: 0, segment: 0, shift: 0) },
                ].map { (try? $0.get()) == nil }
                #expect(isRefused == [limit < count, limit < count])
            }
        }
    }
}
