import TestSupport
import Testing

@testable import HTTPDaemon

/// libmicrohttpd leaves NULs where it has found the end of a name or a line.
@Suite("NULs of the client in a field line", .timeLimit(.minutes(2)))
struct NulTests {
    private let server: TestServer

    init() throws { server = try TestServer { .text($0.authority ?? "-") } }

    @Test(
        "end no line",
        arguments: [
            "X: a\u{0}\u{0}Host\u{0}a\r\n", "X: a\u{0}\u{0}Host\u{0} a\r\n",
            "Host: a\r\nX: a\u{0}\u{0}Y\u{0}b\r\n", "Host: a\u{0}\u{0}X\u{0}b\r\n",
            "Host: a\r\nX:\u{0}\u{0}Content-Length\u{0}3\r\n",
        ])
    func refused(lines: String) async throws {
        let reply = try await server.exchange("GET /x HTTP/1.1\r\n\(lines)\r\n")
        #expect(reply.status == 400)
        #expect(reply.header("Content-Type") == "application/problem+json")
    }

    @Test("end no line either where the same bytes have been two lines before")
    func repeated() async throws {
        let client = try server.client()
        try await blocking {
            for _ in 0..<2 {
                try client.send("GET /x HTTP/1.1\r\nX: a\r\nHost: a\r\n\r\n")
                #expect(try client.response().text == "a")
            }
            try client.send("GET /x HTTP/1.1\r\nX: a\u{0}\u{0}Host\u{0} a\r\n\r\n")
            #expect(try client.response().status == 400)
        }
    }
}
