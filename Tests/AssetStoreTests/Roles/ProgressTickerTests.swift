import StoreTestSupport
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import StoreCatalog
@testable import StoreModel
@testable import StoreReading

@Suite("The ticker of progress", .timeLimit(.minutes(1)))
struct ProgressTickerTests {
    @Test("tells a follower of the store how far a running download is")
    func running() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 3)
            fixture.origin.fault("/v/s1.ts", .holdHeader)
            let token = try await fixture.add("/v/index.m3u8")
            let reader = fixture.store.reader
            try await eventually { (try reader.progress(of: token)?.storedBytes ?? 0) > 0 }
            var updates = fixture.store.updates().makeAsyncIterator()
            var told: AssetProgress?
            while told == nil, let update = try await updates.next() {
                if case .progress(let progress) = update { told = progress }
            }
            let progress = try #require(told)
            #expect(progress.token == token && progress.storedBytes > 0)
            #expect(progress.progress > 0 && progress.progress < 1)
            fixture.origin.release()
        }
    }
}
