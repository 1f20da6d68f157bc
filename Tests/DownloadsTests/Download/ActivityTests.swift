import Locking
import ModelTestSupport
import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import Licensing
@testable import MediaDecryption
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel
@testable import StoreReading

/// The work of an engine, as its store tells of it.
@Suite(.timeLimit(.minutes(2)))
struct ActivityTests {
    /// Holds every pause of an engine until it is opened.
    private final class Gate: Sendable {
        private let isOpen = Lock(false)
        func open() { isOpen.withLock { $0 = true } }
        func pass() async throws {
            while !isOpen.withLock(\.self) { try await Task.sleep(for: .milliseconds(5)) }
        }

        func set(_ configuration: inout OfflineStore.Configuration) {
            configuration.pause = { [self] _ in try await pass() }
        }
    }

    private func figures(_ fixture: StoreFixture, _ token: AssetToken) async throws -> LiveFigures {
        await fixture.store.liveFigures(of: try fixture.store.reader.requireProgress(of: token))
    }

    @Test(
        "a refused segment is reported at once while other segments arrive, and the speed counts only real bytes"
    )
    func retrying() async throws {
        let gate = Gate()
        try await StoreFixture.run(gate.set) { fixture in
            fixture.origin.serveStream("/v", count: 4)
            fixture.origin.fault("/v/s2.ts", .status(500), times: 1)
            let token = try await fixture.add("/v/index.m3u8")
            try await eventually { try await figures(fixture, token).activity?.doing == .retrying }
            let live = try await figures(fixture, token)
            let activity = try #require(live.activity)
            #expect(activity.attempt == 2 && activity.of == RetryPolicy.usualTries)
            #expect(activity.lastError?.errorClass == "http" && activity.lastError?.retryable == true)
            #expect(activity.lastError?.url == fixture.origin.url("/v/s2.ts"))
            #expect(activity.nextTryAt != nil)
            gate.open()
            await fixture.store.untilSettled(token)
            #expect(try await figures(fixture, token) == LiveFigures())
        }
    }

    @Test("the tries for a playlist that can't be fetched are visible in the activity")
    func resolving() async throws {
        let gate = Gate()
        try await StoreFixture.run(gate.set) { fixture in
            fixture.origin.serveStream("/v", count: 1)
            fixture.origin.fault("/v/index.m3u8", .status(502), times: 1)
            let token = try #require(
                try await fixture.store.intake.enqueue([fixture.request("/v/index.m3u8")]).tokens.first)
            try await eventually { try await figures(fixture, token).activity?.doing == .retrying }
            let activity = try await figures(fixture, token).activity
            #expect(activity?.attempt == 2 && activity?.of == Origin.patientTries)
            #expect(activity?.lastError?.url == fixture.origin.url("/v/index.m3u8"))
            gate.open()
            await fixture.store.untilSettled(token)
            #expect(try fixture.store.reader.progress(of: token)?.state == .complete)
        }
    }

    @Test("a host that asks to be left alone is waited for, until the time it has named")
    func held() async throws {
        let (gate, clock) = (Gate(), ManualClock())
        try await StoreFixture.run {
            gate.set(&$0)
            $0.clock = clock
        } _: { fixture in
            fixture.origin.serveStream("/v", count: 1)
            fixture.origin.fault("/v/s0.ts", .status(503, headers: ["Retry-After: 40"]), times: 1)
            let token = try await fixture.add("/v/index.m3u8")
            try await eventually { try await figures(fixture, token).activity?.doing == .waiting }
            let activity = try await figures(fixture, token).activity
            #expect(activity?.nextTryAt == clock.now.adding(40.0))
            gate.open()
            await fixture.store.untilSettled(token)
        }
    }

    @Test("a queued asset waits, with the reason of its failure; a paused one is idle")
    func queued() async throws {
        let isOnline = Lock(true)
        try await StoreFixture.run {
            $0.conditions.isOnline = { _ in isOnline.withLock(\.self) }
            $0.conditions.interval = 3600
        } _: { fixture in
            fixture.origin.serveStream("/v", count: 1)
            fixture.origin.fault("/v/s0.ts", .holdHeader, times: 1)
            let token = try await fixture.add("/v/index.m3u8")
            #expect(await fixture.origin.waitForRequests(2))
            isOnline.withLock { $0 = false }
            await fixture.store.engine.networkChanged()
            try await fixture.untilWaiting(token, for: "network")
            let asset = try fixture.store.reader.requireProgress(of: token)
            let activity = await fixture.store.liveFigures(of: asset).activity
            #expect(activity?.doing == .waiting && activity?.since == asset.stateSince)
            try await fixture.store.perform(.pause, on: token)
            #expect(try await figures(fixture, token).activity == nil)
            isOnline.withLock { $0 = true }
            fixture.origin.release()
        }
    }

    @Test("a download that another's host delays names nothing of the other's address")
    func heldByAnother() async throws {
        let gate = Gate()
        try await StoreFixture.run(gate.set) { fixture in
            fixture.origin.serveStream("/first", count: 1)
            fixture.origin.serveStream("/second", count: 1)
            let fault = OriginFault.status(429, headers: ["Retry-After: 700"])
            fixture.origin.fault("/first/s0.ts", fault, times: 1)
            let second = try await fixture.store.intake.add(
                fixture.request("/second/index.m3u8"), isHeld: true)
            let first = try await fixture.add("/first/index.m3u8")
            try await eventually { try await figures(fixture, first).activity?.doing == .waiting }
            await fixture.store.intake.release([second.token])
            try await eventually { try await figures(fixture, second.token).activity?.doing == .waiting }
            let activity = try #require(try await figures(fixture, second.token).activity)
            #expect(activity.lastError?.url == fixture.origin.url("/") && activity.nextTryAt != nil)
            #expect(activity.lastError?.message.contains("the origin answered 429") == true)
            #expect(activity.lastError?.message.contains("first") == false)
            gate.open()
            await fixture.store.untilSettled(first)
            await fixture.store.untilSettled(second.token)
        }
    }

    @Test(
        "a stream of a busy origin is queued at once, when that is wanted, and read later; else nothing is entered"
    )
    func busy() async throws {
        let gate = Gate()
        try await StoreFixture.run(gate.set) { fixture in
            fixture.origin.serveStream("/v", count: 1)
            fixture.origin.fault("/v/index.m3u8", .status(503), times: 2)
            let request = fixture.request("/v/index.m3u8")
            let added = try await fixture.store.intake.add(request, isHeld: true, queuesWhenBusy: true)
            #expect(added.waitsFor != nil)
            let waiting = try await figures(fixture, added.token)
            #expect(waiting.activity?.doing == .waiting)
            #expect(waiting.activity?.lastError?.url == fixture.origin.url("/v/index.m3u8"))
            await fixture.store.intake.release([added.token])
            try await eventually { try await figures(fixture, added.token).activity?.doing == .retrying }
            gate.open()
            await fixture.store.untilSettled(added.token)
            #expect(try fixture.store.reader.progress(of: added.token)?.state == .complete)
            fixture.origin.fault("/v/index.m3u8", .status(404))
            await #expect(throws: StoreError.self) {
                try await fixture.store.intake.add(request, queuesWhenBusy: true)
            }
            #expect(try fixture.store.reader.assets().count == 1)
        }
    }

    @Test("the reason of a wait stays when its hold ends a second time")
    func releasedAgain() async throws {
        try await StoreFixture.run { fixture in
            fixture.origin.serveStream("/v", count: 1)
            let fault = OriginFault.status(503, headers: ["Retry-After: 700"])
            fixture.origin.fault("/v/index.m3u8", fault, times: 1)
            let request = fixture.request("/v/index.m3u8")
            let token = try await fixture.store.intake.add(request, isHeld: true, queuesWhenBusy: true).token
            await fixture.store.intake.release([token])
            try await fixture.untilWaiting(token, for: "origin")
            try await eventually { try await figures(fixture, token).activity?.lastError != nil }
            await fixture.store.intake.release([token])
            #expect(try await figures(fixture, token).activity?.lastError != nil)
        }
    }

    @Test("a transfer without bytes for three seconds has stalled since the last one")
    func stalled() {
        let meter = ByteMeter()
        let now = SteadyClock.seconds
        #expect(meter.stalled(now: now + 100) == nil, "nothing is being transferred")
        meter.beginTransfer()
        meter.add(1000)
        #expect(meter.stalled(now: now + 2) == nil)
        #expect((meter.stalled(now: now + 60) ?? 0) > 50)
        meter.endTransfer()
        #expect(meter.stalled(now: now + 60) == nil)
    }

    @Test("bytes of unfinished segments are reported beside the stored bytes")
    func inFlight() async throws {
        try await StoreFixture.run { fixture in
            fixture.origin.serveStream("/v", count: 2)
            fixture.origin.fault("/v/s1.ts", .stall(after: 1000), times: 1)
            let token = try await fixture.add("/v/index.m3u8")
            try await eventually { try await figures(fixture, token).inFlight == 1000 }
            #expect(try await figures(fixture, token).activity?.doing == .transferring)
            fixture.origin.release()
            await fixture.store.untilSettled(token)
            #expect(try await figures(fixture, token).inFlight == 0)
        }
    }

    @Test(
        "followers receive the beginning of retries and the recovery, and the log receives nothing"
    )
    func events() async throws {
        let gate = Gate()
        try await StoreFixture.run(gate.set) { fixture in
            fixture.origin.serveStream("/v", count: 2)
            fixture.origin.fault("/v/s1.ts", .status(500), times: 1)
            var updates = fixture.store.updates().makeAsyncIterator()
            let token = try await fixture.add("/v/index.m3u8")
            var told: [AssetActivity.Doing?] = []
            while told.count < 2, let update = try await updates.next() {
                guard case .activity(let asset, let activity) = update else { continue }
                #expect(asset == token)
                told.append(activity?.doing)
                gate.open()
            }
            #expect(told.first == .retrying && told.last != .retrying)
            await fixture.store.untilSettled(token)
            let kinds = try fixture.store.catalog.events.all(after: 0, limit: 100).map(\.kind)
            #expect(Set(kinds) == [.added, .state])
        }
    }
}

/// The states that a store shows without an engine.
@Suite(.timeLimit(.minutes(2)))
struct NoEngineTests {
    @Test("without an engine a download is shown as queued for one, even if the catalog says downloading")
    func engine() async throws {
        let folder = try TemporaryDirectory()
        let fixture = try StoreFixture(in: folder) { $0.maximumDownloads = 1 }
        fixture.origin.serveStream("/v", count: 2)
        fixture.origin.fault("/v/s1.ts", .holdHeader)
        let running = try await fixture.add("/v/index.m3u8")
        let queued = try await fixture.add("/v/index.m3u8")
        try await eventually { try fixture.store.reader.progress(of: running)?.state == .downloading }
        let reader = try StoreReader(root: fixture.root)
        #expect(try reader.progress(of: running)?.state == .downloading)
        #expect(try reader.progress(of: queued)?.reason == "slot")
        await fixture.store.stop()
        for token in [running, queued] {
            let asset = try reader.requireProgress(of: token)
            #expect(asset.state == .queued && asset.reason == "engine")
            #expect(
                asset.wait == "no server runs on the store; a program that opens it continues the download")
        }
        #expect(try reader.assets(states: [.queued]).count == 2)
        #expect(try reader.assets(states: [.downloading, .resolving]).isEmpty)
        #expect(try reader.assets(states: [.complete]).isEmpty)
    }

    @Test("the downloads of a killed engine are queued for another one")
    func killed() async throws {
        let fixture = try StoreFixture()
        fixture.origin.serveStream("/v", count: 1)
        let token = try await fixture.download("/v/index.m3u8").token
        try fixture.store.catalog.write(.store) { session in
            try session.execute(
                "UPDATE asset SET state = 'downloading' WHERE token = ?", [token.description])
        }
        await fixture.store.stop()
        let reader = try StoreReader(root: fixture.root)
        #expect(try reader.assets(states: [.queued]).map(\.reason) == ["engine"])
        #expect(try reader.assets(states: [.downloading]).isEmpty)
    }
}
