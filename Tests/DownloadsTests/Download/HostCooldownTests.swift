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

/// Hosts that have asked to be left alone for a while.
struct HostCooldownTests {
    private let cooldowns = HostCooldowns()
    private let reason = StoreError(.status(429, retryAfter: 7))

    @Test("the longest time that a host has asked for holds, for it alone")
    func longest() {
        cooldowns.begin("http://a:1/x?y", for: reason, seconds: 100)
        cooldowns.begin("http://a:1/z", for: reason, seconds: 10)
        let seconds = cooldowns.window(for: "http://a:1/other")?.seconds ?? 0
        #expect(seconds > 10 && seconds <= 100)
        #expect(cooldowns.window(for: "http://a:2/x")?.seconds == nil)
        #expect(cooldowns.window(for: "http://b:1/x")?.seconds == nil)
    }

    @Test("a host is the same in all spellings, and user information is no part of it")
    func spellings() {
        let window = cooldowns.begin("http://user:secret@A.test/x", for: reason, seconds: 100)
        #expect(window?.host == "a.test:80")
        #expect(cooldowns.window(for: "http://a.test:80/y") != nil)
        #expect(cooldowns.window(for: "https://a.test/y") == nil)
    }

    @Test("a time that is over is forgotten")
    func over() {
        cooldowns.begin("http://a/x", for: reason, seconds: 0)
        #expect(cooldowns.window(for: "http://a/x")?.seconds == nil)
    }

    @Test("a request within the cooldown is refused with the full seconds that are left, and its own address")
    func refusal() {
        let window = HostCooldowns.Window(host: "a:80", until: 9, reason: reason, seconds: 6.2)
        let refusal = window.refusal(of: "http://a/other")
        #expect(refusal.text == "status(429, retryAfter: Optional(7))" && refusal.url == "http://a/other")
        let lost = StoreError(.stopped(.offline), url: "http://a/x")
        let other = HostCooldowns.Window(host: "a:80", until: 9, reason: lost, seconds: 6.2)
        #expect(other.refusal(of: "http://a/other").url == "http://a/x")
        let urls = ["https://u:p@a.test:8443/x?secret", "http://a.test/x"]
        let hosts = urls.map { window.refusalOfHost(of: $0).url }
        #expect(hosts == ["https://a.test:8443/", "http://a.test/"])
    }

    @Test("the present cooldown is told, with the seconds that were asked for if it is the longest")
    func told() {
        let first = cooldowns.begin("http://a/x", for: reason, seconds: 100.1)
        #expect(first?.seconds == 100.1)
        let second = cooldowns.begin("http://a/x", for: reason, seconds: 10)
        #expect(second?.until == first?.until)
        #expect(cooldowns.begin("nowhere", for: reason, seconds: 10) == nil, "it names no host")
        #expect(HostCooldowns.host(of: "https://A.test/x") == "a.test:443")
        #expect(HostCooldowns.host(of: "http://u:p@A.test:443/x") == "a.test:443")
    }

    @Test("other segments of a host wait, too")
    func others() async throws {
        let isOver = Lock(false)
        let (waits, noter) = AsyncStream.makeStream(of: Double.self)
        try await StoreFixture.run {
            $0.pause = { seconds in
                noter.yield(seconds)
                while !isOver.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(10)) }
            }
        } _: { fixture async throws in
            fixture.origin.serveStream("/v", count: 3)
            fixture.origin.fault("/v/s0.ts", .status(503, headers: ["Retry-After: 700"]), times: 1)
            let token = try await fixture.add("/v/index.m3u8")
            var iterator = waits.makeAsyncIterator()
            #expect(await iterator.next() == 700)
            let other = await iterator.next() ?? 0
            #expect(other > 0 && other < 700)
            #expect(fixture.origin.paths == ["/v/index.m3u8", "/v/s0.ts"])
            isOver.withLock { $0 = true }
            await fixture.store.untilSettled(token)
            #expect(try fixture.store.reader.requireAsset(token).state == .complete)
        }
    }

    @Test("after a cooldown two requests try the host, and all others follow after the first answer")
    func trials() throws {
        let window = try #require(cooldowns.begin("http://a/x", for: reason, seconds: 100))
        #expect(outcome(cooldowns.enter("http://a/y")) == "window")
        cooldowns.waited(window)
        #expect((1...3).map { _ in outcome(cooldowns.enter("http://a/y")) } == ["trial", "trial", "others"])
        cooldowns.finished("http://a/y")
        #expect((1...2).map { _ in outcome(cooldowns.enter("http://a/y")) } == ["trial", "others"])
        cooldowns.answered("http://a/z")
        #expect((1...3).map { _ in outcome(cooldowns.enter("http://a/y")) } == ["free", "free", "free"])
    }

    @Test("an answer to an earlier request does not end the cooldown")
    func lateAnswers() throws {
        let first = try #require(cooldowns.begin("http://a/x", for: reason, seconds: 10))
        cooldowns.answered("http://a/x")
        #expect(outcome(cooldowns.enter("http://a/x")) == "window")
        // Meanwhile it has asked for more.
        cooldowns.begin("http://a/x", for: reason, seconds: 100)
        cooldowns.waited(first)
        #expect(outcome(cooldowns.enter("http://a/x")) == "window")
    }

    private func outcome(_ leave: HostCooldowns.Leave) -> String {
        switch leave {
        case .free: "free"
        case .trial: "trial"
        case .others: "others"
        case .window: "window"
        }
    }

    @Test("no more than two segments are asked for at a time until the host answers again")
    func fewAfterwards() async throws {
        let origin = try OriginServer()
        origin.serveStream("/v", count: 12)
        origin.fault("/v/s0.ts", .status(429, headers: ["Retry-After: 700"]), times: 1)
        let fixture = try StoreFixture(origin: origin) {
            $0.pause = { _ in
                for number in 0..<12 { origin.fault("/v/s\(number).ts", .holdHeader, times: 1) }
            }
        }
        let token = try await fixture.add("/v/index.m3u8")
        // The playlist, the refused request, and two tests.
        #expect(await origin.waitForRequests(4))
        // All segments of another host are requested in the meantime.
        let other = try OriginServer()
        other.serveStream("/v", count: 12)
        let second = try await fixture.store.intake.add(AssetRequest(url: other.url("/v/index.m3u8"))).token
        await fixture.store.untilSettled(second)
        #expect(try fixture.store.reader.requireAsset(second).state == .complete)
        #expect(origin.paths.count == 4)
        for number in 0..<12 { origin.clearFaults("/v/s\(number).ts") }
        origin.release()
        await fixture.store.untilSettled(token)
        #expect(try fixture.store.reader.requireAsset(token).state == .complete)
        await fixture.store.stop()
    }

    @Test("the next engine keeps the cooldown, too")
    func nextEngine() async throws {
        let folder = try TemporaryDirectory()
        let origin = try OriginServer()
        origin.serveStream("/v", count: 2)
        origin.fault("/v/s0.ts", .status(503, headers: ["Retry-After: 700"]), times: 1)
        for _ in 1...2 {
            let (waits, noter) = AsyncStream.makeStream(of: Double.self)
            let fixture = try StoreFixture(in: folder, origin: origin) {
                $0.pause = { seconds in
                    noter.yield(seconds)
                    try await Task.sleep(for: .seconds(1000))
                }
            }
            await fixture.store.start()
            if origin.paths.isEmpty { _ = try await fixture.add("/v/index.m3u8") }
            var iterator = waits.makeAsyncIterator()
            let seconds = await iterator.next() ?? 0
            #expect(seconds > 600 && seconds <= 700)
            await fixture.store.stop()
        }
        #expect(origin.paths == ["/v/index.m3u8", "/v/s0.ts"])
    }

    @Test("playlists of such a host are not requested either, and fail as if they had been")
    func playlists() async throws {
        try await StoreFixture.run {
            $0.pause = { _ in try await Task.sleep(for: .seconds(1000)) }
        } _: { fixture async throws in
            fixture.origin.serveStream("/v", count: 2)
            fixture.origin.fault("/v/s0.ts", .status(503, headers: ["Retry-After: 700"]), times: 1)
            _ = try await fixture.add("/v/index.m3u8")
            #expect(await fixture.origin.waitForRequests(2))
            try await eventually {
                try !fixture.store.catalog.queue.cooldowns(after: Timestamp(milliseconds: 0)).isEmpty
            }
            let failure = await #expect(throws: StoreError.self) {
                try await fixture.add("/other/index.m3u8")
            }
            guard case .status(503, let seconds?) = failure?.code else {
                Issue.record("\(String(describing: failure))")
                return
            }
            #expect(seconds > 600 && seconds <= 700)
            #expect(failure?.url == fixture.origin.url("/other/index.m3u8"))
            #expect(fixture.origin.paths.count == 2)
        }
    }

    @Test("a request with a shorter Retry-After waits as long as the others")
    func shorterWindow() async throws {
        let (waits, noter) = AsyncStream.makeStream(of: Double.self)
        try await StoreFixture.run {
            $0.pause = { seconds in
                noter.yield(seconds)
                try await Task.sleep(for: .seconds(1000))
            }
        } _: { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            fixture.origin.fault("/v/s0.ts", .holdHeader)
            fixture.origin.fault("/v/s0.ts", .status(503, headers: ["Retry-After: 2"]))
            _ = try await fixture.add("/v/index.m3u8")
            #expect(await fixture.origin.waitForRequests(2))
            fixture.store.context.origins.cooldowns.begin(fixture.origin.url("/"), for: reason, seconds: 700)
            fixture.origin.release()
            var iterator = waits.makeAsyncIterator()
            #expect(await iterator.next() ?? 0 > 600)
        }
    }

    @Test("a download that waits for a host keeps no slot from others, and names the host")
    func places() async throws {
        try await StoreFixture.run {
            $0.pause = { _ in try await Task.sleep(for: .seconds(1000)) }
            $0.maximumDownloads = 1
            $0.conditions.interval = 0.02
        } _: { fixture async throws in
            let other = try OriginServer()
            other.serveStream("/v", count: 2)
            fixture.origin.serveStream("/v", count: 2)
            fixture.origin.fault("/v/s0.ts", .status(503, headers: ["Retry-After: 700"]))
            let first = try await fixture.add("/v/index.m3u8")
            let second = try await fixture.store.intake.add(AssetRequest(url: other.url("/v/index.m3u8")))
                .token
            await fixture.store.untilSettled(second)
            #expect(try fixture.store.reader.requireAsset(second).state == .complete)
            let asset = try fixture.store.reader.requireAsset(first)
            #expect(asset.state == .downloading && asset.reason == "origin")
            let seconds = secondsLeft(asset)
            #expect(seconds > 600 && seconds <= 700)
            #expect(try fixture.store.reader.requireAsset(second).waitsUntil == nil)
        }
    }

    /// The reported seconds that an asset still has to wait; 0 without a report.
    private func secondsLeft(_ asset: Asset) -> Double {
        asset.waitsUntil.map { Double($0.milliseconds - SystemWallClock().now.milliseconds) / 1000 } ?? 0
    }

    @Test("streams of a host that is left alone wait in the queue until they can be looked into")
    func queue() async throws {
        try await StoreFixture.run {
            $0.conditions.interval = 0.02
        } _: { fixture async throws in
            fixture.origin.serveStream("/v", count: 2)
            let cooldowns = fixture.store.context.origins.cooldowns
            let window = try #require(
                cooldowns.begin(fixture.origin.url("/"), for: reason, seconds: 700))
            let token = try await fixture.store.intake.enqueue([fixture.request("/v/index.m3u8")]).tokens[0]
            try await eventually { try fixture.store.reader.requireAsset(token).reason == "origin" }
            #expect(fixture.origin.paths.isEmpty)
            #expect(try fixture.store.reader.assets().map { secondsLeft($0) > 600 } == [true])
            cooldowns.waited(window)
            await fixture.store.untilSettled(token)
            #expect(try fixture.store.reader.requireAsset(token).state == .complete)
        }
    }
}
