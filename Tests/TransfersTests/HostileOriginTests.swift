import TestSupport
import Testing

@testable import Transfers

@Suite("A hostile or broken origin")
struct HostileOriginTests {
    let fixture: Fixture

    init() throws { fixture = try Fixture() }

    @Test("a body cut before its Content-Length is truncated", arguments: [0, 1, 999])
    func cut(count: Int) async {
        let expected = TransferError.Code.truncated(expected: 1_000, received: UInt64(count))
        #expect(await fixture.failure(under: .truncate(after: count)) == expected)
    }

    @Test("a connection reset in the middle is truncated or lost, and retryable")
    func reset() async {
        fixture.origin.serve("/a.ts", bytes: OriginResource.pattern(1_000_000))
        fixture.origin.fault("/a.ts", .reset(after: 500_000))
        let error = await #expect(throws: TransferError.self) {
            try await fixture.loop.fetch(fixture.request("/a.ts"))
        }
        #expect(error?.isRetryable == true)
    }

    @Test("a connection that ends within the head is lost, and retryable")
    func cutHead() async {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: video/mp2t\r\nContent-Le"
        #expect(await fixture.failure(under: .raw(head)) == .connectionLost)
    }

    @Test("a Content-Length larger than the body is a truncation")
    func longLength() async {
        let code = await fixture.failure(under: .contentLength("1500"))
        #expect(code == .truncated(expected: 1_500, received: 1_000))
    }

    @Test(
        "a Content-Length that is not one number is refused before the first byte",
        arguments: ["12x", "+12", "0x10", "12, 12", "12 13", "99999999999999999999999"])
    func rubbishLength(value: String) async {
        #expect(await fixture.failure(under: .contentLength(value)) == .badContentLength)
    }

    @Test("a negative Content-Length is an invalid response")
    func negativeLength() async {
        #expect(await fixture.failure(under: .contentLength("-1")) == .invalidResponse)
    }

    @Test("two Content-Length fields are refused", arguments: ["1000", "999"])
    func doubledLength(value: String) async {
        #expect(await fixture.failure(under: .header("Content-Length: \(value)")) == .badContentLength)
    }

    @Test("a cut chunked body is truncated")
    func cutChunks() async {
        fixture.origin.serve("/a.ts", bytes: OriginResource.pattern(20_000))
        fixture.origin.fault("/a.ts", .chunked)
        fixture.origin.fault("/a.ts", .truncate(after: 16_384))
        let code = await fixture.failure(of: fixture.request("/a.ts"))
        #expect(code == .truncated(expected: nil, received: 16_384))
    }

    @Test("a whole chunked body is complete and its length was known by the framing")
    func chunked() async throws {
        fixture.origin.serve("/a.ts", bytes: OriginResource.pattern(20_000))
        fixture.origin.fault("/a.ts", .chunked)
        let (result, body) = try await fixture.loop.fetch(fixture.request("/a.ts"))
        #expect(body == OriginResource.pattern(20_000))
        #expect(result.response.contentLength == nil)
        #expect(result.response.lengthIsKnown)
    }

    @Test("a body that only the connection's end delimits says that its length is not known")
    func closeDelimited() async throws {
        fixture.origin.serve("/a.ts", bytes: OriginResource.pattern(5_000))
        fixture.origin.fault("/a.ts", .closeDelimited)
        let (result, body) = try await fixture.loop.fetch(fixture.request("/a.ts"))
        #expect(body.count == 5_000)
        #expect(!result.response.lengthIsKnown)
    }

    @Test("a body longer than its Content-Length ends at that length")
    func surplus() async throws {
        fixture.origin.serve("/a.ts", bytes: OriginResource.pattern(1_000))
        fixture.origin.fault("/a.ts", .contentLength("400"))
        let (result, body) = try await fixture.loop.fetch(fixture.request("/a.ts"))
        #expect(body == Array(OriginResource.pattern(1_000).prefix(400)))
        #expect(result.response.contentLength == 400)
    }

    @Test(
        "bytes that are not HTTP are an invalid response", arguments: ["hello\r\n\r\n", "220 ftp ready\r\n"])
    func notHTTP(text: String) async {
        #expect(await fixture.failure(under: .raw(text)) == .invalidResponse)
    }

    @Test("a connection closed without an answer is lost")
    func noAnswer() async {
        #expect(await fixture.failure(under: .raw("")) == .connectionLost)
    }

    @Test("an informational response before the final one is passed over")
    func informational() async throws {
        let text =
            "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        fixture.origin.fault("/a.ts", .raw(text))
        let sink = RecordingSink()
        _ = try await fixture.loop.perform(fixture.request("/a.ts"), into: sink)
        #expect(sink.responses.map(\.status) == [200])
        #expect(sink.bytes == Array("ok".utf8))
    }

    @Test("a body that stops coming is stalled, before the header and after it")
    func stalled() async {
        fixture.origin.serve("/a.ts", bytes: OriginResource.pattern(1_000))
        fixture.origin.fault("/a.ts", .stall(after: 500))
        fixture.origin.fault("/b.ts", .holdHeader)
        var (afterHeader, beforeHeader) = (fixture.request("/a.ts"), fixture.request("/b.ts"))
        afterHeader.stallTimeout = .seconds(1)
        beforeHeader.stallTimeout = .seconds(1)
        async let first = fixture.failure(of: afterHeader)
        async let second = fixture.failure(of: beforeHeader)
        #expect(await first == .stalled)
        #expect(await second == .stalled)
    }

    @Test("a body that drips is stalled, too")
    func dripping() async {
        fixture.origin.serve("/drip.ts", bytes: [UInt8](repeating: 1, count: 100_000))
        fixture.origin.fault("/drip.ts", .rate(400))
        var request = fixture.request("/drip.ts")
        request.stallTimeout = .seconds(2)
        #expect(await fixture.failure(of: request) == .stalled)
    }

    @Test("a TLS handshake that gets no answer ends as a timeout")
    func handshakeTimeout() async {
        var request = TransferRequest(url: "https://127.0.0.1:\(fixture.origin.port)/a.ts")
        request.allowsPrivateAddresses = true
        request.connectTimeout = .milliseconds(200)
        #expect(await fixture.failure(of: request) == .timeout)
    }

    @Test("no listener is a failed connection, no name a failed resolution")
    func nobodyThere() async {
        fixture.origin.stop()
        #expect(await fixture.failure(of: fixture.request("/a.ts")) == .connect)
        #expect(await fixture.failure(of: TransferRequest(url: "http://no-such-host.invalid/")) == .resolve)
    }

    @Test("a body beyond the cap is refused at once when its length is known, else at the cap")
    func tooLarge() async throws {
        fixture.origin.serve("/a.ts", bytes: OriginResource.pattern(200_000))
        var request = fixture.request("/a.ts")
        request.maximumBodyBytes = 100_000
        let sink = RecordingSink()
        let known = await #expect(throws: TransferError.self) {
            try await fixture.loop.perform(request, into: sink)
        }
        #expect(known?.code == .tooLarge(limit: 100_000))
        #expect(sink.bytes.isEmpty)
        fixture.origin.fault("/a.ts", .chunked)
        let unknown = await #expect(throws: TransferError.self) {
            try await fixture.loop.perform(request, into: sink)
        }
        #expect(unknown?.code == .tooLarge(limit: 100_000))
        #expect(sink.bytes.count <= 100_000)
    }
}
