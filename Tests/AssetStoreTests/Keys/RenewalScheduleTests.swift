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
@testable import StorePlanning
@testable import StoreReading

@Suite("Keys are renewed by a schedule:", .timeLimit(.minutes(2)))
struct RenewalScheduleTests {
    private static let key = Secret.key(OriginResource.pattern(16, seed: 99))
    private static let tag = """
        #EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://acme/film-1",KEYFORMAT="com.apple.streamingkeydelivery"

        """
    /// The key's time of renewal, in milliseconds after it came: a tenth of its two hours is left then.
    private static let renewal: Int64 = 6_480_000

    /// A preloaded asset whose key came from a provider and ends in two hours.
    private func run(_ body: (StoreFixture, AssetToken, ManualClock) async throws -> Void) async throws {
        let (folder, origin, clock) = (try TemporaryDirectory(), try OriginServer(), ManualClock())
        origin.serveStream("/drm", tags: Self.tag)
        origin.serve("/keys", text: "{\"k\": \"\(Secret.base64(Self.key))\", \"until\": 7200}")
        let provider = """
            {"name": "acme", "schemes": ["skd"], "url": "\(origin.url("/keys"))",
             "answer": {"key": "k", "renewal_date": "until"}}
            """
        try folder.write(Array("{\"key_providers\": [\(provider)]}".utf8), to: "store/config.json")
        let fixture = try StoreFixture(in: folder, origin: origin) { $0.clock = clock }
        let result: Result<Void, any Error>
        do {
            let token = try await fixture.add("/drm/index.m3u8") { $0.isPreload = true }
            result = .success(try await body(fixture, token, clock))
        } catch { result = .failure(error) }
        await fixture.store.stop()
        fixture.expectNoKeys()
        try result.get()
    }

    private func renewAt(_ fixture: StoreFixture, _ token: AssetToken) throws -> Timestamp? {
        try fixture.store.catalog.renditions.keys(of: token).first?.renewAt
    }

    private func asked(_ fixture: StoreFixture) -> Int { fixture.origin.requests(for: "/keys").count }

    @Test("at the very time, not a millisecond before, and once")
    func time() async throws {
        try await run { fixture, token, clock async throws in
            let renewals = fixture.store.roles.renewals
            #expect(try renewAt(fixture, token) == clock.now.adding(seconds: Self.renewal / 1000))
            clock.pass(Self.renewal - 1)
            await renewals.renewDue()
            #expect(asked(fixture) == 1)
            clock.pass(1)
            await renewals.renewDue()
            await renewals.renewDue()
            #expect(asked(fixture) == 2)
            #expect(try renewAt(fixture, token) == clock.now.adding(seconds: Self.renewal / 1000))
            let events = try fixture.store.reader.licenseEvents(of: token).map(\.kind)
            #expect(events.first == .keysRenewed)
        }
    }

    @Test("a renewal gives only the keys that are due, and the error of one that could not be had")
    func due() async throws {
        try await run { fixture, token, _ async throws in
            let at = try #require(try renewAt(fixture, token))
            let record = try #require(try fixture.store.catalog.assets.asset(token))
            let renewal = KeyRenewal(sources: fixture.store.licenses.sources, record: record, via: nil)
            let early = try await renewal.fetch(dueAt: Timestamp(milliseconds: at.milliseconds - 1))
            #expect(early.keys.isEmpty && early.failure == nil)
            let due = try await renewal.fetch(dueAt: at)
            #expect(due.keys.map(\.id) == ["k0"] && due.failure == nil)
            fixture.origin.fault("/keys", .status(403))
            let failed = try await renewal.fetch(dueAt: at)
            #expect(failed.keys.isEmpty && failed.failure != nil)
        }
    }

    @Test("a provider that fails is asked again after a quarter of an hour, and the log has the error")
    func failed() async throws {
        try await run { fixture, token, clock async throws in
            fixture.origin.fault("/keys", .status(403))
            clock.pass(16 * 3_600_000)
            await fixture.store.roles.renewals.renewDue()
            #expect(try renewAt(fixture, token) == clock.now.adding(seconds: 900))
            #expect(fixture.log.text.contains("keys could not be renewed"))
            #expect(try fixture.contentKey(token, "k0") == Self.key)
            #expect(fixture.store.roles.renewals.timer.rest == 0)
        }
    }

    @Test(
        "a key that was never had waits for an eighth of the asset's age, and for a quarter of an hour at least",
        arguments: [(6480, 900), (7200, 900), (16 * 3600, 7200)] as [(Int64, Int64)])
    func missing(_ age: Int64, _ wait: Int64) async throws {
        try await run { fixture, token, clock async throws in
            try fixture.store.catalog.write(.store) { session in
                try session.execute("UPDATE content_key SET sealed = NULL")
            }
            fixture.origin.fault("/keys", .status(403))
            clock.pass(.seconds(age))
            await fixture.store.roles.renewals.renewDue()
            #expect(try renewAt(fixture, token) == clock.now.adding(seconds: wait))
        }
    }

    @Test("the timer renews what is overdue after a second")
    func timer() async throws {
        try await run { fixture, _, clock async throws in
            clock.pass(Self.renewal)
            fixture.store.roles.renewals.schedule()
            try await eventually { asked(fixture) == 2 }
        }
    }

    @Test(
        "the timer sleeps until the next one, for a second at least and for an hour at most",
        arguments: [
            (-5000, 1), (0, 1), (999, 1), (1001, 1.001), (3_600_000, 3600), (3_600_001, 3600),
        ] as [(Int64, Double)])
    func sleep(_ milliseconds: Int64, _ seconds: Double) {
        let (now, next) = (Timestamp(milliseconds: 7000), Timestamp(milliseconds: 7000 + milliseconds))
        #expect(RenewalSchedule.sleep(until: next, from: now) == seconds)
    }

    @Test("keys of a recording that could not be had are named in the log, and the others are not")
    func named() async throws {
        try await run { fixture, token, _ async throws in
            let keys = [
                KeyRecord(id: "k7", url: "https://a.example/seven?signature=1"),
                KeyRecord(id: "k8", url: "https://a.example/eight", sealed: [1]),
            ]
            fixture.store.roles.renewals.schedule(keys, of: token)
            #expect(fixture.log.text.contains("could not be fetched yet"))
            #expect(fixture.log.text.contains("https://a.example/seven"))
            #expect(!fixture.log.text.contains("signature"))
            #expect(!fixture.log.text.contains("https://a.example/eight"))
        }
    }
}
