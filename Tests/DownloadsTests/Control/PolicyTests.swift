import Foundation
import Locking
import ModelTestSupport
import StoreTestSupport
import SystemPackage
import TestSupport
import Testing
import Transfers

@testable import AssetStore
@testable import Downloads
@testable import Licensing
@testable import MediaDecryption
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

/// The times and rates of downloads.
@Suite(.timeLimit(.minutes(2)))
struct PolicyTests {
    /// The hour and the connection, as a test sets them.
    private final class World: Sendable {
        private let values = Lock((minute: 12 * 60, isMetered: false))
        var minute: Int {
            get { values.withLock { $0.minute } }
            set { values.withLock { $0.minute = newValue } }
        }
        var isMetered: Bool {
            get { values.withLock { $0.isMetered } }
            set { values.withLock { $0.isMetered = newValue } }
        }

        func set(_ configuration: inout OfflineStore.Configuration) {
            configuration.conditions.minuteOfDay = { [self] _ in minute }
            configuration.isMetered = { [self] in isMetered }
            configuration.conditions.interval = 0.02
        }
    }

    private static let nights = Schedule("22:00-06:00")

    /// A download that waits for the second of its segments.
    private func held(_ fixture: StoreFixture, _ change: (inout AssetRequest) -> Void = { _ in }) async throws
        -> AssetToken
    {
        fixture.origin.serveStream("/v", count: 3)
        fixture.origin.fault("/v/s1.ts", .stall(after: 100), times: 1)
        let token = try await fixture.add("/v/index.m3u8", change)
        try await eventually { !fixture.origin.requests(for: "/v/s1.ts").isEmpty }
        return token
    }

    private func untilComplete(_ fixture: StoreFixture, _ token: AssetToken) async throws {
        await fixture.store.untilSettled(token)
        #expect(try fixture.store.reader.requireAsset(token).availability.offline)
    }

    @Test("outside its hours nothing is fetched, running downloads are put off, and later they continue")
    func hours() async throws {
        let world = World()
        try await StoreFixture.run {
            world.set(&$0)
            $0.schedule = Self.nights
            $0.transfersPerAsset = 1
        } _: { fixture async throws in
            world.minute = 23 * 60
            let token = try await held(fixture)
            world.minute = 6 * 60
            try await fixture.untilWaiting(token, for: "schedule")
            let other = try await fixture.store.intake.enqueue([fixture.request("/v/index.m3u8")]).tokens[0]
            try await fixture.untilWaiting(other, for: "schedule")
            #expect(try fixture.store.reader.isUnresolved(other))
            world.minute = 22 * 60
            for token in [token, other] { try await untilComplete(fixture, token) }
            #expect(fixture.origin.requests(for: "/v/s0.ts").count == 2)
        }
    }

    @Test("an asset's own hours count before the engine's, also when they are changed while it runs or waits")
    func ownHours() async throws {
        let world = World()
        try await StoreFixture.run {
            world.set(&$0)
            $0.transfersPerAsset = 1
        } _: { fixture async throws in
            let token = try await held(fixture)
            var edit = AssetEdit()
            edit.schedule = Self.nights
            try await fixture.store.edit(token, edit)
            try await fixture.untilWaiting(token, for: "schedule")
            let asset = try fixture.store.reader.progress(of: token)
            #expect(asset?.schedule == Self.nights)
            edit.schedule = .always
            try await fixture.store.edit(token, edit)
            try await untilComplete(fixture, token)
        }
    }

    @Test("a connection that becomes metered puts off running downloads, except permitted ones")
    func metered() async throws {
        let world = World()
        try await StoreFixture.run {
            world.set(&$0)
            $0.transfersPerAsset = 1
        } _: { fixture async throws in
            let token = try await held(fixture)
            world.isMetered = true
            try await fixture.untilWaiting(token, for: "metered")
            let other = try await fixture.add("/v/index.m3u8") { $0.isMeteredOK = true }
            try await untilComplete(fixture, other)
            #expect(try fixture.store.reader.progress(of: token)?.reason == "metered")
            var policy = await fixture.store.policy
            policy.mayUseMetered = true
            await fixture.store.adopt(policy)
            try await untilComplete(fixture, token)
        }
    }

    @Test("a new number of transfers counts for the next download")
    func transfers() async throws {
        try await StoreFixture.run {
            $0.transfersPerAsset = 1
        } _: { fixture async throws in
            var policy = await fixture.store.policy
            policy.transfersPerAsset = 3
            await fixture.store.adopt(policy)
            fixture.origin.serveStream("/w", count: 3)
            for number in 0..<3 { fixture.origin.fault("/w/s\(number).ts", .stall(after: 100)) }
            let token = try await fixture.add("/w/index.m3u8")
            try await eventually {
                (0..<3).allSatisfy { fixture.origin.requests(for: "/w/s\($0).ts").count == 1 }
            }
            fixture.origin.release()
            try await untilComplete(fixture, token)
        }
    }

    @Test("a permitted download continues, however many others wait before it")
    func meteredQueue() async throws {
        let world = World()
        world.isMetered = true
        try await StoreFixture.run {
            world.set(&$0)
        } _: { fixture async throws in
            fixture.origin.serveStream("/v", count: 2)
            let requests = (0..<20).map { number in
                var request = fixture.request("/v/index.m3u8")
                request.isMeteredOK = number == 19
                return request
            }
            let tokens = try await fixture.store.intake.enqueue(requests, isHeld: true, next: nil).tokens
            await fixture.store.intake.release(tokens)
            try await untilComplete(fixture, tokens[19])
            #expect(try fixture.store.reader.progress(of: tokens[0])?.reason == "metered")
        }
    }

    @Test(
        "the policy's limits are those of the transfers, and an asset's own those of its group, while it runs"
    )
    func limits() async throws {
        try await StoreFixture.run {
            ($0.rateLimit, $0.rateLimitPerHost) = (50_000_000, 40_000_000)
        } _: { fixture async throws in
            await fixture.store.start()
            let token = try await held(fixture) { $0.access.rateLimit = 30_000_000 }
            var limits = fixture.store.parts.loop.rateLimits
            #expect(limits.total == 50_000_000 && limits.perHost == 40_000_000)
            #expect(limits.groups == [token.description: 30_000_000])
            #expect(try fixture.store.reader.progress(of: token)?.rateLimit == 30_000_000)
            var edit = AssetEdit()
            edit.rateLimit = 0
            try await fixture.store.edit(token, edit)
            limits = fixture.store.parts.loop.rateLimits
            #expect(limits.groups.isEmpty)
            #expect(try fixture.store.reader.progress(of: token)?.rateLimit == nil)
            fixture.origin.release()
            try await untilComplete(fixture, token)
            await fixture.store.adopt(EnginePolicy())
            #expect(fixture.store.parts.loop.rateLimits == RateLimits())
        }
    }

    @Test("the settings of the store say when and how fast, unless the command does")
    func settings() async throws {
        let folder = try TemporaryDirectory()
        let text = """
            {"limit_rate": 1000, "limit_rate_per_host": 500, "schedule": "22:00-06:00", "metered_ok": true,
             "metered_interfaces": ["wwan*"]}
            """
        try folder.write(Array(text.utf8), to: "store/config.json")
        let fixture = try StoreFixture(in: folder) { $0.rateLimit = 2000 }
        let policy = await fixture.store.policy
        #expect(policy.rateLimit == 2000 && policy.rateLimitPerHost == 500)
        #expect(policy.schedule == Self.nights && policy.mayUseMetered)
        await fixture.store.stop()
        try folder.write(Array(#"{"schedule": "late"}"#.utf8), to: "bad/config.json")
        let error = await failure { _ = try StoreFixture(in: folder, named: "bad") }
        #expect(error?.text.hasPrefix("settings(") == true)
    }
}
