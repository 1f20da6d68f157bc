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
@testable import StoreReading

@Suite("The housekeeper", .timeLimit(.minutes(1)))
struct HousekeeperTests {
    /// The time of the clock at first.
    private static let first: Int64 = 1_700_000_000_000

    private func run(_ body: (StoreFixture, ManualClock) async throws -> Void) async throws {
        let clock = ManualClock()
        try await StoreFixture.run {
            $0.clock = clock
            $0.conditions.space = { _ in (50 << 30, 100 << 30) }
        } _: { fixture async throws in
            try await body(fixture, clock)
        }
    }

    /// A complete asset that was made of a folder with two segments.
    private func imported(_ fixture: StoreFixture) async throws -> AssetToken {
        for number in 0..<2 {
            try fixture.folder.write(Media.ts(5, seed: UInt64(number)), to: "hls/\(number).ts")
        }
        try fixture.folder.write(Array(Playlists.media(["0.ts", "1.ts"]).utf8), to: "hls/index.m3u8")
        return try await fixture.store.imports.add(FilePath(fixture.folder.file("hls"))).token
    }

    /// An asset that is cancelled now and has its media still.
    private func cancelled(_ fixture: StoreFixture, _ clock: ManualClock) async throws -> AssetToken {
        let token = try await imported(fixture)
        try fixture.store.catalog.assets.apply(.evict, to: token, TransitionDetail(now: clock.now))
        return token
    }

    private func storedBytes(_ fixture: StoreFixture, _ token: AssetToken) throws -> Int64? {
        try fixture.store.reader.progress(of: token)?.storedBytes
    }

    private func cursor(_ fixture: StoreFixture) throws -> Int64? {
        try fixture.store.catalog.events.cursor("purged")
    }

    @Test("frees media a day after they were cancelled, and no millisecond earlier")
    func day() async throws {
        try await run { fixture, clock in
            let token = try await cancelled(fixture, clock)
            clock.pass(Int64.days(1) - 1)
            try fixture.store.housekeeper.tidy()
            #expect(try storedBytes(fixture, token) == 2 * 5 * 188)
            #expect(try cursor(fixture) == nil)
            clock.pass(1)
            let told = Lock<Set<AssetToken>>([])
            fixture.store.onChange { tokens in told.withLock { $0.formUnion(tokens) } }
            try fixture.store.housekeeper.tidy()
            #expect(try storedBytes(fixture, token) == 0)
            #expect(try cursor(fixture) == Self.first)
            #expect(told.withLock(\.self) == [token])
        }
    }

    @Test("spares an asset that is being brought back, and frees it the next time if it is not")
    func spared() async throws {
        try await run { fixture, clock in
            let token = try await cancelled(fixture, clock)
            clock.pass(.days(2))
            let way = fixture.store.parts.returning.begin(token, from: .cancelled)
            try fixture.store.housekeeper.tidy()
            #expect(try storedBytes(fixture, token) == 2 * 5 * 188)
            #expect(try cursor(fixture) == nil)
            fixture.store.parts.returning.end(way)
            try fixture.store.housekeeper.tidy()
            #expect(try storedBytes(fixture, token) == 0)
            #expect(try cursor(fixture) == Self.first + Int64.days(1))
        }
    }

    @Test(
        "moves its place only when it has freed something, or when the clock was ahead",
        arguments: [
            (Int64(-5), Int64(-5)), (0, 0), (1, 0), (100_000_000_000, 0),
        ])
    func place(before: Int64, after: Int64) async throws {
        try await run { fixture, clock in
            clock.pass(.days(1))
            try fixture.store.catalog.events.setCursor("purged", Self.first + before)
            try fixture.store.housekeeper.tidy()
            #expect(try cursor(fixture) == Self.first + after)
        }
    }

    @Test("forgets events that are older than 30 days")
    func events() async throws {
        try await run { fixture, clock in
            let token = try #require(AssetToken("01ARZ3NDEKTSV4RRFFQ69G5FAV"))
            let events = fixture.store.catalog.events
            for time in [Self.first - 1, Self.first, Self.first + 1] {
                try events.record(.changed, token, at: Timestamp(milliseconds: time))
            }
            clock.pass(.days(30))
            try fixture.store.housekeeper.tidy()
            #expect(
                try events.all(after: 0, limit: 10).map(\.at.milliseconds) == [Self.first, Self.first + 1])
        }
    }

    @Test("evicts only what files without an owner do not free, and says whether that was enough")
    func prune() async throws {
        try await run { fixture, _ in
            let store = fixture.store
            let token = try await imported(fixture)
            try fixture.folder.write([1, 2, 3], to: "store/assets/01ARZ3NDEKTSV4RRFFQ69G5FAV/0.ts")
            func plan(_ wanted: UInt64) async throws -> PruneReport {
                try await store.prune(freeing: wanted, [.leastRecentlyPlayed], isDryRun: true)
            }
            let orphans = try await plan(0).orphans
            let free = UInt64(orphans.reduce(0) { $0 + $1.bytes })
            #expect(orphans.count == 1 && free > 0)
            #expect(try await plan(free).evicted.isEmpty)
            #expect(try await plan(free).isEnough)
            #expect(try await plan(free + 1).evicted.map(\.token) == [token])
            #expect(try await plan(free + 1).isEnough)
            #expect(try await store.prune(freeing: free, [.leastRecentlyPlayed]).isEnough)
            #expect(try storedBytes(fixture, token) == 2 * 5 * 188)
            let short = try await store.prune(freeing: 1 << 40, [.leastRecentlyPlayed])
            #expect(short.evicted.map(\.token) == [token] && short.orphans.isEmpty && !short.isEnough)
        }
    }

    @Test("evicts neither an asset that is being brought back nor one that was removed")
    func evict() async throws {
        try await run { fixture, _ in
            let store = fixture.store
            let token = try await imported(fixture)
            var policy = StoragePolicy()
            policy.evict = [.leastRecentlyPlayed]
            let now = Timestamp(milliseconds: Self.first)
            let steps = try store.reader.evictionPlan(freeing: 1, policy, at: now).steps
            let step = try #require(steps.first)
            let way = store.parts.returning.begin(token, from: .cancelled)
            #expect(try !store.housekeeper.evict(step))
            store.parts.returning.end(way)
            #expect(try storedBytes(fixture, token) == 2 * 5 * 188)
            #expect(try store.housekeeper.evict(step))
            #expect(try storedBytes(fixture, token) == 0)
            try await store.remove(token)
            #expect(try !store.housekeeper.evict(step))
        }
    }

    @Test("writes plays with the times at which they were")
    func plays() async throws {
        try await run { fixture, _ in
            let store = fixture.store
            let token = try await imported(fixture)
            store.reader.players.log.note(token, end: 8, now: SteadyClock.seconds - 100)
            try store.housekeeper.flushPlays()
            let played = try #require(try store.catalog.assets.asset(token)?.lastPlayedAt)
            let age = Self.first - played.milliseconds
            #expect((100_000..<160_000).contains(age))
        }
    }

    @Test("adds up the states, the stored bytes and the last event of its assets")
    func figures() async throws {
        try await run { fixture, _ in
            let store = fixture.store
            _ = try await imported(fixture)
            let figures = try await store.housekeeper.figures()
            #expect(figures.assets[.complete] == 1 && figures.health[.sound] == 1)
            #expect(figures.storedBytes == 2 * 5 * 188 && figures.downloads == 0)
            #expect(figures.bytesPerSecond == 0 && figures.waiting.isEmpty)
            #expect(try figures.events == store.catalog.events.lastEvent())
            #expect(figures.sharing == nil && store.housekeeper.figuresWithoutCatalog() == nil)
        }
    }

    @Test("counts the assets that wait in the queue by their reasons, and no others")
    func waiting() async throws {
        try await StoreFixture.run {
            $0.maximumDownloads = 0
        } _: { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            for _ in 0..<2 { _ = try await fixture.add("/v/index.m3u8") }
            let paused = try await fixture.add("/v/index.m3u8")
            try await fixture.store.perform(.pause, on: paused)
            let figures = try await fixture.store.housekeeper.figures()
            #expect(figures.waiting == ["slot": 2])
            #expect(figures.assets == [.queued: 2, .paused: 1])
            #expect(figures.health.values.reduce(0, +) == 3)
            #expect(figures.freeBytes != nil)
        }
    }
}
