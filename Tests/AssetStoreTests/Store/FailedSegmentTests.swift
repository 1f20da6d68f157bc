import StoreTestSupport
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import StoreCatalog
@testable import StoreModel
@testable import StoreReading

@Suite("The health of a failed download", .timeLimit(.minutes(1)))
struct FailedSegmentTests {
    @Test("has the rendition and the place of the segment that the origin does not have")
    func place() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 3)
            fixture.origin.fault("/v/s1.ts", .status(404))
            let asset = try await fixture.download("/v/index.m3u8")
            #expect(asset.state == .failed)
            let problem = try #require(asset.health.problems.first)
            #expect(problem.kind == .segmentMissing && problem.rendition == "video")
            #expect(problem.start == 4 && problem.duration == 4)
        }
    }
}
