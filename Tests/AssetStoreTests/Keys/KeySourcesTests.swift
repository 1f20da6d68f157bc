import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import AssetStore
@testable import Licensing
@testable import MediaDecryption
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

@Suite("A key is compared with stored media:", .timeLimit(.minutes(2)))
struct KeySourcesTests {
    private static let first = Secret.key([UInt8](1..<17))
    private static let second = Secret.key([UInt8](100..<116))

    /// A complete asset without its key, whose segments are encrypted with the first key ("1") or the second one ("2").
    private func sealed(_ fixture: StoreFixture, _ keys: String) async throws -> AssetToken {
        fixture.origin.fault("/k.key", .status(403))
        fixture.origin.serveStream(
            "/v", count: keys.count, tags: "#EXT-X-KEY:METHOD=AES-128,URI=\"/k.key\"\n")
        for (number, name) in keys.enumerated() {
            let clear = Media.ts(10 + number, seed: UInt64(1 + number))
            let key = name == "1" ? Self.first : Self.second
            fixture.origin.serve(
                "/v/s\(number).ts", bytes: SampleMedia.encrypted(clear, key: key, number: number),
                contentType: "video/mp2t")
        }
        let asset = try await fixture.download("/v/index.m3u8") { $0.allowsMissingKeys = true }
        #expect(asset.state == .complete)
        return asset.token
    }

    private func record(_ fixture: StoreFixture, _ token: AssetToken) throws -> KeyRecord {
        try #require(try fixture.store.catalog.renditions.keys(of: token).first)
    }

    /// Has the second key be stored as the asset's.
    private func storeSecond(_ fixture: StoreFixture, _ token: AssetToken) throws -> KeyRecord {
        let vault = fixture.store.parts.vault
        var key = try record(fixture, token)
        key.sealed = try vault.seal(Self.second, for: KeyVault.purpose(ofKey: key.id, token))
        key.digest = vault.digest(Self.second)
        try fixture.store.catalog.licenses.setKey(key, of: token, at: Timestamp(milliseconds: 1))
        return key
    }

    @Test(
        "it may be theirs if one of the first three segments decrypts with it",
        arguments: [("2", true), ("1", false), ("11", false), ("12", true), ("112", true), ("1112", false)])
    func mayOpen(_ keys: String, _ isTheirs: Bool) async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await sealed(fixture, keys)
            let key = try record(fixture, token)
            #expect(try fixture.store.licenses.sources.mayOpen(Self.second, key, of: token) == isTheirs)
        }
    }

    @Test("segments whose files are gone tell nothing about a key")
    func gone() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await sealed(fixture, "12")
            let (sources, key) = (fixture.store.licenses.sources, try record(fixture, token))
            try FileSystem.unlink(fixture.path(token, "video/1.ts"))
            #expect(try !sources.mayOpen(Self.second, key, of: token))
            #expect(try sources.mayOpen(Self.first, key, of: token))
            try FileSystem.unlink(fixture.path(token, "video/0.ts"))
            #expect(try sources.mayOpen(Self.second, key, of: token))
        }
    }

    @Test("media of another key tell nothing about it")
    func otherKey() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await sealed(fixture, "1")
            var key = try record(fixture, token)
            key.id = "k7"
            #expect(try fixture.store.licenses.sources.mayOpen(Self.second, key, of: token))
        }
    }

    @Test(
        "a stored key may be replaced if no segment decrypts with it",
        arguments: [("1", true), ("11", true), ("12", false), ("2", false)])
    func replaceable(_ keys: String, _ isReplaceable: Bool) async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await sealed(fixture, keys)
            let key = try storeSecond(fixture, token)
            #expect(try fixture.store.licenses.sources.isReplaceable(key, of: token) == isReplaceable)
        }
    }

    @Test("a key is kept while it can't be tried, unless it is another key's segment or a file that is gone")
    func untried() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await sealed(fixture, "2")
            let sources = fixture.store.licenses.sources
            var key = try record(fixture, token)
            #expect(try !sources.isReplaceable(key, of: token))
            key.id = "k7"
            #expect(try sources.isReplaceable(key, of: token))
            key = try storeSecond(fixture, token)
            try FileSystem.unlink(fixture.path(token, "video/0.ts"))
            #expect(try sources.isReplaceable(key, of: token))
        }
    }

    @Test("segments in the clear do not keep a key")
    func clear() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            let token = try await fixture.download("/v/index.m3u8").token
            let key = KeyRecord(id: "k0", url: "https://a.example/k")
            #expect(try fixture.store.licenses.sources.isReplaceable(key, of: token))
            #expect(try fixture.store.licenses.sources.mayOpen(Self.second, key, of: token))
        }
    }

    @Test("its digest is the stored one or that of its bytes, and none if it can't be unsealed")
    func digest() async throws {
        try await StoreFixture.run { fixture async throws in
            let (sources, vault) = (fixture.store.licenses.sources, fixture.store.parts.vault)
            let token = AssetToken(at: Timestamp(milliseconds: 1))
            let sealed = try vault.seal(Self.first, for: KeyVault.purpose(ofKey: "k0", token))
            func digest(_ sealed: [UInt8]?, _ digest: [UInt8]?) -> [UInt8]? {
                sources.digest(KeyRecord(id: "k0", url: "k", sealed: sealed, digest: digest), of: token)
            }
            #expect(digest(sealed, nil) == vault.digest(Self.first))
            #expect(digest(sealed, [1]) == [1])
            #expect(digest(nil, [1]) == [1])
            #expect(digest(nil, nil) == nil)
            #expect(digest([0], [1]) == nil)
        }
    }
}
