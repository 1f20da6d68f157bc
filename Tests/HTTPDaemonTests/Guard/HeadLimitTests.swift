import TestSupport
import Testing

@testable import HTTPDaemon

@Suite("A header section, of which 1,000 bytes are permitted", .timeLimit(.minutes(2)))
struct HeadLimitTests {
    private let server: TestServer

    init() throws {
        var configuration = HTTPDaemonConfiguration()
        configuration.headLimit = 1000
        server = try TestServer(configuration) { .text($0.path) }
    }

    /// The status of the answer to a header section of `size` bytes, whose target has `target` of them.
    private func status(size: Int, target: Int) async throws -> Int {
        let line = "GET /\(String(repeating: "x", count: target - 1)) HTTP/1.1\r\n"
        let start = line + "Host: a\r\nConnection: close\r\nX: "
        let rest = String(repeating: "y", count: size - start.utf8.count - 4)
        return try await server.exchange("\(start)\(rest)\r\n\r\n").status
    }

    @Test("is accepted if it has so many, and refused with one more", arguments: [(1000, 200), (1001, 431)])
    func limit(size: Int, expected: Int) async throws {
        #expect(try await status(size: size, target: 2) == expected)
    }

    @Test(
        "that has more is refused for its target if that has more than half of the limit",
        arguments: [(500, 431), (501, 414)])
    func target(size: Int, expected: Int) async throws {
        #expect(try await status(size: 1001, target: size) == expected)
    }
}
