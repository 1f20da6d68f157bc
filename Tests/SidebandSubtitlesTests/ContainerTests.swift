import Testing

@testable import SidebandSubtitles

@Suite("Subtitles in fragmented MP4")
struct FragmentedTextTests {
    /// The cues of a fixture's segments of 2 seconds, whose media begins at 0.
    private func merged(_ folder: String, firstTicks: Int = 0) throws -> MergedSubtitles {
        let initialization = try Fixtures.bytes("fragmented/\(folder)/init.mp4")
        var merger = SegmentMerger(clocks: [0: MediaClock(firstTicks: firstTicks)])
        for number in 1...5 {
            let place = SegmentPlace(start: Double(number - 1) * 2, duration: 2)
            let bytes = try Fixtures.bytes("fragmented/\(folder)/\(number).m4s")
            try merger.add(bytes, at: place, initialization: initialization)
        }
        return merger.merged()
    }

    private static let times = ["0.5 1.5", "3.7 4.7", "4.5 5.5", "7.7 8.7", "8.5 9.5"]

    @Test("become the cues they were made of, each once", arguments: ["wvtt", "stpp"])
    func cues(_ folder: String) throws {
        let track = try merged(folder).track
        #expect(track.cues.map { "\($0.start.seconds) \($0.end.seconds)" } == Self.times)
        // The packager writes the markup of WebVTT into TTML as text.
        let second = folder == "wvtt" ? "second line & more" : "<i>second line &amp; more</i>"
        let texts = ["Line 0\n\(second)", "Line 1", "Line 2", "Line 3\n\(second)", "Line 4"]
        #expect(track.cues.map(\.content.plainText) == texts)
        let names = (0..<5).map { folder == "wvtt" ? "en-\($0)" : "" }
        #expect(track.cues.map(\.identifier) == names)
    }

    @Test("stand on the clock of the media")
    func clock() throws {
        let track = try merged("wvtt", firstTicks: 45_000).track
        #expect(track.cues.first?.start == CueTime(milliseconds: 0))
        #expect(track.cues.last?.start == CueTime(seconds: 8))
    }

    @Test("without a time of their own last as long as their sample")
    func timelessText() throws {
        let documents = ["<p>a</p>", "<p begin=\"2500ms\">b</p>", "<p begin=\"4s\" dur=\"1s\">c</p><p>d</p>"]
        var merger = SegmentMerger(clocks: [0: MediaClock(firstTicks: 0)])
        for (number, body) in documents.enumerated() {
            let document = "<tt xmlns=\"http://www.w3.org/ns/ttml\"><body><div>\(body)</div></body></tt>"
            let place = SegmentPlace(start: Double(number) * 2, duration: 2)
            let bytes = Movie.text(document, decodeTime: number * 2000, duration: 2000)
            try merger.add(bytes, at: place, initialization: Movie.textStart)
        }
        let expected = ["0.0 2.0 a", "2.5 4.0 b", "4.0 6.0 d", "4.0 5.0 c"]
        #expect(summary(merger.merged().track.cues) == expected)
    }

    @Test("without their initialization section are a problem, not a failure")
    func withoutInitialization() throws {
        var merger = SegmentMerger()
        try merger.add(try Fixtures.bytes("fragmented/wvtt/2.m4s"), at: SegmentPlace(start: 0, duration: 2))
        #expect(merger.merged().problems.map(\.code) == [.refused(WebVTTError(.unknownContainer))])
    }

    @Test("survive bytes that were changed or cut off", arguments: ["wvtt", "stpp"])
    func damage(_ folder: String) throws {
        let initialization = try Fixtures.bytes("fragmented/\(folder)/init.mp4")
        let segment = try Fixtures.bytes("fragmented/\(folder)/4.m4s")
        var random = SplitMix(state: 7)
        for _ in 0..<400 {
            var merger = SegmentMerger()
            try merger.add(
                random.damage(segment), at: SegmentPlace(start: 6, duration: 2),
                initialization: random.damage(initialization))
            #expect(merger.merged().track.cues.count < 100)
        }
    }
}

@Suite("The clock of media")
struct MediaTimestampTests {
    /// A transport packet with the start of a PES packet that has a presentation timestamp.
    static func packet(stream: UInt8, ticks: Int) -> [UInt8] {
        let time = [
            UInt8(0x21 | (ticks >> 30 & 7) << 1), UInt8(ticks >> 22 & 0xFF), UInt8(ticks >> 14 & 0xFE | 1),
            UInt8(ticks >> 7 & 0xFF), UInt8(ticks << 1 & 0xFE | 1),
        ]
        let header: [UInt8] = [0x47, 0x41, 0, 0x10, 0, 0, 1, stream, 0, 0, 0x80, 0x80, 5] + time
        return header + [UInt8](repeating: 0xFF, count: 188 - header.count)
    }

    @Test("is that of the earliest picture of a transport stream, across the wrap too")
    func transportStream() {
        let bytes =
            Self.packet(stream: 0xC0, ticks: 898_080) + Self.packet(stream: 0xE0, ticks: 903_600)
            + Self.packet(stream: 0xE0, ticks: 900_000)
        #expect(MediaTimestamps(of: bytes).video == 900_000)
        #expect(MediaTimestamps(of: bytes).audio == 898_080)
        #expect(MediaTimestamps(of: [1, 2, 3] + bytes).first == 900_000)
        let last = (1 << 33) - 3600
        let wrapped = Self.packet(stream: 0xE0, ticks: 0) + Self.packet(stream: 0xE0, ticks: last)
        #expect(MediaTimestamps(of: wrapped + wrapped).first == last)
    }

    @Test("is in the ID3 tag of packed audio")
    func packedAudio() {
        let owner = Array("com.apple.streaming.transportStreamTimestamp".utf8) + [0]
        let time: [UInt8] = [0, 0, 0, 1, 0, 0, 0, 9]
        let frame: [UInt8] = Array("PRIV".utf8) + [0, 0, 0, UInt8(owner.count + 8), 0, 0] + owner + time
        let tag: [UInt8] = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, UInt8(frame.count)] + frame
        #expect(MediaTimestamps(of: tag + [0xFF, 0xF1]).audio == 1 << 32 | 9)
        #expect(MediaTimestamps(of: Array(tag.prefix(60))).first == nil)
    }

    @Test("of fragmented MP4 is the first sample's time minus the skip of its edit list")
    func fragments() {
        let plain = MediaTimestamps(of: Movie.segment(decodeTime: 1 << 33), initialization: Movie.start())
        #expect(plain.video == (1 << 33) * 90 % (1 << 33))
        let edited = MediaTimestamps(
            of: Movie.segment(decodeTime: 3000), initialization: Movie.start(edits: [-1, 1000]))
        #expect(edited.video == 180_000)
        let whole = MediaTimestamps(
            of: Movie.segment(decodeTime: 3000), initialization: Movie.start(edits: [-1, 0, 1000]))
        #expect(whole.video == 270_000)
        #expect(MediaTimestamps(of: Movie.segment(decodeTime: 5)).first == nil)
    }

    @Test("is not there in other bytes, and damage does no harm")
    func damage() {
        #expect(MediaTimestamps(of: []).first == nil)
        #expect(MediaTimestamps(of: [UInt8](repeating: 0x47, count: 1000)).first == nil)
        var random = SplitMix(state: 3)
        for _ in 0..<300 {
            let segment = random.damage(Movie.segment(decodeTime: 77))
            _ = MediaTimestamps(of: segment, initialization: random.damage(Movie.start(edits: [0])))
            _ = MediaTimestamps(of: random.damage(Self.packet(stream: 0xE0, ticks: 5)))
        }
    }
}

@Suite("Samples of movie fragments")
struct MovieFragmentTests {
    /// A track fragment of samples that last a tick each.
    private static func track(_ flags: [UInt8], offset: Int?, _ sizes: [Int]) -> [UInt8] {
        let run = Movie.box(
            "trun", [0, 0, 2, offset == nil ? 0 : 1], Movie.number(sizes.count),
            offset.map { Movie.number($0) } ?? [], sizes.flatMap { Movie.number($0) })
        return Movie.box("traf", Movie.box("tfhd", flags, Movie.number(1)), run)
    }

    @Test("of a later track begin where those of the track before end, unless its fragment says otherwise")
    func bases() {
        let (none, fragment): ([UInt8], [UInt8]) = ([0, 0, 0, 0], [0, 2, 0, 0])
        let cases: [([UInt8], Int?, Int)] = [(none, nil, 141), (none, 4, 145), (fragment, 120, 120)]
        for (flags, offset, start) in cases {
            let segment =
                Movie.box("free", [1, 2])
                + Movie.box(
                    "moof", Self.track(none, offset: 120, [5, 6]), Self.track(flags, offset: offset, [4]))
            var fragments = MovieFragments([])
            let found = fragments.all(in: segment).map { $0.samples.map(\.range) }
            // The fragment begins at 10.
            let second = flags == none ? start : start + 10
            #expect(found == [[130..<135, 135..<141], [second..<second + 4]])
        }
    }
}

/// Boxes of a video track with a timescale of 1000.
enum Movie {
    static func box(_ type: String, _ content: [UInt8]...) -> [UInt8] {
        let content = Array(content.joined())
        return number(content.count + 8) + Array(type.utf8) + content
    }

    static func number(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }

    private static let zero = [UInt8](repeating: 0, count: 4)

    static func start(edits: [Int] = []) -> [UInt8] {
        let header = box("tkhd", zero, zero, zero, number(1), [UInt8](repeating: 0, count: 68))
        let media = box("mdhd", zero, zero, zero, number(1000), zero)
        let handler = box("hdlr", zero, zero, Array("vide".utf8), zero)
        let list = edits.flatMap { number(0) + number($0) + number(1 << 16) }
        let edit = box("edts", box("elst", zero, number(edits.count), list))
        return box("moov", box("trak", header, edit, box("mdia", media, handler)))
    }

    /// A track of Timed Text with the same timescale.
    static var textStart: [UInt8] {
        let header = box("tkhd", zero, zero, zero, number(1), [UInt8](repeating: 0, count: 68))
        let media = box("mdhd", zero, zero, zero, number(1000), zero)
        let entry = box("stpp", [UInt8](repeating: 0, count: 8))
        let table = box("minf", box("stbl", box("stsd", zero, number(1), entry)))
        return box("moov", box("trak", header, box("mdia", media, table)))
    }

    /// A segment of that track with one sample.
    static func text(_ document: String, decodeTime: Int, duration: Int) -> [UInt8] {
        let sample = Array(document.utf8)
        let time = box("tfdt", zero, number(decodeTime))
        let header = box("tfhd", [0, 2, 0, 0], number(1))
        func fragment(offset: Int) -> [UInt8] {
            let item = number(duration) + number(sample.count)
            let run = box("trun", [0, 0, 3, 1], number(1), number(offset), item)
            return box("moof", box("traf", header, time, run))
        }
        return fragment(offset: fragment(offset: 0).count + 8) + box("mdat", sample)
    }

    static func segment(decodeTime: Int) -> [UInt8] {
        let time = box("tfdt", [1, 0, 0, 0], number(decodeTime >> 32), number(decodeTime))
        let header = box("tfhd", [0, 2, 0, 0], number(1))
        let run = box("trun", [0, 0, 3, 0], number(1), number(40), number(4))
        return box("moof", box("traf", header, time, run)) + box("mdat", zero)
    }
}
