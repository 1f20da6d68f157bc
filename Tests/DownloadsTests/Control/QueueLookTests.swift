import StoreTestSupport
import TestSupport
import Testing
import Transfers

@testable import AssetStore
@testable import Downloads
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel
@testable import StorePlanning

@Suite("A look at the queue", .timeLimit(.minutes(2)))
struct QueueLookTests {
    /// A store with room for 10,000 bytes that downloads one asset at a time. Nothing else looks at its queue.
    private func withLittleRoom(_ body: (StoreFixture) async throws -> Void) async throws {
        try await StoreFixture.run {
            var policy = StoragePolicy()
            policy.quota = 10_000
            $0.storage = policy
            $0.maximumDownloads = 1
            $0.transfersPerAsset = 1
            $0.conditions.interval = 3600
        } _: { fixture async throws in
            try await body(fixture)
        }
    }

    @Test("goes on behind many assets that do not fit, and begins a smaller one that does")
    func behindLargeOnes() async throws {
        try await withLittleRoom { fixture in
            let store = fixture.store
            fixture.origin.serveStream("/large", count: 8)
            let media = fixture.origin.serveStream("/small", count: 2)
            var large: [AssetToken] = []
            // One more than a look takes at first: one for the slot, and those whose playlists are read ahead.
            for _ in 0..<ActiveWork.resolvedAhead + 2 {
                let token = try await fixture.add("/large/index.m3u8")
                try await fixture.untilWaiting(token, for: "disk")
                large.append(token)
            }
            fixture.origin.fault("/small/s1.ts", .status(403))
            let small = try await fixture.download("/small/index.m3u8")
            try #require(small.state == .failed)
            fixture.origin.clearFaults("/small/s1.ts")
            let paused = try await store.perform(.pause, on: large)
            #expect(paused.done.count == large.count)
            // All of them are queued again at once, the small one last.
            _ = try await store.perform(.resume, on: large + [small.token])
            let state = try store.reader.requireAsset(small.token).state
            try #require(state == .downloading || state == .complete)
            await store.untilSettled(small.token)
            #expect(try store.reader.requireAsset(small.token).state == .complete)
            #expect(try fixture.stored(small.token, "video/1.ts") == media[1])
            for token in large {
                #expect(try store.reader.progress(of: token)?.reason == "disk")
            }
        }
    }

    @Test("finds no reason to wait for an asset that was removed meanwhile")
    func removed() async throws {
        try await withLittleRoom { fixture in
            let admission = await fixture.store.engine.admission
            let token = AssetToken(at: Timestamp(milliseconds: 1))
            let reason = try admission.obstacle(to: token, beside: [], isPostponed: true)
            #expect(reason == nil)
            #expect(admission.restriction(on: token) == nil && !admission.isCutOff(token))
        }
    }

    @Test("names the next try for an asset that waits")
    func notices() async throws {
        try await withLittleRoom { fixture in
            let board = ActivityBoard(clock: SystemWallClock())
            let notices = WaitNotices(
                store: fixture.store.context.store, board: board, cooldowns: HostCooldowns())
            let token = AssetToken(at: Timestamp(milliseconds: 1))
            let busy = StoreError(.status(503, retryAfter: nil), url: "http://a.test/v.m3u8")
            notices.note(token, busy, postponement: nil)
            let first = board.activity(of: token)
            #expect(first?.attempt == 1 && first?.of == Postponement.tries && first?.nextTryAt == nil)
            var postponement = Postponement()
            for _ in 0..<2 { _ = postponement.failed(busy, now: 0) }
            notices.note(token, busy, postponement: postponement)
            let third = board.activity(of: token)
            #expect(third?.attempt == 3 && third?.nextTryAt != nil)
        }
    }

    @Test("tells the conditions of this machine from the failures of a download")
    func hindrances() async throws {
        try await withLittleRoom { fixture in
            let admission = await fixture.store.engine.admission
            let token = AssetToken(at: Timestamp(milliseconds: 1))
            let codes: [StoreError.Code] = [
                .diskFull("/store"), .tooManyFiles("/store"), .bucket("busy", isTemporary: true),
                .bucket("no such bucket", isTemporary: false),
                .transfer(TransferFailure(TransferError(.timeout, url: ""))),
                .status(503, retryAfter: nil),
            ]
            let found = codes.map { admission.hindrance(token, StoreError($0)) }
            #expect(found == [.disk, .files, .bucket, nil, nil, nil])
        }
    }
}
