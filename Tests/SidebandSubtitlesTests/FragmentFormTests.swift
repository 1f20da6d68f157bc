import Testing

@testable import SidebandSubtitles

@Suite("Boxes of subtitles")
struct FragmentFormTests {
    @Test("are whole or cut off, and may reach to the end")
    func boxes() {
        let box = Movie.box("free", [1, 2, 3])
        func read(_ bytes: [UInt8]) -> (isWhole: Bool, content: Range<Int>)? {
            var reader = BoxReader(bytes)
            return reader.next().map { ($0.isWhole, $0.content) }
        }
        #expect(read(box).map { $0 == (true, 8..<11) } == true)
        #expect(read(box + [9]).map { $0 == (true, 8..<11) } == true)
        #expect(read(Movie.box("free", [])).map { $0 == (true, 8..<8) } == true)
        #expect(read(box.dropLast()).map { $0 == (false, 8..<10) } == true)
        #expect(read(Movie.number(0) + box.dropFirst(4)).map { $0 == (true, 8..<11) } == true)
        let large = Movie.number(1) + Array("free".utf8) + [UInt8](repeating: 0xFF, count: 8)
        #expect(read(large + [1]).map { $0 == (false, 16..<17) } == true)
        #expect(read(Movie.number(7) + Array("free".utf8)) == nil)
        #expect(read(Array(box.prefix(7))) == nil)
    }

    @Test("of a sample have texts with the line ends and characters of WebVTT")
    func payload() throws {
        let text = Array("a\r\nb\rc\0".utf8)
        let sample = Movie.box("vttc", Movie.box("payl", text)) + Movie.box("vtte", [])
        let time = CueTime(seconds: 1)..<CueTime(seconds: 2)
        let found = WebVTTSample.cues(sample, time, regions: [])
        #expect(found.map(\.text) == ["a\nb\nc\u{FFFD}"])
        #expect(found.map { $0.start..<$0.end } == [time])
        #expect(WebVTTSample.cues(Movie.box("vttc", Movie.box("sttg", text)), time, regions: []).isEmpty)
    }

    @Test("of a sample may have a name and settings, of which a region must be known")
    func settings() {
        let (name, settings) = (Array("one".utf8), Array("align:left region:r".utf8))
        let text = Movie.box("payl", Array("a".utf8))
        let sample = Movie.box("vttc", Movie.box("iden", name), Movie.box("sttg", settings), text)
        let time = CueTime(seconds: 1)..<CueTime(seconds: 2)
        for (known, region) in [("r", "r"), ("s", nil), (nil, nil)] as [(String?, String?)] {
            let regions = known.map { name in
                var region = CueRegion()
                region.identifier = name
                return [region]
            }
            let found = WebVTTSample.cues(sample, time, regions: regions ?? [])
            #expect(found.map(\.identifier) == ["one"] && found.map(\.text) == ["a"])
            #expect(found.map(\.settings.textAlignment) == [.left])
            #expect(found.map(\.settings.region) == [region])
        }
    }

    /// A track with a handler, and what its fragments leave out.
    private func track(_ id: Int, _ handler: String) -> [UInt8] {
        let zero = [UInt8](repeating: 0, count: 4)
        let header = Movie.box("tkhd", zero, zero, zero, Movie.number(id), [UInt8](repeating: 0, count: 68))
        let media = Movie.box("mdhd", zero, zero, zero, Movie.number(1000), zero)
        return Movie.box(
            "trak", header, Movie.box("mdia", media, Movie.box("hdlr", zero, zero, Array(handler.utf8))))
    }

    @Test("of a movie give the time of video by the first fragment of its track, and that of sound too")
    func handlers() {
        let cases: [(String, Int?, Int?)] = [("vide", 90, nil), ("soun", nil, 90), ("meta", nil, nil)]
        for (handler, video, audio) in cases {
            let found = MediaTimestamps(
                of: Movie.segment(decodeTime: 1) + Movie.segment(decodeTime: 7),
                initialization: Movie.box("moov", track(1, handler)))
            #expect(found.video == video && found.audio == audio, "\(handler)")
        }
    }

    @Test("of a movie give each track the values of its own samples")
    func defaults() {
        func extends(_ id: Int, _ duration: Int, _ size: Int) -> [UInt8] {
            Movie.box("trex", [id, 1, duration, size, 0].reduce([0, 0, 0, 0]) { $0 + Movie.number($1) })
        }
        let extended = Movie.box("mvex", extends(2, 20, 200), extends(1, 10, 100), extends(3, 30, 300))
        let tracks = MovieTrack.all(in: Movie.box("moov", track(1, "vide"), track(2, "soun"), extended))
        #expect(tracks.map(\.id) == [1, 2])
        #expect(tracks.map(\.defaultDuration) == [10, 20] && tracks.map(\.defaultSize) == [100, 200])
    }

    @Test("may have many empty edits before the real one")
    func edits() {
        let initialization = Movie.start(edits: [Int](repeating: -1, count: 20) + [1000, 2000])
        let found = MediaTimestamps(of: Movie.segment(decodeTime: 3000), initialization: initialization)
        #expect(found.video == 180_000)
    }

    @Test("that begin before the clock have the times at its end")
    func wrapped() {
        let end = 1 << 33
        #expect(MediaTimestamps.ticks(-1, timescale: 1000) == end - 90)
        #expect(MediaTimestamps.ticks(-1000, timescale: 1000) == end - 90_000)
        #expect(MediaTimestamps.ticks(0, timescale: 1000) == 0)
    }

    @Test("with pictures in another order than they are shown begin with the earliest")
    func reordered() {
        let header = Movie.box("tfhd", [0, 2, 0, 0], Movie.number(1))
        let time = Movie.box("tfdt", [0, 0, 0, 0], Movie.number(1000))
        let samples = [(40, 1, 120), (40, 1, 0), (40, 1, 40)]
        let items = samples.flatMap { Movie.number($0) + Movie.number($1) + Movie.number($2) }
        let run = Movie.box("trun", [0, 0, 0x0B, 0], Movie.number(3), items)
        let segment = Movie.box("moof", Movie.box("traf", header, time, run)) + Movie.box("mdat", [1, 2, 3])
        #expect(MediaTimestamps(of: segment, initialization: Movie.start()).video == 1040 * 90)
    }
}

@Suite("Limits of subtitles in fragmented MP4")
struct FragmentLimitTests {
    private static func document(_ body: String) -> [UInt8] {
        let text = "<tt xmlns=\"http://www.w3.org/ns/ttml\"><body><div>\(body)</div></body></tt>"
        return Movie.text(text, decodeTime: 0, duration: 2000)
    }

    private func merged(_ segment: [UInt8], _ limits: WebVTTLimits = .init()) throws -> MergedSubtitles {
        var merger = SegmentMerger(clocks: [0: MediaClock(firstTicks: 0)], limits: limits)
        try merger.add(segment, at: SegmentPlace(start: 0, duration: 2), initialization: Movie.textStart)
        return merger.merged()
    }

    @Test("refuse a byte more than they say, and a cue more")
    func borders() throws {
        let segment = Self.document("<p begin=\"0s\">a</p><p begin=\"1s\">b</p>")
        var limits = WebVTTLimits()
        (limits.bytes, limits.cues) = (segment.count, 2)
        #expect(try merged(segment, limits).track.cues.count == 2)
        limits.bytes -= 1
        #expect(try merged(segment, limits).problems.map(\.code) == [.refused(WebVTTError(.tooManyBytes))])
        (limits.bytes, limits.cues) = (segment.count, 1)
        #expect(try merged(segment, limits).problems.map(\.code) == [.refused(WebVTTError(.tooManyCues))])
    }

    @Test("show a text in the time of its sample, and not where that ends")
    func clipped() throws {
        let texts =
            "<p begin=\"1999ms\">a</p><p begin=\"2s\">b</p><p begin=\"1s\" end=\"1s\">c</p><p end=\"3s\">d</p>"
        #expect(try summary(merged(Self.document(texts)).track.cues) == ["0.0 2.0 d", "1.999 2.0 a"])
    }
}
