import Locking
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

@Suite("Running downloads that turn out not to fit", .timeLimit(.minutes(1)))
struct UnfittingDownloadTests {
    /// An admission to a file system of 4000 bytes, of which 1000 are kept free. No asset can be evicted.
    ///
    /// - Parameter wishes: receives the bytes that evictions are to free.
    private func admission(_ fixture: StoreFixture, free: UInt64, wishes: Lock<[Int64]> = Lock([]))
        -> Admission
    {
        var conditions = EngineConditions()
        conditions.space = { _ in (free: free, total: 4000) }
        let keeper = StorageKeeper(
            policy: StoragePolicy(), catalog: fixture.store.catalog, root: fixture.root,
            conditions: conditions, disposer: fixture.store.parts.disposer, owner: fixture.store.parts.owner
        ) { wanted, _, policy in
            wishes.withLock { $0.append(wanted) }
            return EvictionPlan([], freeing: wanted, policy)
        }
        let parts = fixture.store.context
        return Admission(
            store: parts.store, storage: keeper, cooldowns: parts.origins.cooldowns, conditions: conditions,
            network: parts.network, policy: EnginePolicy())
    }

    /// Enters an asset that lacks so many bytes; `nil` for one of unknown size. Larger numbers are newer.
    private func enter(
        _ number: Int64, _ bytes: Int64?, priority: Int = 0, in fixture: StoreFixture
    ) throws -> AssetToken {
        let moment = Timestamp(milliseconds: number)
        let token = AssetToken(at: moment)
        try fixture.store.catalog.assets.insert(
            AssetRecord(
                token: token, name: "x", sourceURL: "https://host/x", state: .paused, priority: priority,
                requestedAt: moment))
        let row = RenditionRecord(
            name: "video", position: 0, kind: .variant, required: true, listings: [], hasPlaylist: true,
            container: .ts, duration: 40, segments: 10, expectedBytes: bytes)
        try fixture.store.catalog.write(.asset(token)) { session in
            _ = try RenditionTable.insert(row, of: token, session)
        }
        return token
    }

    @Test("do not count while their sizes are unknown, and nothing is evicted for them")
    func unknown() async throws {
        try await StoreFixture.run { fixture async throws in
            let wishes = Lock<[Int64]>([])
            let admission = admission(fixture, free: 900, wishes: wishes)
            let unknown = try enter(1, nil, in: fixture)
            #expect(try admission.unfitting(of: [unknown]) == [])
            #expect(try admission.unfitting(of: []) == [])
            let none = wishes.withLock(\.self)
            #expect(none == [])
            let known = try enter(2, 1000, in: fixture)
            #expect(try admission.unfitting(of: [unknown, known]) == [known])
            let asked = wishes.withLock(\.self)
            #expect(asked == [1100])
        }
    }

    @Test("are none if there is just enough room, and one if a byte is lacking")
    func borders() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try enter(1, 500, in: fixture)
            #expect(try admission(fixture, free: 1500).unfitting(of: [token]) == [])
            #expect(try admission(fixture, free: 1499).unfitting(of: [token]) == [token])
            #expect(try admission(fixture, free: 1500).roomLeft(beside: [token]) == 0)
            #expect(try admission(fixture, free: 1499).roomLeft(beside: [token]) == nil)
        }
    }

    @Test("are the newest of equal priority, but a higher priority counts more than age")
    func order() async throws {
        try await StoreFixture.run { fixture async throws in
            let old = try enter(1, 600, in: fixture)
            let new = try enter(2, 500, in: fixture)
            let preferred = try enter(3, 700, priority: 1, in: fixture)
            let admission = admission(fixture, free: 2000)
            #expect(try admission.unfitting(of: [new, old]) == [new])
            #expect(try admission.unfitting(of: [old, preferred]) == [old])
        }
    }
}
