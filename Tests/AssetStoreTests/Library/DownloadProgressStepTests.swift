import Foundation
import ModelTestSupport
import StoreTestSupport
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import StoreCatalog
@testable import StoreModel

@Suite("The steps of a download's progress", .timeLimit(.minutes(1)))
struct DownloadProgressStepTests {
    /// Two paused downloads, and a look at the progress of the first one that has begun.
    private func run(
        _ body: (StoreFixture, [AssetToken], inout DownloadProgress.Iterator, DownloadProgress.Step)
            async throws -> Void
    ) async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 2)
            var tokens: [AssetToken] = []
            for _ in 0..<2 {
                tokens.append(try await fixture.add("/v/index.m3u8") { $0.isPreload = true })
            }
            let progress = DownloadTask(id: tokens[0], store: fixture.store).progress
            var steps = progress.makeAsyncIterator()
            let next = try await steps.next()
            let first = try #require(next)
            #expect(first.state == .paused && first.fraction == 0 && first.storedBytes == 0)
            try await body(fixture, tokens, &steps, first)
        }
    }

    private func progress(_ token: AssetToken, _ fraction: Double) -> AssetProgress {
        AssetProgress(
            token: token, progress: fraction, storedBytes: Int64(fraction * 100), expectedBytes: 100,
            speed: 7)
    }

    private let activity = AssetActivity(doing: .retrying, since: Timestamp(milliseconds: 1), of: 5)

    @Test("are those of its own asset: what other assets do makes none")
    func own() async throws {
        try await run { fixture, tokens, steps, first in
            let hub = fixture.store.catalog.hub
            // One signal at a time is kept: both tell of the other asset and of this one.
            hub.add([(tokens[1], activity)])
            hub.signal([progress(tokens[1], 0.75), progress(tokens[0], 0.25)])
            let told = try await steps.next()
            let step = try #require(told)
            #expect(step.activity == first.activity)
            #expect(step.fraction == 0.25 && step.storedBytes == 25 && step.expectedBytes == 100)
            #expect(step.bytesPerSecond == 7 && step.state == .paused)
            hub.add([(tokens[1], nil), (tokens[0], activity)])
            hub.signal()
            let next = try await steps.next()
            #expect(next?.activity == activity && next?.fraction == 0.25)
        }
    }

    @Test("follow only changes: the same progress again makes none")
    func changes() async throws {
        try await run { fixture, tokens, steps, _ in
            let hub = fixture.store.catalog.hub
            hub.signal([progress(tokens[0], 0.25)])
            let quarter = try await steps.next()
            #expect(quarter?.fraction == 0.25)
            hub.signal([progress(tokens[0], 0.25), progress(tokens[0], 0.5)])
            let half = try await steps.next()
            #expect(half?.fraction == 0.5)
        }
    }

    @Test("end with the removal of the asset, without figures of its transfers")
    func removed() async throws {
        try await run { fixture, tokens, steps, _ in
            fixture.store.catalog.hub.signal([progress(tokens[0], 0.25)])
            let quick = try await steps.next()
            #expect(quick?.bytesPerSecond == 7)
            try await fixture.store.remove(tokens[0])
            let removed = try await steps.next()
            let last = try #require(removed)
            #expect(last.state == .removing && last.bytesPerSecond == nil && last.activity == nil)
            #expect(last.fraction == 0.25 && last.reason == nil)
            let end = try await steps.next()
            #expect(end == nil)
        }
    }

    @Test("end with the failure of the asset, or with that of the store")
    func failures() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            fixture.origin.fault("/v/s0.ts", .status(404))
            let asset = try await fixture.download("/v/index.m3u8")
            #expect(asset.state == .failed)
            var steps = DownloadTask(id: asset.token, store: fixture.store).progress.makeAsyncIterator()
            var thrown: AssetFailure?
            do { _ = try await steps.next() } catch { thrown = error as? AssetFailure }
            #expect(thrown != nil && thrown?.message == asset.failure?.message)
            #expect(thrown?.description == thrown?.message)
            let end = try await steps.next()
            #expect(end == nil)
            let never = try #require(AssetToken("01ARYZ6S410000000000000000"))
            var none = DownloadTask(id: never, store: fixture.store).progress.makeAsyncIterator()
            let unknown = await failure { _ = try await none.next() }
            #expect(unknown?.text == #"noSuchAsset("\#(never)")"#)
        }
    }

    @Test("end with an error when the store is closed before the download ends")
    func closed() async throws {
        let fixture = try StoreFixture()
        fixture.origin.serveStream("/v", count: 1)
        let token = try await fixture.add("/v/index.m3u8") { $0.isPreload = true }
        var steps = DownloadTask(id: token, store: fixture.store).progress.makeAsyncIterator()
        let first = try await steps.next()
        #expect(first?.state == .paused)
        await fixture.store.stop()
        let error = await failure { _ = try await steps.next() }
        #expect(error?.text == "stopped(.closing)")
    }
}
