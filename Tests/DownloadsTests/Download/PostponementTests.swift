import ModelTestSupport
import StoreTestSupport
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import Licensing
@testable import MediaDecryption
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

@Suite("Streams in the queue that can't be looked into for now", .timeLimit(.minutes(2)))
struct PostponementTests {
    private let busy = StoreError(.status(503, retryAfter: nil))

    /// Runs a test whose engine looks at the queue all the time, with a clock that it sets.
    private func run(_ body: (StoreFixture, ManualClock) async throws -> Void) async throws {
        let clock = ManualClock()
        try await StoreFixture.run {
            $0.clock = clock
            $0.conditions.interval = 0.02
        } _: { fixture async throws in
            try await body(fixture, clock)
        }
    }

    private func state(_ fixture: StoreFixture, _ token: AssetToken) throws -> AssetState? {
        try fixture.store.reader.progress(of: token)?.state
    }

    @Test("are tried 8 times in an hour, after pauses that grow")
    func pauses() {
        var postponement = Postponement()
        var minutes: [Int64] = []
        while postponement.failed(busy, now: 7000) { minutes.append((postponement.until - 7000) / 60_000) }
        #expect(minutes == [1, 2, 4, 8, 15, 15, 15])
        #expect(postponement.failures == Postponement.tries)
    }

    @Test("are tried at the time that the origin names, as often as it names one")
    func namedTimes() {
        var postponement = Postponement()
        for _ in 0..<50 {
            let hope = postponement.failed(StoreError(.status(429, retryAfter: 31)), now: 7000)
            #expect(hope && postponement.until == 38_000)
        }
        let hope = postponement.failed(StoreError(.status(429, retryAfter: 5)), now: 7000)
        #expect(hope && postponement.until == 67_000 && postponement.failures == 1)
    }

    @Test("are given up at once when that will not change", arguments: [400, 401, 403, 404, 410])
    func permanent(_ status: Int) {
        var postponement = Postponement()
        let hope = postponement.failed(StoreError(.status(status, retryAfter: 120)), now: 0)
        #expect(!hope)
    }

    @Test("wait for a host that begins a cooldown at the first request, and none fails")
    func retryAfter() async throws {
        try await run { fixture, clock in
            let paths = (0..<6).map { "/v\($0)/index.m3u8" }
            for (number, path) in paths.enumerated() {
                fixture.origin.serveStream("/v\(number)", count: 1)
                fixture.origin.fault(path, .status(429, headers: ["Retry-After: 120"]), times: 1)
            }
            let tokens = try await fixture.store.intake.enqueue(paths.map { fixture.request($0) }).tokens
            for token in tokens { try await fixture.untilWaiting(token, for: "origin") }
            let cooldowns = fixture.store.context.origins.cooldowns
            try await eventually {
                clock.pass(.seconds(120))
                if let window = cooldowns.window(for: fixture.origin.url("/")) { cooldowns.waited(window) }
                return try tokens.allSatisfy { try state(fixture, $0) == .complete }
            }
            let events = try fixture.store.catalog.events.all(after: 0, limit: 1000)
            #expect(!events.contains { $0.state == .failed })
            for path in paths { #expect(fixture.origin.requests(for: path).map(\.status) == [429, 200]) }
        }
    }

    @Test("go on when their origin is back after some minutes")
    func passingTrouble() async throws {
        try await run { fixture, clock in
            fixture.origin.serveStream("/v", count: 1)
            fixture.origin.fault("/v/index.m3u8", .status(503), times: 2 * Origin.patientTries)
            let token = try await fixture.store.intake.enqueue([fixture.request("/v/index.m3u8")]).tokens[0]
            for (round, minutes) in [Int64(1), 2].enumerated() {
                #expect(await fixture.origin.waitForRequests((round + 1) * Origin.patientTries))
                try await fixture.untilWaiting(token, for: "origin")
                clock.pass(.seconds(minutes * 60))
            }
            await fixture.store.untilSettled(token)
            #expect(try state(fixture, token) == .complete)
        }
    }

    @Test("fail with the last reason when their origin does not come back")
    func lastingTrouble() async throws {
        try await run { fixture, clock in
            fixture.origin.serveStream("/v", count: 1)
            fixture.origin.fault("/v/index.m3u8", .status(503))
            let token = try await fixture.store.intake.enqueue([fixture.request("/v/index.m3u8")]).tokens[0]
            try await eventually {
                clock.pass(.seconds(900))
                return try state(fixture, token) == .failed
            }
            let failure = try fixture.store.reader.progress(of: token)?.failure
            #expect(failure?.errorClass == "http" && failure?.retryable == true)
            #expect(fixture.origin.requests.count == Postponement.tries * Origin.patientTries)
        }
    }

    @Test("are tried at once when they are resumed")
    func resumed() async throws {
        try await run { fixture, _ in
            fixture.origin.serveStream("/v", count: 1)
            fixture.origin.fault("/v/index.m3u8", .status(503), times: Origin.patientTries)
            let token = try await fixture.store.intake.enqueue([fixture.request("/v/index.m3u8")]).tokens[0]
            try await fixture.untilWaiting(token, for: "origin")
            try await fixture.store.perform(.resume, on: token)
            await fixture.store.untilSettled(token)
            #expect(try state(fixture, token) == .complete)
        }
    }

    @Test("fail at once with the reason while a caller waits for them")
    func awaited() async throws {
        try await run { fixture, _ in
            fixture.origin.serveStream("/v", count: 1)
            fixture.origin.fault("/v/index.m3u8", .holdHeader, times: 1)
            fixture.origin.serveStream("/v", count: 1)
            fixture.origin.fault("/v/index.m3u8", .status(503))
            let token = try await fixture.store.intake.enqueue([fixture.request("/v/index.m3u8")]).tokens[0]
            #expect(await fixture.origin.waitForRequests(1))
            async let resolved: Void = fixture.store.intake.untilResolved(token, patience: .seconds(100))
            try await eventually { await fixture.store.engine.isResolutionAwaited(token) }
            fixture.origin.release()
            await resolved
            await fixture.store.untilSettled(token)
            #expect(try state(fixture, token) == .failed)
        }
    }

    @Test("do not delay streams of other hosts, even if they are many")
    func places() async throws {
        try await run { fixture, _ in
            let other = try OriginServer()
            other.serveStream("/v", count: 1)
            fixture.store.context.origins.cooldowns.begin(fixture.origin.url("/"), for: busy, seconds: 700)
            var requests = Array(repeating: fixture.request("/v/index.m3u8"), count: 20)
            requests.append(AssetRequest(url: other.url("/v/index.m3u8")))
            let tokens = try await fixture.store.intake.enqueue(requests).tokens
            await fixture.store.untilSettled(tokens[20])
            #expect(try state(fixture, tokens[20]) == .complete)
            for token in tokens.prefix(20) { try await fixture.untilWaiting(token, for: "origin") }
            #expect(fixture.origin.requests.isEmpty)
        }
    }
}
