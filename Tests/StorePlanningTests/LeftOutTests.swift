import HLSPlaylist
import ModelTestSupport
import TestSupport
import Testing

@testable import StoreModel
@testable import StorePlanning

@Suite("A requested item that a stream lacks")
struct LeftOutTests {
    private static let master = Playlists.master(
        Playlists.rendition("AUDIO", "a", "en", "en/index.m3u8", "DEFAULT=YES"),
        #"#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",LANGUAGE="en",NAME="English (AD)",URI="ad/index.m3u8""#,
        Playlists.rendition("AUDIO", "a", "de", "de/index.m3u8"),
        Playlists.rendition("SUBTITLES", "s", "de", "sub/index.m3u8"),
        Playlists.variant("hi/index.m3u8", 900_000, #"RESOLUTION=1280x720,AUDIO="a",SUBTITLES="s""#),
        Playlists.variant("lo/index.m3u8", 300_000, #"RESOLUTION=640x360,AUDIO="a",SUBTITLES="s""#))

    private func leftOut(_ text: String = master, _ change: (inout Selection) -> Void) throws -> [String] {
        var selection = Selection()
        change(&selection)
        let items =
            text == Self.master
            ? try LeftOut.all(of: selection, in: .multivariant(Playlists.parsedMaster(text)))
            : try LeftOut.all(of: selection, in: .media(Playlists.parsedMedia(text)))
        return items.map(\.sentence)
    }

    @Test("is named with the stream's choices: languages, heights and bit rates")
    func named() throws {
        #expect(try leftOut { $0.audio = .matching(["en", "xx"]) } == ["audio xx; the stream has en, de"])
        #expect(
            try leftOut { $0.subtitles = .matching(["ja", "de"]) } == ["subtitles ja; the stream has de"])
        #expect(
            try leftOut { $0.maximumHeight = 240 } == ["variant of 240p at most; the stream has 360p, 720p"])
        #expect(
            try leftOut { $0.maximumBitrate = 1000 }
                == ["variant of 1000 bit/s at most; the stream has 300000 bit/s, 900000 bit/s"])
        #expect(
            try leftOut { $0.minimumBitrate = 1_000_000 }
                == ["variant of 1000000 bit/s at least; the stream has 300000 bit/s, 900000 bit/s"])
        #expect(try leftOut { $0.trickPlay = true } == ["variant trick play; the stream has none"])
    }

    @Test("is nothing where a rule is kept, or leaves the choice to the stream")
    func nothing() throws {
        #expect(
            try leftOut {
                ($0.audio, $0.subtitles) = (.matching(["de"]), .all)
                ($0.maximumHeight, $0.maximumBitrate) = (400, 400_000)
            } == [])
        #expect(try leftOut { ($0.audio, $0.subtitles, $0.allVariants) = (.all, .none, true) } == [])
        #expect(try leftOut { _ in } == [])
    }

    @Test("includes every choice if there is only one stream")
    func soleStream() throws {
        let found = try leftOut(Playlists.media(["a.ts"])) {
            ($0.audio, $0.maximumHeight) = (.matching(["en"]), 720)
        }
        #expect(found == ["audio en; the stream has none", "variant of 720p at most; the stream has none"])
    }

    @Test("does not include tracks that are named by NAME, or by their id in an asset")
    func shownNames() throws {
        #expect(try leftOut { $0.audio = .matching(["english (ad)"]) } == [])
        #expect(try leftOut { $0.audio = .matching(["audio-en-2", "audio-de"]) } == [])
        let byName = try Playlists.chosen(Self.master) { $0.audio = .matching(["English (AD)"]) }
        #expect(byName.filter { $0.kind == .audio }.map(\.uri) == ["ad/index.m3u8"])
        let byID = try Playlists.chosen(Self.master) { $0.audio = .matching(["audio-en-2"]) }
        #expect(byID.filter { $0.kind == .audio }.map(\.uri) == ["ad/index.m3u8"])
        let byLanguage = try Playlists.chosen(Self.master) { $0.audio = .matching(["en"]) }
        #expect(byLanguage.filter { $0.kind == .audio }.count == 2)
    }

    @Test("stays with the asset until it is asked for again")
    func merged() {
        var wish = Selection()
        wish.audio = .matching(["xx"])
        let (xx, yy) = (LeftOut(.audio, "xx", offered: ["en"]), LeftOut(.audio, "yy"))
        #expect(LeftOut.merged([xx, yy], wish, now: []) == [yy])
        #expect(LeftOut.merged([xx, yy], wish, now: [xx]) == [yy, xx])
        #expect(LeftOut.merged([yy], Selection(), now: []) == [yy])
    }

    @Test("may be a recording of a stream with an end, or license terms of a stream without keys")
    func unfitting() {
        let terms = LicenseTerms(rental: 86_400, playWindow: 90)
        var wish = Selection.Recording()
        (wish.fromStart, wish.duration) = (true, 7200)
        var plan = DownloadPlan([], sources: [])
        let clear = LeftOut.unfitting(terms, wish, for: plan).map(\.sentence)
        #expect(
            clear == [
                "live, from start, duration 2h; the stream is not live",
                "rental 1d; the stream is not encrypted", "play window 90s; the stream is not encrypted",
            ])
        plan.keys = [KeySource(address: "https://h/k", uri: "k")]
        let encrypted = LeftOut.unfitting(terms, nil, for: plan)
        #expect(encrypted.isEmpty)
        plan.keys = []
        plan.recording = PlannedRecording(wish: wish, states: [:])
        let recorded = LeftOut.unfitting(terms, wish, for: plan)
        #expect(recorded.isEmpty)
    }
}
