import Locking
import ModelTestSupport
import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel
@testable import StorePlanning

@Suite("The room for downloads", .timeLimit(.minutes(1)))
struct StorageKeeperTests {
    private typealias Plan =
        @Sendable (Int64, Set<AssetToken>, StoragePolicy) throws(StoreError) -> EvictionPlan

    private func keeper(
        _ fixture: StoreFixture, quota: UInt64? = nil, space: (free: UInt64, total: UInt64)? = nil,
        plan: @escaping Plan = { wanted, _, policy in EvictionPlan([], freeing: wanted, policy) }
    ) -> StorageKeeper {
        var policy = StoragePolicy()
        policy.quota = quota
        var conditions = EngineConditions()
        conditions.space = { _ in space }
        return StorageKeeper(
            policy: policy, catalog: fixture.store.catalog, root: fixture.root, conditions: conditions,
            disposer: fixture.store.parts.disposer, owner: fixture.store.parts.owner, plan: plan)
    }

    @Test("ends where a quarter of a small file system is left; running downloads stop at half of that")
    func reserve() async throws {
        try await StoreFixture.run { fixture async throws in
            for (free, shortage) in [(UInt64(1000), UInt64(10)), (1009, 1), (1010, 0), (4000, 0)] {
                let keeper = keeper(fixture, space: (free, 4000))
                #expect(try keeper.shortage(for: 10) == shortage)
                #expect(try keeper.makesRoom(for: 10) == (shortage == 0))
            }
            #expect(try keeper(fixture, space: (999, 4000)).room() == nil)
            #expect(try keeper(fixture, space: (1000, 4000)).room() == 0)
            #expect(try keeper(fixture, space: (1500, 4000)).room() == 500)
            #expect(try keeper(fixture, space: (499, 4000)).isOverfull())
            #expect(try !keeper(fixture, space: (500, 4000)).isOverfull())
            #expect(try !keeper(fixture).isOverfull())
            #expect(try keeper(fixture).room() == UInt64.max)
        }
    }

    @Test("ends at the quota, or before it where the file system has less")
    func quota() async throws {
        try await StoreFixture.run { fixture async throws in
            let alone = keeper(fixture, quota: 100)
            #expect(try alone.shortage(for: 100) == 0)
            #expect(try alone.shortage(for: 101) == 1)
            #expect(try alone.room() == 100)
            let both = keeper(fixture, quota: 100, space: (1050, 4000))
            #expect(try both.room() == 50)
            #expect(try both.shortage(for: 101) == 51)
            fixture.origin.serveStream("/v", count: 1)
            _ = try await fixture.download("/v/index.m3u8")
            let stored = UInt64(try fixture.store.catalog.assets.storedBytes())
            #expect(stored > 0)
            let full = keeper(fixture, quota: stored)
            #expect(try full.room() == 0)
            #expect(try full.shortage(for: 1) == 1)
            #expect(try !full.isOverfull())
            let overfull = keeper(fixture, quota: stored - 1)
            #expect(try overfull.room() == nil)
            #expect(try overfull.shortage(for: 0) == 1)
            #expect(try overfull.isOverfull())
        }
    }

    @Test("makes the sizes of segments matter with a quota, or if less is left than twice the bit rates say")
    func mayLimit() async throws {
        func row(_ bandwidth: Int?) -> RenditionRecord {
            RenditionRecord(
                name: "video", position: 0, kind: .variant, required: true, bandwidth: bandwidth,
                listings: [], hasPlaylist: true, container: .ts, duration: 1, segments: 1)
        }
        try await StoreFixture.run { fixture async throws in
            #expect(try keeper(fixture, quota: .max).mayLimit([]))
            #expect(try !keeper(fixture).mayLimit([row(nil)]))
            // 1000 bytes; 1000 bytes of the file system are kept free.
            #expect(try !keeper(fixture, space: (3000, 4000)).mayLimit([row(8000)]))
            #expect(try keeper(fixture, space: (2999, 4000)).mayLimit([row(8000)]))
            #expect(try keeper(fixture, space: (3000, 4000)).mayLimit([row(8000), row(8)]))
            // 2 MB, as for 16 Mbit/s.
            let total: UInt64 = 40_000_000
            #expect(try !keeper(fixture, space: (14_000_000, total)).mayLimit([row(nil)]))
            #expect(try keeper(fixture, space: (13_999_999, total)).mayLimit([row(nil)]))
            #expect(try keeper(fixture, space: (0, total)).mayLimit([row(8)]))
        }
    }

    @Test(
        "is not made by assets that can't be evicted; after eight of them the error is told",
        .ofSQLite, arguments: [(1, 2), (8, 9), (10, 9)])
    func stuck(_ count: Int, _ plans: Int) async throws {
        try await StoreFixture.run { fixture async throws in
            let requests = Array(repeating: fixture.request("/none.m3u8"), count: count)
            let tokens = try await fixture.store.intake.enqueue(requests).tokens
            for token in tokens { await fixture.store.untilSettled(token) }
            try fixture.store.catalog.write(.store) { session in
                try session.execute(
                    """
                    CREATE TEMP TRIGGER full BEFORE UPDATE OF state ON asset
                    BEGIN SELECT RAISE(ABORT, 'full'); END
                    """)
            }
            let spared = Lock<[Int]>([])
            let keeper = keeper(fixture, quota: 0) { wanted, stuck, policy in
                spared.withLock { $0.append(stuck.count) }
                let candidates = tokens.filter { !stuck.contains($0) }.map { token in
                    EvictionCandidate(
                        token: token, name: "", bytes: 10, state: .cancelled,
                        lastUsed: Timestamp(milliseconds: 0))
                }
                return EvictionPlan(candidates, freeing: wanted, policy)
            }
            let error = await failure { _ = try keeper.makesRoom(for: 1) }
            #expect(error?.errorClass == .engine)
            let counts = spared.withLock(\.self)
            #expect(counts == Array(0..<plans))
            try fixture.store.catalog.write(.store) { try $0.execute("DROP TRIGGER full") }
        }
    }
}
