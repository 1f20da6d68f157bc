import ModelTestSupport
import StoreTestSupport
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import Licensing
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

@Suite("A look whether a stream has drifted", .timeLimit(.minutes(2)))
struct DriftSampleTests {
    @Test("asks for the first two stored segments and the last one, also if more versions are known")
    func samples() async throws {
        try await StoreFixture.run {
            $0.transfersPerAsset = 1
        } _: { fixture async throws in
            let (origin, store) = (fixture.origin, fixture.store)
            origin.serveStream("/v", count: 7)
            origin.fault("/v/s5.ts", .holdHeader)
            let token = try await fixture.add("/v/index.m3u8")
            while origin.requests(for: "/v/s5.ts").isEmpty { try await Task.sleep(for: .milliseconds(5)) }
            try await store.perform(.pause, on: token)
            let row = try #require(try store.catalog.renditions.rendition(token, "video"))
            #expect(try store.reader.requireAsset(token).renditions[0].storedSegments == 5)
            #expect(try store.catalog.health.versions(ofRendition: row.id).keys.sorted() == [0, 1, 2])
            origin.clearFaults("/v/s5.ts")
            origin.release()
            origin.forgetRequests()
            try await store.perform(.resume, on: token)
            await store.untilSettled(token)
            #expect(try store.reader.requireAsset(token).state == .complete)
            let stored = Set((0..<5).map { "/v/s\($0).ts" })
            #expect(origin.paths.filter(stored.contains) == ["/v/s0.ts", "/v/s1.ts", "/v/s4.ts"])
        }
    }
}
