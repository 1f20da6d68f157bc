import ModelTestSupport
import StoreTestSupport
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import Licensing
@testable import MediaDecryption
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

/// Streams whose multivariant playlist lists a variant that does not exist.
@Suite("A variant whose playlist is not there", .timeLimit(.minutes(2)))
struct AbsentVariantTests {
    @Test("missing default audio is left out and named, even if another language was chosen")
    func absentAudio() async throws {
        try await StoreFixture.run { fixture async throws in
            for (name, seed) in [("v", 1), ("de", 300)] {
                fixture.origin.serveStream("/\(name)", count: 2, seed: UInt64(seed))
            }
            fixture.origin.serve(
                "/master.m3u8",
                text: Playlists.master(
                    Playlists.rendition("AUDIO", "a", "en", "en/index.m3u8", "DEFAULT=YES"),
                    Playlists.rendition("AUDIO", "a", "de", "de/index.m3u8"),
                    Playlists.variant("v/index.m3u8", 900_000, #"RESOLUTION=640x360,AUDIO="a""#)))
            let asset = try await fixture.download("/master.m3u8") { $0.selection.audio = .all }
            #expect(asset.state == .complete && asset.lost.map(\.label) == ["audio en"])
            #expect(asset.health.level == .incomplete, "as the catalog has it, too")
            #expect(try fixture.store.catalog.health.countsByHealth() == [.incomplete: 1])
            #expect(asset.renditions.map(\.name) == ["video-360p", "audio-de"])
            let alone = await fixture.refusal("/master.m3u8") { $0.selection.audio = .matching(["en"]) }
            #expect(alone?.message.contains("/en/index.m3u8") == true)
        }
    }

    @Test("missing default audio is replaced by the next rendition of its group, if there is one")
    func absentDefaultAudio() async throws {
        try await StoreFixture.run { fixture async throws in
            for (name, seed) in [("v", 1), ("de", 300)] {
                fixture.origin.serveStream("/\(name)", count: 2, seed: UInt64(seed))
            }
            fixture.origin.serve(
                "/master.m3u8",
                text: Playlists.master(
                    Playlists.rendition("AUDIO", "a", "en", "en/index.m3u8", "DEFAULT=YES"),
                    Playlists.rendition("AUDIO", "a", "fr", "fr/index.m3u8", "AUTOSELECT=YES"),
                    Playlists.rendition("AUDIO", "a", "de", "de/index.m3u8"),
                    Playlists.variant("v/index.m3u8", 900_000, #"RESOLUTION=640x360,AUDIO="a""#)))
            let asset = try await fixture.download("/master.m3u8")
            #expect(asset.state == .complete && asset.availability.offline)
            #expect(asset.renditions.map(\.name) == ["video-360p", "audio-de"])
            #expect(asset.lost.map(\.label) == ["audio en", "audio fr"])
            fixture.origin.remove("/de/index.m3u8")
            let none = await fixture.refusal("/master.m3u8")
            #expect(none?.message.contains("/en/index.m3u8") == true)
        }
    }

    @Test("missing audio of a chosen language makes the download fail, though another variant has it")
    func absentChosenAudio() async throws {
        try await StoreFixture.run { fixture async throws in
            for (name, seed) in [("low", 1), ("mid", 100), ("de", 200), ("en-b", 300)] {
                fixture.origin.serveStream("/\(name)", count: 2, seed: UInt64(seed))
            }
            fixture.origin.serve(
                "/master.m3u8",
                text: Playlists.master(
                    Playlists.rendition("AUDIO", "a", "en", "en-a/index.m3u8", "DEFAULT=YES"),
                    Playlists.rendition("AUDIO", "a", "de", "de/index.m3u8"),
                    Playlists.rendition("AUDIO", "b", "en", "en-b/index.m3u8", "DEFAULT=YES"),
                    Playlists.variant("low/index.m3u8", 300_000, #"RESOLUTION=320x180,AUDIO="a""#),
                    Playlists.variant("mid/index.m3u8", 900_000, #"RESOLUTION=640x360,AUDIO="b""#)))
            let refusal = await fixture.refusal("/master.m3u8") { request in
                request.selection.allVariants = true
                request.selection.audio = .matching(["en"])
            }
            #expect(refusal?.message.contains("/en-a/index.m3u8") == true)
            #expect(try fixture.isEmpty)
            fixture.origin.serveStream("/en-a", count: 2, seed: 400)
            let asset = try await fixture.download("/master.m3u8") { request in
                request.selection.allVariants = true
                request.selection.audio = .matching(["en"])
            }
            #expect(asset.state == .complete && asset.renditions.count { $0.kind == .audio } == 2)
        }
    }

    /// Three variants with audio and subtitles; the playlist of the highest is not served.
    private func publish(on origin: OriginServer, groups: String = "a") {
        for name in ["low", "mid", "audio", "text"] { origin.serveStream("/\(name)") }
        origin.serve(
            "/master.m3u8",
            text: Playlists.master(
                Playlists.rendition("AUDIO", "a", "en", "audio/index.m3u8", "DEFAULT=YES"),
                Playlists.rendition("AUDIO", "b", "de", "audio/index.m3u8", "DEFAULT=YES"),
                Playlists.variant("low/index.m3u8", 300_000, "RESOLUTION=320x180,AUDIO=\"a\""),
                Playlists.variant("mid/index.m3u8", 900_000, "RESOLUTION=640x360,AUDIO=\"\(groups)\""),
                Playlists.variant(
                    "high/index.m3u8?token=S3CRET", 4_000_000, "RESOLUTION=1280x720,AUDIO=\"a\"")))
    }

    private static let absence: [OriginFault] = [
        .status(404), .status(403), .status(410), .status(200, body: "<html></html>"), .status(200),
        .status(200, body: "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-ENDLIST\n"),
    ]

    @Test("is skipped for the next one, and stays reported with the reason", arguments: absence)
    func next(_ fault: OriginFault) async throws {
        try await StoreFixture.run { fixture async throws in
            publish(on: fixture.origin)
            fixture.origin.fault("/high/index.m3u8", fault)
            let added = try await fixture.store.intake.add(fixture.request("/master.m3u8"))
            #expect(added.lost.count == 1)
            #expect(added.lost.first?.hasPrefix("variant 1280x720 (4000 kbit/s): ") == true)
            await fixture.store.untilSettled(added.token)
            let asset = try fixture.store.reader.requireAsset(added.token)
            #expect(asset.state == .complete && asset.availability.offline)
            #expect(asset.renditions.map(\.name) == ["video-360p", "audio-en"])
            let lost = try #require(asset.lost.first)
            #expect(asset.lost.count == 1 && lost.kind == "variant" && lost.resolution == "1280x720")
            #expect(!lost.sentence.contains("S3CRET"))
        }
    }

    @Test("is skipped also for one two steps below, and each is reported")
    func two() async throws {
        try await StoreFixture.run { fixture async throws in
            publish(on: fixture.origin)
            fixture.origin.remove("/mid/index.m3u8")
            let asset = try await fixture.download("/master.m3u8")
            #expect(asset.renditions.map(\.name) == ["video-180p", "audio-en"])
            #expect(asset.lost.map(\.resolution) == ["1280x720", "640x360"])
            #expect(fixture.origin.requests(for: "/audio/index.m3u8").count == 1)
        }
    }

    @Test("is no variant of an asset that is entered first and looked into in its turn")
    func enqueued() async throws {
        try await StoreFixture.run { fixture async throws in
            publish(on: fixture.origin)
            let entered = try await fixture.store.intake.enqueue([fixture.request("/master.m3u8")])
            let token = try #require(entered.tokens.first)
            await fixture.store.untilSettled(token)
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.state == .complete && asset.lost.map(\.resolution) == ["1280x720"])
        }
    }

    @Test("makes the download fail if every variant is selected, or none exists; the first one is named")
    func refused() async throws {
        try await StoreFixture.run { fixture async throws in
            publish(on: fixture.origin)
            let every = await fixture.refusal("/master.m3u8") { $0.selection.allVariants = true }
            #expect(every?.message.contains("/high/index.m3u8") == true)
            for name in ["low", "mid"] { fixture.origin.remove("/\(name)/index.m3u8") }
            let none = await fixture.refusal("/master.m3u8")
            #expect(none?.message.contains("/high/index.m3u8") == true)
            #expect(try fixture.isEmpty)
        }
    }

    @Test("makes the download fail if the next one lacks the requested language")
    func unfitting() async throws {
        try await StoreFixture.run { fixture async throws in
            publish(on: fixture.origin, groups: "b")
            fixture.origin.remove("/low/index.m3u8")
            let error = await fixture.refusal("/master.m3u8") { $0.selection.audio = .matching(["en"]) }
            #expect(error?.message.contains("/high/index.m3u8") == true)
        }
    }

    @Test("is tried again while its origin fails only temporarily")
    func passing() async throws {
        try await StoreFixture.run { fixture async throws in
            publish(on: fixture.origin)
            fixture.origin.serveStream("/high")
            fixture.origin.fault("/high/index.m3u8", .status(503), times: 2)
            let asset = try await fixture.download("/master.m3u8")
            #expect(asset.renditions.first?.resolution == "1280x720" && asset.lost.isEmpty)
        }
    }

    @Test("is lost no longer once it was added")
    func later() async throws {
        try await StoreFixture.run { fixture async throws in
            publish(on: fixture.origin)
            let asset = try await fixture.download("/master.m3u8")
            fixture.origin.serveStream("/high")
            var wish = Selection()
            wish.maximumHeight = 720
            let added = try await fixture.store.addTracks(wish, to: asset.token)
            #expect(added.names == ["video-720p"])
            #expect(try fixture.store.reader.requireAsset(asset.token).lost.isEmpty)
        }
    }
}
