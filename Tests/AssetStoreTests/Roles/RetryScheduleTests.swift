import ModelTestSupport
import StoreTestSupport
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import StoreCatalog
@testable import StoreModel
@testable import StoreReading

@Suite("A failed download", .timeLimit(.minutes(1)))
struct RetryScheduleTests {
    private let soon: [Duration] = [.milliseconds(50), .milliseconds(50)]
    private let later: [Duration] = [.seconds(3600)]

    private func state(_ token: AssetToken, in fixture: StoreFixture) throws -> AssetState? {
        try fixture.store.catalog.assets.asset(token)?.state
    }

    private func starts(of token: AssetToken, in fixture: StoreFixture) throws -> Int {
        try fixture.store.catalog.events.all(after: 0, limit: 100)
            .filter { $0.token == token && $0.state == .downloading }.count
    }

    /// The token of a stream whose second segment can't be had.
    private func failed(_ fixture: StoreFixture, _ fault: OriginFault = .status(503)) async throws
        -> AssetToken
    {
        fixture.origin.serveStream("/v", count: 3)
        fixture.origin.fault("/v/s1.ts", fault)
        let token = try await fixture.add("/v/index.m3u8")
        await fixture.store.untilSettled(token)
        return token
    }

    @Test("is tried again by itself, and is complete when the origin has recovered")
    func recovers() async throws {
        try await StoreFixture.run {
            $0.retryPauses = [.milliseconds(300)]
        } _: { fixture async throws in
            let token = try await failed(fixture)
            #expect(try state(token, in: fixture) == .failed)
            fixture.origin.clearFaults("/v/s1.ts")
            try await eventually { try state(token, in: fixture) == .complete }
            #expect(try starts(of: token, in: fixture) == 2)
        }
    }

    @Test("stays failed when as many tries as there are pauses have failed, too")
    func givenUp() async throws {
        try await StoreFixture.run {
            $0.retryPauses = soon
        } _: { fixture async throws in
            let token = try await failed(fixture)
            try await eventually { try starts(of: token, in: fixture) == 3 }
            await fixture.store.untilSettled(token)
            try await Task.sleep(for: .milliseconds(200))
            #expect(try state(token, in: fixture) == .failed)
            #expect(try starts(of: token, in: fixture) == 3)
            #expect(fixture.store.context.board.activity(of: token) == nil)
        }
    }

    @Test("tells when it is tried again, and why it failed")
    func told() async throws {
        let clock = ManualClock()
        try await StoreFixture.run {
            $0.clock = clock
            $0.retryPauses = later
        } _: { fixture async throws in
            let token = try await failed(fixture)
            let activity = try #require(fixture.store.context.board.activity(of: token))
            #expect(activity.doing == .waiting && activity.attempt == 1 && activity.of == 1)
            #expect(activity.nextTryAt == clock.now.adding(3600))
            #expect(activity.lastError?.url == fixture.origin.url("/v/s1.ts"))
            try await fixture.store.perform(.cancel, on: token)
            #expect(fixture.store.context.board.activity(of: token) == nil)
        }
    }

    @Test("is not tried again for a reason that does not pass, and not unless the store is to do so")
    func lasting() async throws {
        for (pauses, fault) in [(soon, OriginFault.status(404)), ([], .status(503))] {
            try await StoreFixture.run {
                $0.retryPauses = pauses
            } _: { fixture async throws in
                let token = try await failed(fixture, fault)
                #expect(fixture.store.context.board.activity(of: token) == nil)
                try await Task.sleep(for: .milliseconds(200))
                #expect(try starts(of: token, in: fixture) == 1)
            }
        }
    }

    @Test("is not tried again when a user has cancelled it")
    func cancelled() async throws {
        try await StoreFixture.run {
            $0.retryPauses = [.milliseconds(300)]
        } _: { fixture async throws in
            let token = try await failed(fixture)
            try await fixture.store.perform(.cancel, on: token)
            try await Task.sleep(for: .milliseconds(500))
            #expect(try state(token, in: fixture) == .cancelled)
            #expect(try starts(of: token, in: fixture) == 1)
        }
    }

    @Test("of an earlier process is tried again, unless its failure is a day old")
    func earlier() async throws {
        let (folder, origin) = (try TemporaryDirectory(), try OriginServer())
        let before = try StoreFixture(in: folder, origin: origin)
        let token = try await failed(before)
        await before.store.stop()
        origin.clearFaults("/v/s1.ts")
        let clock = ManualClock(SystemWallClock().now.milliseconds / 1000 + 25 * 3600)
        let late = try StoreFixture(in: folder, origin: origin) {
            $0.clock = clock
            $0.retryPauses = soon
        }
        await late.store.start()
        try await Task.sleep(for: .milliseconds(200))
        #expect(try state(token, in: late) == .failed)
        await late.store.stop()
        let after = try StoreFixture(in: folder, origin: origin) { $0.retryPauses = soon }
        await after.store.start()
        try await eventually { try state(token, in: after) == .complete }
        await after.store.stop()
    }

    @Test(
        "of an earlier process waits from its failure on, unless that is a day ago",
        arguments: [(600_000, true), (86_399_999, true), (86_400_000, false)] as [(Int64, Bool)])
    func earlierWait(_ age: Int64, _ isTried: Bool) async throws {
        let (folder, origin, clock) = (try TemporaryDirectory(), try OriginServer(), ManualClock())
        let before = try StoreFixture(in: folder, origin: origin) { $0.clock = clock }
        let token = try await failed(before)
        #expect(try state(token, in: before) == .failed)
        await before.store.stop()
        let next = clock.now.adding(3 * 86_400)
        clock.pass(age)
        let after = try StoreFixture(in: folder, origin: origin) {
            $0.clock = clock
            $0.retryPauses = [.seconds(3 * 86_400)]
        }
        after.store.roles.retries.begin()
        #expect(after.store.context.board.activity(of: token)?.nextTryAt == (isTried ? next : nil))
        await after.store.stop()
    }
}

@Suite("The tries of failed downloads")
struct FailureRetriesTests {
    private var retries = FailureRetries(pauses: [.seconds(1), .milliseconds(2500)])
    private let token: AssetToken
    private let other: AssetToken

    init() throws {
        token = try #require(AssetToken("01ARZ3NDEKTSV4RRFFQ69G5FAV"))
        other = try #require(AssetToken("01ARZ3NDEKTSV4RRFFQ69G5FAW"))
    }

    private func moment(_ number: Int64) -> Timestamp { Timestamp(milliseconds: number) }

    @Test("are at the pauses after each failure, and end after the last one")
    mutating func pauses() {
        retries.failed(token, at: moment(1), stored: 10, uptime: 100)
        #expect(retries.next == 1100 && retries[token]?.tries == 1)
        #expect(retries.takeDue(1099).isEmpty)
        #expect(retries.takeDue(1100).map(\.failedAt) == [moment(1)])
        #expect(retries.next == nil && retries.takeDue(5000).isEmpty)
        retries.failed(token, at: moment(2), stored: 10, uptime: 2000)
        #expect(retries.next == 4500 && retries[token]?.tries == 2)
        _ = retries.takeDue(4500)
        retries.failed(token, at: moment(3), stored: 10, uptime: 5000)
        #expect(retries[token] == nil && retries.next == nil)
    }

    @Test("are planned once for a failure, however often it is told")
    mutating func again() {
        retries.failed(token, at: moment(1), stored: 10, uptime: 100)
        retries.failed(token, at: moment(1), stored: 10, uptime: 900)
        #expect(retries[token]?.tries == 1 && retries.next == 1100)
    }

    @Test("begin again when something was stored")
    mutating func progress() {
        retries.failed(token, at: moment(1), stored: 10, uptime: 0)
        retries.failed(token, at: moment(2), stored: 11, uptime: 0)
        #expect(retries[token]?.tries == 1 && retries.next == 1000)
    }

    @Test("come in the order of their times, and those of one time in the order of their assets")
    mutating func order() {
        retries.failed(other, at: moment(1), stored: 0, uptime: 0)
        retries.failed(token, at: moment(1), stored: 0, uptime: 500)
        #expect(retries.next == 1000 && retries.takeDue(1000).map(\.token) == [other])
        #expect(retries.next == 1500)
        retries.failed(other, at: moment(2), stored: 1, uptime: 0)
        #expect(retries.takeDue(1500).map(\.token) == [token, other])
    }

    @Test("are none for an asset that is forgotten")
    mutating func forgotten() {
        retries.failed(token, at: moment(1), stored: 0, uptime: 0)
        retries.forget(token)
        #expect(retries.next == nil && retries.takeDue(5000).isEmpty)
    }
}
