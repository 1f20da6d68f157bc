import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import AssetStore
@testable import StoreModel

@Suite("The progress of a download", .timeLimit(.minutes(1))) struct DownloadProgressTests {
    @Test("ends with the state of an asset that is complete, cancelled or being removed")
    func ends() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 2)
            let url = try #require(URL(string: fixture.origin.url("/v/index.m3u8")))
            func states(_ act: (DownloadTask) async throws -> Void) async throws -> [AssetState] {
                let task = try await fixture.store.download(DownloadRequest(url: url))
                try await act(task)
                return try await task.progress.reduce(into: []) { $0.append($1.state) }
            }
            #expect(try await states { _ in }.last == .complete)
            fixture.origin.fault("/v/s1.ts", .holdHeader)
            #expect(try await states { try await $0.cancel(deletesMedia: false) }.last == .cancelled)
            let task = try await fixture.store.download(DownloadRequest(url: url))
            try await task.pause()
            var last: AssetState?
            for try await step in task.progress {
                if last == nil { try await fixture.store.remove(task.id) }
                last = step.state
            }
            #expect(last == .removing)
            fixture.origin.release()
        }
    }
}
