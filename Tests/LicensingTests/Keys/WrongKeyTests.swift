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

@Suite("A wrong key that the origin has corrected", .timeLimit(.minutes(2)))
struct WrongKeyTests {
    private static let key = Secret.key([UInt8](1..<17))
    private static let tags = "#EXT-X-KEY:METHOD=AES-128,URI=\"/k.key\"\n"

    /// An asset that failed because its key was wrong; by now the origin has the right one.
    private func failed(_ fixture: StoreFixture) async throws -> AssetToken {
        fixture.origin.serve("/k.key", bytes: Secret.key([UInt8](100..<116)))
        fixture.origin.serveStream("/v", tags: Self.tags, key: Self.key)
        let asset = try await fixture.download("/v/index.m3u8")
        #expect(asset.state == .failed && asset.failure?.code == "integrity")
        fixture.origin.serve("/k.key", bytes: Self.key)
        return asset.token
    }

    private func expectComplete(_ token: AssetToken, _ fixture: StoreFixture) async throws {
        await fixture.store.untilSettled(token)
        #expect(try fixture.store.reader.requireAsset(token).state == .complete)
        #expect(try fixture.contentKey(token, "k0") == Self.key)
    }

    @Test("is taken by resume and repair", arguments: [true, false])
    func taken(_ isRepair: Bool) async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await failed(fixture)
            if isRepair {
                try await fixture.store.repair(token)
            } else {
                try await fixture.store.perform(.resume, on: token)
            }
            try await expectComplete(token, fixture)
        }
    }

    @Test("is taken by a renewal of the license")
    func renewed() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await failed(fixture)
            try await fixture.store.renewLicense(of: token)
            #expect(try fixture.contentKey(token, "k0") == Self.key)
        }
    }

    @Test("does not replace a key with which something that is stored decrypts")
    func kept() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serve("/k.key", bytes: Self.key)
            fixture.origin.serveStream("/v", tags: Self.tags, key: Self.key)
            let token = try await fixture.download("/v/index.m3u8").token
            fixture.origin.serve("/k.key", bytes: Secret.key([UInt8](100..<116)))
            let error = await failure { try await fixture.store.renewLicense(of: token) }
            #expect(error?.text == "key(.different)")
            #expect(try fixture.contentKey(token, "k0") == Self.key)
        }
    }

    @Test("is refused for stored media, and the right one is accepted")
    func given() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", tags: Self.tags, key: Self.key)
            fixture.origin.fault("/k.key", .status(403))
            let token = try await fixture.download("/v/index.m3u8") { $0.allowsMissingKeys = true }.token
            let wrong = Secret.key([UInt8](100..<116))
            let error = await failure { try fixture.store.licenses.addKey(wrong, id: "k0", to: token) }
            guard case .key(.different)? = error?.code else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(try !fixture.store.reader.requireAsset(token).availability.offline)
            try fixture.store.licenses.addKey(Self.key, id: "k0", to: token)
            #expect(try fixture.store.reader.requireAsset(token).availability.offline)
        }
    }
}
