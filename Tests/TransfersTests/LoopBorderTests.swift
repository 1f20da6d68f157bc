import TestSupport
import Testing

@testable import Transfers

@Suite("A loop at its limits")
struct LoopBorderTests {
    @Test("has a connection beyond that of all transfers for an urgent one")
    func reserve() async throws {
        var configuration = TransferLoopConfiguration()
        (configuration.maximumTransfers, configuration.maximumTransfersPerHost) = (1, 1)
        configuration.urgentReserve = 1
        let fixture = try Fixture(configuration)
        for path in ["/held.ts", "/waiting.ts", "/urgent.ts"] { fixture.origin.serve(path, bytes: [1]) }
        fixture.origin.fault("/held.ts", .holdHeader)
        let (held, waiting) = (fixture.request("/held.ts"), fixture.request("/waiting.ts"))
        var urgent = fixture.request("/urgent.ts")
        urgent.priority = .high
        let first = Task { await fixture.failure(of: held) }
        #expect(await fixture.origin.waitForRequests(1))
        let second = Task.immediate { await fixture.failure(of: waiting) }
        #expect(await fixture.failure(of: urgent) == nil)
        #expect(fixture.origin.requests.map(\.path) == ["/held.ts", "/urgent.ts"])
        fixture.origin.release()
        #expect(await first.value == nil)
        #expect(await second.value == nil)
        #expect(fixture.origin.requests.map(\.path) == ["/held.ts", "/urgent.ts", "/waiting.ts"])
    }

    @Test("has as many transfers of a host as it is told later, though it had fewer for all hosts together")
    func raised() async throws {
        var configuration = TransferLoopConfiguration()
        (configuration.maximumTransfers, configuration.maximumTransfersPerHost) = (1, 1)
        let fixture = try Fixture(configuration)
        fixture.origin.serve("/a.ts", bytes: [1])
        fixture.origin.fault("/a.ts", .holdHeader, times: 2)
        fixture.loop.limitTransfers(perHost: 2)
        let request = fixture.request("/a.ts")
        async let first = fixture.failure(of: request)
        async let second = fixture.failure(of: request)
        #expect(await fixture.origin.waitForRequests(2))
        fixture.origin.release()
        #expect(await first == nil)
        #expect(await second == nil)
    }

    @Test("keeps the connections of as many hosts as it may have transfers")
    func connections() async throws {
        var configuration = TransferLoopConfiguration()
        (configuration.maximumTransfers, configuration.urgentReserve) = (2, 0)
        let fixture = try Fixture(configuration)
        let other = try OriginServer()
        for origin in [fixture.origin, other] { origin.serve("/a.ts", bytes: [1]) }
        var elsewhere = TransferRequest(url: other.url("/a.ts"))
        elsewhere.allowsPrivateAddresses = true
        #expect(await fixture.failure(of: fixture.request("/a.ts")) == nil)
        #expect(await fixture.failure(of: elsewhere) == nil)
        let (again, _) = try await fixture.loop.fetch(fixture.request("/a.ts"))
        #expect(again.connectionReused && fixture.origin.connectionCount == 1)
    }

    @Test("closes an idle connection for an urgent transfer's own when nothing else runs")
    func urgentAlone() async throws {
        var configuration = TransferLoopConfiguration()
        configuration.maximumTransfersPerHost = 1
        let fixture = try Fixture(configuration)
        fixture.origin.serve("/a.ts", bytes: [1])
        #expect(await fixture.failure(of: fixture.request("/a.ts")) == nil)
        var urgent = fixture.request("/a.ts")
        (urgent.priority, urgent.hasOwnConnection) = (.high, true)
        #expect(await fixture.failure(of: urgent) == nil)
        let (last, _) = try await fixture.loop.fetch(fixture.request("/a.ts"))
        #expect(!last.connectionReused && fixture.origin.connectionCount == 3)
    }

    @Test("follows a redirect with a long body to a whole one, though the rate changes in between")
    func redirected() async throws {
        var configuration = TransferLoopConfiguration()
        configuration.rateLimits.total = 10_000
        let fixture = try Fixture(configuration)
        let bytes = OriginResource.pattern(300_000)
        fixture.origin.serve("/b.ts", bytes: bytes)
        let body = String(repeating: "x", count: 300_000)
        fixture.origin.fault("/a.ts", .holdHeader)
        fixture.origin.fault("/a.ts", .status(302, headers: ["Location: /b.ts"], body: body))
        let request = fixture.request("/a.ts")
        let task = Task { try await fixture.loop.fetch(request).1 }
        #expect(await fixture.origin.waitForRequests(1))
        fixture.loop.limit { $0.total = nil }
        fixture.origin.release()
        #expect(try await task.value == bytes)
    }

    @Test(
        "takes a body of exactly the largest size, and none that is a byte longer", arguments: [true, false])
    func largest(isAnnounced: Bool) async throws {
        let fixture = try Fixture()
        fixture.origin.serve("/a.ts", bytes: OriginResource.pattern(1_000))
        if !isAnnounced { fixture.origin.fault("/a.ts", .chunked) }
        var request = fixture.request("/a.ts")
        request.maximumBodyBytes = 1_000
        #expect(try await fixture.loop.fetch(request).1 == OriginResource.pattern(1_000))
        request.maximumBodyBytes = 999
        #expect(await fixture.failure(of: request) == .tooLarge(limit: 999))
    }

    @Test(
        "names a proxy as the reason when its name has no address, and not when it answers and the body is cut"
    )
    func proxies() async throws {
        let fixture = try Fixture()
        let url = "http://media.invalid/a.ts"
        fixture.origin.serve(url, bytes: OriginResource.pattern(1_000))
        fixture.origin.fault(url, .truncate(after: 100))
        var request = TransferRequest(url: url)
        request.proxy = fixture.origin.url("")
        let cut = await error(of: request, in: fixture)
        #expect(cut?.code == .truncated(expected: 1_000, received: 100) && cut?.proxy == nil)
        request.proxy = "http://me:secret@proxy.invalid:3128"
        let unknown = await error(of: request, in: fixture)
        #expect(unknown?.code == .resolve && unknown?.proxy == "http://proxy.invalid:3128")
    }

    private func error(of request: TransferRequest, in fixture: Fixture) async -> TransferError? {
        do {
            _ = try await fixture.loop.fetch(request)
            return nil
        } catch {
            return error
        }
    }
}
