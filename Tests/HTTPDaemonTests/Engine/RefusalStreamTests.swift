import HTTPTypes
import TestSupport
import Testing

@testable import HTTPDaemon

/// The requests have a fault that is found before their method and version are known to the exchange.
@Suite("A refusal whose body is a stream without length", .timeLimit(.minutes(2)))
struct RefusalStreamTests {
    private let source: GrowingSource
    private let server: TestServer

    init() throws {
        let source = GrowingSource()
        source.append("part")
        self.source = source
        server = try TestServer {
            .text($0.path)
        } refusing: { refusal, _ in
            Response(status: refusal.status, body: .stream(length: nil, source))
        }
    }

    @Test("is sent in chunks to HTTP/1.1")
    func chunks() async throws {
        source.complete()
        let reply = try await server.exchange("GET /x HTTP/1.1\r\n\r\n")
        #expect(reply.status == 400)
        #expect(reply.header("Transfer-Encoding") == "chunked")
        #expect(reply.header("Connection") == "close")
        #expect(reply.text == "4\r\npart\r\n0\r\n\r\n")
    }

    @Test("that fails resets the connection of HTTP/1.0, to which a plain end is the end of the body")
    func failing() async throws {
        let client = try server.client()
        let isReset = try await blocking {
            try client.send("GET /x HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n")
            let begin = try client.receive(until: "part")
            #expect(begin.hasPrefix("HTTP/1.1 400") && begin.hasSuffix("\r\n\r\npart"))
            source.fail()
            return try client.endsWithReset()
        }
        #expect(isReset)
        try await source.untilCancelled()
    }
}
