import HLSPlaylist
import ModelTestSupport
import TestSupport
import Testing

@testable import StoreModel
@testable import StorePlanning

/// Which renditions and I-frame playlists of a stream are taken.
struct RenditionSelectionTests {
    private static let languages = Playlists.master(
        Playlists.rendition("AUDIO", "a", "de", "a-de"),
        Playlists.rendition("AUDIO", "a", "en-GB", "a-en", "DEFAULT=YES,AUTOSELECT=YES"),
        Playlists.rendition("AUDIO", "a", "fr", "a-fr", "AUTOSELECT=YES"),
        Playlists.rendition("AUDIO", "other", "it", "a-it", "DEFAULT=YES"),
        Playlists.rendition("SUBTITLES", "s", "en", "s-en"),
        Playlists.rendition("SUBTITLES", "s", "de", "s-de"),
        Playlists.rendition("CLOSED-CAPTIONS", "c", "en", nil, "INSTREAM-ID=\"CC1\""),
        Playlists.variant(
            "v", 1_000_000, "RESOLUTION=640x360,AUDIO=\"a\",SUBTITLES=\"s\",CLOSED-CAPTIONS=\"c\""))

    private func chosen(
        _ kind: RenditionKind, _ change: (inout Selection) -> Void = { _ in }
    ) throws -> [SelectedStream] {
        try Playlists.chosen(Self.languages, change).filter { $0.kind == kind }
    }

    @Test("by default the default audio rendition and all subtitles of the variant's groups are taken")
    func byDefault() throws {
        let audio = try chosen(.audio)
        #expect(audio.map(\.uri) == ["a-en"])
        #expect(audio.map(\.required) == [true])
        let subtitles = try chosen(.subtitles)
        #expect(subtitles.map(\.uri) == ["s-en", "s-de"])
        #expect(subtitles.map(\.required) == [false, false])
    }

    @Test("all audio renditions are taken on demand, and only the default one is required")
    func allAudio() throws {
        let audio = try chosen(.audio) { $0.audio = .all }
        #expect(audio.map(\.uri) == ["a-de", "a-en", "a-fr"])
        #expect(audio.map(\.required) == [false, true, false])
    }

    @Test("no renditions are taken when none are wanted")
    func none() throws {
        #expect(try chosen(.audio) { $0.audio = .none }.isEmpty)
        #expect(try chosen(.subtitles) { $0.subtitles = .none }.isEmpty)
    }

    @Test(
        "languages choose in the order of the playlist",
        arguments: [
            (["fr", "de"], ["a-de", "a-fr"]), (["en"], ["a-en"]), (["en-GB"], ["a-en"]),
            (["de-AT"], ["a-de"]),
            (["eng"], ["a-en"]), (["ger"], ["a-de"]), (["fra", "deu"], ["a-de", "a-fr"]), (["FR"], ["a-fr"]),
            (["fr", "xx"], ["a-fr"]),
        ])
    func byLanguage(_ wanted: [String], _ expected: [String]) throws {
        #expect(try chosen(.audio) { $0.audio = .matching(wanted) }.map(\.uri) == expected)
    }

    @Test("a language that is not offered is refused, naming the offer")
    func unknownLanguage() async {
        let audio = await failure { _ = try chosen(.audio) { $0.audio = .matching(["xx"]) } }
        #expect(audio?.text == #"nothingSelected(wish: "audio language", offered: ["de", "en-GB", "fr"])"#)
        let subtitles = await failure { _ = try chosen(.audio) { $0.subtitles = .matching(["xx"]) } }
        #expect(subtitles?.text == #"nothingSelected(wish: "subtitle language", offered: ["en", "de"])"#)
    }

    @Test("closed captions are listed with their variant and need nothing of their own")
    func closedCaptions() throws {
        let captions = try chosen(.closedCaptions)
        #expect(captions.map(\.uri) == [nil])
        #expect(captions.map(\.required) == [false])
    }

    @Test("without a default the autoselected audio is taken, and else the first")
    func fallbacks() throws {
        let variant = Playlists.variant("v", 1_000_000, "AUDIO=\"a\"")
        let auto = Playlists.master(
            Playlists.rendition("AUDIO", "a", "de", "de"),
            Playlists.rendition("AUDIO", "a", "en", "en", "AUTOSELECT=YES"), variant)
        #expect(try Playlists.chosen(auto).map(\.uri) == ["v", "en"])
        let plain = Playlists.master(
            Playlists.rendition("AUDIO", "a", "de", "de"), Playlists.rendition("AUDIO", "a", "en", "en"),
            variant)
        #expect(try Playlists.chosen(plain).map(\.uri) == ["v", "de"])
    }

    @Test("an audio rendition without a URI is in the variant: listed, and never fetched")
    func muxed() throws {
        let text = Playlists.master(
            Playlists.rendition("AUDIO", "a", "en", nil, "DEFAULT=YES"),
            Playlists.rendition("AUDIO", "a", "de", "de"), Playlists.variant("v", 1_000_000, "AUDIO=\"a\""))
        #expect(try Playlists.chosen(text).map(\.uri) == ["v", nil])
        #expect(try Playlists.chosen(text) { $0.audio = .all }.map(\.uri) == ["v", nil, "de"])
    }

    @Test("a rendition that several groups list is one stream with each listing")
    func sharedRendition() throws {
        let text = Playlists.master(
            Playlists.rendition("SUBTITLES", "s1", "en", "s"),
            Playlists.rendition("SUBTITLES", "s2", "en", "s"),
            Playlists.variant("v1", 1_000_000, "SUBTITLES=\"s1\""),
            Playlists.variant("v2", 2_000_000, "SUBTITLES=\"s2\""))
        let all = try Playlists.chosen(text) { $0.allVariants = true }
        #expect(all.map(\.uri) == ["v1", "v2", "s"])
        #expect(all.last?.listings.map { $0["GROUP-ID"] } == ["s1", "s2"])
    }

    private static let trick = Playlists.master(
        Playlists.variant("720", 3_000_000, "RESOLUTION=1280x720"),
        Playlists.variant("2160", 16_000_000, "RESOLUTION=3840x2160"),
        "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=300000,RESOLUTION=1280x720,URI=\"i720\"",
        "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=900000,RESOLUTION=3840x2160,URI=\"i2160\"",
        "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=100000,RESOLUTION=640x360,URI=\"i360\"")

    @Test("I-frame playlists are taken on demand: the best that is not taller than the variant")
    func iFrames() throws {
        #expect(try Playlists.chosen(Self.trick).map(\.uri) == ["720"])
        #expect(try Playlists.chosen(Self.trick) { $0.trickPlay = true }.map(\.uri) == ["720", "i720"])
    }

    /// A stream whose trick play is on two pathways, and has a redundant copy.
    private static func spread(_ steering: String = "") -> String {
        let lines = ["A", "B"].flatMap { name in
            [
                Playlists.variant("v\(name)", 900_000, "RESOLUTION=640x360,PATHWAY-ID=\"\(name)\""),
                "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=90000,PATHWAY-ID=\"\(name)\",URI=\"i\(name)\"",
                "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=90000,PATHWAY-ID=\"\(name)\",URI=\"j\(name)\"",
                "#EXT-X-IMAGE-STREAM-INF:BANDWIDTH=9000,PATHWAY-ID=\"\(name)\",URI=\"p\(name)\"",
            ]
        }
        return "#EXTM3U\n\(steering)\(lines.joined(separator: "\n"))\n"
    }

    @Test(
        "I-frames and pictures are those of the pathway of the variants, and each is taken once",
        arguments: [false, true])
    func pathways(all: Bool) throws {
        func chosen(_ text: String) throws -> [String?] {
            try Playlists.chosen(text) { ($0.trickPlay, $0.allVariants) = (true, all) }.map(\.uri)
        }
        #expect(try chosen(Self.spread()) == ["vA", "iA", "pA"])
        let steering = "#EXT-X-CONTENT-STEERING:SERVER-URI=\"s\",PATHWAY-ID=\"B\"\n"
        #expect(try chosen(Self.spread(steering)) == ["vB", "iB", "pB"])
        let elsewhere = Self.spread().replacing("PATHWAY-ID=\"A\",URI", with: "PATHWAY-ID=\"C\",URI")
            .replacing("PATHWAY-ID=\"B\",URI", with: "PATHWAY-ID=\"C\",URI")
        #expect(try chosen(elsewhere) == ["vA", "iA", "pA"])
    }

    @Test("with all variants all I-frame playlists are taken, in the order of the playlist")
    func allIFrames() throws {
        let all = try Playlists.chosen(Self.trick) {
            $0.trickPlay = true
            $0.allVariants = true
        }
        #expect(all.map(\.uri) == ["720", "2160", "i720", "i2160", "i360"])
        #expect(all.map(\.required) == [true, true, false, false, false])
    }

    @Test("a rendition that is the default of one group is required, even if another group lists it, too")
    func sharedDefault() throws {
        let text = Playlists.master(
            Playlists.rendition("AUDIO", "stereo", "en", "en", "DEFAULT=YES"),
            Playlists.rendition("AUDIO", "surround", "en", "en"),
            Playlists.rendition("AUDIO", "surround", "en", "en-5.1", "DEFAULT=YES"),
            Playlists.rendition("AUDIO", "surround", "de", "de"),
            Playlists.variant("v1", 1_000_000, "AUDIO=\"stereo\""),
            Playlists.variant("v2", 2_000_000, "AUDIO=\"surround\""))
        let all = try Playlists.chosen(text) { ($0.allVariants, $0.audio) = (true, .all) }
        #expect(all.map(\.uri) == ["v1", "v2", "en", "en-5.1", "de"])
        #expect(all.map(\.required) == [true, true, true, true, false])
    }
}
