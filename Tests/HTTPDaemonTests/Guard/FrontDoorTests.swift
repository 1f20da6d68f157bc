import HTTPTypes
import TestSupport
import Testing

@testable import HTTPDaemon

/// Requests as bytes on a socket, against the real libmicrohttpd.
@Suite("The front door", .timeLimit(.minutes(2)))
struct FrontDoorTests {
    private let server: TestServer
    private let host = "Host: a\r\n"

    init() throws {
        server = try TestServer { request in
            .text("\(request.method) \(request.path) \(request.query ?? "-") \(request.authority ?? "-")")
        }
    }

    /// The connection must end after the answer, or be told to.
    private func status(_ text: String) async throws -> Int {
        try await server.exchange(text).status
    }

    @Test(
        "refuses an ambiguous request",
        arguments: [
            "GET /x HTTP/1.1\r\n\r\n", "GET /x HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
            "GET /x HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n", "GET /x HTTP/1.1\r\nHost: a b\r\n\r\n",
            "GET /x HTTP/1.1\r\nHost:\r\n\r\n", "GET /x HTTP/1.1\r\nHost: a,b@c\r\n\r\n",
            "GET http://a/x HTTP/1.1\r\n\r\n", "GET http://a/x HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
            "GET http://a/x HTTP/1.1\r\nHost: a b\r\n\r\n", "GET http://a/x HTTP/1.1\r\nHost:\r\n\r\n",
            "GET /x HTTP/1.1\r\nHost: a\r\nX: a\u{0}b\r\nY: c\r\n\r\n",
            "GET /x HTTP/1.1\r\nHost: a\r\nX: a\u{0}\r\n\r\n",
            "GET /x HTTP/1.1\r\nHost: a\r\nX: a\u{0}bcd\r\n\r\n",
            "GET /x HTTP/1.1\r\nHost: a\r\n\u{0}X: a\r\n\r\n",
            "GET /x HTTP/1.1\r\nHost: a\r\n\u{0}\r\nX: a\r\n\r\n",
            "GET /x HTTP/1.1\r\nHost: a\r\nX\u{0}Y: a\r\n\r\n",
            "GET /x HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n",
            "GET /x HTTP/1.1\r\nHost: a\r\nX: a\r\r\n\r\n",
            "GET /x HTTP/1.1\r\nHost: a\r\nX: a\nY: b\r\n\r\n",
            "GET /x HTTP/1.1\nHost: a\n\n", "GET /x HTTP/1.1\r\nHost: a\r\n\n",
            "GET /x HTTP/1.1\r\nHost: a\r\nX : a\r\n\r\n", "GET /x HTTP/1.1\r\nHost: a\r\nX\t: a\r\n\r\n",
            "GET /x HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n",
            "GET /x HTTP/1.1\r\nX: a\r\n\tb\r\nHost: a\r\n\r\n",
            "GET /x HTTP/1.1\r\n X: a\r\nHost: a\r\n\r\n", "GET /x HTTP/1.1\r\nHost: a\r\n b\r\n\r\n",
            "POST /x HTTP/1.1\r\nContent-Length: 3\r\nHost: a\r\nX: a\r\n\tb\r\n\r\nabc",
            "GET /x HTTP/1.1\r\nHost: a\r\nX\r\n\r\n", "GET /x HTTP/1.1\r\nHost: a\r\n: x\r\n\r\n",
            "GET  /x HTTP/1.1\r\nHost: a\r\n\r\n", "GET /x  HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /x HTTP/1.1 \r\nHost: a\r\n\r\n", "GET /x y HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /x\u{0}y HTTP/1.1\r\nHost: a\r\n\r\n", "GET /x?a\u{0}y HTTP/1.1\r\nHost: a\r\n\r\n",
            "GE\u{0}T /x HTTP/1.1\r\nHost: a\r\n\r\n", "GET /x\r\nHost: a\r\n\r\n",
            "GET /x http/1.1\r\nHost: a\r\n\r\n", "GET https://b/x HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET http://u@b/x HTTP/1.1\r\nHost: a\r\n\r\n", "GET * HTTP/1.1\r\nHost: a\r\n\r\n",
            "G{T /x HTTP/1.1\r\nHost: a\r\n\r\n", "GET x HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /é HTTP/1.1\r\nHost: a\r\n\r\n", "GET /x#y HTTP/1.1\r\nHost: a\r\n\r\n",
            "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc",
            "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 3, 3\r\n\r\nabc",
            "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: +3\r\n\r\nabc",
            "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: -3\r\n\r\nabc",
            "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 0x3\r\n\r\nabc",
            "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "POST /x HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n\r\n",
        ])
    func malformed(text: String) async throws { #expect(try await status(text) == 400) }

    @Test(
        "understands all forms of a target",
        arguments: [
            ("GET /x", "GET /x - a"), ("GET /x?y=%20+&z", "GET /x y=%20+&z a"),
            ("GET http://B.test:80/x?q", "GET /x q B.test:80"), ("OPTIONS *", "OPTIONS * - a"),
            ("BREW /x", "BREW /x - a"), ("get /x", "get /x - a"), ("GET /%00%2F..", "GET /%00%2F.. - a"),
        ])
    func understood(line: String, answer: String) async throws {
        let reply = try await server.exchange("\(line) HTTP/1.1\r\n\(host)Connection: close\r\n\r\n")
        #expect(reply.text == answer)
    }

    @Test(
        "lets HTTP/1.0 go without Host, says its own version (RFC 9110, section 2.5), and closes afterwards")
    func http10() async throws {
        for (fields, authority) in [("", "-"), (host, "a")] {
            let reply = try await server.exchange("GET /x HTTP/1.0\r\n\(fields)\r\n")
            #expect(reply.statusLine == "HTTP/1.1 200 OK" && reply.text == "GET /x - \(authority)")
            #expect(reply.header("Connection") == "close")
        }
        let refused = try await server.exchange("GET x HTTP/1.0\r\n\r\n")
        #expect(refused.statusLine == "HTTP/1.1 400 Bad Request")
        #expect(refused.header("Connection") == "close")
    }

    @Test("refuses other versions, tunnels and transfer codings by their own status")
    func unsupported() async throws {
        #expect(try await status("GET /x HTTP/2.0\r\n\(host)\r\n") == 505)
        #expect(try await status("CONNECT a:80 HTTP/1.1\r\n\(host)\r\n") == 501)
        #expect(
            try await status("POST /x HTTP/1.1\r\n\(host)Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n")
                == 501)
    }

    @Test("refuses a target or header section that is too long", arguments: [20_000, 60_000])
    func tooLong(count: Int) async throws {
        let filler = String(repeating: "x", count: count)
        #expect(try await status("GET /\(filler) HTTP/1.1\r\n\(host)\r\n") == 414)
        #expect(try await status("GET /x HTTP/1.1\r\n\(host)X: \(filler)\r\n\r\n") == 431)
        let lines = String(repeating: "X: y\r\n", count: count / 6)
        #expect(try await status("GET /x HTTP/1.1\r\n\(host)\(lines)\r\n") == 431)
    }

    @Test("takes a request line of 8,000 octets (RFC 9112, section 3)")
    func longLine() async throws {
        let path = "/" + String(repeating: "x", count: 8000 - "GET / HTTP/1.1".utf8.count)
        #expect(try await server.get(path).text == "GET \(path) - localhost")
    }

    @Test("leaves blanks after values aside (RFC 9112, section 5.1)", arguments: [" ", "\t", " \t "])
    func trailingBlanks(blanks: String) async throws {
        let reply = try await server.exchange(
            "GET /x HTTP/1.1\r\nHost: a\(blanks)\r\nConnection: close\(blanks)\r\n\r\nGET /y HTTP/1.1\r\n\r\n"
        )
        #expect(reply.text == "GET /x - a")
        #expect(reply.header("Connection") == "close")
        let expecting = try await server.exchange(
            "PUT /x HTTP/1.1\r\n\(host)Connection: close\r\nExpect: 100-continue\(blanks)\r\n"
                + "Content-Length: 2\r\n\r\nab")
        #expect(expecting.status == 200 || expecting.text.hasSuffix("PUT /x - a"))
    }

    @Test(
        "refuses a Content-Length without a number, and reads nothing behind it", arguments: ["", " ", "\t"])
    func emptyLength(value: String) async throws {
        let reply = try await server.exchange(
            "PUT /x HTTP/1.1\r\n\(host)Content-Length:\(value)\r\n\r\nGET /inner HTTP/1.1\r\n\(host)\r\n")
        #expect(reply.status == 400 && reply.header("Connection") == "close")
        #expect(!reply.text.contains("/inner"))
    }

    @Test("does not take content for a request when blanks follow its length", arguments: [" ", "\t"])
    func blanksAfterLength(blanks: String) async throws {
        let content = "GET /inner HTTP/1.1\r\n\(host)\r\n"
        let reply = try await server.exchange(
            "PUT /x HTTP/1.1\r\n\(host)Connection: close\r\n"
                + "Content-Length: \(content.utf8.count)\(blanks)\r\n\r\n\(content)")
        #expect(reply.status == 400 || reply.text == "PUT /x - a")
        #expect(!reply.text.contains("/inner"))
    }

    @Test(
        "offers no other protocol (RFC 9110, section 7.8)",
        arguments: [
            "Connection: TE\r\nTE: trailers\r\n",
            "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n",
            "Connection: Upgrade\r\nUpgrade: websocket\r\n",
        ])
    func otherProtocols(fields: String) async throws {
        let client = try server.client()
        let reply = try await blocking {
            try client.send("GET /x HTTP/1.1\r\nHost: a\r\n\(fields)\r\n")
            return try client.response()
        }
        #expect(reply.status == 200 && reply.text == "GET /x - a")
        #expect(reply.header("Upgrade") == nil)
    }

    @Test("ends a connection that does not speak HTTP", arguments: [32, 0])
    func otherBytes(sessionLength: Int) async throws {
        let client = try server.client()
        let hello = Self.clientHello(sessionLength: sessionLength)
        let reply = try await blocking {
            try client.send(hello)
            return Reply(try client.receiveAll())
        }
        #expect(reply.statusLine == "" || reply.status == 400)
    }

    /// What a TLS client sends first (RFC 8446, section 4.1.2). The number of its extension supported_groups is that of
    /// a line feed; the length of the session identifier that most send is that of a blank.
    private static func clientHello(sessionLength: Int) -> [UInt8] {
        let random = [UInt8](repeating: 0xA5, count: 32)
        let session = [UInt8](repeating: 0x5A, count: sessionLength)
        let groups: [UInt8] = [0, 10, 0, 4, 0, 2, 0, 29]
        var body: [UInt8] = [3, 3] + random
        body.append(UInt8(sessionLength))
        body += session
        body += [0, 2, 0x13, 1, 1, 0, 0, UInt8(groups.count)]
        body += groups
        let handshake: [UInt8] = [1, 0, 0, UInt8(body.count)] + body
        return [22, 3, 1, 0, UInt8(handshake.count)] + handshake
    }

    @Test("takes a header section up to its limit, also with the cookies of other servers on this machine")
    func longCookie() async throws {
        let cookies = (0..<100).map { "name\($0)=\(String(repeating: "x", count: 120))" }
        #expect(
            try await status(
                "GET /x HTTP/1.1\r\n\(host)Connection: close\r\nCookie: \(cookies.joined(separator: "; "))\r\n\r\n"
            )
                == 200)
    }

    @Test(
        "lets the library answer without any text of the client, and closes the connection",
        arguments: [
            "GET /marker HTTP/2.0\r\nX: marker\r\n\r\n", "GET /marker HTTP/marker\r\n\r\n",
            "GET /x HTTP/1.1\r\nHost: a\r\nmarker\r\n\r\n",
            "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: marker\r\n\r\n",
            "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nmarker\r\n\r\n",
            "GET /\(String(repeating: "marker", count: 10_000)) HTTP/1.1\r\n\r\n",
            "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 6 \r\n\r\nmarker",
            "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "2;\(String(repeating: "marker", count: 10_000))\r\n{}\r\n0\r\n\r\n",
        ])
    func librarysOwn(text: String) async throws {
        let reply = try await server.exchange(text)
        #expect((400...505).contains(reply.status))
        #expect(!reply.text.contains("marker"))
        #expect(!reply.lines.contains { $0.contains("marker") })
    }

    @Test("answers a query of a thousand arguments")
    func manyArguments() async throws {
        let query = String(repeating: "a&", count: 1000)
        #expect(try await server.get("/x?\(query)").text == "GET /x \(query) localhost")
    }

    @Test("answers pipelined requests in order, and ends the connection after one it refuses")
    func pipelined() async throws {
        let client = try server.client()
        let text = (1...3).map { "GET /\($0) HTTP/1.1\r\n\(host)\r\n" }.joined()
        let (answers, refusal, rest) = try await blocking {
            try client.send(text + "GET /4 HTTP/1.1\r\n\r\n" + text)
            let answers = try (1...3).map { _ in try client.response().text }
            return (answers, try client.response().status, try client.receiveAll())
        }
        #expect(answers == (1...3).map { "GET /\($0) - a" })
        #expect(refusal == 400)
        #expect(rest == [])
    }

    @Test("is as strict about lines that the library reports")
    func throughLibrary() async throws {
        var configuration = HTTPDaemonConfiguration()
        configuration.readsHeadsInPlace = false
        let server = try TestServer(configuration) { .text($0.header(.accept) ?? "-") }
        #expect(try await server.get("/x", "Accept: a", "Accept: b").text == "a, b")
        #expect(try await server.exchange("GET /x HTTP/1.1\r\n\(host)X : a\r\n\r\n").status == 400)
        #expect(try await server.exchange("GET /x HTTP/1.1\r\n\(host)\(host)\r\n").status == 400)
    }
}
