import TestSupport
import Testing

@testable import HTTPDaemon

@Suite("A header section that comes again on its connection", .timeLimit(.minutes(2)))
struct RepeatedSectionTests {
    private let server: TestServer

    init() throws { server = try TestServer { .text($0.authority ?? "-") } }

    @Test("without Host is refused in HTTP/1.1, although HTTP/1.0 may do without (RFC 9112, section 3.2)")
    func laterVersion() async throws {
        let client = try server.client()
        try await blocking {
            for _ in 0..<2 {
                try client.send("GET /x HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
                #expect(try client.response().text == "-")
            }
            try client.send("GET /x HTTP/1.1\r\nConnection: keep-alive\r\n\r\n")
            #expect(try client.response().status == 400)
        }
    }

    @Test("announces its content again, which is not a request")
    func content() async throws {
        let client = try server.client()
        let inner = "GET /inner HTTP/1.1\r\nHost: b\r\n\r\n"
        try await blocking {
            for _ in 0..<3 {
                try client.send(
                    "PUT /x HTTP/1.1\r\nHost: a\r\nContent-Length: \(inner.utf8.count)\r\n\r\n\(inner)")
                #expect(try client.response().text == "a")
            }
        }
    }
}
