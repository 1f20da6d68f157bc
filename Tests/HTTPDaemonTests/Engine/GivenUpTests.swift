import HTTPTypes
import TestSupport
import Testing

@testable import HTTPDaemon

/// Where the length or the chunks of a body tell that it is incomplete, no reset is needed: the client gets what was
/// on its way.
@Suite("An answer that is given up since its client takes nothing", .timeLimit(.minutes(2)))
struct GivenUpTests {
    private static let size = 30_000_000

    /// Whether the connection ends with a reset.
    private func isReset(_ body: ResponseBody, version: String) async throws -> Bool {
        var configuration = HTTPDaemonConfiguration()
        configuration.idleTimeout = .seconds(1)
        let server = try TestServer(configuration) { _ in .response(Response(status: .ok, body: body)) }
        let client = try server.client(receiveBuffer: 4096)
        try await blocking {
            try client.send("GET / HTTP/\(version)\r\nHost: a\r\n\r\n")
            _ = try client.receive(until: "\r\n\r\n")
        }
        try await eventually { server.daemon.connectionCount == 0 }
        return try await blocking { try client.endsWithReset() }
    }

    private var source: GrowingSource {
        let source = GrowingSource()
        source.append([UInt8](repeating: 1, count: Self.size))
        return source
    }

    @Test("ends without a reset if it is made of bytes")
    func bytes() async throws {
        let body = ResponseBody.bytes([UInt8](repeating: 1, count: Self.size))
        #expect(try await isReset(body, version: "1.0") == false)
    }

    @Test("ends without a reset if it is a stream of known length to HTTP/1.0")
    func knownLength() async throws {
        let body = ResponseBody.stream(length: UInt64(Self.size), source)
        #expect(try await isReset(body, version: "1.0") == false)
    }

    @Test("ends without a reset if it is a stream in chunks")
    func chunks() async throws {
        #expect(try await isReset(.stream(length: nil, source), version: "1.1") == false)
    }
}
