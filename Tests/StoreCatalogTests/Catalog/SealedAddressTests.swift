import Foundation
import HLSPlaylist
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
@testable import StoreReading

/// Passwords and signatures in the addresses that a store keeps.
struct SealedAddressTests {
    private func sealer() throws -> AddressSealer {
        let folder = try TemporaryDirectory()
        return try withExtendedLifetime(folder) {
            AddressSealer(try KeyVault(FilePath(folder.file("store.key"))))
        }
    }

    @Test(
        "user information and query of an address are sealed, and nothing else of it",
        arguments: [
            ("https://user:pass@h.example/a/b.ts?sig=1", "https://", "@h.example/a/b.ts?"),
            ("b.ts?sig=1", "b.ts?", ""), ("//user@h/x", "//", "@h/x"),
            ("skd://key?id=5#f", "skd://key?", "#f"),
        ])
    func addresses(_ address: String, _ start: String, _ rest: String) throws {
        let sealer = try sealer()
        let sealed = sealer.seal(address)
        #expect(sealed.hasPrefix(start) && sealed.hasSuffix(rest) || sealed.contains(rest))
        #expect(!sealed.contains("sig=1") && !sealed.contains("user") && !sealed.contains("id=5"))
        #expect(sealer.open(sealed) == address)
        #expect(sealer.seal(sealed) == sealed, "what is sealed is not sealed again")
        #expect(sealer.seal(address) == sealed, "sealed addresses can be compared")
    }

    @Test(
        "an address without secrets stays as it is",
        arguments: ["https://h/a~b.ts", "s0.ts", "", "https://h/a@b/c.ts?", "data:text/plain,~sealed.AAAA"])
    func clear(_ address: String) throws {
        let sealer = try sealer()
        #expect(sealer.seal(address) == address)
        #expect(sealer.open(address) == address)
    }

    @Test("another store's key opens nothing")
    func foreign() throws {
        let sealed = try sealer().seal("https://h/a?sig=1")
        #expect(try sealer().open(sealed) == sealed)
    }

    @Test("a sealed reference resolves to the sealed address")
    func resolution() throws {
        let sealer = try sealer()
        let base = "https://user:pass@h.example/v/index.m3u8?sig=1"
        for reference in ["s0.ts?t=2", "../k", "", "?x", "//other/y?z=1", "https://a:b@c/d"] {
            let whole = URIReference(reference).resolved(against: URIReference(base)).description
            let sealed = URIReference(sealer.seal(reference))
                .resolved(against: URIReference(sealer.seal(base))).description
            #expect(sealed == sealer.seal(whole), "\(reference)")
        }
    }

    @Test(
        "every address of a playlist is sealed, wherever it stands, and the playlist comes back byte for byte"
    )
    func playlists() throws {
        let text = """
            #EXTM3U\r
            # by http://u:5ecret@h/?5ecret and then some
            #EXT-X-DEFINE:NAME="a",VALUE="5ecret"
            #EXT-X-KEY:METHOD=AES-128,URI="k?5ecret",IV=0x1
            #EXT-X-DATERANGE:ID="Who? me",X-ASSET-LIST="l?5ecret 5ecret",X-COM="https://h/?5ecret"
            #EXT-X-UNKNOWN:URL=https://u:5ecret@h/a?5ecret,b
            #EXTINF:4,A title?
             s0.ts?5ecret#f\t
            https://5ecret@h/s1.ts
            """
        let sealer = try sealer()
        let sealed = sealer.seal(playlist: Array(text.utf8))
        let shown = String(decoding: sealed, as: UTF8.self)
        #expect(!shown.contains("5ecret"))
        #expect(shown.contains("Who? me") && shown.contains("#EXTINF:4,A title?"))
        #expect(sealer.open(playlist: sealed) == Array(text.utf8))
    }

    @Test("no file of a store has a secret of an address in any form, while it is worked on and afterwards")
    func newStore() async throws {
        let fixture = try StoreFixture()
        SignedStream.serve(fixture.origin)
        let url = SignedStream.url(fixture.origin)
        let token = try await fixture.store.intake.add(AssetRequest(url: url)).token
        await fixture.store.untilSettled(token)
        let asset = try fixture.store.reader.requireAsset(token)
        #expect(asset.state == .complete, "\(asset.failure?.message ?? "")")
        #expect(!"\(asset)".contains(SignedStream.password) && !"\(asset)".contains(SignedStream.mark))
        let sent = fixture.origin.requests(for: "/v/s0.ts").first
        #expect(sent?.query == "sig=\(SignedStream.mark)-segment-0&x=1")
        #expect(sent?.header("Authorization") != nil, "the stream's own user information goes with it")
        #expect(SignedStream.traces(in: fixture.root.string) == [])
        try await check(fixture, token, url)
        await fixture.store.stop()
        #expect(SignedStream.traces(in: fixture.root.string) == [])
        #expect(!fixture.log.text.contains(SignedStream.mark))
    }

    /// The store gives back what was sealed.
    private func check(_ fixture: StoreFixture, _ token: AssetToken, _ url: String) async throws {
        let catalog = fixture.store.catalog
        #expect(try catalog.assets.asset(token)?.sourceURL == url)
        #expect(
            try fixture.units(token, "video-360p").first?.url.hasSuffix("sig=5igned-segment-0&x=1") == true)
        #expect(try catalog.renditions.keys(of: token).first?.url.hasSuffix("/v/k?sig=5igned-key") == true)
        let master = try #require(try catalog.renditions.sourcePlaylist(token, ""))
        #expect(master.url == url)
        #expect(
            String(decoding: master.body, as: UTF8.self).contains("v/index.m3u8?sig=5igned-variant&v={$auth}")
        )
        let rows = try catalog.renditions.all(of: [token])[token] ?? []
        #expect(rows.contains { $0.listings.contains { $0.contains("5igned-subtitles") } })
        #expect(try fixture.contentKey(token, "k0") == Array(0..<16))
    }

    /// A copy of a store that version 0.1.0 made of such a stream: one asset that is complete, and one that failed.
    private func store010() throws -> TemporaryDirectory {
        let folder = try TemporaryDirectory()
        let fixture = try #require(
            Bundle.module.url(forResource: "store-0.1.0", withExtension: nil, subdirectory: "Fixtures"))
        try FileManager.default.copyItem(at: fixture, to: URL(fileURLWithPath: folder.file("store")))
        #expect(SignedStream.traces(in: folder.file("store")) == ["catalog.db"], "it has something to seal")
        return folder
    }

    @Test(
        "a store of 0.1.0 has no plain secrets of addresses after it was opened, and all other data as before",
        .ofSQLite)
    func oldStore() async throws {
        let fixture = try StoreFixture(in: store010())
        #expect(SignedStream.traces(in: fixture.root.string) == [])
        let assets = try fixture.store.reader.assets()
        #expect(assets.map(\.state) == [.failed, .complete])
        let whole = try #require(assets.last)
        let url = try #require(try fixture.store.catalog.assets.asset(whole.token)?.sourceURL)
        #expect(url.hasPrefix("http://someone:\(SignedStream.password)@127.0.0.1:"))
        try await check(fixture, whole.token, url)
        let result = try await fixture.store.verify(whole.token)
        // What that version has stored here are no media, which it did not see.
        #expect(result.missing == [] && result.damaged == [])
        await fixture.store.stop()
        #expect(SignedStream.traces(in: fixture.root.string) == [])
    }

    @Test("the first process that opens a store of 0.1.0 seals its addresses")
    func looking() throws {
        let folder = try store010()
        let reader = try StoreReader(root: FilePath(folder.file("store")))
        #expect(try reader.assets().count == 2)
        #expect(SignedStream.traces(in: folder.file("store")) == [])
    }

    @Test(
        "a store whose key is lost plays assets with sealed addresses, and shows the same parts of the addresses",
        .ofSQLite)
    func lostKey() async throws {
        let fixture = try StoreFixture()
        fixture.origin.serve("/v/s0.ts", bytes: Media.ts(5))
        fixture.origin.serve("/v/index.m3u8", text: Playlists.media(["s0.ts?sig=5igned"]))
        fixture.origin.serve(
            "/master.m3u8", text: Playlists.master(Playlists.variant("v/index.m3u8?sig=5igned", 900_000)))
        let asset = try await fixture.download("/master.m3u8?sig=5igned")
        await fixture.store.stop()
        try FileSystem.unlink(fixture.store.paths.storeKey)
        let reader = try StoreReader(root: fixture.root)
        let found = try reader.requireAsset(asset.token)
        #expect(found.availability.offline && found.sourceURL == asset.sourceURL)
        #expect(try reader.playlists.multivariantPlaylist(asset.token, poster: nil) != nil)
        let other = try StoreFixture(in: fixture.folder)
        #expect(try await other.store.verify(asset.token).isSound)
        await other.store.stop()
    }
}
