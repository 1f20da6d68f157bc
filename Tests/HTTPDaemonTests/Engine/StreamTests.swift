import Glibc
import HTTPTypes
import Locking
import TestSupport
import Testing

@testable import HTTPDaemon

@Suite("A stream body", .timeLimit(.minutes(2)))
struct StreamTests {
    private func serve(_ source: any BodySource, length: UInt64? = nil) throws -> TestServer {
        try TestServer { _ in .stream(source, length: length) }
    }

    private let get = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"

    @Test("without length is sent in chunks as it grows")
    func growing() async throws {
        let source = GrowingSource()
        let client = try serve(source).client()
        try await blocking {
            try client.send(get)
            #expect(try client.receive(until: "\r\n\r\n").contains("Transfer-Encoding: chunked"))
            source.append("one")
            #expect(try client.receive(until: "3\r\none\r\n").isEmpty == false)
            source.append("three")
            source.complete()
            #expect(String(decoding: try client.receiveAll(), as: UTF8.self) == "5\r\nthree\r\n0\r\n\r\n")
        }
        #expect(source.cancellations == 0)
    }

    @Test(
        "of unknown length sends no Content-Length beside its chunks, also if its fields have one (RFC 9112, section 6.2)"
    )
    func unknown() async throws {
        let source = GrowingSource()
        source.append("all")
        source.complete()
        let server = try TestServer { _ in
            .response(
                Response(
                    status: .ok, headers: [.contentLength: "3", .transferEncoding: "gzip"],
                    body: .stream(length: nil, source)))
        }
        let reply = try await server.exchange(get)
        #expect(reply.header("Transfer-Encoding") == "chunked" && reply.header("Content-Length") == nil)
        #expect(reply.text == "3\r\nall\r\n0\r\n\r\n")
    }

    @Test("with a length has Content-Length, and the connection goes on after it")
    func known() async throws {
        let source = GrowingSource()
        let client = try serve(source, length: 6).client()
        try await blocking {
            for _ in 0..<2 {
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                let head = Reply(Array(try client.receive(until: "\r\n\r\n").utf8))
                #expect(head.header("Content-Length") == "6")
                if source.reads < 3 { source.append("abc") }
                #expect(try client.receive(until: "abc") == "abc")
                if source.reads < 5 { source.append("def") }
                #expect(try client.receive(until: "def") == "def")
            }
        }
    }

    @Test("to HTTP/1.0 ends with the connection")
    func http10() async throws {
        let source = GrowingSource()
        source.append("all")
        source.complete()
        let reply = try await serve(source).exchange("GET / HTTP/1.0\r\n\r\n")
        #expect(reply.header("Transfer-Encoding") == nil)
        #expect(reply.text == "all")
    }

    @Test("of unknown length ends the connection of HTTP/1.0 that was to stay (RFC 9112, section 9.3)")
    func http10KeepAlive() async throws {
        let source = GrowingSource()
        source.append("all")
        source.complete()
        let request = "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"
        let reply = try await serve(source).exchange(request + request)
        #expect(reply.header("Connection")?.lowercased() == "close")
        #expect(reply.header("Transfer-Encoding") == nil && reply.header("Content-Length") == nil)
        #expect(reply.text == "all")
    }

    @Test("that fails breaks the connection: no last chunk, no complete length")
    func failing() async throws {
        let source = GrowingSource()
        source.append("part")
        source.fail()
        #expect(try await serve(source).exchange(get).text == "4\r\npart\r\n")
        #expect(try await serve(source, length: 10).exchange(get).text == "part")
    }

    @Test(
        "that fails resets the connection of HTTP/1.0, to which a plain end is the end of the body",
        .timeLimit(.minutes(2)))
    func failingToHTTP10() async throws {
        let source = GrowingSource()
        source.append("part")
        let client = try serve(source).client()
        try await blocking {
            try client.send("GET / HTTP/1.0\r\n\r\n")
            #expect(try client.receive(until: "part").hasSuffix("\r\n\r\npart"))
            source.fail()
            #expect(try client.endsWithReset())
        }
        try await source.untilCancelled()
        let complete = GrowingSource()
        complete.append("all")
        complete.complete()
        let other = try serve(complete).client()
        try await blocking {
            try other.send("GET / HTTP/1.0\r\n\r\n")
            #expect(try other.endsWithReset() == false)
        }
    }

    @Test("that is given up since its client takes nothing resets the connection of HTTP/1.0")
    func idleToHTTP10() async throws {
        var configuration = HTTPDaemonConfiguration()
        configuration.idleTimeout = .seconds(1)
        let source = GrowingSource()
        source.append([UInt8](repeating: 1, count: 30_000_000))
        let server = try TestServer(configuration) { _ in .stream(source) }
        let client = try server.client(receiveBuffer: 4096)
        try client.send("GET / HTTP/1.0\r\n\r\n")
        while server.daemon.connectionCount == 0 { try await Task.sleep(for: .milliseconds(1)) }
        while server.daemon.connectionCount > 0 { try await Task.sleep(for: .milliseconds(1)) }
        let isReset = try await blocking { try client.endsWithReset() }
        #expect(isReset)
    }

    @Test("that ends before its length breaks the connection")
    func short() async throws {
        let source = GrowingSource()
        source.append("part")
        source.complete()
        let client = try serve(source, length: 10).client()
        try await blocking {
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(Reply(try client.receiveAll()).text == "part")
        }
        try await source.untilCancelled()
        #expect(source.cancellations == 1)
    }

    @Test("longer than its length is cut there, and the next response is whole")
    func long() async throws {
        let source = GrowingSource()
        source.append("abcdefgh")
        let client = try serve(source, length: 4).client()
        try await blocking {
            for _ in 0..<2 {
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try client.response().text == "abcd")
            }
        }
    }

    @Test("of many megabytes arrives whole")
    func large() async throws {
        let bytes = testBytes(20_000_000)
        let source = GrowingSource()
        let server = try serve(source, length: UInt64(bytes.count))
        source.append(Array(bytes[..<7_000_001]))
        async let reply = server.exchange(get)
        source.append(Array(bytes[7_000_001...]))
        #expect(try await reply.body == bytes)
    }

    @Test("that appends nothing and says bytes breaks the connection instead of spinning")
    func nothing() async throws {
        struct Nothing: BodySource {
            func read(
                into writer: inout BodyWriter, at offset: UInt64, wake: @escaping @Sendable () -> Void
            ) -> BodyStep { .bytes }
        }
        #expect(try await serve(Nothing()).exchange(get).text == "")
    }

    @Test("woken without news is read again and waits again")
    func spurious() async throws {
        let source = GrowingSource()
        let client = try serve(source).client()
        try await blocking {
            try client.send(get)
            _ = try client.receive(until: "\r\n\r\n")
            for _ in 0..<1000 { source.wakeOnly() }
            source.append("x")
            source.complete()
            #expect(String(decoding: try client.receiveAll(), as: UTF8.self) == "1\r\nx\r\n0\r\n\r\n")
        }
        source.wakeOnly()
    }

    @Test("woken inside of its own read loses no wake")
    func wakeDuringRead() async throws {
        final class Eager: BodySource {
            let count = Lock(0)
            func read(
                into writer: inout BodyWriter, at offset: UInt64, wake: @escaping @Sendable () -> Void
            ) -> BodyStep {
                let reads = count.withLock { count in
                    count += 1
                    return count
                }
                if reads > 500 { return .end }
                if reads.isMultiple(of: 5) {
                    writer.append([65])
                    return .bytes
                }
                wake()
                return .wait(limit: .seconds(60))
            }
        }
        #expect(try await serve(Eager(), length: 100).exchange(get).body.count == 100)
    }

    @Test("that waits longer than its limit breaks the connection")
    func limit() async throws {
        let source = GrowingSource(limit: .milliseconds(20))
        source.append("part")
        #expect(try await serve(source, length: 10).exchange(get).text == "part")
        try await source.untilCancelled()
        #expect(source.cancellations == 1)
    }

    @Test("may be read again when its limit has passed")
    func readAgain() async throws {
        let source = GrowingSource(limit: .milliseconds(5), expiry: .readAgain)
        let client = try serve(source).client()
        try await blocking {
            try client.send(get)
            _ = try client.receive(until: "\r\n\r\n")
            while source.reads < 5 { usleep(1000) }
            source.complete()
            #expect(String(decoding: try client.receiveAll(), as: UTF8.self) == "0\r\n\r\n")
        }
    }

    @Test("is cancelled when the client leaves while it waits")
    func clientLeaves() async throws {
        let source = GrowingSource()
        let server = try serve(source)
        var client: RawClient? = try server.client()
        try client?.send(get)
        while source.reads == 0 { try await Task.sleep(for: .milliseconds(1)) }
        client = nil
        try await source.untilCancelled()
        #expect(source.cancellations == 1)
    }

    @Test("is not read for HEAD, which closes the connection if the length is unknown")
    func head() async throws {
        let source = GrowingSource()
        let reply = try await serve(source).exchange("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(reply.status == 200)
        #expect(reply.header("Connection") == "close")
        #expect(reply.body.isEmpty)
        #expect(source.reads == 0)
        try await source.untilCancelled()
        let known = try await serve(source, length: 7).exchange(
            "HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(known.header("Content-Length") == "7")
    }

    @Test("of a known length leaves the connection open after HEAD")
    func headOfKnownLength() async throws {
        let source = GrowingSource()
        source.append("abc")
        let client = try serve(source, length: 3).client()
        try await blocking {
            try client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.receive(until: "\r\n\r\n").contains("Content-Length: 3"))
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.response().text == "abc")
        }
    }

    @Test("waits for 200 clients at once while others are served")
    func many() async throws {
        let source = GrowingSource()
        let server = try TestServer { $0.path == "/wait" ? .stream(source, length: 3) : .text("ok") }
        let clients = try (0..<200).map { _ in try server.client() }
        for client in clients { try client.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n") }
        for _ in 0..<200 { #expect(try await server.get("/").text == "ok") }
        source.append("abc")
        let texts = try await blocking { try clients.map { try $0.response().text } }
        #expect(texts == [String](repeating: "abc", count: 200))
    }
}
