import HTTPTypes
import TestSupport
import Testing

@testable import HTTPDaemon

@Suite("A response", .timeLimit(.minutes(2)))
struct ResponseTests {
    @Test("carries its fields, a date, and no name of the server")
    func fields() async throws {
        let server = try TestServer { _ in
            .response(
                Response(
                    status: .created, headers: [.contentType: "text/plain", .contentLength: "99"],
                    body: .bytes(Array("abc".utf8))))
        }
        let reply = try await server.get("/")
        #expect(reply.statusLine == "HTTP/1.1 201 Created")
        #expect(reply.header("Content-Type") == "text/plain")
        #expect(reply.header("Content-Length") == "3")
        #expect(reply.header("X-Content-Type-Options") == "nosniff")
        #expect(reply.header("Date").flatMap { HTTPDate($0, now: HTTPDate(seconds: 0)) } != nil)
        #expect(reply.header("Server") == nil)
        #expect(reply.text == "abc")
    }

    @Test(
        "has one line for a field, also if its value has line ends (RFC 9112, section 11.1)",
        arguments: ["\r\n", "\r", "\n", "\r\n\r\n", "\u{0}"])
    func splitting(end: String) async throws {
        let server = try TestServer { _ in
            .response(
                Response(
                    status: .ok, headers: [.contentType: "a/b\(end)X-Evil: 1\(end)"],
                    body: .bytes(Array("abc".utf8))))
        }
        let reply = try await server.get("/")
        #expect(reply.header("Content-Type")?.hasPrefix("a/b ") == true && reply.header("X-Evil") == nil)
        #expect(reply.lines.allSatisfy { line in line.utf8.allSatisfy { $0 >= 0x20 } })
        #expect(reply.text == "abc")
    }

    @Test("to HEAD has the fields and no body, and the connection goes on")
    func head() async throws {
        let server = try TestServer { _ in .text("abcdef") }
        let client = try server.client()
        try await blocking {
            try client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.receive(until: "\r\n\r\n").contains("Content-Length: 6"))
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.response().text == "abcdef")
        }
    }

    @Test("prepared once is sent many times, at once and on one connection")
    func prepared() async throws {
        let prepared = try #require(PreparedResponse(Response(status: .ok, body: .bytes(Array("same".utf8)))))
        let server = try TestServer { _ in .prepared(prepared) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let client = try server.client()
                    try await blocking {
                        for _ in 0..<100 {
                            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                            #expect(try client.response().text == "same")
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("can't be prepared from a stream")
    func unprepared() {
        #expect(PreparedResponse(Response(status: .ok, body: .stream(length: nil, GrowingSource()))) == nil)
    }

    @Test("204 has no body and nothing that frames one, and the connection goes on (RFC 9112, section 6.1)")
    func noContent() async throws {
        let server = try TestServer { _ in .response(Response(status: .noContent)) }
        let client = try server.client()
        try await blocking {
            for _ in 0..<2 {
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                let head = Reply(Array(try client.receive(until: "\r\n\r\n").utf8))
                #expect(head.statusLine == "HTTP/1.1 204 No Content")
                #expect(head.header("Transfer-Encoding") == nil && head.header("Content-Length") == nil)
            }
        }
    }

    @Test("304 tells the length of the body it does not have, and the connection goes on")
    func notModified() async throws {
        let representation = Representation(size: 1000, entityTag: EntityTag(strong: "t"))
        let server = try TestServer { request in
            .response(
                representation.response(
                    to: request, headers: [.contentType: "a/b"], now: HTTPDate(seconds: 0)
                ) { _ in .bytes(Array(repeating: 65, count: 1000)) })
        }
        let client = try server.client()
        try await blocking {
            try client.send("GET / HTTP/1.1\r\nHost: a\r\nIf-None-Match: \"t\"\r\n\r\n")
            let head = Reply(Array(try client.receive(until: "\r\n\r\n").utf8))
            #expect(head.status == 304)
            #expect(head.header("Content-Length") == "1000")
            #expect(head.header("ETag") == "\"t\"")
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.response().body.count == 1000)
        }
    }

    @Test("304 tells no length of a body whose length is not known", arguments: ["GET", "HEAD"])
    func notModifiedOfUnknownLength(method: String) async throws {
        let source = GrowingSource()
        let server = try TestServer { request in
            .response(
                Representation(size: nil).response(
                    to: request, headers: [:], now: HTTPDate(seconds: 0)
                ) { _ in .stream(length: nil, source) })
        }
        let known = try await server.exchange(
            "\(method) / HTTP/1.1\r\nHost: a\r\nIf-None-Match: *\r\n\r\n")
        #expect(known.status == 304 && known.body.isEmpty)
        #expect(known.header("Content-Length") == nil && known.header("Transfer-Encoding") == nil)
    }

    @Test("is a problem document when the request is refused")
    func problem() async throws {
        let server = try TestServer { _ in .text("") }
        let reply = try await server.exchange("GET / HTTP/1.1\r\n\r\n")
        #expect(reply.header("Content-Type") == "application/problem+json")
        #expect(reply.header("Connection") == "close")
        #expect(
            reply.text
                == #"{"type":"about:blank","title":"Bad Request","status":400,"detail":"There is no Host."}"#)
    }

    @Test("to a request that the daemon refuses is made with it, when it was understood")
    func refusals() async throws {
        var configuration = HTTPDaemonConfiguration()
        configuration.bodyLimit = 8
        let server = try TestServer(configuration) { _ in
            .later(deadline: .milliseconds(20)) { _ in
                try? await Task.sleep(for: .seconds(600))
                return Response(status: .ok)
            }
        } refusing: { refusal, request in
            Response(status: refusal.status, body: .bytes(Array((request?.path ?? "-").utf8)))
        }
        let late = try await server.get("/late")
        #expect(late.status == 503 && late.text == "/late")
        let head = "PUT /long HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        let long = try await server.exchange(head + "8\r\nabcdefgh\r\n1\r\ni\r\n0\r\n\r\n")
        #expect(long.status == 413 && long.text == "/long")
        let announced = try await server.exchange(
            "PUT /long HTTP/1.1\r\nHost: a\r\nContent-Length: 17\r\n\r\n")
        #expect(announced.status == 413 && announced.text == "/long")
        let malformed = try await server.get("/malformed", "Host: b")
        #expect(malformed.status == 400 && malformed.text == "-")
    }

    @Test("sees the request: fields in any case, several lines, the peer")
    func request() async throws {
        let server = try TestServer { request in
            .text(
                "\(request.headerValues(.accept)) \(request.header(.range) ?? "-") \(request.peer) \(request.headers.count)"
            )
        }
        let reply = try await server.get("/", "ACCEPT: a", "accept: b", "Range:  bytes=0- ")
        #expect(reply.text == "[\"a\", \"b\"] bytes=0- 127.0.0.1 5")
    }
}
