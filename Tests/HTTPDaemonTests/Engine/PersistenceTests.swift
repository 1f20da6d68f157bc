import HTTPTypes
import Locking
import TestSupport
import Testing

@testable import HTTPDaemon

/// RFC 9112, sections 2, 3 and 9.
@Suite("A connection", .timeLimit(.minutes(2)))
struct PersistenceTests {
    private let server: TestServer
    private static let get = "GET /x HTTP/1.1\r\nHost: a\r\n"

    init() throws {
        var patient = HTTPDaemonConfiguration()
        (patient.headTimeout, patient.bodyTimeout) = (.seconds(600), .seconds(600))
        server = try TestServer(patient) { .text("\($0.method) \($0.path) \($0.body.count)") }
    }

    /// What comes back until the connection ends, for a client that has more to say.
    private func exchange(_ text: String) async throws -> Reply { try await server.exchange(text) }

    @Test("may begin with empty lines", arguments: ["\r\n", "\r\n\r\n"])
    func emptyLines(start: String) async throws {
        let reply = try await exchange("\(start)\(Self.get)Connection: close\r\n\r\n")
        #expect(reply.text == "GET /x 0")
    }

    @Test(
        "ends after the answer when the client asks for it, and later bytes are not read",
        arguments: ["close", "Close", "x, close", "close, x"])
    func close(option: String) async throws {
        let reply = try await exchange("\(Self.get)Connection: \(option)\r\n\r\n\(Self.get)\r\n")
        #expect(reply.header("Connection") == "close")
        #expect(reply.text == "GET /x 0")
    }

    @Test("ends after HTTP/1.0, unless the client wants it to stay")
    func http10() async throws {
        #expect(try await exchange("GET /x HTTP/1.0\r\n\r\n\(Self.get)\r\n").text == "GET /x 0")
        let client = try server.client()
        try await blocking {
            for _ in 0..<2 {
                try client.send("GET /x HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
                let reply = try client.response()
                #expect(reply.header("Connection")?.lowercased() == "keep-alive")
                #expect(reply.text == "GET /x 0")
            }
        }
    }

    @Test("stays with HTTP/1.1, and takes the content of one request never for the next")
    func content() async throws {
        let inner = "GET /inner HTTP/1.1\r\nHost: a\r\n\r\n"
        let lines = "HTTP/1.1\r\nHost: a\r\nContent-Length: \(inner.utf8.count)\r\n\r\n\(inner)"
        let client = try server.client()
        try await blocking {
            try client.send("POST /x \(lines)GET /x \(lines)HEAD /x \(lines)\(Self.get)\r\n")
            #expect(try client.response().text == "POST /x \(inner.utf8.count)")
            #expect(try client.response().text == "GET /x \(inner.utf8.count)")
            #expect(try client.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200"))
            #expect(try client.response().text == "GET /x 0")
        }
    }

    @Test(
        "answers in the order of the requests, also if an early answer takes long (RFC 9112, section 9.3.2)",
        arguments: ["/later", "/stream"])
    func order(first: String) async throws {
        let source = GrowingSource()
        let asked = Lock<[String]>([])
        let server = try TestServer { request in
            asked.withLock { $0.append(request.path) }
            switch request.path {
            case "/stream": return .stream(source, length: 7)
            case "/later":
                return .later(deadline: .seconds(600)) { request in
                    while source.cancellations == 0 { try? await Task.sleep(for: .milliseconds(1)) }
                    return Response(status: .ok, body: .bytes(Array(request.path.utf8)))
                }
            default: return .text(request.path)
            }
        }
        let client = try server.client()
        try client.send("GET \(first) HTTP/1.1\r\nHost: a\r\n\r\nGET /now HTTP/1.1\r\nHost: a\r\n\r\n")
        while asked.withLock({ $0.isEmpty }) { try await Task.sleep(for: .milliseconds(1)) }
        // Others are answered meanwhile, as the second request would be.
        for _ in 0..<10 { #expect(try await server.get("/other").text == "/other") }
        let heard = asked.withLock { $0 }
        #expect(heard.filter { $0 != "/other" } == [first])
        source.append("/stream")
        source.cancelled()
        let texts = try await blocking { try (0..<2).map { _ in try client.response().text } }
        #expect(texts == [first, "/now"])
    }

    @Test("judges each header section by itself, also after the same one again and again")
    func repeatedFields() async throws {
        let server = try TestServer {
            .text("\($0.authority ?? "-") \($0.isUnconditional) \($0.comesFromPage) \($0.body.count)")
        }
        let exchanges = [
            ("GET", "Host: a\r\n", "a true false 0"), ("GET", "Host: a\r\n", "a true false 0"),
            ("PUT", "Host: a\r\n", "a true false 0"), ("GET", "Host: b\r\n", "b true false 0"),
            ("GET", "Host: b\r\nRange: bytes=0-\r\n", "b false false 0"),
            ("GET", "Host: b\r\nrange: bytes=1-\r\n", "b false false 0"),
            ("GET", "Host: b\r\nOrigin: http://c\r\n", "b true true 0"),
            ("GET", "Host: b\r\n", "b true false 0"),
            ("PUT", "Host: b\r\nContent-Length: 2\r\n\r\nhi", "b true false 2"),
            ("PUT", "Host: b\r\nContent-Length: 2\r\n\r\nho", "b true false 2"),
        ]
        let client = try server.client()
        try await blocking {
            for (method, fields, answer) in exchanges {
                try client.send(
                    "\(method) /x HTTP/1.1\r\n\(fields)\(fields.contains("\r\n\r\n") ? "" : "\r\n")")
                #expect(try client.response().text == answer)
            }
            try client.send("GET /x HTTP/1.1\r\nHost: b\r\nHost: b\r\n\r\n")
            #expect(try client.response().status == 400)
        }
    }

    @Test("of a later minor version is one of HTTP/1.1", arguments: ["HTTP/1.2", "HTTP/1.9"])
    func laterVersion(version: String) async throws {
        let reply = try await exchange("GET /x \(version)\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(reply.statusLine == "HTTP/1.1 200 OK")
        #expect(reply.text == "GET /x 0")
    }

    @Test(
        "of another HTTP version ends with one refusal",
        arguments: [
            ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505), ("GET /x HTTP/0.9\r\nHost: a\r\n\r\n", 400),
            ("GET /x\r\n", 400), ("GET /x\r\n\r\n", 400), ("GET /x HTTP/1.10\r\nHost: a\r\n\r\n", 400),
            ("GET /x HTTP/1\r\nHost: a\r\n\r\n", 400), ("GET /x HTTP/1.x\r\nHost: a\r\n\r\n", 400),
        ])
    func otherVersion(text: String, status: Int) async throws {
        let reply = try await exchange(text)
        #expect(reply.status == status || reply.status == 505)
        #expect(!reply.text.contains("HTTP/1.1 "))
    }

    @Test("gets no 100 in HTTP/1.0, nor for an unknown expectation")
    func expectations() async throws {
        let lines = "Host: a\r\nConnection: close\r\nContent-Length: 2\r\n"
        for (version, expectation) in [("1.0", "100-continue"), ("1.1", "tea")] {
            let text = "PUT /x HTTP/\(version)\r\n\(lines)Expect: \(expectation)\r\n\r\nab"
            #expect(try await exchange(text).text == "PUT /x 2")
        }
    }

    @Test(
        "that the client ends within a request, or after one, is ended at once",
        arguments: [
            "", "GET /x HT", get, "PUT /x HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nab",
            "PUT /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
        ])
    func halfClosed(text: String) async throws {
        let client = try server.client()
        let reply = try await blocking {
            try client.send(text)
            client.finish()
            return Reply(try client.receiveAll())
        }
        #expect(reply.statusLine == "")
        while server.daemon.connectionCount > 0 { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test("whose client has no more to say still gets its answer, and does not rest afterwards")
    func lastRequest() async throws {
        let client = try server.client()
        let reply = try await blocking {
            try client.send("\(Self.get)\r\n")
            client.finish()
            return Reply(try client.receiveAll())
        }
        #expect(reply.text == "GET /x 0")
    }

    @Test("whose client takes nothing of its answer is ended")
    func neverReads() async throws {
        var configuration = HTTPDaemonConfiguration()
        configuration.idleTimeout = .seconds(1)
        let large = try #require(
            PreparedResponse(Response(status: .ok, body: .bytes([UInt8](repeating: 1, count: 30_000_000)))))
        let server = try TestServer(configuration) { _ in .prepared(large) }
        let client = try server.client(receiveBuffer: 4096)
        try client.send("\(Self.get)\r\n")
        while server.daemon.connectionCount == 0 { try await Task.sleep(for: .milliseconds(1)) }
        while server.daemon.connectionCount > 0 { try await Task.sleep(for: .milliseconds(1)) }
    }
}
