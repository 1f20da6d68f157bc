import TestSupport
import Testing

@testable import Transfers

@Suite("The order of a host's transfers")
struct LoopOrderTests {
    private let fixture: Fixture
    /// An origin that answers at once.
    private let other: OriginServer

    /// One transfer at a time; the first is held.
    init() throws {
        var configuration = TransferLoopConfiguration()
        (configuration.maximumTransfersPerHost, configuration.urgentReserve) = (1, 0)
        fixture = try Fixture(configuration)
        other = try OriginServer()
        for path in ["/known.ts", "/first.ts", "/second.ts", "/third.ts"] {
            fixture.origin.serve(path, bytes: [1])
        }
        fixture.origin.fault("/first.ts", .holdHeader)
    }

    /// Asks for a path; the value is the code that the transfer fails with.
    private func ask(
        for path: String, _ change: (inout TransferRequest) -> Void = { _ in }
    ) -> Task<TransferError.Code?, Never> {
        var request = fixture.request(path)
        change(&request)
        return Task.immediate { [request] in await fixture.failure(of: request) }
    }

    /// Waits until the loop, which obeys in order, has obeyed everything that it was told.
    private func obeyed() async throws {
        var request = TransferRequest(url: other.url("/"))
        request.allowsPrivateAddresses = true
        _ = try await fixture.loop.fetch(request)
    }

    @Test("has an urgent one before one that waits, also after an answer over HTTP/1.1")
    func urgent() async throws {
        #expect(await fixture.failure(of: fixture.request("/known.ts")) == nil)
        let first = ask(for: "/first.ts")
        #expect(await fixture.origin.waitForRequests(2))
        let second = ask(for: "/second.ts")
        try await obeyed()
        let third = ask(for: "/third.ts") { $0.priority = .high }
        try await obeyed()
        fixture.origin.release()
        for task in [first, second, third] { #expect(await task.value == nil) }
        let paths = fixture.origin.requests.map(\.path)
        #expect(paths == ["/known.ts", "/first.ts", "/third.ts", "/second.ts"])
    }

    @Test("changes for one that becomes urgent while it waits")
    func becomesUrgent() async throws {
        let control = TransferControl()
        let first = ask(for: "/first.ts")
        #expect(await fixture.origin.waitForRequests(1))
        let second = ask(for: "/second.ts")
        let third = ask(for: "/third.ts") { $0.control = control }
        try await obeyed()
        control.isUrgent = true
        try await obeyed()
        fixture.origin.release()
        for task in [first, second, third] { #expect(await task.value == nil) }
        #expect(fixture.origin.requests.map(\.path) == ["/first.ts", "/third.ts", "/second.ts"])
    }

    @Test("goes on without one that is interrupted while it waits")
    func interrupted() async throws {
        let control = TransferControl()
        let first = ask(for: "/first.ts")
        #expect(await fixture.origin.waitForRequests(1))
        let second = ask(for: "/second.ts") { $0.control = control }
        let third = ask(for: "/third.ts")
        try await obeyed()
        control.interrupt()
        #expect(await second.value == .cancelled)
        fixture.origin.release()
        #expect(await first.value == nil)
        #expect(await third.value == nil)
        #expect(fixture.origin.requests.map(\.path) == ["/first.ts", "/third.ts"])
    }
}
