import ModelTestSupport
import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import Licensing
@testable import MediaDecryption
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

/// The facts of a store, and the parts of an asset beside its media.
struct StoreFactsTests {
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]

    @Test("a poster comes from a file or from the network, with the request's own headers")
    func posters() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            fixture.origin.serve("/p", bytes: Self.png)
            fixture.origin.fault("/p", .require(header: "X-Auth", value: "yes"))
            let file = try fixture.folder.write([0xFF, 0xD8, 0xFF, 9], to: "picture")
            for (source, name) in [(file, "poster.jpg"), (fixture.origin.url("/p"), "poster.png")] {
                let asset = try await fixture.download("/v/index.m3u8") {
                    $0.artwork = source
                    $0.access.headers = [["X-Auth", "yes"]]
                }
                #expect(asset.poster == name)
                #expect(try fixture.store.reader.media.poster(asset.token) == fixture.path(asset.token, name))
                #expect(try fixture.master(asset.token).contains("com.apple.hls.poster"))
            }
        }
    }

    @Test("a file that is not a picture is refused, and nothing is left behind")
    func noPicture() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            fixture.origin.serve("/p", bytes: Media.page)
            let page = await fixture.refusal("/v/index.m3u8") { $0.artwork = fixture.origin.url("/p") }
            #expect(page?.errorClass == .usage)
            let nothing = await fixture.refusal("/v/index.m3u8") { $0.artwork = "/nowhere/p.jpg" }
            #expect(nothing?.errorClass == .disk)
            #expect(try fixture.isEmpty)
        }
    }

    @Test(
        "a queued stream is downloaded without a picture or subtitle file that can't be fetched, and reports it"
    )
    func withoutDecoration() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 2)
            var request = fixture.request("/v/index.m3u8")
            request.artwork = fixture.origin.url("/none.png")
            request.subtitleFiles = [SubtitleSource(source: fixture.origin.url("/none.vtt"), language: "de")]
            let token = try #require(try await fixture.store.intake.enqueue([request]).tokens.first)
            await fixture.store.untilSettled(token)
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.state == .complete && asset.availability.offline && asset.poster == nil)
            #expect(asset.lost.map(\.label) == ["subtitle file de", "poster"])
            #expect(asset.lost.allSatisfy { $0.reason.contains("404") })
            fixture.origin.serve("/p.png", bytes: Self.png)
            try await fixture.store.sources.changePoster(of: token, to: fixture.origin.url("/p.png"))
            #expect(try fixture.store.reader.requireAsset(token).lost.map(\.label) == ["subtitle file de"])
        }
    }

    @Test("storage is listed by asset, the largest first, with folders of unknown assets")
    func storage() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/small", count: 1)
            fixture.origin.serveStream("/large", count: 5)
            let small = try await fixture.download("/small/index.m3u8")
            let large = try await fixture.download("/large/index.m3u8")
            try FileSystem.makeDirectory(fixture.store.paths.assets.appending("stranger"))
            let use = try fixture.store.reader.storage()
            #expect(use.assets.map(\.token) == [large.token, small.token])
            #expect(use.assets.map(\.bytes) == [large.storedBytes, small.storedBytes])
            #expect(use.orphans.map(\.path) == ["assets/stranger"])
            #expect(use.catalogBytes > 0)
            let findings = StoreCheckup.run(fixture.root)
            #expect(findings.filter { !$0.isFine }.map(\.check) == ["orphans"])
        }
    }

    @Test("assets are listed from the newest, by state and page by page")
    func listing() async throws {
        try await StoreFixture.run {
            $0.clock = CountingClock()
        } _: { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            fixture.origin.serveStream("/w", count: 1)
            fixture.origin.fault("/w/s0.ts", .status(404))
            var tokens: [AssetToken] = []
            for folder in ["v", "w", "v", "v"] {
                tokens.append(try await fixture.download("/\(folder)/index.m3u8").token)
            }
            let reader = fixture.store.reader
            #expect(try reader.assets().map(\.token) == tokens.reversed())
            #expect(try reader.assets(states: [.failed]).map(\.token) == [tokens[1]])
            #expect(try reader.assets(before: tokens[2], limit: 1).map(\.token) == [tokens[1]])
            #expect(try reader.assets(states: [.failed, .complete], limit: 2).count == 2)
        }
    }

    @Test(
        "an asset without a name is named by the telling part of its address",
        arguments: [
            ("https://x/films/Big%20Film/master.m3u8", "Big Film"), ("https://x/Film.m3u8?a=b", "Film"),
            ("https://x/index.m3u8", "x"), ("https://x/", "x"), ("https://x/a/playlist.m3u8", "a"),
            ("https://x/%00b%0A/%7F", "b"),
        ])
    func names(_ url: String, _ expected: String) {
        #expect(StreamName.ofAddress(url) == expected)
    }

    @Test("data sealed for one purpose open for no other, and not after a bit was changed")
    func vault() async throws {
        let folder = try TemporaryDirectory()
        let vault = try KeyVault(FilePath(folder.file("store.key")))
        let sealed = try vault.seal([1, 2, 3], for: "one")
        #expect(try vault.open(sealed, for: "one") == [1, 2, 3])
        #expect(try KeyVault(FilePath(folder.file("store.key"))).open(sealed, for: "one") == [1, 2, 3])
        var changed = sealed
        changed[changed.count - 1] ^= 1
        for (bytes, purpose) in [
            (sealed, "two"), (changed, "one"), ([], "one"), (Array(sealed.prefix(10)), "one"),
        ] {
            #expect(await failure { _ = try vault.open(bytes, for: purpose) }?.text == "vault")
        }
    }

    @Test(
        "times are written as RFC 3339 in UTC, to the millisecond",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1_769_846_400_123, "2026-01-31T08:00:00.123Z"),
            (951_782_400_999, "2000-02-29T00:00:00.999Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (7, "1970-01-01T00:00:00.007Z"),
        ])
    func times(_ milliseconds: Int64, _ expected: String) {
        #expect(Timestamp(milliseconds: milliseconds).rfc3339 == expected)
    }

    @Test("the offer of a stream is shown without secret parts")
    func offer() async throws {
        let origin = try OriginServer()
        origin.serveStream(
            "/v", count: 2, tags: "#EXT-X-KEY:METHOD=AES-128,URI=\"https://k.example/k?token=5ecret\"\n")
        origin.serve(
            "/master.m3u8",
            text: Playlists.master(
                Playlists.rendition("AUDIO", "a", "en", "a.m3u8?token=5ecret"),
                Playlists.variant("v/index.m3u8", 900_000, "AUDIO=\"a\""),
                Playlists.variant("w.m3u8", 300_000)))
        let inspector = try StreamInspector(url: origin.url("/master.m3u8?token=5ecret"))
        let offer = try await inspector.offer()
        await inspector.close()
        #expect(offer.isEligible && offer.isLive == false && offer.duration == 8)
        #expect(offer.bitrates == [300_000, 900_000])
        #expect(offer.variants.count == 2 && offer.renditions.count == 1 && offer.keys.count == 1)
        #expect(!"\(offer)".contains("5ecret"))
    }
}

/// A clock on which each look is a second later.
private final class CountingClock: WallClock {
    private let counter = ByteMeter()
    var now: Timestamp {
        counter.add(1000)
        return Timestamp(milliseconds: Int64(counter.total))
    }
}
