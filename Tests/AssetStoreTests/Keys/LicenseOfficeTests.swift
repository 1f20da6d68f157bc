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
@testable import StorePlanning
@testable import StoreReading

@Suite("The office for licenses", .timeLimit(.minutes(2)))
struct LicenseOfficeTests {
    private static let key = Secret.key([UInt8](1..<17))
    private static let other = Secret.key([UInt8](100..<116))
    private static let tag = "#EXT-X-KEY:METHOD=AES-128,URI=\"/k.key\"\n"
    private static let system =
        "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://x\",KEYFORMAT=\"com.apple.streamingkeydelivery\"\n"

    private func record(_ fixture: StoreFixture, _ token: AssetToken) throws -> KeyRecord {
        try #require(try fixture.store.catalog.renditions.keys(of: token).first)
    }

    private func kinds(_ fixture: StoreFixture, _ token: AssetToken) throws -> [LicenseEvent.Kind] {
        try fixture.store.reader.licenseEvents(of: token).map(\.kind)
    }

    /// A complete asset that is encrypted for a key system.
    private func foreign(_ fixture: StoreFixture) async throws -> AssetToken {
        fixture.origin.serveStream("/drm", count: 1, tags: Self.system)
        return try await fixture.download("/drm/index.m3u8") { $0.allowsMissingKeys = true }.token
    }

    @Test("takes keys of 16 bytes only, and only for assets and names that there are")
    func refusals() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await foreign(fixture)
            let (office, unknown) = (fixture.store.licenses, AssetToken(at: Timestamp(milliseconds: 1)))
            let identifier = [UInt8](repeating: 0xAB, count: 16)
            for count in [15, 17] {
                let bytes = [UInt8](repeating: 7, count: count)
                let one = await failure { try office.addKey(bytes, id: "k0", to: token) }
                #expect(one?.text == "key(.length(\(count)))")
                let two = await failure { try office.addKey(bytes, identifier: identifier, to: token) }
                #expect(two?.text == "key(.length(\(count)))")
            }
            let name = await failure { try office.addKey(Self.key, id: "k1", to: token) }
            #expect(name?.text == #"key(.notAmong(["k0"]))"#)
            let one = await failure { try office.addKey(Self.key, id: "k0", to: unknown) }
            #expect(one?.text.hasPrefix("noSuchAsset") == true)
            let two = await failure { try office.addKey(Self.key, identifier: identifier, to: unknown) }
            #expect(two?.text.hasPrefix("noSuchAsset") == true)
            let three = await failure { try office.revoke(unknown) }
            #expect(three?.text.hasPrefix("noSuchAsset") == true)
        }
    }

    @Test("does not take another key than the fetched one, with which media decrypt; that one it takes again")
    func fetched() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serve("/k.key", bytes: Self.key)
            fixture.origin.serveStream("/v", tags: Self.tag, key: Self.key)
            let token = try await fixture.download("/v/index.m3u8").token
            let office = fixture.store.licenses
            let error = await failure { try office.addKey(Self.other, id: "k0", to: token) }
            #expect(error?.text == "key(.different)")
            try office.addKey(Self.key, id: "k0", to: token)
            #expect(try fixture.contentKey(token, "k0") == Self.key)
            #expect(try record(fixture, token).isFetched)
        }
    }

    @Test("marks a key of a key system as the user's, who may replace it by another one")
    func given() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await foreign(fixture)
            for key in [Self.key, Self.other] {
                try fixture.store.licenses.addKey(key, id: "k0", to: token)
                #expect(try fixture.contentKey(token, "k0") == key)
                let kept = try record(fixture, token)
                #expect(kept.isGivenByName && !kept.isFetched && kept.format == nil)
            }
        }
    }

    @Test("keeps data of a client only for a key of a key system, and no empty data")
    func deposit() async throws {
        try await StoreFixture.run { fixture async throws in
            let (office, token) = (fixture.store.licenses, try await foreign(fixture))
            #expect(try !office.depositKey([], "k0", of: token, contentType: nil))
            #expect(try !office.depositKey([1, 2], "k1", of: token, contentType: nil))
            #expect(try record(fixture, token).sealed == nil)
            #expect(try office.depositKey([1, 2], "k0", of: token, contentType: "application/x"))
            #expect(try fixture.contentKey(token, "k0") == [1, 2])
            try office.addKey(Self.key, id: "k0", to: token)
            #expect(try !office.depositKey([3], "k0", of: token, contentType: nil))
            #expect(try fixture.contentKey(token, "k0") == Self.key)
        }
    }

    @Test("wipes keys and keeps their digests when it revokes a license")
    func revoke() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serve("/k.key", bytes: Self.key)
            fixture.origin.serveStream("/v", count: 1, tags: Self.tag, key: Self.key)
            let token = try await fixture.download("/v/index.m3u8").token
            try fixture.store.licenses.revoke(token)
            let wiped = try record(fixture, token)
            #expect(wiped.sealed == nil && wiped.digest == fixture.store.parts.vault.digest(Self.key))
            #expect(try kinds(fixture, token).first == .revoked)
        }
    }

    @Test(
        "asks for the key of an asset again whose decrypted bytes were no media, and takes another one",
        arguments: [true, false])
    func wrongKey(_ isCorrected: Bool) async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serve("/k.key", bytes: Self.other)
            fixture.origin.serveStream("/v", tags: Self.tag, key: Self.key)
            let asset = try await fixture.download("/v/index.m3u8")
            #expect(asset.state == .failed && asset.failure?.code == "integrity")
            if isCorrected { fixture.origin.serve("/k.key", bytes: Self.key) }
            fixture.origin.forgetRequests()
            await fixture.store.licenses.refetchWrongKeys(of: asset.token)
            #expect(fixture.origin.paths == ["/k.key"])
            #expect(try fixture.contentKey(asset.token, "k0") == (isCorrected ? Self.key : Self.other))
            #expect(try kinds(fixture, asset.token).contains(.keysRenewed) == isCorrected)
        }
    }

    @Test("asks for no key of an asset that has not failed, or not because of its media")
    func noWrongKey() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serve("/k.key", bytes: Self.key)
            fixture.origin.serveStream("/v", tags: Self.tag, key: Self.key)
            fixture.origin.serveStream("/w", tags: Self.tag, key: Self.key)
            fixture.origin.fault("/w/s1.ts", .status(404))
            let tokens = [
                try await fixture.download("/v/index.m3u8").token,
                try await fixture.download("/w/index.m3u8").token,
            ]
            fixture.origin.forgetRequests()
            for token in tokens { await fixture.store.licenses.refetchWrongKeys(of: token) }
            #expect(fixture.origin.requests.isEmpty)
        }
    }
}
