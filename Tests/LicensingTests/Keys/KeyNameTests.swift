import HLSPlaylist
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

@Suite("A key that is given", .timeLimit(.minutes(2)))
struct KeyNameTests {
    private static let identifier = [UInt8](0x20..<0x30)
    private static let other = [UInt8](repeating: 0xFF, count: 16)

    /// A stream of one fragment whose tracks have keys of a key system with these identifiers.
    private func serveFragment(on origin: OriginServer, _ identifiers: [[UInt8]]) {
        let tracks = identifiers.map { [ProtectedMovie.entry(ProtectedMovie.protection("cenc", $0))] }
        origin.serve("/init.mp4", bytes: ProtectedMovie.initialization(tracks))
        origin.serve(
            "/1.m4s", bytes: ProtectedMovie.box("moof", []) + ProtectedMovie.box("mdat", [1, 2, 3]))
        let tags = """
            #EXT-X-KEY:METHOD=SAMPLE-AES-CTR,URI="skd://x",KEYFORMAT="com.example"
            #EXT-X-MAP:URI="init.mp4"

            """
        origin.serve("/index.m3u8", text: Playlists.media(["1.m4s"], tags: tags))
    }

    private func asset(_ token: AssetToken, _ store: OfflineStore) throws -> Asset {
        try store.reader.requireAsset(token)
    }

    private func expectMissing(_ token: AssetToken, _ store: OfflineStore) throws {
        let asset = try asset(token, store)
        #expect(asset.availability.blockedBy == [.keyMissing])
        #expect(asset.health.level == .incomplete && asset.health.problems.map(\.kind) == [.keyMissing])
        #expect(try store.catalog.health.countsByHealth() == [.incomplete: 1])
    }

    @Test("under an identifier that no media have is refused, and those that they have are named")
    func foreign() async throws {
        try await StoreFixture.run { fixture async throws in
            serveFragment(on: fixture.origin, [Self.identifier])
            let store = fixture.store
            let token = try await fixture.download("/index.m3u8") { $0.allowsMissingKeys = true }.token
            let error = await failure {
                try store.licenses.addKey(Licensed.key, identifier: Self.other, to: token)
            }
            #expect(error?.text == #"key(.notAmong(["202122232425262728292a2b2c2d2e2f"]))"#)
            try expectMissing(token, store)
            try store.licenses.addKey(Licensed.key, identifier: Self.identifier, to: token)
            #expect(try asset(token, store).availability.offline)
            #expect(try store.catalog.health.countsByHealth() == [.sound: 1])
        }
    }

    @Test("before the media arrive applies only to media with its identifier")
    func early() async throws {
        try await StoreFixture.run { fixture async throws in
            serveFragment(on: fixture.origin, [Self.identifier])
            let store = fixture.store
            let token = try await fixture.add("/index.m3u8") {
                ($0.allowsMissingKeys, $0.isPreload) = (true, true)
            }
            try store.licenses.addKey(Licensed.key, identifier: Self.other, to: token)
            try await store.perform(.resume, on: token)
            await store.untilSettled(token)
            try expectMissing(token, store)
            try store.licenses.addKey(Licensed.key, identifier: Self.identifier, to: token)
            #expect(try asset(token, store).availability.offline)
        }
    }

    @Test("for one of two tracks does not open the other one")
    func oneOfTwo() async throws {
        try await StoreFixture.run { fixture async throws in
            serveFragment(on: fixture.origin, [Self.identifier, Self.other])
            let store = fixture.store
            let token = try await fixture.download("/index.m3u8") { $0.allowsMissingKeys = true }.token
            try store.licenses.addKey(Licensed.key, identifier: Self.identifier, to: token)
            try expectMissing(token, store)
            try store.licenses.addKey(Licensed.key, identifier: Self.other, to: token)
            #expect(try asset(token, store).availability.offline)
        }
    }

    @Test("under an identifier does not apply to media without identifiers, and by its name does")
    func transportStream() async throws {
        try await StoreFixture.run { fixture async throws in
            let tag =
                #"#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://x",KEYFORMAT="com.apple.streamingkeydelivery""#
            fixture.origin.serveStream("/drm", tags: tag + "\n")
            let store = fixture.store
            let token = try await fixture.download("/drm/index.m3u8") { $0.allowsMissingKeys = true }.token
            try store.licenses.addKey(Licensed.key, identifier: Self.other, to: token)
            try expectMissing(token, store)
            try store.licenses.addKey(Licensed.key, id: "k0", to: token)
            #expect(try asset(token, store).availability.offline)
            #expect(try fixture.contentKey(token, "k0") == Licensed.key)
            let name = try asset(token, store).renditions[0].name
            let playlist = try #require(try fixture.stored(token, "\(name)/media.m3u8"))
            let text = String(decoding: playlist, as: UTF8.self)
            #expect(text.contains("METHOD=SAMPLE-AES,URI=\"../keys/k0.key\"") && !text.contains("KEYFORMAT"))
        }
    }

    @Test("by its name opens AES-128 segments like the origin's key")
    func wholeSegments() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream(
                "/v", tags: "#EXT-X-KEY:METHOD=AES-128,URI=\"/gone.key\"\n", key: Licensed.key)
            let store = fixture.store
            let token = try await fixture.download("/v/index.m3u8") { $0.allowsMissingKeys = true }.token
            try expectMissing(token, store)
            let unknown = await failure { try store.licenses.addKey(Licensed.key, id: "k7", to: token) }
            #expect(unknown?.text == #"key(.notAmong(["k0"]))"#)
            let long = await failure {
                try store.licenses.addKey(Licensed.key + Licensed.key, id: "k0", to: token)
            }
            #expect(long?.text == "key(.length(32))")
            try store.licenses.addKey(Licensed.key, id: "k0", to: token)
            #expect(try asset(token, store).availability.offline)
            #expect(try fixture.contentKey(token, "k0") == Licensed.key)
        }
    }
}
