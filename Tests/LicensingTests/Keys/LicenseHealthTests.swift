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

@Suite("The health of an asset", .timeLimit(.minutes(2)))
struct LicenseHealthTests {
    private func health(of asset: Licensed) throws -> Health {
        try asset.fixture.store.reader.requireAsset(asset.token).health
    }

    private func told(_ asset: Licensed) throws -> [String?] {
        try asset.fixture.store.catalog.events.all(after: 0, limit: 1000).filter { $0.kind == .health }.map(
            \.reason)
    }

    @Test("is incomplete once its license has expired, in listings, events and figures, until it is renewed")
    func expired() async throws {
        try await Licensed.run(LicenseTerms(rental: 60)) { asset async throws in
            let store = asset.fixture.store
            #expect(try health(of: asset).level == .sound)
            asset.clock.pass(.seconds(60))
            let expired = try health(of: asset)
            #expect(expired.level == .incomplete)
            #expect(expired.problems.map(\.kind) == [.licenseExpired])
            #expect(expired.problems.map(\.advice) == [.licenseRenew])
            #expect(try await store.housekeeper.figures().health == [.incomplete: 1])
            #expect(try told(asset) == ["incomplete"])
            try await store.renewLicense(of: asset.token)
            #expect(try health(of: asset) == Health(level: .sound))
            #expect(try await store.housekeeper.figures().health == [.sound: 1])
            #expect(try told(asset) == ["incomplete", "sound"])
        }
    }

    @Test("is incomplete while its license is revoked, also with a key that was given then")
    func revoked() async throws {
        try await Licensed.run(LicenseTerms()) { asset async throws in
            let store = asset.fixture.store
            try store.licenses.revoke(asset.token)
            #expect(try health(of: asset).problems.map(\.kind) == [.keyMissing])
            try store.licenses.addKey(Licensed.key, id: "k0", to: asset.token)
            #expect(try health(of: asset).problems.map(\.kind) == [.keyMissing])
            #expect(try await store.housekeeper.figures().health == [.incomplete: 1])
        }
    }

    @Test("is counted in figures as the asset tells it, complete or not")
    func counted() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v")
            fixture.origin.serveStream("/failing")
            fixture.origin.fault("/failing/s0.ts", .status(404))
            let token = try await fixture.add("/v/index.m3u8") { $0.isPreload = true }
            #expect(try await fixture.download("/failing/index.m3u8").state == .failed)
            _ = try await fixture.download("/v/index.m3u8?2")
            let listed = try fixture.store.reader.assets().map(\.health.level)
            let counted = Dictionary(grouping: listed) { $0 }.mapValues(\.count)
            #expect(try await fixture.store.housekeeper.figures().health == counted)
            #expect(try fixture.store.reader.requireAsset(token).health.level == .incomplete)
        }
    }
}
