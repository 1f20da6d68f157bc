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

@Suite("Renewing a license", .timeLimit(.minutes(2)))
struct RenewalTests {
    @Test("asks for the key again and for nothing else, and starts the clocks again")
    func renews() async throws {
        try await Licensed.run(LicenseTerms(rental: 60)) { asset async throws in
            let store = asset.fixture.store
            asset.clock.pass(.seconds(70))
            let before = asset.fixture.origin.paths.count
            try await store.renewLicense(of: asset.token)
            #expect(asset.fixture.origin.paths.dropFirst(before) == ["/k.key"])
            #expect(try asset.key() == "key")
            asset.clock.pass(.seconds(60))
            #expect(try asset.key() == "license-expired")
        }
    }

    @Test("makes a purchase of a rental")
    func purchases() async throws {
        try await Licensed.run(LicenseTerms(rental: 60)) { asset async throws in
            try await asset.fixture.store.renewLicense(of: asset.token, LicenseTerms())
            asset.clock.pass(.days(4000))
            #expect(try asset.key() == "key")
            #expect(try asset.status().expiry == .never)
        }
    }

    @Test("leaves everything as it was when the provider refuses", arguments: [403, 404])
    func refusal(status: Int) async throws {
        try await Licensed.run(LicenseTerms(rental: 60)) { asset async throws in
            asset.fixture.origin.fault("/k.key", .status(status))
            let error = await failure { try await asset.fixture.store.renewLicense(of: asset.token) }
            #expect(error?.errorClass == .key)
            #expect(try asset.key() == "key")
            asset.clock.pass(.seconds(60))
            #expect(try asset.key() == "license-expired")
        }
    }

    @Test("refuses a key that does not decrypt the stored media")
    func otherKey() async throws {
        try await Licensed.run(LicenseTerms()) { asset async throws in
            try asset.fixture.store.licenses.revoke(asset.token)
            Licensed.serve(on: asset.fixture.origin, key: [UInt8](1..<17))
            let error = await failure { try await asset.fixture.store.renewLicense(of: asset.token) }
            #expect(error?.text == "key(.different)")
            #expect(try asset.key() == "license-revoked")
        }
    }

    @Test(
        "a revoked license, or a removed asset, leaves nothing of its sealed key in the files of the store, though it is open",
        arguments: [true, false])
    func wiped(_ revokes: Bool) async throws {
        try await Licensed.run(LicenseTerms()) { asset async throws in
            let store = asset.fixture.store
            let sealed = try #require(store.catalog.renditions.keys(of: asset.token).first?.sealed)
            let path = store.paths.catalog
            func isThere() throws -> Bool {
                try [path, WriteAheadLog.path(of: path)].contains { file in
                    (try DurableWrite.read(file) ?? []).firstRange(of: sealed) != nil
                }
            }
            #expect(try isThere())
            if revokes {
                try store.licenses.revoke(asset.token)
            } else {
                try await store.remove(asset.token)
                await store.untilDisposed()
            }
            #expect(try !isThere())
        }
    }

    @Test("finds the key behind a fresh address of the stream")
    func viaURL() async throws {
        try await Licensed.run(LicenseTerms(rental: 60)) { asset async throws in
            let origin = asset.fixture.origin
            origin.fault("/k.key", .status(410))
            origin.serve("/fresh.key", bytes: Licensed.key)
            origin.serveStream("/fresh", tags: "#EXT-X-KEY:METHOD=AES-128,URI=\"/fresh.key?signed=1\"\n")
            asset.clock.pass(.seconds(70))
            let url = origin.url("/fresh/index.m3u8")
            try await asset.fixture.store.renewLicense(of: asset.token, via: url)
            #expect(try asset.key() == "key")
        }
    }

    private static let second = Secret.key([UInt8](130..<146))

    /// A stream of two segments, each with a key of its own; the second may be a gap.
    private func publish(
        _ folder: String, secondKey: String, isGap: Bool, on origin: OriginServer
    ) {
        let key = { (uri: String) in "#EXT-X-KEY:METHOD=AES-128,URI=\"\(uri)\"\n" }
        let text = Playlists.media(["s0.ts", "s1.ts"], tags: key("/k.key"))
        let tags = key(secondKey) + (isGap ? "#EXT-X-GAP\n" : "")
        origin.serveStream(folder, count: 2, key: Licensed.key)
        let last = SampleMedia.encrypted(Media.ts(11), key: Self.second, number: 1)
        origin.serve("\(folder)/s1.ts", bytes: last)
        origin.serve(
            "\(folder)/index.m3u8", text: text.replacing("s0.ts\n", with: "s0.ts\n\(tags)"))
    }

    @Test(
        "renews a key that only gaps use now if the origin still has it, else keeps the old one",
        arguments: [true, false])
    func laterGap(isHad: Bool) async throws {
        try await StoreFixture.run { fixture async throws in
            let (origin, other) = (fixture.origin, Self.second)
            origin.serve("/k.key", bytes: Licensed.key)
            origin.serve("/second.key", bytes: other)
            publish("/v", secondKey: "/second.key", isGap: false, on: origin)
            let asset = try await fixture.download("/v/index.m3u8")
            #expect(asset.state == .complete)
            let address = isHad ? "/moved.key" : "/second.key"
            origin.serve("/moved.key", bytes: other)
            origin.fault("/second.key", .status(410))
            publish("/fresh", secondKey: address, isGap: true, on: origin)
            let url = origin.url("/fresh/index.m3u8")
            try await fixture.store.renewLicense(of: asset.token, via: url)
            #expect(try fixture.contentKey(asset.token, "k0") == Licensed.key)
            #expect(try fixture.contentKey(asset.token, "k1") == other)
        }
    }

    @Test("does without a key that gaps alone name, which an earlier version has fetched")
    func formerGap() async throws {
        try await StoreFixture.run { fixture async throws in
            let (origin, store) = (fixture.origin, fixture.store)
            origin.serve("/k.key", bytes: Licensed.key)
            publish("/v", secondKey: "/second.key", isGap: true, on: origin)
            let token = try await fixture.download("/v/index.m3u8").token
            let other = Secret.key([UInt8](150..<166))
            let former = KeyRecord(
                id: "k1", url: origin.url("/second.key"),
                sealed: try store.parts.vault.seal(other, for: KeyVault.purpose(ofKey: "k1", token)),
                digest: store.parts.vault.digest(other))
            try store.catalog.write(.store) { try RenditionTable.insert(former, of: token, $0) }
            publish("/fresh", secondKey: "/third.key", isGap: true, on: origin)
            let url = origin.url("/fresh/index.m3u8")
            try await store.renewLicense(of: token, via: url)
            #expect(try fixture.contentKey(token, "k0") == Licensed.key)
            #expect(try fixture.contentKey(token, "k1") == other)
        }
    }

    @Test("refuses a stream with only one of two needed keys")
    func oneOfTwo() async throws {
        try await StoreFixture.run { fixture async throws in
            let origin = fixture.origin
            origin.serve("/k.key", bytes: Licensed.key)
            origin.serve("/second.key", bytes: Self.second)
            origin.serve("/other.key", bytes: Secret.key([UInt8](190..<206)))
            publish("/v", secondKey: "/second.key", isGap: false, on: origin)
            let token = try await fixture.download("/v/index.m3u8").token
            publish("/fresh", secondKey: "/other.key", isGap: false, on: origin)
            let url = origin.url("/fresh/index.m3u8")
            let error = await failure { try await fixture.store.renewLicense(of: token, via: url) }
            #expect(error?.text == "key(.different)")
        }
    }

    @Test("is refused for an unencrypted asset and for an unknown one")
    func nothingToRenew() async throws {
        try await StoreFixture.run { fixture in
            fixture.origin.serveStream("/clear")
            let token = try await fixture.add("/clear/index.m3u8") { $0.license = LicenseTerms(rental: 5) }
            #expect(try fixture.store.reader.requireAsset(token).license == .none)
            let error = await failure { try await fixture.store.renewLicense(of: token) }
            #expect(error?.text.hasPrefix("notEncrypted") == true)
            try await fixture.store.remove(token)
            #expect(
                await failure { try await fixture.store.renewLicense(of: token) }?.text
                    .hasPrefix("noSuchAsset") == true)
        }
    }

    @Test("makes a revoked asset play again; revoking wipes the key and keeps the media")
    func revocation() async throws {
        try await Licensed.run(LicenseTerms()) { asset async throws in
            let store = asset.fixture.store
            try store.licenses.revoke(asset.token)
            try store.licenses.revoke(asset.token)
            #expect(try asset.key() == "license-revoked")
            #expect(try store.catalog.renditions.keys(of: asset.token).allSatisfy { $0.sealed == nil })
            let status = try asset.asset()
            #expect(status.availability.blockedBy == [.licenseRevoked])
            #expect(status.license.expiry == .unknown)
            #expect(status.renditions.filter(\.isComplete).count == 1)
            try await store.renewLicense(of: asset.token)
            #expect(try asset.key() == "key")
            #expect(try asset.asset().availability.offline)
        }
    }
}
