import HLSPlaylist
import ModelTestSupport
import TestSupport
import Testing

@testable import StoreModel
@testable import StorePlanning

/// The multivariant playlists that players get.
struct ServedMultivariantPlaylistTests {
    private func record(
        _ name: String, _ kind: RenditionKind, _ listings: String..., hasPlaylist: Bool = true,
        failure: String? = nil
    ) throws -> RenditionRecord {
        let attributes = try AttributeList(parsing: listings[0])
        return RenditionRecord(
            name: name, position: 0, kind: kind, required: true, language: attributes["LANGUAGE"],
            listings: listings,
            hasPlaylist: hasPlaylist, container: .ts, duration: 8, segments: 2, failure: failure)
    }

    private func served(
        _ rows: [RenditionRecord], source: String? = nil, title: String = "Film", poster: String? = nil,
        _ preferences: ServedMultivariantPlaylist.Preferences = .init()
    ) throws -> [String] {
        let playlist = ServedMultivariantPlaylist(rows, preferences: preferences)
        let bytes = playlist.bytes(
            source: try source.map(Playlists.parsedMaster), keys: ServedKeys([], base: URIReference("")),
            title: title,
            poster: poster)
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private func media(_ group: String, _ language: String, _ more: String = "") -> String {
        "TYPE=AUDIO,GROUP-ID=\"\(group)\",NAME=\"\(language)\",LANGUAGE=\"\(language)\"\(more),URI=\"https://x/\(language)\""
    }

    @Test("attributes stay verbatim, addresses are ours")
    func verbatim() throws {
        let lines = try served([
            try record(
                "video-720p", .variant, "BANDWIDTH=3000000,X-OWN=\"kept\",CODECS=\"avc1.64001f,mp4a.40.2\"")
        ])
        let index = lines.firstIndex {
            $0 == "#EXT-X-STREAM-INF:BANDWIDTH=3000000,X-OWN=\"kept\",CODECS=\"avc1.64001f,mp4a.40.2\""
        }
        #expect(index.map { lines[$0 + 1] } == "video-720p/media.m3u8")
    }

    @Test("segments are independent if the source says so")
    func independent() throws {
        let rows = [try record("v", .variant, "BANDWIDTH=1")]
        let tag = "#EXT-X-INDEPENDENT-SEGMENTS"
        let source = Playlists.master(Playlists.variant("v", 1))
        #expect(try !served(rows).contains(tag) && !served(rows, source: source).contains(tag))
        #expect(try served(rows, source: Playlists.master(tag, Playlists.variant("v", 1))).contains(tag))
    }

    @Test("references to groups that are not stored are dropped, and so is the pathway")
    func groups() throws {
        let lines = try served([
            try record(
                "v", .variant,
                "BANDWIDTH=1,AUDIO=\"a\",SUBTITLES=\"s\",VIDEO=\"w\",CLOSED-CAPTIONS=NONE,PATHWAY-ID=\"B\""),
            try record("audio-en", .audio, media("a", "en")),
        ])
        #expect(lines.contains("#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO=\"a\",CLOSED-CAPTIONS=NONE"))
    }

    @Test("a rendition that was given up is neither listed nor referred to")
    func lost() throws {
        let text = try served([
            try record("v", .variant, "BANDWIDTH=1,SUBTITLES=\"s\""),
            try record(
                "subtitles-en", .subtitles, "TYPE=SUBTITLES,GROUP-ID=\"s\",NAME=\"en\",URI=\"x\"",
                failure: "gone"),
        ]).joined(separator: "\n")
        #expect(!text.contains("SUBTITLES"))
        #expect(!text.contains("subtitles-en"))
    }

    @Test("an audio group without its default gets one")
    func newDefault() throws {
        let lines = try served([
            try record("v", .variant, "BANDWIDTH=1,AUDIO=\"a\""),
            try record("audio-de", .audio, media("a", "de", ",DEFAULT=NO")),
            try record("audio-fr", .audio, media("a", "fr")),
        ]).filter { $0.hasPrefix("#EXT-X-MEDIA") }
        #expect(lines.count == 2)
        #expect(lines[0].contains("DEFAULT=YES") && lines[0].contains("AUTOSELECT=YES"))
        #expect(!lines[1].contains("DEFAULT=YES"))
    }

    @Test("a group without a default gets its first AUTOSELECT rendition as one")
    func newDefaultByAutoselect() throws {
        let lines = try served([
            try record("v", .variant, "BANDWIDTH=1,AUDIO=\"a\""),
            try record("audio-commentary", .audio, media("a", "en", ",AUTOSELECT=NO")),
            try record("audio-en", .audio, media("a", "en-US", ",AUTOSELECT=YES")),
            try record("audio-fr", .audio, media("a", "fr", ",AUTOSELECT=YES")),
        ]).filter { $0.hasPrefix("#EXT-X-MEDIA") }
        #expect(lines.map { $0.contains("DEFAULT=YES") } == [false, true, false])
        #expect(lines[0].contains("AUTOSELECT=NO"))
    }

    @Test("the preferred language becomes the default of its group, in place of the origin's default")
    func preferred() throws {
        let lines = try served(
            [
                try record("v", .variant, "BANDWIDTH=1,AUDIO=\"a\""),
                try record("audio-en", .audio, media("a", "en", ",DEFAULT=YES")),
                try record("audio-fr", .audio, media("a", "fr-CA")),
            ], .init(audio: "fr")
        ).filter { $0.hasPrefix("#EXT-X-MEDIA") }
        #expect(lines[0].contains("DEFAULT=NO"))
        #expect(lines[1].contains("DEFAULT=YES"))
    }

    @Test("a preferred language that is not there changes nothing")
    func unknownPreference() throws {
        let rows = [
            try record("v", .variant, "BANDWIDTH=1,AUDIO=\"a\""),
            try record("audio-en", .audio, media("a", "en", ",DEFAULT=YES")),
        ]
        #expect(try served(rows, .init(audio: "xx", subtitles: "xx")) == served(rows))
    }

    @Test("subtitles get no default of their own making")
    func subtitles() throws {
        let row = try record(
            "subtitles-en", .subtitles, "TYPE=SUBTITLES,GROUP-ID=\"s\",NAME=\"en\",LANGUAGE=\"en\",URI=\"x\"")
        let variant = try record("v", .variant, "BANDWIDTH=1,SUBTITLES=\"s\"")
        #expect(!(try served([variant, row])).contains { $0.contains("DEFAULT=YES") })
        #expect(try served([variant, row], .init(subtitles: "en")).contains { $0.contains("DEFAULT=YES") })
    }

    /// The number of the subtitle or audio track that becomes the default among these of one language.
    private func chosen(_ type: String, _ traits: [String]) throws -> Int? {
        let rows = try traits.enumerated().map { number, more in
            try record(
                "t\(number)", type == "AUDIO" ? .audio : .subtitles,
                "TYPE=\(type),GROUP-ID=\"g\",NAME=\"\(number)\",LANGUAGE=\"en\"\(more),URI=\"x\"")
        }
        let variant = try record("v", .variant, "BANDWIDTH=1,\(type)=\"g\"")
        let lines = try served([variant] + rows, .init(audio: "en", subtitles: "en"))
        return lines.filter { $0.hasPrefix("#EXT-X-MEDIA") }.firstIndex { $0.contains("DEFAULT=YES") }
    }

    @Test("among tracks of the preferred language it is neither a forced one nor an audio description")
    func fullTracks() throws {
        let music = ",CHARACTERISTICS=\"public.accessibility.describes-music-and-sound\""
        let video = ",CHARACTERISTICS=\"public.accessibility.describes-video\""
        #expect(try chosen("SUBTITLES", [",FORCED=YES", ""]) == 1)
        #expect(try chosen("SUBTITLES", [",FORCED=YES", music]) == 1)
        #expect(try chosen("SUBTITLES", [",FORCED=YES", music, ""]) == 2)
        #expect(try chosen("SUBTITLES", [",FORCED=YES", music + ",DEFAULT=YES", ""]) == 1)
        #expect(try chosen("SUBTITLES", [",FORCED=YES"]) == 0)
        #expect(try chosen("AUDIO", [video + ",DEFAULT=YES", ""]) == 1)
        #expect(try chosen("AUDIO", [video]) == 0)
    }

    @Test("closed captions and audio inside of the variant are listed without a URI")
    func withoutPlaylists() throws {
        let lines = try served([
            try record("v", .variant, "BANDWIDTH=1,AUDIO=\"a\",CLOSED-CAPTIONS=\"c\""),
            try record(
                "captions-en", .closedCaptions,
                "TYPE=CLOSED-CAPTIONS,GROUP-ID=\"c\",NAME=\"en\",INSTREAM-ID=\"CC1\"",
                hasPlaylist: false),
            try record(
                "audio-en", .audio, "TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"en\",URI=\"https://x\"",
                hasPlaylist: false),
        ])
        let listed = lines.filter { $0.hasPrefix("#EXT-X-MEDIA") }
        #expect(listed.count == 2)
        #expect(!listed.contains { $0.contains("URI=") })
        #expect(lines.contains { $0.hasPrefix("#EXT-X-STREAM-INF") && $0.contains("CLOSED-CAPTIONS=\"c\"") })
    }

    @Test("one playlist in two groups is listed twice at one address")
    func twoListings() throws {
        let lines = try served([try record("v", .variant, "BANDWIDTH=1", "BANDWIDTH=2")])
        #expect(lines.filter { $0.hasPrefix("#EXT-X-STREAM-INF") }.count == 2)
        #expect(lines.filter { $0 == "v/media.m3u8" }.count == 2)
    }

    @Test("I-frame playlists are listed at our address")
    func iFrames() throws {
        let lines = try served([
            try record("v", .variant, "BANDWIDTH=1"),
            try record("iframes", .iframe, "BANDWIDTH=9,URI=\"https://x/i\""),
        ])
        #expect(lines.contains("#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=9,URI=\"iframes/media.m3u8\""))
    }

    @Test("a title with quotes and line breaks stays one attribute")
    func title() throws {
        let lines = try served(
            [try record("v", .variant, "BANDWIDTH=1")], title: "The \"Film\"\nPart 2,X=\"1\"")
        let data = try Playlists.parsedMaster(lines.joined(separator: "\n")).sessionData
        #expect(data.map(\.value) == ["The 'Film' Part 2,X='1'"])
    }

    @Test("local session data stays; the origin's title, poster and network addresses do not")
    func sessionData() throws {
        let source = Playlists.master(
            "#EXT-X-SESSION-DATA:DATA-ID=\"com.example.note\",VALUE=\"kept\"",
            "#EXT-X-SESSION-DATA:DATA-ID=\"com.apple.hls.title\",VALUE=\"theirs\"",
            "#EXT-X-SESSION-DATA:DATA-ID=\"com.apple.hls.poster\",VALUE=\"https://x/p.jpg\"",
            "#EXT-X-SESSION-DATA:DATA-ID=\"com.example.link\",VALUE=\"https://x\"",
            "#EXT-X-SESSION-DATA:DATA-ID=\"com.example.file\",URI=\"file.json\"",
            "#EXT-X-SESSION-KEY:METHOD=SAMPLE-AES,URI=\"skd://x\",KEYFORMAT=\"com.apple.streamingkeydelivery\"",
            "#EXT-X-CONTENT-STEERING:SERVER-URI=\"https://steer\"", "#EXT-X-INDEPENDENT-SEGMENTS",
            "#EXT-X-START:TIME-OFFSET=10", Playlists.variant("v", 1))
        let lines = try served(
            [try record("v", .variant, "BANDWIDTH=1")], source: source, poster: "../poster")
        let data = try Playlists.parsedMaster(lines.joined(separator: "\n")).sessionData
        #expect(data.map(\.dataID) == ["com.apple.hls.title", "com.apple.hls.poster", "com.example.note"])
        #expect(data.map(\.value) == ["Film", "../poster", "kept"])
        #expect(!lines.contains { $0.contains("://") || $0.contains("SESSION-KEY") })
        #expect(lines.contains("#EXT-X-INDEPENDENT-SEGMENTS"))
        #expect(lines.contains { $0.hasPrefix("#EXT-X-START:TIME-OFFSET=10") })
    }

    @Test("repeated and extra members of a steering manifest lead to no other host")
    func twice() throws {
        let source = Playlists.master(
            "#EXT-X-SESSION-DATA:DATA-ID=\"a\",VALUE=\"b\",URI=\"https://x/\"",
            "#EXT-X-SESSION-KEY:METHOD=SAMPLE-AES,URI=\"skd://x\",KEYFORMAT=\"f\",URI=\"https://x/\"",
            Playlists.variant("v", 1))
        let rows = [
            try record("v", .variant, "BANDWIDTH=1,URI=\"https://x/v\",AUDIO=\"g\""),
            try record("a", .audio, media("g", "en", ",URI=\"https://x/a\"")),
        ]
        let bytes = ServedMultivariantPlaylist(rows).bytes(
            source: try Playlists.parsedMaster(source),
            keys: ServedKeys([KeyRecord(id: "k0", url: "skd://x", format: "f")], base: URIReference("")),
            title: "Film", poster: nil)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("DATA-ID=\"a\",VALUE=\"b\"\n"))
        #expect(text.contains("#EXT-X-SESSION-KEY:METHOD=SAMPLE-AES,URI=\"skd://x\",KEYFORMAT=\"f\"\n"))
        #expect(!text.contains("https://"))
    }

    @Test("the start of the source is served if it is valid for the whole presentation, and that is listed")
    func start() throws {
        let rows = [try record("v", .variant, "BANDWIDTH=1")]
        let source = try Playlists.parsedMaster(
            Playlists.master("#EXT-X-START:TIME-OFFSET=10", Playlists.variant("v", 1)))
        func hasStart(keeps: Bool, isAvailableOnly: Bool) -> Bool {
            var playlist = ServedMultivariantPlaylist(
                rows, preferences: .init(isAvailableOnly: isAvailableOnly))
            playlist.keepsStart = keeps
            let bytes = playlist.bytes(source: source, keys: .none, title: "Film", poster: nil)
            return String(decoding: bytes, as: UTF8.self).contains("#EXT-X-START")
        }
        #expect(hasStart(keeps: true, isAvailableOnly: false))
        #expect(!hasStart(keeps: false, isAvailableOnly: false))
        #expect(!hasStart(keeps: true, isAvailableOnly: true))
        #expect(!hasStart(keeps: false, isAvailableOnly: true))
    }

    @Test("chapters in a value are served unless the presentation begins later than the stream")
    func chapters() throws {
        let source = try Playlists.parsedMaster(
            Playlists.master(
                "#EXT-X-SESSION-DATA:DATA-ID=\"com.apple.hls.chapters\",VALUE=\"list\"",
                "#EXT-X-SESSION-DATA:DATA-ID=\"com.example.note\",VALUE=\"kept\"",
                Playlists.variant("v", 1)))
        var playlist = ServedMultivariantPlaylist([try record("v", .variant, "BANDWIDTH=1")])
        func ids() throws -> [String] {
            let bytes = playlist.bytes(source: source, keys: .none, title: "Film", poster: nil)
            return try Playlists.parsedMaster(String(decoding: bytes, as: UTF8.self)).sessionData
                .map(\.dataID)
        }
        #expect(try ids() == ["com.apple.hls.title", "com.apple.hls.chapters", "com.example.note"])
        playlist.beginsLater = true
        #expect(try ids() == ["com.apple.hls.title", "com.example.note"])
    }
}
