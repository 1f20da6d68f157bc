import TestSupport
import Testing

@testable import MediaContainers

/// A transport stream that is laid out from segments which ffmpeg or a test has made.
struct MadeTransport {
    let segments: [[TrackSamples]]
    let layout: TransportLayout

    init(_ segments: [[TrackSamples]], shifts: [Double]? = nil, languages: [String] = []) throws {
        self.segments = segments
        let tracks = segments[0].enumerated().map { OutputTrack(number: UInt32($0 + 1), of: $1) }
        var builder = TransportLayoutBuilder(tracks: tracks)
        for track in tracks.indices {
            for (number, samples) in segments.enumerated() {
                let index = SampleIndex.Track(samples[track], kind: tracks[track].kind)
                try builder.add(index, to: track, segment: number, shift: shifts?[number] ?? 0)
            }
        }
        layout = try builder.layout()
    }

    /// The bytes of a block; those of samples that are read anew.
    func block(_ number: Int) -> [UInt8]? {
        layout.bytes(ofBlock: number) { segments[$0.segment][$0.track] }
    }

    var whole: [UInt8] { layout.blocks.indices.flatMap { block($0) ?? [] } }

    /// The samples that a reader finds in the file.
    func read() throws -> [TrackSamples] {
        var reader = TransportSamples()
        return try reader.read(whole)
    }
}

extension TrackSamples {
    /// The samples of a part, whose times stay.
    func part(_ range: Range<Int>) -> TrackSamples {
        var part = self
        let start = samples[..<range.lowerBound].reduce(0) { $0 + Int($1.size) }
        part.samples = Array(samples[range])
        part.bytes = Array(bytes[start..<start + part.samples.reduce(0) { $0 + Int($1.size) }])
        return part
    }

    /// When each sample is presented, in microseconds from the first one of the track.
    func presentation(from first: Int64 = 0) -> [Int64] {
        samples.map {
            ($0.decodeTime + Int64($0.presentationOffset)) * 1_000_000 / Int64(timescale) - first
        }
    }
}

@Suite("A transport stream that is laid out", .enabled(if: FFmpeg.runs))
struct TransportLayoutTests {
    /// The samples of a stream in segments of about half a second, each track cut at places of its own.
    private func segments(_ recipe: [String], of count: Int = 4) throws -> [[TrackSamples]] {
        var reader = TransportSamples()
        let tracks = try reader.read(FFmpeg.stream(recipe))
        return (0..<count).map { number in
            tracks.map { track in
                let size = track.samples.count
                return track.part(size * number / count..<size * (number + 1) / count)
            }
        }
    }

    private func expectSame(_ made: MadeTransport, as source: [[TrackSamples]]) throws {
        let read = try made.read()
        try #require(read.count == source[0].count)
        func times(_ tracks: [[TrackSamples]]) -> [[Int64]] {
            let times = tracks[0].indices.map { track in tracks.flatMap { $0[track].presentation() } }
            let first = times.compactMap { $0.min() }.min() ?? 0
            return times.map { $0.map { $0 - first } }
        }
        for (track, (own, expected)) in zip(read.indices, zip(times([read]), times(source))) {
            #expect(read[track].each == source.flatMap { $0[track].each })
            #expect(zip(own, expected).allSatisfy { abs($0 - $1) <= 500 })
            #expect(read[track].samples.map(\.isSync) == source.flatMap { $0[track].samples.map(\.isSync) })
        }
    }

    @Test("has the samples of its source, each at its time", arguments: StreamShape.pictures)
    func pictures(_ shape: StreamShape) throws {
        let source = try segments(shape.recipe)
        try expectSame(MadeTransport(source), as: source)
    }

    @Test(
        "has the frames of sound of its source, each at its time",
        arguments: StreamShape.sounds.filter { !$0.name.hasPrefix("Opus") })
    func sounds(_ shape: StreamShape) throws {
        let source = try segments(shape.recipe)
        try expectSame(MadeTransport(source), as: source)
    }

    @Test("is the same block by block in any order, and has whole packets of 188 bytes")
    func blocks() throws {
        let made = try MadeTransport(segments(StreamShape.plain))
        let whole = made.whole
        #expect(UInt64(whole.count) == made.layout.length && whole.count % 188 == 0)
        for number in made.layout.blocks.indices.reversed() {
            let block = made.layout.blocks[number]
            let start = Int(block.offset)
            #expect(made.block(number) == Array(whole[start..<start + block.length]))
            #expect(made.layout.block(at: block.offset) == number)
            #expect(made.layout.block(at: block.offset + UInt64(block.length) - 1) == number)
        }
        #expect(made.layout.block(at: made.layout.length) == nil)
        #expect(stride(from: 0, to: whole.count, by: 188).allSatisfy { whole[$0] == 0x47 })
    }

    @Test("counts the packets of each stream, and has a clock that is ahead of all times and never goes back")
    func counters() throws {
        let packets = HeldPackets(try MadeTransport(segments(StreamShape.plain)).whole)
        #expect(packets.breaks == 0 && packets.references.count > 40)
        #expect(zip(packets.references, packets.references.dropFirst()).allSatisfy { $0 < $1 })
        #expect(zip(packets.references, packets.references.dropFirst()).allSatisfy { $1 - $0 <= 9000 })
        #expect(packets.isAhead)
        #expect(packets.tables.allSatisfy { CRC32.mpeg($0) == 0 } && packets.tables.count >= 8)
    }

    @Test("names no language that its tracks do not have, and those that they have")
    func languages() throws {
        var source = try segments(StreamShape.plain, of: 1)
        source[0][1].language = "deu"
        let read = try MadeTransport(source).read()
        #expect(read.map(\.language) == [nil, "deu"])
    }

    @Test("refuses codecs that a transport stream can't carry, and a change of codecs")
    func refusals() throws {
        let source = try segments(StreamShape.plain, of: 2)
        var other = source
        other[1][0].descriptions[0].entry.replaceSubrange(4..<8, with: "av01".utf8)
        other[1][0].descriptions[0].codec = "av01"
        #expect(throws: MovieLayoutError.unsupportedCodec(segment: 1, codec: "av01")) {
            try MadeTransport(other)
        }
        let dolby = try segments(["-f", "lavfi", "-i", "sine=r=48000", "-t", "1", "-c:a", "ac3"], of: 1)
        other = [[source[0][1]], [dolby[0][0]]]
        #expect(throws: MovieLayoutError.codecChanges(segment: 1, from: "mp4a.40.2", to: "ac-3")) {
            try MadeTransport(other)
        }
    }

    @Test("is not made of samples that are others than those it was laid out of")
    func changed() throws {
        let source = try segments(StreamShape.plain, of: 1)
        let made = try MadeTransport(source)
        var other = source[0]
        other[0].samples[3].size += 1
        #expect(made.layout.bytes(ofBlock: 0) { other[$0.track] } == nil)
        other[0].samples.removeAll()
        #expect(made.layout.bytes(ofBlock: 0) { other[$0.track] } == nil)
        #expect(made.layout.bytes(ofBlock: 0) { _ in nil } == nil)
    }

    @Test("has times that begin anew behind 33 bits, where the segments are placed there")
    func wraps() throws {
        let source = try segments(StreamShape.plain, of: 4)
        // A day of nothing, so that the clock ends behind the last time that 33 bits hold.
        let late = HeldPackets(try MadeTransport(source, shifts: [0, 0, 95_441.5, 95_441.5]).whole)
        let references = late.references
        #expect(late.breaks == 0 && references.count == 50)
        let falls = zip(references, references.dropFirst()).filter { $0 > $1 }
        #expect(falls.count == 1 && falls.allSatisfy { $0 - $1 > 1 << 32 })
    }

    @Test("shows no picture before it is decoded, where offsets of the source are below zero")
    func offsets() throws {
        var source = try segments(StreamShape.plain, of: 1)
        for index in source[0][0].samples.indices { source[0][0].samples[index].presentationOffset -= 7200 }
        for index in source[0][1].samples.indices { source[0][1].samples[index].decodeTime -= 3840 }
        let read = try MadeTransport(source).read()
        #expect(read[0].samples.allSatisfy { $0.presentationOffset >= 0 })
        try expectSame(MadeTransport(source), as: source)
    }

    @Test("has parameter sets and a delimiter where decoding can begin, also where samples bring their own")
    func sets() throws {
        var source = try segments(StreamShape.plain, of: 1)
        let once = try MadeTransport(source)
        let own = source[0][0].withParameterSets
        source[0][0] = own
        let twice = try MadeTransport(source)
        #expect(try once.read()[0].each == twice.read()[0].each)
        let syncs = own.samples.count { $0.isSync }
        for made in [once, twice] {
            #expect(made.whole.ranges(of: [0, 0, 0, 1, 0x67] as [UInt8]).count == syncs)
        }
        #expect(HeldPackets(twice.whole).breaks == 0)
    }
}

@Suite("Samples that no encoder makes") struct BrokenSampleTests {
    @Test("has a byte of a picture in each packet, also where nothing in the samples is a unit")
    func shortened() throws {
        var sets = ParameterSets()
        sets[.init(type: 7, id: 0)] = [0x67, 0x42, 0, 0x1E, 0x8D, 0xF7, 0x20]
        sets[.init(type: 8, id: 0)] = [0x68, 0xCE, 0x80]
        let made = AVCCodec().description(sets, isInBand: false, light: LightFacts())
        let description = try #require(made).0
        let bytes = [UInt8](repeating: 0xFF, count: 2000)
        let track = TrackSamples(
            number: 1, timescale: 90_000, descriptions: [description],
            samples: [MediaSample(decodeTime: 0, duration: 3600, size: 2000, isSync: true)], bytes: bytes)
        let packets = HeldPackets(try MadeTransport([[track]]).whole)
        #expect(packets.breaks == 0 && packets.emptyPackets == 0)
    }

    @Test("keeps times within 62 bits, whatever the timescales are")
    func times() {
        let sample = MediaSample(
            decodeTime: 1 << 60, presentationOffset: .max, duration: .max, size: 1, isSync: true)
        let scales: [(UInt32, UInt32)] = [(1, .max), (.max, .max - 1), (.max - 1, .max), (7, 7)]
        for (from, to) in scales {
            for shift in [Int64(1) << 62, 0, -1 << 62] {
                let moved = sample.moved(from: from, to: to, by: shift)
                #expect(moved.decodeTime.magnitude <= 1 << 60)
            }
        }
        #expect(Ticks.scaled(Int64.min, from: 1, to: 90_000) == -1 << 60)
    }

    @Test("scales a time exactly where the timescales have 32 bits, towards zero")
    func scales() {
        let time = Int64(UInt32.max - 2)
        #expect(Ticks.scaled(time, from: .max - 1, to: .max) == time)
        #expect(Ticks.scaled(-time, from: .max - 1, to: .max) == -time)
        #expect(Ticks.scaled(-7, from: 4, to: 2) == -3)
        #expect(Ticks.scaled(7, from: 4, to: 2) == 3)
    }
}

/// The packets of a transport stream, looked at one by one.
struct HeldPackets {
    /// How often a continuity counter is another one than expected.
    private(set) var breaks = 0
    /// The clock references in order.
    private(set) var references: [Int64] = []
    /// Whether each time of decoding is later than the clock at its place.
    private(set) var isAhead = true
    /// How many packets have no payload.
    private(set) var emptyPackets = 0
    /// The tables that begin in a packet and end in it.
    private(set) var tables: [[UInt8]] = []

    init(_ bytes: [UInt8]) {
        var counters: [Int: UInt8] = [:]
        for place in stride(from: 0, to: bytes.count, by: 188) {
            let stream = Int(bytes[place + 1] & 0x1F) << 8 | Int(bytes[place + 2])
            let (control, counter) = (bytes[place + 3] & 0x30, bytes[place + 3] & 0xF)
            if let last = counters[stream], counter != (last + 1) & 0xF { breaks += 1 }
            counters[stream] = counter
            var start = place + 4
            if control & 0x20 != 0, bytes[place + 4] > 182 { emptyPackets += 1 }
            if control & 0x20 != 0 {
                if bytes[place + 4] >= 7, bytes[place + 5] & 0x10 != 0 {
                    let base = bytes[place + 6..<place + 10].reduce(Int64(0)) { $0 << 8 | Int64($1) }
                    references.append(base << 1 | Int64(bytes[place + 10] >> 7))
                }
                start += 1 + Int(bytes[place + 4])
            }
            guard bytes[place + 1] & 0x40 != 0 else { continue }
            if stream == 0 || stream == 0x1000 {
                let length = 3 + (Int(bytes[start + 2] & 0xF) << 8 | Int(bytes[start + 3]))
                if start + 1 + length <= place + 188 {
                    tables.append(Array(bytes[start + 1..<start + 1 + length]))
                }
            } else {
                let flags = bytes[start + 7] & 0xC0
                let time = start + (flags == 0xC0 ? 14 : 9)
                isAhead = isAhead && Self.time(bytes, time) > references.last ?? .max
            }
        }
    }

    private static func time(_ bytes: [UInt8], _ at: Int) -> Int64 {
        let high = Int64(bytes[at] >> 1 & 7) << 30
        let middle = Int64(bytes[at + 1]) << 22 | Int64(bytes[at + 2] >> 1) << 15
        return high | middle | Int64(bytes[at + 3]) << 7 | Int64(bytes[at + 4] >> 1)
    }
}
