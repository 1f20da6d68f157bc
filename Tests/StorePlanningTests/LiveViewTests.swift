import Foundation
import HLSPlaylist
import ModelTestSupport
import TestSupport
import Testing

@testable import StoreModel
@testable import StorePlanning

@Suite("How a player wants to see a recording")
struct LiveViewTests {
    @Test("is read from seconds, a date or the word live, and left to the player otherwise")
    func start() {
        #expect(LiveView.Start("live") == .live && LiveView.Start("-12.5") == .seconds(-12.5))
        #expect(LiveView.Start("1e30") == .seconds(1e9) && LiveView.Start("-1e30") == .seconds(-1e9))
        #expect(LiveView.Start("2026-01-01T00:00:00 01:00") == LiveView.Start("2026-01-01T00:00:00+01:00"))
        guard case .date(let seconds, let text)? = LiveView.Start("1970-01-01T00:00:10Z") else {
            Issue.record("a date was expected")
            return
        }
        #expect(seconds == 10 && text == "1970-01-01T00:00:10Z")
        for text in ["", "soon", "inf", "nan", "-inf"] { #expect(LiveView.Start(text) == nil) }
    }

    @Test("has a window when its length is above zero")
    func window() {
        #expect(LiveView(window: "30").window == 30 && LiveView(window: "1e12").window == 1e9)
        for text in ["0", "-1", "x", "inf", ""] { #expect(LiveView(window: text).window == nil) }
        #expect(LiveView().window == nil && LiveView().start == nil && !LiveView().isClear)
    }

    @Test("is written behind the name of each playlist, and read again from there")
    func query() {
        #expect(LiveView().query == "")
        var view = LiveView(start: "2026-01-01T00:00:00+01:00", window: "30", isClear: true)
        #expect(view.query == "?start=2026-01-01T00:00:00%2B01:00&DVR=30.0&decrypt=1")
        view.start = .live
        (view.isForClearKey, view.isFragmented, view.isClear) = (true, true, false)
        #expect(view.query == "?start=live&DVR=30.0&keys=clearkey&container=fmp4")
        let whole = view.ofWhole(from: nil)
        #expect(whole.query == "?keys=clearkey&container=fmp4")
        #expect(LiveView(start: "5").query == "?start=5.0")
    }
}

@Suite("Date ranges of a part")
struct DateRangeCutTests {
    private let start = "2026-01-01T00:00:"

    private func range(_ id: String, _ attributes: String) -> String {
        "#EXT-X-DATERANGE:ID=\"\(id)\",\(attributes)"
    }

    /// The IDs of the ranges that a part from second 10 to 20 of 40 keeps.
    private func kept(_ ranges: [(String, String)]) throws -> [String] {
        let tags = ranges.map { range($0.0, $0.1) }
        let segments = (0..<10).map { "#EXTINF:4,\ns\($0).ts" }.joined(separator: "\n")
        let text =
            "#EXTM3U\n#EXT-X-TARGETDURATION:4\n\(tags.joined(separator: "\n"))\n#EXT-X-PROGRAM-DATE-TIME:\(start)00Z\n\(segments)\n#EXT-X-ENDLIST\n"
        let cut = DateRangeCut(try Playlists.parsedMedia(text), to: 10..<20)
        #expect(cut.dateRanges(among: tags + ["#EXT-X-NEW:1"]) == tags.filter { cut.keeps($0) })
        #expect(cut.keeps("#EXT-X-NEW:1") && cut.keeps("#EXT-X-DATERANGE:\""))
        return zip(ranges, tags).filter { cut.keeps($1) }.map(\.0.0)
    }

    @Test("are those that begin before its end and do not end before its beginning")
    func borders() throws {
        let ranges = [
            ("over", "START-DATE=\"\(start)00Z\",DURATION=10"),
            ("into", "START-DATE=\"\(start)00Z\",DURATION=10.5"),
            ("begins", "START-DATE=\"\(start)10Z\",DURATION=0"), ("last", "START-DATE=\"\(start)19Z\""),
            ("later", "START-DATE=\"\(start)20Z\""), ("open", "START-DATE=\"\(start)00Z\""),
            ("planned", "START-DATE=\"\(start)00Z\",PLANNED-DURATION=5"),
            ("ends", "START-DATE=\"\(start)00Z\",END-DATE=\"\(start)15Z\""),
        ]
        #expect(try kept(ranges) == ["into", "begins", "last", "open", "ends"])
    }

    @Test("include interstitials before the beginning and after the end, with any date")
    func cues() throws {
        let ranges = [
            ("pre", "START-DATE=\"\(start)30Z\",CUE=\"PRE\""),
            ("post", "START-DATE=\"\(start)30Z\",CUE=\"POST,ONCE\""),
            ("once", "START-DATE=\"\(start)30Z\",CUE=\"ONCE\""),
            ("ad", "START-DATE=\"\(start)01Z\",X-ASSET-URI=\"a.m3u8\""),
            ("list", "START-DATE=\"\(start)01Z\",X-ASSET-LIST=\"a.json\""),
        ]
        #expect(try kept(ranges) == ["pre", "post"])
    }
}

@Suite("I-frames of a transport stream")
struct IFrameSectionTests {
    private func playlist(
        _ segments: String, _ more: String = "#EXT-X-I-FRAMES-ONLY\n", end: String = "#EXT-X-ENDLIST\n"
    ) throws -> MediaPlaylist {
        try Playlists.parsedMedia(
            "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:4\n\(more)\(segments)\(end)")
    }

    private func iFrame(_ uri: String, _ offset: Int) -> String {
        "#EXTINF:4,\n#EXT-X-BYTERANGE:500@\(offset)\n\(uri)\n"
    }

    @Test("get the beginning of their resource as a section, in whole packets and not too much of it")
    func added() throws {
        let made = IFrameSections.added(to: try playlist(iFrame("a.ts", 564) + iFrame("a.ts", 9000)))
        let section = try #require(made.initializationSections.first)
        #expect(made.initializationSections.count == 1 && section.uri == "a.ts")
        #expect(section.byteRange == ByteRange(length: 564, offset: 0))
        let odd = IFrameSections.added(to: try playlist(iFrame("a.ts", 9000) + iFrame("a.ts", 600)))
        #expect(odd.initializationSections.first?.byteRange == ByteRange(length: 564, offset: 0))
        let far = IFrameSections.added(to: try playlist(iFrame("a.ts", 1_000_000)))
        #expect(far.initializationSections.first?.byteRange == ByteRange(length: 32 * 188, offset: 0))
    }

    @Test("get one for each stretch between discontinuities, or none at all")
    func stretches() throws {
        let both = try playlist(iFrame("a.ts", 564) + "#EXT-X-DISCONTINUITY\n" + iFrame("b.ts", 376))
        let made = IFrameSections.added(to: both)
        #expect(made.initializationSections.map(\.uri) == ["a.ts", "b.ts"])
        let lacking = try playlist(iFrame("a.ts", 564) + "#EXT-X-DISCONTINUITY\n" + iFrame("b.ts", 187))
        #expect(IFrameSections.added(to: lacking).initializationSections.isEmpty)
        let gap = try playlist("#EXT-X-GAP\n" + iFrame("g.ts", 564) + iFrame("a.ts", 376))
        #expect(IFrameSections.added(to: gap).initializationSections.map(\.uri) == ["a.ts"])
    }

    @Test("get none where there are some, where more is to come, or where parts can't be read")
    func untouched() throws {
        let frames = iFrame("a.ts", 564)
        for playlist in [
            try playlist(frames, "#EXT-X-TARGETDURATION:4\n"), try playlist(frames, end: ""),
            try playlist("#EXT-X-MAP:URI=\"m\"\n" + frames),
            try playlist("#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n" + frames),
            try playlist("#EXTINF:4,\na.ts\n"),
        ] {
            let made = IFrameSections.added(to: playlist)
            #expect(made.initializationSections.map(\.uri) == playlist.initializationSections.map(\.uri))
            #expect(
                made.segments.map(\.initializationSection) == playlist.segments.map(\.initializationSection))
        }
        let sampled = try playlist("#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\"\n" + frames)
        #expect(IFrameSections.added(to: sampled).initializationSections.count == 1)
    }
}

@Suite("The answer of a steering server")
struct SteeringManifestTests {
    private func manifest(_ text: String) throws -> SteeringManifest {
        try JSONDecoder().decode(SteeringManifest.self, from: Data(text.utf8))
    }

    @Test("has a lifetime, an order and clones, each with its usual value")
    func reading() throws {
        let plain = try manifest(#"{"VERSION": 1}"#)
        #expect(plain.lifetime == 300 && plain.priority == [] && plain.clones.isEmpty)
        let full = try manifest(#"{"VERSION": 1, "TTL": 10, "PATHWAY-PRIORITY": ["b", "a"]}"#)
        #expect(full.lifetime == 10 && full.priority == ["b", "a"])
        #expect(throws: (any Error).self) { try manifest(#"{"VERSION": 2}"#) }
        #expect(throws: (any Error).self) { try manifest("{}") }
    }

    /// The address of a playlist as a clone with a replacement has it.
    private func applied(
        _ replacement: String, _ url: String, stableID: String? = nil, isRendition: Bool = false
    ) throws -> String {
        let text =
            #"{"VERSION": 1, "PATHWAY-CLONES": [{"BASE-ID": "a", "ID": "b", "URI-REPLACEMENT": \#(replacement)}]}"#
        let clone = try #require(try manifest(text).clones.first)
        let made = clone.applied(
            to: AlternativeStreams.Candidate(
                url: url, pathway: "a", stableID: stableID, isRendition: isRendition, isOwn: true))
        #expect(made.pathway == "b" && !made.isOwn && made.isRendition == isRendition)
        return made.url
    }

    @Test("makes addresses of a clone: another host, other parameters, or an address of its own")
    func clones() throws {
        #expect(try applied(#"{"HOST": "x"}"#, "https://h:8/a?q=1") == "https://x:8/a?q=1")
        #expect(try applied(#"{"HOST": "x:9"}"#, "http://h/a") == "http://x:9/a")
        #expect(try applied("{}", "https://h/a?q=1") == "https://h/a?q=1")
        let parameters = #"{"PARAMS": {"q": "2 3", "p": "é"}}"#
        #expect(try applied(parameters, "https://h/a?q=1&r=+1&q") == "https://h/a?r=+1&p=%C3%A9&q=2%203")
        #expect(try applied(#"{"PARAMS": {}}"#, "https://h/a?q=1") == "https://h/a?q=1")
        let named = #"{"PER-VARIANT-URIS": {"v": "https://v/"}, "PER-RENDITION-URIS": {"v": "https://r/"}}"#
        #expect(try applied(named, "https://h/a", stableID: "v") == "https://v/")
        #expect(try applied(named, "https://h/a", stableID: "v", isRendition: true) == "https://r/")
        #expect(try applied(named, "https://h/a", stableID: "w") == "https://h/a")
    }
}
