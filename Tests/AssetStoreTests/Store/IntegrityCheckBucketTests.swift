import Locking
import ModelTestSupport
import StoreTestSupport
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

@Suite(
    "The integrity of media in a bucket", .enabled(if: ObjectServer.Engine.moto.runs),
    .timeLimit(.minutes(1)))
struct IntegrityCheckBucketTests {
    @Test("depends on the objects: files that are gone from the folder are no loss")
    func objects() async throws {
        try await BucketFixture.run { bucket async throws in
            let (store, fixture) = (bucket.store, bucket.fixture)
            fixture.origin.serveStream("/v", count: 3)
            let token = try await fixture.download("/v/index.m3u8").token
            try bucket.loseFiles(token)
            let check = store.repairer.check
            func absent() async throws -> [Int] {
                let objects = try await check.lookIntoBucket(token, isReading: false)
                return try check.unitsNotThere(token, objects).map(\.number)
            }
            #expect(try await absent() == [])
            try await bucket.replace(token, 1, by: nil)
            #expect(try await absent() == [1])
            try await bucket.replace(token, 2, by: [1, 2, 3])
            #expect(try await absent() == [1, 2])
        }
    }

    @Test("tells observers of lost objects whose files are sound, and a repair uploads them again")
    func copies() async throws {
        try await BucketFixture.run { bucket async throws in
            let (store, fixture) = (bucket.store, bucket.fixture)
            fixture.origin.serveStream("/v", count: 2)
            let token = try await fixture.download("/v/index.m3u8").token
            store.parts.tamperWatch.leave(token)
            let told = Lock<Set<AssetToken>>([])
            let sound = try await store.verify(token)
            #expect(sound.isSound && sound.objects == 2)
            try await bucket.replace(token, 1, by: nil)
            store.onChange { tokens in told.withLock { $0.formUnion(tokens) } }
            let lost = try await store.verify(token)
            #expect(lost.copies == ["video/1.ts"])
            #expect(lost.missing == ["video/1.ts"])
            #expect(told.withLock(\.self) == [token])
            #expect(try await store.repair(token))
            #expect(try await store.verify(token).copies == [])
        }
    }
}
