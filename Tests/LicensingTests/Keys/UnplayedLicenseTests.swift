import ModelTestSupport
import StoreTestSupport
import TestSupport
import Testing

@testable import AssetStore
@testable import Licensing
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

@Suite("A valid license of which nothing was played", .timeLimit(.minutes(2)))
struct UnplayedLicenseTests {
    @Test("permits the media, first by a look at the catalog and then without one")
    func permits() async throws {
        try await Licensed.run(LicenseTerms(rental: 60)) { asset async throws in
            let desk = asset.fixture.store.keys
            desk.forget(asset.token)
            #expect(!desk.isQuicklyPermitted(asset.token))
            #expect(try asset.refusalWhenIdle() == nil)
            #expect(desk.isQuicklyPermitted(asset.token))
            #expect(try desk.folder(asset.token)?.license.lastPlayedAt == nil)
        }
    }
}
