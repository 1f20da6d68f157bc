import HTTPTypes
import TestSupport
import Testing

@testable import HTTPDaemon

@Suite("The framing of a response", .timeLimit(.minutes(2)))
struct ResponseFramingTests {
    private func get(_ response: Response) async throws -> Reply {
        try await TestServer { _ in .response(response) }.get("/")
    }

    @Test(
        "is made from its body, whatever its fields say",
        arguments: [
            [.transferEncoding: "chunked"], [.contentLength: "99"],
            [.transferEncoding: "chunked", .contentLength: "99"],
        ] as [HTTPFields])
    func fields(headers: HTTPFields) async throws {
        let reply = try await get(Response(status: .ok, headers: headers, body: .bytes(Array("abc".utf8))))
        #expect(reply.header("Transfer-Encoding") == nil)
        #expect(reply.header("Content-Length") == "3")
        #expect(reply.text == "abc")
    }

    @Test(
        "has a final status: others are sent as 500",
        arguments: [(100, 500), (199, 500), (200, 200), (599, 599), (600, 500), (999, 500)])
    func status(code: Int, sent: Int) async throws {
        let reply = try await get(
            Response(status: HTTPResponse.Status(code: code), body: .bytes(Array("abc".utf8))))
        #expect(reply.status == sent)
        #expect(reply.text == "abc")
    }

    @Test("is complete where it is sent without the library, and tells that the connection ends")
    func last() {
        let date = HTTPDate(seconds: 784_111_777)
        let response = Response(
            status: .requestTimeout, headers: [.retryAfter: "1"], body: .bytes(Array("abc".utf8)))
        let reply = Reply(response.lastOnItsConnection(at: date))
        #expect(reply.statusLine == "HTTP/1.1 408 Request Timeout")
        #expect(reply.header("Date") == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(reply.header("Retry-After") == "1")
        #expect(reply.header("X-Content-Type-Options") == "nosniff")
        #expect(reply.header("Content-Length") == "3")
        #expect(reply.header("Connection") == "close")
        #expect(reply.lines.count == 5)
        #expect(reply.text == "abc")
    }

    @Test("has each field once where it is sent without the library")
    func lastOnce() {
        let response = Response(
            status: .requestTimeout,
            headers: [
                .contentLength: "99", .transferEncoding: "chunked", .connection: "keep-alive", .date: "now",
                .xContentTypeOptions: "nosniff",
            ], body: .bytes(Array("abc".utf8)))
        let reply = Reply(response.lastOnItsConnection(at: HTTPDate(seconds: 784_111_777)))
        #expect(reply.lines.count == 4)
        #expect(reply.header("Content-Length") == "3")
        #expect(reply.header("Connection") == "close")
    }

    @Test("is made of single bytes from a source that asks for no room")
    func noRoom() async throws {
        struct Narrow: BodySource {
            var blockSize: Int { 0 }

            func read(
                into writer: inout BodyWriter, at offset: UInt64, wake: @escaping @Sendable () -> Void
            ) -> BodyStep {
                writer.append([UInt8(ascii: "a") + UInt8(offset)])
                return .bytes
            }
        }
        #expect(try await get(Response(status: .ok, body: .stream(length: 3, Narrow()))).text == "abc")
    }
}
