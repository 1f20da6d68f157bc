import ModelTestSupport
import SidebandSubtitles
import StoreTestSupport
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import Licensing
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel
@testable import StoreReading

@Suite("The subtitle tracks that a reader makes", .timeLimit(.minutes(2)))
struct ReaderTrackTests {
    private static let key = Secret.key([UInt8](40..<56))

    /// Publishes video that begins at 10 s, and subtitles with a cue in each of two segments.
    private func publish(_ origin: OriginServer, key: [UInt8]? = nil) {
        for number in 0..<2 {
            let video = Media.timedPacket(900_000 + number * 360_000) + Media.ts(9)
            origin.serve("/v/s\(number).ts", bytes: video, contentType: "video/mp2t")
            let text = """
                WEBVTT
                X-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00.000

                00:0\(number * 4 + 1).000 --> 00:0\(number * 4 + 2).000
                line \(number)
                """
            let plain = Array(text.utf8)
            let bytes = key.map { SampleMedia.encrypted(plain, key: $0, number: number) } ?? plain
            origin.serve("/t/s\(number).vtt", bytes: bytes, contentType: "text/vtt")
        }
        let tags = key == nil ? "" : "#EXT-X-KEY:METHOD=AES-128,URI=\"/key\"\n"
        if let key { origin.serve("/key", bytes: key) }
        origin.serve("/v/index.m3u8", text: Playlists.media(["s0.ts", "s1.ts"]))
        origin.serve("/t/index.m3u8", text: Playlists.media(["s0.vtt", "s1.vtt"], tags: tags))
        origin.serve(
            "/master.m3u8",
            text: Playlists.master(
                Playlists.rendition("SUBTITLES", "s", "en", "t/index.m3u8"),
                Playlists.variant("v/index.m3u8", 900_000, "RESOLUTION=640x360,SUBTITLES=\"s\"")))
    }

    private func rendition(of token: AssetToken, in fixture: StoreFixture) throws -> RenditionRecord {
        try #require(try fixture.store.catalog.renditions.rendition(token, "subtitles-en"))
    }

    @Test("are those of its subtitle renditions, but not of one that was given up")
    func listed() async throws {
        try await StoreFixture.run { fixture async throws in
            publish(fixture.origin)
            let token = try await fixture.download("/master.m3u8").token
            let captions = fixture.store.reader.captions
            #expect(try captions.subtitleRenditions(token)?.map(\.name) == ["subtitles-en"])
            let other = AssetToken(at: Timestamp(milliseconds: 1))
            #expect(try captions.subtitleRenditions(other) == nil)
            let row = try rendition(of: token, in: fixture)
            try fixture.store.catalog.renditions.setFailure("gone", ofRendition: row.id)
            #expect(try captions.subtitleRenditions(token) == [])
            #expect(try captions.subtitles(token, "en") == nil)
        }
    }

    @Test("need for a segment the missing units that overlap it, and not those that only touch it")
    func overlapping() async throws {
        try await StoreFixture.run { fixture async throws in
            publish(fixture.origin)
            let token = try await fixture.download("/master.m3u8").token
            let row = try rendition(of: token, in: fixture)
            try fixture.store.catalog.units.markAbsent(
                [(row.id, .segment, 0), (row.id, .segment, 1)], as: .missing)
            let captions = fixture.store.reader.captions
            let found = try #require(try captions.subtitles(token, "en"))
            for number in 0..<2 {
                let missing = try captions.missingSources(of: found, segment: number, token)
                #expect(missing.map(\.key.unit.number) == [number])
            }
        }
    }

    @Test("have no cues, segments or damage if the playlists of the origin are not there")
    func withoutPlaylists() async throws {
        try await StoreFixture.run { fixture async throws in
            publish(fixture.origin)
            let token = try await fixture.download("/master.m3u8").token
            try fixture.store.catalog.write(.store) { session in
                try session.execute("DELETE FROM source_playlist WHERE rendition != ''")
            }
            let found = try #require(try fixture.store.reader.captions.subtitles(token, "en"))
            #expect(found.track.cues.isEmpty && found.playlist() == nil)
            #expect(found.isComplete && !found.isDamaged, "all of its units are stored and sound")
            guard case .unknown = found.segment(0) else {
                Issue.record("a segment without media")
                return
            }
        }
    }

    @Test("are made without the store key if no content key is stored", .ofSQLite)
    func withoutKeys() async throws {
        try await StoreFixture.run { fixture async throws in
            publish(fixture.origin, key: Self.key)
            fixture.origin.fault("/key", .status(403))
            let token = try await fixture.download("/master.m3u8") { $0.allowsMissingKeys = true }.token
            try FileSystem.unlink(fixture.store.paths.storeKey)
            let reader = try StoreReader(root: fixture.root)
            let found = try #require(try reader.captions.subtitles(token, "en"))
            #expect(found.track.cues.isEmpty && !found.isComplete)
        }
    }

    @Test("are made anew when another content key has taken the place of theirs")
    func otherKey() async throws {
        try await StoreFixture.run { fixture async throws in
            publish(fixture.origin, key: Self.key)
            let token = try await fixture.download("/master.m3u8").token
            func track() throws -> AssetSubtitles {
                try #require(try fixture.store.reader.captions.subtitles(token, "en"))
            }
            let before = try track()
            #expect(before.track.cues.map(\.text) == ["line 0", "line 1"])
            #expect(try track().revision == before.revision)
            try fixture.store.catalog.write(.store) { session in
                try session.execute("UPDATE content_key SET digest = x'0102030405060708'")
            }
            #expect(try track().revision != before.revision)
        }
    }

    @Test("are for a picture of the size in RESOLUTION, if it has two sides above 0")
    func pictureSize() {
        #expect(PictureSize(resolution: "640x360") == PictureSize(width: 640, height: 360))
        for text in ["", "640", "640x", "x360", "0x360", "640x0", "640x-1", "1x2x3"] {
            #expect(PictureSize(resolution: text) == nil, "\(text)")
        }
    }
}

@Suite("The subtitle track for a language")
struct SubtitleChoiceTests {
    private static let sdh = "CHARACTERISTICS=\"public.accessibility.describes-music-and-sound\""

    /// The title of the track that is found among English ones with these titles and attributes.
    private func found(_ tracks: KeyValuePairs<String, String>) -> String? {
        let all = tracks.enumerated().map { index, track in
            SubtitleRendition(
                RenditionRecord(
                    name: "subtitles-\(index)", position: index, kind: .subtitles, required: false,
                    language: "en", title: track.key, listings: [track.value], hasPlaylist: true,
                    container: .vtt, duration: 4, segments: 1))
        }
        return all.find("en")?.title
    }

    @Test("is the default one, if that is not only for foreign speech")
    func preferred() {
        #expect(found(["SDH": Self.sdh, "other": "NAME=\"o\"", "default": "DEFAULT=YES"]) == "default")
        #expect(found(["default SDH": "DEFAULT=YES,\(Self.sdh)", "full": "NAME=\"f\""]) == "default SDH")
        #expect(found(["foreign": "DEFAULT=YES,FORCED=YES", "full": "NAME=\"f\""]) == "full")
    }

    @Test("is without a default a full one, else one with sounds, else one for foreign speech")
    func others() {
        let (foreign, plain) = ("FORCED=YES", "NAME=\"p\"")
        #expect(found(["foreign": foreign, "SDH": Self.sdh, "full": plain]) == "full")
        #expect(found(["foreign": foreign, "SDH": Self.sdh]) == "SDH")
        #expect(found(["foreign": foreign]) == "foreign")
        #expect(found([:]) == nil)
    }
}
