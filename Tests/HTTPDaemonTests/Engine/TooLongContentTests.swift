import TestSupport
import Testing

@testable import HTTPDaemon

@Suite("Content without an announced length, of which 8 bytes are permitted", .timeLimit(.minutes(2)))
struct TooLongContentTests {
    private func reply(to count: Int) async throws -> Reply {
        var configuration = HTTPDaemonConfiguration()
        configuration.bodyLimit = 8
        let server = try TestServer(configuration) { .text("\($0.body.count)") }
        let content = String(repeating: "x", count: count)
        return try await server.exchange(
            "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "\(String(count, radix: 16))\r\n\(content)\r\n0\r\n\r\n")
    }

    @Test("is taken up to that limit")
    func permitted() async throws { #expect(try await reply(to: 8).text == "8") }

    @Test("is dropped and refused at its end up to twice as much", arguments: [9, 16])
    func slightlyTooLong(count: Int) async throws { #expect(try await reply(to: count).status == 413) }

    @Test("ends the connection if it is longer")
    func tooLong() async throws { #expect(try await reply(to: 17).statusLine == "") }
}
