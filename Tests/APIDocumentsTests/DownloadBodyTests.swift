import AssetStore
import Testing

@testable import APIDocuments

@Suite("The body of a request for a download")
struct DownloadBodyTests {
    private func read(_ text: String) -> AssetRequest? { DownloadBody(Array(text.utf8))?.request }

    @Test("only the URL is needed; defaults are those of download without options")
    func defaults() throws {
        let request = try #require(read(#"{"url": "http://a.test/b"}"#))
        #expect(request.url == "http://a.test/b")
        #expect(request.selection == Selection())
        #expect(request.access == OriginAccess())
        #expect(request.name == nil)
        #expect(request.meta.isEmpty)
    }

    @Test("a written body reads back unchanged")
    func inverse() throws {
        var request = AssetRequest(url: "http://a.test/b?c=d")
        request.name = "N"
        request.meta = ["myKey": "1", "my_key": "2", "": "3"]
        request.priority = -2
        request.artwork = "/a.jpg"
        request.license = LicenseTerms(rental: 3600, playWindow: 60)
        request.selection.maximumHeight = 720
        request.selection.maximumBitrate = 1_000_000
        request.selection.allVariants = true
        request.selection.audio = .matching(["de", "en-GB"])
        request.selection.subtitles = .none
        request.selection.trickPlay = true
        request.access.headers = [["X-A", "1: 2"], ["X-A", ""]]
        request.access.cookies = "a\tb"
        request.access.userAgent = "U"
        request.access.rateLimit = 500_000
        let again = try #require(DownloadBody(try DownloadBody.json(request))?.request)
        #expect(again.selection == request.selection)
        #expect(again.access == request.access)
        #expect(again.meta == request.meta)
        #expect([again.name, again.artwork, again.url] == [request.name, request.artwork, request.url])
        #expect(again.priority == request.priority)
        #expect(again.license == request.license)
    }

    @Test("all that a request says is in its body")
    func requests() throws {
        let field = HostHeader(hosts: "*.a.test", name: "X", value: "1")
        let changes: [(inout AssetRequest) -> Void] = [
            { $0.isPreload = true }, { $0.allowsMissingKeys = true }, { $0.isMeteredOK = true },
            { $0.isStrict = true }, { $0.clientID = "c" }, { $0.tags = ["t"] },
            { $0.schedule = Schedule("22:00-06:00") }, { $0.access.hostHeaders = [field] },
            { ($0.selection.start, $0.selection.end) = (5, 10) },
            { $0.selection.recording = Selection.Recording() },
            {
                $0.selection.recording = Selection.Recording()
                $0.selection.recording?.fromStart = true
                $0.selection.recording?.duration = 60
            },
        ]
        for change in changes {
            var request = AssetRequest(url: "http://a.test/b")
            change(&request)
            let again = try #require(DownloadBody(try DownloadBody.json(request))?.request)
            #expect(again == request)
        }
    }

    @Test("what a request does not say is not in its body; only a held one waits for its resume")
    func silence() throws {
        let request = AssetRequest(url: "http://a.test/b")
        let plain = String(decoding: try DownloadBody.json(request), as: UTF8.self)
        #expect(plain == #"{"url":"http://a.test/b"}"#)
        var recording = request
        recording.selection.recording = Selection.Recording()
        #expect(DownloadBody(recording).live == true && DownloadBody(recording).fromStart == nil)
        let held = try #require(DownloadBody(try DownloadBody.json(request, isHeld: true)))
        #expect(held.hold == true && held.request == request)
    }

    @Test(
        "a member that is false says the same as none",
        arguments: [
            "strict", "preload", "allow_missing_key", "metered_ok", "live", "from_start", "all_variants",
            "trick_play", "purchase",
        ])
    func falseMembers(_ member: String) {
        let request = AssetRequest(url: "http://a.test/b")
        #expect(read(#"{"url": "http://a.test/b", "\#(member)": false}"#) == request)
        #expect(read(#"{"url": "http://a.test/b", "\#(member)": null}"#) == request)
    }

    @Test("a recording begins with the latest segments unless the oldest ones are asked for")
    func recordings() {
        func recording(_ members: String) -> Selection.Recording? {
            read(#"{"url": "http://a.test/b", \#(members)}"#)?.selection.recording
        }
        var wish = Selection.Recording()
        #expect(recording(#""live": true"#) == wish)
        wish.fromStart = true
        #expect(recording(#""live": true, "from_start": true"#) == wish)
        #expect(recording(#""from_start": true"#) == nil)
        wish.duration = 90
        #expect(recording(#""live": true, "from_start": true, "duration": "90s""#) == wish)
    }

    @Test("a rate is a number of bytes that answers can tell, too")
    func rates() {
        let largest = read(#"{"url": "http://a.test/b", "limit_rate": 9223372036854775807}"#)
        #expect(largest?.access.rateLimit == 9_223_372_036_854_775_807)
        #expect(read(#"{"url": "http://a.test/b", "limit_rate": 9223372036854775808}"#) == nil)
    }

    @Test(
        "languages are a list, a text with commas, all or none",
        arguments: [
            (#""all""#, Selection.Languages.all), (#""none""#, .none),
            (#""en,de""#, .matching(["en", "de"])),
            (#"["en", "de"]"#, .matching(["en", "de"])), ("null", .automatic),
        ])
    func languages(_ text: String, _ languages: Selection.Languages) throws {
        let request = try #require(read(#"{"url": "http://a", "audio": \#(text)}"#))
        #expect(request.selection.audio == languages)
    }

    @Test(
        "an impossible member makes the body invalid",
        arguments: [
            #""headers": ["A\r\nB: c"]"#, #""headers": ["A: b\u0000"]"#, #""headers": ["A b: c"]"#,
            #""headers": ["A"]"#, #""max_bitrate": -5"#, #""min_bitrate": 0"#, #""max_height": -1"#,
            #""max_bitrate": 1, "min_bitrate": 2"#,
        ])
    func wrongValues(_ member: String) {
        #expect(read(#"{"url": "http://a", \#(member)}"#) == nil)
        #expect(DownloadList(Array(#"[{"url": "http://a", \#(member)}]"#.utf8)) == nil)
    }

    @Test("an import takes the selected renditions, and everything without a selection")
    func importing() throws {
        func read(_ text: String) -> Selection? {
            (JSONBody.decode(Array(text.utf8)) as ImportBody?)?.selection
        }
        #expect(read(#"{"path": "/a"}"#) == .everything)
        var chosen = Selection()
        (chosen.maximumHeight, chosen.subtitles) = (480, .none)
        #expect(read(#"{"path": "/a", "max_height": 480, "subtitles": "none"}"#) == chosen)
    }

    @Test(
        "a member of another type makes it no body",
        arguments: [
            #""priority": "1""#, #""all_variants": 1"#, #""audio": 5"#, #""headers": "a: b""#, #""meta": []"#,
            #""limit_rate": -1"#, #""max_height": 1.5"#,
        ])
    func wrongTypes(_ member: String) {
        #expect(read(#"{"url": "http://a", \#(member)}"#) == nil)
    }
}
