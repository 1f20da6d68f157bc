import HTTPTypes
import Locking
import TestSupport
import Testing

@testable import HTTPDaemon

/// RFC 9112, sections 6 and 7.
@Suite("Content in chunks", .timeLimit(.minutes(2)))
struct ChunkTests {
    private let server: TestServer
    private let paths: Lock<[String]>

    init() throws {
        let paths = Lock<[String]>([])
        self.paths = paths
        server = try TestServer { request in
            paths.withLock { $0.append(request.path) }
            return .text("got " + String(decoding: request.body, as: UTF8.self))
        }
    }

    private func send(_ content: String, coding: String = "chunked", method: String = "PUT") async throws
        -> Reply
    {
        try await server.exchange(
            "\(method) / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \(coding)\r\n\r\n\(content)")
    }

    @Test(
        "is put together; extensions and trailers are left aside",
        arguments: [
            "2\r\n{}\r\n0\r\n\r\n", "1\r\n{\r\n1\r\n}\r\n0\r\n\r\n", "0002\r\n{}\r\n000\r\n\r\n",
            "2;a\r\n{}\r\n0\r\n\r\n", "2;a=b;c=\"d;e\"\r\n{}\r\n0;x\r\n\r\n", "2\r\n{}\r\n0\r\nX: y\r\n\r\n",
            "2\r\n{}\r\n0\r\nContent-Length: 9\r\nHost: b\r\n\r\n",
        ])
    func accepted(content: String) async throws { #expect(try await send(content).text == "got {}") }

    @Test("has sizes in hexadecimal digits of either case", arguments: ["a", "A", "0A"])
    func sizes(size: String) async throws {
        #expect(try await send("\(size)\r\n0123456789\r\n0\r\n\r\n").text == "got 0123456789")
    }

    @Test("is announced by a name of any case", arguments: ["chunked", "Chunked", "CHUNKED", " \tchunked"])
    func name(coding: String) async throws {
        #expect(try await send("0\r\n\r\n", coding: coding).text == "got ")
    }

    @Test(
        "that is cut in another way is refused",
        arguments: [
            "2\r\n{}0\r\n\r\n", "2\r\n{}xx0\r\n\r\n", "-2\r\n{}\r\n0\r\n\r\n", "+2\r\n{}\r\n0\r\n\r\n",
            "0x2\r\n{}\r\n0\r\n\r\n", " 2\r\n{}\r\n0\r\n\r\n", "2 \r\n{}\r\n0\r\n\r\n",
            "\r\n{}\r\n0\r\n\r\n",
            ";a\r\n{}\r\n0\r\n\r\n", "2\r\n{}\r\n0\r\nno colon\r\n\r\n",
        ])
    func malformed(content: String) async throws {
        #expect(try await send(content).status == 400)
        #expect(paths.withLock { $0 }.isEmpty)
    }

    @Test(
        "has trailers that say nothing of the request (RFC 9110, section 6.5.1)",
        arguments: [
            "Range: bytes=0-0", "If-Match: \"x\"", "If-None-Match: *", "Authorization: Bearer x",
            "Origin: http://b",
            "Content-Type: text/plain", "Content-Encoding: gzip", "Host: b",
        ])
    func trailers(line: String) async throws {
        let server = try TestServer { request in
            let isKnown = request.isUnconditional && !request.comesFromPage && request.authority == "a"
            let names = request.headers.map(\.name.canonicalName).joined(separator: " ")
            return .text("\(isKnown) \(names) \(String(decoding: request.body, as: UTF8.self))")
        }
        let head = "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTrailer: x\r\n\r\n"
        let reply = try await server.exchange("\(head)2\r\n{}\r\n0\r\n\(line)\r\n\r\n")
        #expect(reply.text == "true host transfer-encoding trailer {}")
    }

    @Test("with more beside it than a connection has memory for is refused", arguments: [40_000, 400_000])
    func tooMuchBeside(count: Int) async throws {
        let filler = String(repeating: "x", count: count)
        let lines = String(repeating: "X: y\r\n", count: count / 6)
        for content in [
            "2;\(filler)\r\n{}\r\n0\r\n\r\n", "2\r\n{}\r\n0;\(filler)\r\n\r\n",
            "2\r\n{}\r\n0\r\nX: \(filler)\r\n\r\n", "2\r\n{}\r\n0\r\n\(lines)\r\n",
        ] {
            let client = try server.client()
            let reply = try await blocking {
                // It may be refused before all of it is sent.
                try? client.send("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(content)")
                return Reply(try client.receiveAll())
            }
            #expect(reply.statusLine == "" || (400...500).contains(reply.status), "\(content.prefix(16))")
            #expect(reply.status != 408)
        }
        #expect(paths.withLock { $0 }.isEmpty)
    }

    @Test(
        "is read or refused where blanks stand before an extension, and nothing behind it is a request",
        arguments: [
            "2 ;a\r\n{}\r\n0\r\n\r\n", "2\t;a=b\r\n{}\r\n0\r\n\r\n", "2 ; a = b\r\n{}\r\n0\r\n\r\n",
            "2\r\n{}\r\n0 ;a\r\n\r\n",
        ])
    func blanksBeforeExtension(content: String) async throws {
        let reply = try await send("\(content)DELETE /smuggled HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(reply.status == 400 || reply.text == "got {}")
        #expect(reply.header("Connection") == "close" && !reply.text.contains("HTTP/1.1"))
        #expect(paths.withLock { $0 } == (reply.status == 400 ? [] : ["/"]))
    }

    @Test("of a size that no number holds is too large")
    func overflow() async throws {
        #expect(try await send("10000000000000002\r\n{}\r\n0\r\n\r\n").status == 413)
    }

    /// What is refused ends its connection, so that nothing behind it is taken for another request.
    private func expectRefusal(_ status: Int, of coding: String) async throws {
        let inner = "GET /inner HTTP/1.1\r\nHost: a\r\n\r\n"
        let reply = try await send("0\r\n\r\n\(inner)", coding: coding)
        #expect(reply.status == status && reply.header("Connection") == "close")
        #expect(!reply.text.contains("HTTP/1.1"))
        #expect(paths.withLock { $0 }.isEmpty)
    }

    @Test(
        "is malformed where the last coding is another one, so that it has no end (RFC 9112, section 6.3)",
        arguments: [
            "gzip", "identity", "xchunked", "chunked;q=1", "", "chunked, gzip", "gzip, identity",
            "chunked\r\nTransfer-Encoding: gzip", "chunked, chunked", "gzip, chunked, chunked",
            "chunked\r\nTransfer-Encoding: chunked", "chunked,", ",chunked", "gzip, , chunked",
        ])
    func endless(coding: String) async throws { try await expectRefusal(400, of: coding) }

    @Test(
        "is refused in an unknown coding (RFC 9112, section 6.1)",
        arguments: [
            "gzip, chunked", "GZIP\t,\tChunked", "identity, chunked", "gzip;q=1, x, chunked",
            "gzip\r\nTransfer-Encoding: chunked",
        ])
    func codings(coding: String) async throws { try await expectRefusal(501, of: coding) }

    @Test(
        "is refused where the library would not see chunks",
        arguments: ["chunked ", "chunked\t", "\u{B}chunked", "chunked\u{C}"])
    func blanks(coding: String) async throws {
        #expect(try await send("0\r\n\r\n", coding: coding).status == 400)
    }

    @Test("is refused with methods whose content means nothing", arguments: ["GET", "HEAD"])
    func reading(method: String) async throws {
        #expect(try await send("0\r\n\r\n", method: method).status == 400)
    }

    @Test(
        "ends the connection after its answer, so that no reader of chunks finds another request in them",
        arguments: ["0\r\n\r\n", "0\n\n", "2;\n{}\r\n0\r\n\r\n"])
    func smuggling(content: String) async throws {
        let reply = try await send("\(content)DELETE /smuggled HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(reply.header("Connection") == "close")
        #expect(!reply.text.contains("HTTP/1.1"))
        #expect(paths.withLock { $0 } == ["/"])
    }
}
