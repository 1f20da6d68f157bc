import Foundation
import Locking
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

/// Downloads that wait for the network or for room, and go on by themselves.
@Suite(.timeLimit(.minutes(2)))
struct SuspensionTests {
    /// Conditions that a test sets.
    private final class Conditions: Sendable {
        private let values = Lock((isOnline: true, free: UInt64(100 << 30)))
        var isOnline: Bool {
            get { values.withLock { $0.isOnline } }
            set { values.withLock { $0.isOnline = newValue } }
        }
        var free: UInt64 {
            get { values.withLock { $0.free } }
            set { values.withLock { $0.free = newValue } }
        }

        func set(_ configuration: inout OfflineStore.Configuration) {
            configuration.conditions.isOnline = { [self] _ in isOnline }
            configuration.conditions.space = { [self] _ in (free, 100 << 30) }
            configuration.conditions.interval = 0.02
        }
    }

    @Test("without a network nothing is tried; with one again everything continues by itself")
    func noNetwork() async throws {
        let conditions = Conditions()
        try await StoreFixture.run {
            conditions.set(&$0)
        } _: { fixture async throws in
            fixture.origin.serveStream("/v", count: 2)
            conditions.isOnline = false
            let tokens = [try await fixture.add("/v/index.m3u8"), try await fixture.add("/v/index.m3u8")]
            for token in tokens { try await fixture.untilWaiting(token, for: "network") }
            #expect(!fixture.origin.paths.contains { $0.hasSuffix(".ts") })
            conditions.isOnline = true
            for token in tokens {
                await fixture.store.untilSettled(token)
                #expect(try fixture.store.reader.progress(of: token)?.state == .complete)
            }
        }
    }

    @Test("a download that loses the network waits, and its callers wait on")
    func lostNetwork() async throws {
        let conditions = Conditions()
        try await StoreFixture.run {
            conditions.set(&$0)
            $0.transfersPerAsset = 1
            // The failure is retried when the network is gone.
            $0.pause = { _ in
                while conditions.isOnline { try await Task.sleep(for: .milliseconds(1)) }
            }
        } _: { fixture async throws in
            fixture.origin.serveStream("/v", count: 3)
            fixture.origin.fault("/v/s1.ts", .reset(after: 0), times: 8)
            conditions.isOnline = true
            let token = try await fixture.add("/v/index.m3u8")
            while fixture.origin.requests(for: "/v/s1.ts").isEmpty {
                try await Task.sleep(for: .milliseconds(1))
            }
            conditions.isOnline = false
            async let settled: Void = fixture.store.untilSettled(token)
            try await fixture.untilWaiting(token, for: "network")
            fixture.origin.clearFaults("/v/s1.ts")
            conditions.isOnline = true
            await settled
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.availability.offline, "\(asset.state), \(asset.failure?.message ?? "")")
            #expect(fixture.origin.requests(for: "/v/s0.ts").count == 1)
        }
    }

    /// Serves two segments of video and one of subtitles.
    private func serveSubtitled(_ origin: OriginServer) {
        origin.serveStream("/v", count: 2)
        origin.serveSubtitles("/s", count: 1)
        let subtitles = Playlists.rendition("SUBTITLES", "s", "en", "s/index.m3u8")
        let variant = Playlists.variant("v/index.m3u8", 900_000, #"SUBTITLES="s""#)
        origin.serve("/m.m3u8", text: Playlists.master(subtitles, variant))
    }

    @Test("subtitles that fail without a network wait for the network and are not given up")
    func subtitlesWithoutNetwork() async throws {
        let conditions = Conditions()
        try await StoreFixture.run {
            conditions.set(&$0)
            $0.transfersPerAsset = 1
        } _: { fixture async throws in
            serveSubtitled(fixture.origin)
            fixture.origin.fault("/s/s0.vtt", .reset(after: 0), times: RetryPolicy.usualTries)
            fixture.origin.fault("/v/s0.ts", .holdHeader, times: 1)
            let token = try await fixture.add("/m.m3u8")
            try await eventually { !fixture.origin.requests(for: "/v/s0.ts").isEmpty }
            conditions.isOnline = false
            fixture.origin.release()
            try await fixture.untilWaiting(token, for: "network")
            fixture.origin.clearFaults("/s/s0.vtt")
            conditions.isOnline = true
            await fixture.store.untilSettled(token)
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.state == .complete && asset.renditions.allSatisfy(\.isComplete))
        }
    }

    @Test("subtitles that fail although the origin can be reached are given up after their tries")
    func subtitlesElsewhere() async throws {
        let clock = ManualClock()
        try await StoreFixture.run {
            $0.clock = clock
            $0.conditions.isOnline = { !$0.hasSuffix(".vtt") }
            $0.conditions.interval = 0.02
        } _: { fixture async throws in
            serveSubtitled(fixture.origin)
            fixture.origin.fault("/s/s0.vtt", .reset(after: 0))
            let token = try await fixture.add("/m.m3u8")
            try await fixture.untilWaiting(token, for: "origin")
            clock.pass(.seconds(61))
            await fixture.store.untilSettled(token)
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.state == .complete && asset.availability.offline)
            #expect(asset.renditions.contains { $0.kind == .subtitles && $0.failure != nil })
        }
    }

    @Test("without room nothing begins and running downloads are put off; with room they continue")
    func noRoom() async throws {
        let conditions = Conditions()
        try await StoreFixture.run {
            conditions.set(&$0)
            $0.transfersPerAsset = 1
        } _: { fixture async throws in
            fixture.origin.serveStream("/v", count: 3)
            fixture.origin.fault("/v/s1.ts", .stall(after: 100), times: 1)
            let token = try await fixture.add("/v/index.m3u8")
            #expect(await fixture.origin.waitForRequests(3))
            conditions.free = 1 << 30
            try await fixture.untilWaiting(token, for: "disk")
            let other = try await fixture.add("/v/index.m3u8")
            try await fixture.untilWaiting(other, for: "disk")
            conditions.free = 100 << 30
            for token in [token, other] {
                await fixture.store.untilSettled(token)
                #expect(try fixture.store.reader.requireAsset(token).availability.offline)
            }
        }
    }

    @Test("a download that could open no file waits, and continues by itself")
    func noFiles() async throws {
        let conditions = Conditions()
        try await StoreFixture.run {
            conditions.set(&$0)
        } _: { fixture async throws in
            fixture.origin.serveStream("/v", count: 2)
            conditions.isOnline = false
            let token = try await fixture.add("/v/index.m3u8")
            try await fixture.untilWaiting(token, for: "network")
            let failure = StoreError(.tooManyFiles("/store/assets"))
            let reason = try #require(await fixture.store.engine.waitReason(token, failure))
            #expect(reason == .files)
            try fixture.store.catalog.assets.apply(
                .yield, to: token,
                TransitionDetail(reason: .waits(reason), now: Timestamp(milliseconds: 0)))
            conditions.isOnline = true
            await fixture.store.untilSettled(token)
            #expect(try fixture.store.reader.progress(of: token)?.state == .complete)
        }
    }

    @Test("a small download that fits continues, though a larger one has waited for room for longer")
    func someRoom() async throws {
        let conditions = Conditions()
        try await StoreFixture.run {
            conditions.set(&$0)
        } _: { fixture async throws in
            for name in ["large", "small"] { fixture.origin.serveStream("/\(name)", count: 2) }
            let range = "#EXT-X-BYTERANGE:\(60 << 30)@0\n"
            fixture.origin.serve("/large/index.m3u8", text: Playlists.media(["s0.ts"], tags: range))
            conditions.free = 1 << 30
            let large = try await fixture.add("/large/index.m3u8")
            let small = try await fixture.add("/small/index.m3u8")
            for token in [large, small] { try await fixture.untilWaiting(token, for: "disk") }
            conditions.free = 20 << 30
            await fixture.store.untilSettled(small)
            #expect(try fixture.store.reader.progress(of: small)?.state == .complete)
            let asset = try fixture.store.reader.progress(of: large)
            #expect(asset?.state == .queued && asset?.reason == "disk")
            #expect(fixture.origin.requests(for: "/large/s0.ts").isEmpty)
            conditions.free = 100 << 30
            try await eventually { !fixture.origin.requests(for: "/large/s0.ts").isEmpty }
        }
    }

    /// Has a catalog take no end of a download until the trigger is dropped.
    private func refuseEnds(_ catalog: Catalog) throws {
        try catalog.write(.store) { session in
            try session.execute(
                """
                CREATE TEMP TRIGGER full BEFORE UPDATE OF state ON asset
                WHEN NEW.state IN ('complete', 'failed')
                BEGIN SELECT RAISE(ABORT, 'full'); END
                """)
        }
    }

    @Test("an end that the catalog does not take is written when it does; till then nothing starts twice")
    func unwritten() async throws {
        let conditions = Conditions()
        try await StoreFixture.run {
            conditions.set(&$0)
        } _: { fixture async throws in
            fixture.origin.serveStream("/v", count: 2)
            try refuseEnds(fixture.store.catalog)
            let token = try await fixture.add("/v/index.m3u8")
            await fixture.store.untilSettled(token)
            #expect(try fixture.store.reader.progress(of: token)?.state == .downloading)
            #expect(await fixture.store.unrecordedFailure(of: token)?.errorClass == .engine)
            try fixture.store.catalog.write(.store) { try $0.execute("DROP TRIGGER full") }
            while try fixture.store.reader.progress(of: token)?.state != .complete {
                try await Task.sleep(for: .milliseconds(5))
            }
            #expect(await fixture.store.unrecordedFailure(of: token) == nil)
            #expect(fixture.origin.requests.count == 3)
        }
    }

    /// The possible changes of a download between its end and the moment when that can be written.
    enum Sequel: CaseIterable, Sendable {
        case queuedAgain, begunAgain, extended
    }

    private func goOn(with token: AssetToken, _ sequel: Sequel, _ store: OfflineStore) async throws {
        if sequel == .extended {
            let detail = TransitionDetail(reason: .slot, now: Timestamp(milliseconds: 0))
            try store.catalog.assets.apply(.extend, to: token, detail)
            return await store.engine.sync()
        }
        try await store.perform(.cancel, on: token)
        _ = try await store.perform(.resume, on: [token], starts: sequel == .begunAgain)
    }

    @Test(
        "an end that the catalog could not record is not applied to a later request for the same asset",
        arguments: Sequel.allCases)
    func superseded(_ sequel: Sequel) async throws {
        try await StoreFixture.run {
            $0.conditions.interval = 3600
        } _: { fixture async throws in
            let (store, origin) = (fixture.store, fixture.origin)
            origin.serveStream("/v", count: 2)
            origin.fault("/v/s1.ts", .status(400), times: 1)
            try refuseEnds(store.catalog)
            let token = try await fixture.add("/v/index.m3u8")
            try await eventually { await store.unrecordedFailure(of: token) != nil }
            try store.catalog.write(.store) { try $0.execute("DROP TRIGGER full") }
            origin.fault("/v/s1.ts", .holdHeader, times: 1)
            try await goOn(with: token, sequel, store)
            _ = await store.engine.catchUp()
            let state = try store.reader.progress(of: token)?.state
            #expect(state == (sequel == .queuedAgain ? AssetState.queued : .downloading))
            #expect(await store.unrecordedFailure(of: token) == nil)
            await store.engine.sync()
            try await eventually { origin.requests(for: "/v/s1.ts").count == 2 }
            origin.release()
            try await eventually { try store.reader.progress(of: token)?.state == .complete }
        }
    }

    @Test("a waiting asset can be paused and resumed like any queued one")
    func control() async throws {
        let conditions = Conditions()
        try await StoreFixture.run {
            conditions.set(&$0)
        } _: { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            conditions.isOnline = false
            let token = try await fixture.add("/v/index.m3u8")
            try await fixture.store.perform(.pause, on: token)
            conditions.isOnline = true
            #expect(try fixture.store.reader.progress(of: token)?.state == .paused)
            try await fixture.store.perform(.resume, on: token)
            await fixture.store.untilSettled(token)
            #expect(try fixture.store.reader.progress(of: token)?.state == .complete)
        }
    }

    @Test("a route by another interface than loopback is a network")
    func routes() {
        let head = "Iface\tDestination\tGateway\n"
        #expect(EngineConditions.hasRoute(ipv4: head + "eth0\t00000000\t0100A8C0\n", ipv6: ""))
        #expect(!EngineConditions.hasRoute(ipv4: head, ipv6: ""))
        #expect(!EngineConditions.hasRoute(ipv4: head + "lo\t0000007F\t0\n", ipv6: "00000001 80 00 lo"))
        #expect(EngineConditions.hasRoute(ipv4: head, ipv6: "00000000 00 00 00 00 00 00 00 wlan0"))
        #expect(!EngineConditions.hasRoute(ipv4: head, ipv6: "fe800000 40 00 00 00 00 00 00 eth0"))
        #expect(EngineConditions.hasRoute(ipv4: "", ipv6: ""))
    }
}
