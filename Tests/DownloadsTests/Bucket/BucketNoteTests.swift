import StoreTestSupport
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

@Suite(
    "The place of a store's media", .enabled(if: ObjectServer.Engine.moto.runs), .timeLimit(.minutes(2)))
struct BucketNoteTests {
    @Test("is noted in the catalog with the first upload, and not written again by later ones")
    func noted() async throws {
        try await BucketFixture.run { bucket in
            let catalog = bucket.store.catalog
            bucket.fixture.origin.serveStream("/v", count: 2)
            #expect(try catalog.storage.mediaPlace() == nil)
            let first = try await bucket.fixture.download("/v/index.m3u8")
            #expect(try catalog.storage.mediaPlace() == bucket.store.bucket?.place)
            // If the row is missing afterwards, no upload has written it.
            try catalog.write(.store) { session in
                try session.execute("DELETE FROM media_place")
            }
            let second = try await bucket.fixture.download("/v/index.m3u8")
            #expect(first.state == .complete && second.state == .complete)
            #expect(try catalog.storage.mediaPlace() == nil)
        }
    }
}
