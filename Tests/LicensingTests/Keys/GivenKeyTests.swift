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

@Suite("A license whose keys were given or deposited", .timeLimit(.minutes(2)))
struct GivenKeyTests {
    /// Who has a key that nobody can be asked for.
    enum Giver: CaseIterable, Sendable {
        case owner, client
    }

    private static let identifier = [UInt8](repeating: 0xAB, count: 16)

    private func give(_ giver: Giver, _ store: OfflineStore, _ token: AssetToken) throws {
        switch giver {
        case .owner where try store.reader.keyOutlines(of: token).contains { $0.id == "k0" }:
            try store.licenses.addKey(Licensed.key, id: "k0", to: token)
        case .owner: try store.licenses.addKey(Licensed.key, identifier: Self.identifier, to: token)
        case .client:
            let blob = OriginResource.pattern(700)
            #expect(try store.licenses.depositKey(blob, "k0", of: token, contentType: "application/x-blob"))
        }
    }

    /// Runs a test with an asset that is encrypted for a key system and rented for a minute, and has got its key.
    private func run(
        _ giver: Giver, _ body: (OfflineStore, AssetToken, ManualClock) async throws -> Void
    ) async throws {
        let clock = ManualClock()
        try await StoreFixture.run {
            $0.clock = clock
        } _: { fixture async throws in
            let tag =
                #"#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://x",KEYFORMAT="com.apple.streamingkeydelivery""#
            fixture.origin.serveStream("/drm", tags: tag + "\n")
            let asset = try await fixture.download("/drm/index.m3u8") {
                ($0.allowsMissingKeys, $0.license) = (true, LicenseTerms(rental: 60))
            }
            try give(giver, fixture.store, asset.token)
            #expect(try fixture.store.reader.requireAsset(asset.token).availability.offline)
            fixture.origin.forgetRequests()
            try await body(fixture.store, asset.token, clock)
            #expect(fixture.origin.requests.isEmpty)
        }
    }

    private func status(_ store: OfflineStore, _ token: AssetToken) throws -> LicenseStatus {
        try store.reader.requireAsset(token).license
    }

    @Test(
        "is granted anew, on the same terms, when one is given after it was revoked",
        arguments: Giver.allCases)
    func revoked(_ giver: Giver) async throws {
        try await run(giver) { store, token, clock async throws in
            clock.pass(.seconds(30))
            try store.licenses.revoke(token)
            let error = await failure { try await store.renewLicense(of: token) }
            #expect(error?.text == "key(.nobodyToAsk)")
            #expect(try status(store, token).state == .revoked)
            try give(giver, store, token)
            let granted = try status(store, token)
            #expect(granted.state == .valid && granted.expiry == .at(clock.now.adding(seconds: 60)))
            #expect(try store.reader.requireAsset(token).availability.offline)
            let events = try store.reader.licenseEvents(of: token).map(\.kind)
            #expect(events.prefix(3) == [.renewed, .keyAdded, .revoked])
        }
    }

    @Test(
        "ends with the rental even if keys are added then, and is renewed with the stored keys",
        arguments: Giver.allCases)
    func expired(_ giver: Giver) async throws {
        try await run(giver) { store, token, clock async throws in
            clock.pass(.seconds(60))
            try give(giver, store, token)
            #expect(try status(store, token).state == .expired)
            try await store.renewLicense(of: token)
            #expect(try status(store, token).expiry == .at(clock.now.adding(seconds: 60)))
            try await store.renewLicense(of: token, LicenseTerms())
            #expect(try status(store, token).expiry == .never)
        }
    }

    @Test(
        "is not renewed with a key that can't be unsealed, until it is given again", arguments: Giver.allCases
    )
    func closed(_ giver: Giver) async throws {
        try await run(giver) { store, token, _ async throws in
            try store.catalog.write(.store) { session in
                try session.execute("UPDATE content_key SET sealed = x'00' WHERE sealed IS NOT NULL")
            }
            let error = await failure { try await store.renewLicense(of: token) }
            #expect(error?.text == "key(.nobodyToAsk)")
            try give(giver, store, token)
            try await store.renewLicense(of: token)
            #expect(try status(store, token).state == .valid)
        }
    }

    @Test("gains no time by a renewal while the clock is set back, since no server confirms the renewal")
    func clockSetBack() async throws {
        try await run(.owner) { store, token, clock async throws in
            clock.pass(.seconds(61))
            let seen = clock.now
            #expect(try status(store, token).state == .expired)
            clock.set(back: .days(1))
            try await store.renewLicense(of: token)
            #expect(try status(store, token).expiry == .at(seen.adding(seconds: 60)))
        }
    }

    @Test("that ends and came with a folder is renewed only by the store that exported it")
    func imported() async throws {
        let clock = ManualClock()
        try await StoreFixture.run {
            $0.clock = clock
        } _: { fixture async throws in
            fixture.origin.serveStream("/v")
            let (store, token) = (fixture.store, try await fixture.download("/v/index.m3u8").token)
            try give(.owner, store, token)
            try await store.renewLicense(of: token, LicenseTerms(rental: 60))
            let second = try StoreFixture(in: fixture.folder, named: "second") { $0.clock = clock }
            let exported = FilePath(fixture.folder.file("exported"))
            try store.reader.exporter.export(
                token, to: exported, withKeys: false, keysFor: try second.store.reader.publicKey())
            let copy = try await second.store.imports.add(exported).token
            #expect(try status(second.store, copy).expiry == .at(clock.now.adding(seconds: 60)))
            let renewal = await failure { try await second.store.renewLicense(of: copy) }
            #expect(renewal?.text == "key(.nobodyToAsk)")
            try second.store.licenses.revoke(copy)
            try give(.owner, second.store, copy)
            #expect(try status(second.store, copy).state == .revoked)
            await second.store.stop()
        }
    }

    @Test("is renewed as a rental as often as the user wants, also for imported media")
    func ownFolder() async throws {
        try await StoreFixture.run { fixture async throws in
            try fixture.folder.write(Media.ts(5, seed: 1), to: "hls/s0.ts")
            try fixture.folder.write(Array(Playlists.media(["s0.ts"]).utf8), to: "hls/index.m3u8")
            let store = fixture.store
            let token = try await store.imports.add(FilePath(fixture.folder.file("hls"))).token
            try give(.owner, store, token)
            for _ in 0..<2 { try await store.renewLicense(of: token, LicenseTerms(rental: 60)) }
            try store.licenses.revoke(token)
            try give(.owner, store, token)
            #expect(try status(store, token).state == .valid)
        }
    }

    @Test("is not renewed by another address, which has none of the keys")
    func address() async throws {
        try await run(.owner) { store, token, _ async throws in
            let error = await failure {
                try await store.renewLicense(of: token, via: "http://127.0.0.1:1/x.m3u8")
            }
            #expect(error?.text == "key(.nobodyToAsk)")
        }
    }
}

@Suite("A license whose keys were fetched", .timeLimit(.minutes(2)))
struct FetchedKeyTests {
    @Test("is not granted anew by a key that is given after it was revoked, but by its origin")
    func origin() async throws {
        try await Licensed.run(LicenseTerms(rental: 60)) { asset async throws in
            let store = asset.fixture.store
            asset.clock.pass(.seconds(60))
            try store.licenses.revoke(asset.token)
            try store.licenses.addKey(
                Licensed.key, identifier: [UInt8](repeating: 1, count: 16), to: asset.token)
            #expect(try asset.status().state == .revoked)
            #expect(try store.keys.refusal(asset.token) == .revoked)
            try await store.renewLicense(of: asset.token)
            #expect(try asset.key() == "key")
        }
    }

    private func withProvider(_ format: String, _ body: (StoreFixture) async throws -> Void) async throws {
        let folder = try TemporaryDirectory()
        let origin = try OriginServer()
        let tag = "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://acme/film-1\"\(format)\n"
        origin.serveStream("/drm", tags: tag)
        try FileSystem.makeDirectory(FilePath(folder.file("store")))
        let rule =
            #"{"name": "blobs", "schemes": ["skd"], "url": "\#(origin.url("/ckc/"))?{content_id}", "answer": {"content_type": "application/x-ckc"}}"#
        try DurableWrite.write(
            Array("{\"key_providers\": [\(rule)]}".utf8), to: FilePath(folder.file("store/config.json")))
        let fixture = try StoreFixture(in: folder, origin: origin)
        let result: Result<Void, any Error>
        do { result = .success(try await body(fixture)) } catch { result = .failure(error) }
        await fixture.store.stop()
        try result.get()
    }

    @Test(
        "is renewed by its provider, and not by an old blob of the provider",
        arguments: ["", #",KEYFORMAT="com.example""#])
    func provider(_ format: String) async throws {
        try await withProvider(format) { fixture async throws in
            let blob = OriginResource.pattern(500, seed: 3)
            fixture.origin.serve("/ckc/", bytes: blob)
            let token = try await fixture.download("/drm/index.m3u8") {
                $0.license = LicenseTerms(rental: 3600)
            }.token
            #expect(try fixture.contentKey(token, "k0") == blob)
            let store = fixture.store
            try store.licenses.revoke(token)
            #expect(try store.licenses.depositKey(blob, "k0", of: token, contentType: nil))
            #expect(try store.reader.requireAsset(token).license.state == .revoked)
            #expect(try fixture.contentKey(token, "k0") == nil)
            try await store.renewLicense(of: token)
            #expect(try fixture.contentKey(token, "k0") == blob)
        }
    }
}
