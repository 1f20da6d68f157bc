import Glibc
import HTTPTypes
import Locking
import TestSupport
import Testing

@testable import HTTPDaemon

@Suite("A deferred answer", .timeLimit(.minutes(2)))
struct DeferredTests {
    @Test("is sent when it is ready, with the request at hand, and the connection goes on")
    func later() async throws {
        let server = try TestServer { _ in
            .later(deadline: .seconds(60)) { request in
                await Task.yield()
                return Response(status: .ok, body: .bytes(Array(request.path.utf8) + request.body))
            }
        }
        let client = try server.client()
        try await blocking {
            for number in 0..<50 {
                try client.send("POST /\(number)- HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody")
                #expect(try client.response().text == "/\(number)-body")
            }
        }
    }

    @Test("may be a stream")
    func stream() async throws {
        let source = GrowingSource()
        let server = try TestServer { _ in
            .later(deadline: .seconds(60)) { _ in Response(status: .ok, body: .stream(length: 2, source)) }
        }
        async let reply = server.get("/")
        source.append("ab")
        #expect(try await reply.text == "ab")
    }

    @Test("that is a stream is not cancelled when it is ready")
    func stillWanted() async throws {
        let source = GrowingSource()
        source.append("ab")
        let pool = WorkPool(threads: 1)
        let server = try TestServer { _ in
            .later(deadline: .seconds(60), on: pool) { _ in
                Response(status: .ok, body: .stream(length: 2, source))
            }
        }
        // The only thread is done with the first answer when it makes the second.
        for _ in 0..<2 { #expect(try await server.get("/").text == "ab") }
        #expect(source.cancellations == 0)
    }

    @Test("may be a stream that has nothing to send for longer than its source waits")
    func readAgain() async throws {
        let source = GrowingSource(limit: .milliseconds(5), expiry: .readAgain)
        let server = try TestServer { _ in
            .later(deadline: .seconds(600)) { _ in Response(status: .ok, body: .stream(length: 2, source)) }
        }
        async let reply = server.get("/")
        while source.reads < 5 { try await Task.sleep(for: .milliseconds(1)) }
        source.append("ab")
        #expect(try await reply.text == "ab")
    }

    /// A server whose answers wait for the gate's cancellation.
    private func gated(_ gate: GrowingSource, _ body: ResponseBody) throws -> TestServer {
        try TestServer { _ in
            .later(deadline: .seconds(600)) { _ in
                while gate.cancellations == 0 { try? await Task.sleep(for: .milliseconds(1)) }
                return Response(status: .ok, body: body)
            }
        }
    }

    private let last = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"

    @Test("reaches a client that sends no more, which hears meanwhile that it is being made")
    func halfClosed() async throws {
        let gate = GrowingSource()
        let client = try gated(gate, .bytes(Array("late".utf8))).client()
        try await blocking {
            try client.send(last)
            client.finish()
            #expect(try client.receive(until: "\r\n\r\n") == "HTTP/1.1 102 Processing\r\n\r\n")
            gate.cancelled()
            let reply = try client.response()
            #expect(reply.status == 200 && reply.text == "late")
        }
    }

    @Test("is announced once to a client that sends no more, however often it is looked after")
    func announcedOnce() async throws {
        let gate = GrowingSource()
        let server = try gated(gate, .bytes(Array("late".utf8)))
        let clients = try (0..<3).map { _ in try server.client() }
        let reply = try await blocking {
            for client in clients {
                try client.send(last)
                client.finish()
                // Those before it are looked after at the same time, again.
                #expect(try client.receive(until: "\r\n\r\n") == "HTTP/1.1 102 Processing\r\n\r\n")
            }
            gate.cancelled()
            return Reply(try clients[0].receiveAll())
        }
        #expect(reply.status == 200 && reply.text == "late")
    }

    @Test("is all that HTTP/1.0 gets, which knows no interim answers (RFC 9110, section 15.2)")
    func halfClosedHTTP10() async throws {
        let gate = GrowingSource()
        let server = try gated(gate, .bytes(Array("late".utf8)))
        let (old, new) = (try server.client(), try server.client())
        let reply = try await blocking {
            for (client, version) in [(old, "1.0"), (new, "1.1")] {
                try client.send("GET / HTTP/\(version)\r\nHost: a\r\nConnection: close\r\n\r\n")
                client.finish()
            }
            // All who wait are looked after at the same time.
            #expect(try new.receive(until: "\r\n\r\n") == "HTTP/1.1 102 Processing\r\n\r\n")
            gate.cancelled()
            #expect(Reply(try new.receiveAll()).text == "late")
            return Reply(try old.receiveAll())
        }
        #expect(reply.status == 200 && reply.text == "late")
    }

    @Test("reaches all clients that send no more, whose answers are ready at once, beside one that rests")
    func manyHalfClosed() async throws {
        let gate = GrowingSource()
        let begun = Lock(0)
        let server = try TestServer { request in
            guard request.path == "/late" else { return .response(Response(status: .ok)) }
            return .later(deadline: .seconds(600)) { _ in
                begun.withLock { $0 += 1 }
                while gate.cancellations == 0 { try? await Task.sleep(for: .milliseconds(1)) }
                return Response(status: .ok, body: .bytes(Array("late".utf8)))
            }
        }
        let resting = try (0..<4).map { _ in try server.client() }
        let clients = try (0..<8).map { _ in try server.client() }
        let replies = try await blocking {
            for client in resting {
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try client.response().status == 200)
            }
            for client in clients {
                try client.send("GET /late HTTP/1.0\r\nHost: a\r\n\r\n")
                client.finish()
            }
            while begun.withLock(\.self) < clients.count { usleep(1000) }
            gate.cancelled()
            return try clients.map { Reply(try $0.receiveAll()).text }
        }
        #expect(replies == Array(repeating: "late", count: clients.count))
    }

    @Test("that is a stream goes on to a client that had closed its sending side before")
    func halfClosedStream() async throws {
        let gate = GrowingSource()
        let source = GrowingSource(limit: .milliseconds(5), expiry: .readAgain)
        let client = try gated(gate, .stream(length: 4, source)).client()
        try await blocking {
            try client.send(last)
            client.finish()
            gate.cancelled()
            while source.reads < 5 { usleep(1000) }
            source.append("late")
            #expect(String(decoding: try client.receiveAll(), as: UTF8.self).hasSuffix("\r\n\r\nlate"))
        }
    }

    @Test("that takes longer than its deadline is cancelled and becomes a 503")
    func deadline() async throws {
        let wasCancelled = Lock(false)
        let server = try TestServer { _ in
            .later(deadline: .milliseconds(20)) { _ in
                try? await Task.sleep(for: .seconds(60))
                wasCancelled.withLock { $0 = Task.isCancelled }
                return Response(status: .ok)
            }
        }
        let reply = try await server.get("/")
        #expect(reply.status == 503)
        #expect(reply.header("Retry-After") == "1")
        while !wasCancelled.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test("that is ready after its deadline is dropped, and its stream is cancelled")
    func tooLate() async throws {
        let source = GrowingSource()
        let gate = GrowingSource()
        let server = try TestServer { _ in
            .later(deadline: .milliseconds(20)) { _ in
                while gate.cancellations == 0 { await Task.yield() }
                return Response(status: .ok, body: .stream(length: nil, source))
            }
        }
        #expect(try await server.get("/").status == 503)
        gate.cancelled()
        try await source.untilCancelled()
        #expect(source.reads == 0)
    }

    @Test("is cancelled when the client leaves")
    func clientLeaves() async throws {
        let state = Lock((begun: false, cancelled: false))
        let server = try TestServer { _ in
            .later(deadline: .seconds(600)) { _ in
                state.withLock { $0.begun = true }
                try? await Task.sleep(for: .seconds(600))
                state.withLock { $0.cancelled = Task.isCancelled }
                return Response(status: .ok)
            }
        }
        var client: RawClient? = try server.client()
        try client?.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        while !state.withLock({ $0.begun }) { try await Task.sleep(for: .milliseconds(1)) }
        client = nil
        while !state.withLock({ $0.cancelled }) { try await Task.sleep(for: .milliseconds(10)) }
    }
}
