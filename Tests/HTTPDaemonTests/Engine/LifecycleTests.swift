import Glibc
import HTTPTypes
import Locking
import TestSupport
import Testing

@testable import HTTPDaemon

@Suite("A daemon")
struct LifecycleTests {
    private struct Silent: HTTPResponder {
        func respond(to request: Request) -> Answer { .text("ok") }
    }

    private func reason(address: String, port: UInt16 = 0) -> HTTPDaemonError.Reason? {
        do throws(HTTPDaemonError) {
            _ = try HTTPDaemon(
                configuration: HTTPDaemonConfiguration(address: address, port: port), responder: Silent())
            return nil
        } catch {
            return error.reason
        }
    }

    @Test("says why it can't listen")
    func errors() throws {
        let server = try TestServer { _ in .text("ok") }
        #expect(reason(address: "127.0.0.1", port: server.daemon.port) == .portInUse)
        #expect(reason(address: "192.0.2.1") == .addressNotAvailable)
        #expect(reason(address: "localhost") == .invalidAddress)
        #expect(reason(address: "") == .invalidAddress)
        let error = HTTPDaemonError(reason: .portInUse, address: "::1", port: 80)
        #expect(error.description == "cannot listen on [::1]:80: the port is in use by another program")
    }

    @Test("listens on IPv6, on one thread, on all addresses", arguments: ["::1", "127.0.0.1", "0.0.0.0"])
    func addresses(address: String) async throws {
        var configuration = HTTPDaemonConfiguration(address: address)
        configuration.threads = 1
        let server = try TestServer(configuration) { .text($0.peer) }
        let client = try RawClient(
            port: server.daemon.port, host: address == "0.0.0.0" ? "127.0.0.1" : address)
        try await blocking {
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.response().text == (address == "::1" ? "::1" : "127.0.0.1"))
        }
    }

    /// Whether this machine has IPv6.
    private static let hasIPv6 = LocalAddress.all.contains { $0.isIPv6 }

    @Test(
        "on all addresses of IPv6 leaves the same port of IPv4 to another one",
        .enabled(if: hasIPv6, "IPv6 is missing"))
    func families() throws {
        // Another program may have a port of IPv4 by chance, but not each time.
        let isLeft = try (0..<10).contains { _ in
            let server = try TestServer(HTTPDaemonConfiguration(address: "::")) { _ in .text("ok") }
            return withExtendedLifetime(server) {
                reason(address: "0.0.0.0", port: server.daemon.port) == nil
            }
        }
        #expect(isLeft)
    }

    @Test("stops while clients wait: streams break, deferred answers become 503, the port is free")
    func stopWhileWaiting() async throws {
        let source = GrowingSource()
        source.append("part")
        let begun = Lock(0)
        let server = try TestServer { request in
            if request.path == "/stream" { return .stream(source, length: 10) }
            return .later(deadline: .seconds(600)) { _ in
                begun.withLock { $0 += 1 }
                try? await Task.sleep(for: .seconds(600))
                return Response(status: .ok)
            }
        }
        async let broken = server.get("/stream")
        async let refused = server.get("/later")
        while begun.withLock({ $0 }) == 0 || source.reads < 2 { try await Task.sleep(for: .milliseconds(1)) }
        await server.daemon.stop()
        #expect(try await broken.text == "part")
        #expect(try await refused.status == 503)
        #expect(source.cancellations == 1)
        #expect(reason(address: "127.0.0.1", port: server.daemon.port) == nil)
        #expect(server.daemon.connectionCount == 0)
    }

    @Test("answers a request that changes something before it stops")
    func changesAreAnswered() async throws {
        let begun = Lock(false)
        let server = try TestServer { _ in
            .later(deadline: .seconds(600)) { _ in
                begun.withLock { $0 = true }
                try? await Task.sleep(for: .milliseconds(50))
                return Response(status: Task.isCancelled ? .serviceUnavailable : .noContent)
            }
        }
        async let answered = server.exchange("DELETE / HTTP/1.1\r\nHost: a\r\n\r\n")
        while !begun.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
        await server.daemon.stop(grace: .seconds(20))
        #expect(try await answered.status == 204)
    }

    @Test("stops while resting clients are woken, over and over")
    func stopUnderLoad() async throws {
        for _ in 0..<20 {
            let source = GrowingSource(limit: .milliseconds(1), expiry: .readAgain)
            let server = try TestServer { request in
                if request.path == "/stream" { return .stream(source) }
                return .later(deadline: .milliseconds(2)) { _ in
                    try? await Task.sleep(for: .milliseconds(2))
                    return Response(status: .ok)
                }
            }
            let clients = try (0..<20).map { _ in try server.client() }
            for (number, client) in clients.enumerated() {
                let path = number.isMultiple(of: 2) ? "/stream" : "/later"
                try client.send(String(repeating: "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n", count: 20))
            }
            async let wakes: Void = blocking { for _ in 0..<2000 { source.append("x") } }
            await server.daemon.stop(grace: .milliseconds(5))
            try await wakes
            #expect(server.daemon.connectionCount == 0)
        }
    }

    @Test("lets a running response go on for a while")
    func grace() async throws {
        let body = [UInt8](repeating: 9, count: 5_000_000)
        let server = try TestServer { _ in .response(Response(status: .ok, body: .bytes(body))) }
        let client = try server.client(receiveBuffer: 4096)
        try await blocking {
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try client.receive(until: "\r\n\r\n")
        }
        async let stopped: Void = server.daemon.stop(grace: .seconds(20))
        let received = try await blocking { try client.receiveAll() }
        await stopped
        #expect(received == body)
    }

    @Test("sends the rest of a body that is still arriving, and breaks off one that has no end")
    func arriving() async throws {
        let (finite, endless) = (GrowingSource(), GrowingSource())
        for source in [finite, endless] { source.append("part") }
        let server = try TestServer { request in
            request.path == "/segment" ? .stream(finite, length: 8) : .stream(endless)
        }
        async let whole = server.get("/segment")
        async let broken = server.get("/events")
        while finite.reads < 2 || endless.reads < 2 { try await Task.sleep(for: .milliseconds(1)) }
        async let stopped: Void = server.daemon.stop(grace: .seconds(20))
        while endless.cancellations == 0 { try await Task.sleep(for: .milliseconds(1)) }
        finite.append("rest")
        #expect(try await whole.text == "partrest")
        _ = try? await broken
        await stopped
    }

    @Test("stops once, however often it is told to")
    func twice() async throws {
        let server = try TestServer { _ in .text("ok") }
        async let first: Void = server.daemon.stop()
        async let second: Void = server.daemon.stop()
        _ = await (first, second)
        #expect(throws: RawClient.Failure.self) { try server.client() }
    }

    @Test("stops when it is released")
    func released() throws {
        var server: TestServer? = try TestServer { _ in .text("ok") }
        let port = try #require(server?.daemon.port)
        server = nil
        #expect(throws: RawClient.Failure.self) { try RawClient(port: port) }
    }

    @Test("forgets connections that have ended")
    func forgets() async throws {
        let server = try TestServer { _ in .text("ok") }
        for _ in 0..<50 { #expect(try await server.get("/").text == "ok") }
        while server.daemon.connectionCount > 0 { try await Task.sleep(for: .milliseconds(1)) }
    }
}
