import TestSupport
import Testing

@testable import Transfers

@Suite("Ranges")
struct RangeTests {
    let fixture: Fixture
    let bytes = OriginResource.pattern(1_000)

    init() throws {
        fixture = try Fixture()
        fixture.origin.serve("/a.ts", bytes: bytes)
    }

    func request(_ offset: UInt64, _ length: UInt64? = nil) -> TransferRequest {
        var request = fixture.request("/a.ts")
        request.range = TransferRange(offset: offset, length: length)
        return request
    }

    @Test("a range brings those bytes and says so")
    func range() async throws {
        let (result, body) = try await fixture.loop.fetch(request(100, 50))
        #expect(body == Array(bytes[100..<150]))
        #expect(result.response.status == 206)
        #expect(result.response.contentRange == ContentRange(positions: 100...149, total: 1_000))
        #expect(fixture.origin.requests.first?.header("Range") == "bytes=100-149")
    }

    @Test("a range without length brings the rest")
    func openRange() async throws {
        let (_, body) = try await fixture.loop.fetch(request(990))
        #expect(body == Array(bytes[990...]))
    }

    @Test("a range beyond the end brings the bytes up to the end")
    func rangeBeyondEnd() async throws {
        let (_, body) = try await fixture.loop.fetch(request(900, 500))
        #expect(body == Array(bytes[900...]))
    }

    @Test("a range that begins beyond the end is answered 416 with the length")
    func unsatisfiable() async throws {
        let (result, _) = try await fixture.loop.fetch(request(1_000))
        #expect(result.response.status == 416)
        #expect(result.response.contentRange == ContentRange(positions: nil, total: 1_000))
    }

    @Test("an origin without ranges answers 200, and the sink knows before the first byte")
    func ignoredRange() async throws {
        fixture.origin.fault("/a.ts", .ignoreRange)
        let sink = RecordingSink(acceptsStatus: 206)
        let error = await #expect(throws: TransferError.self) {
            try await fixture.loop.perform(request(100), into: sink)
        }
        #expect(error?.code == .refusedBySink)
        #expect(error?.underlying is RecordingSink.Refusal)
        #expect(sink.responses.map(\.status) == [200])
        #expect(sink.bytes.isEmpty)
    }

    @Test("If-Range with the old validator brings the whole new body as a 200")
    func staleIfRange() async throws {
        var request = request(100)
        request.ifRange = "\"old\""
        let (result, body) = try await fixture.loop.fetch(request)
        #expect(result.response.status == 200)
        #expect(body == bytes)
    }

    @Test("If-Range with the current validator brings the range")
    func currentIfRange() async throws {
        let (whole, _) = try await fixture.loop.fetch(fixture.request("/a.ts"))
        var request = request(100)
        request.ifRange = whole.response.etag
        #expect(try await fixture.loop.fetch(request).1 == Array(bytes[100...]))
    }

    @Test(
        "a 206 with another Content-Range than the one asked for is refused before its first byte",
        arguments: [
            "bytes 99-148/1000", "bytes 100-148/1000", "bytes 100-149/120",
            "bytes */1000",
            "bytes 100-149", "items 100-149/1000", "rubbish", "bytes 149-100/1000",
        ])
    func wrongContentRange(value: String) async {
        fixture.origin.fault("/a.ts", .contentRange(value))
        let sink = RecordingSink()
        let error = await #expect(throws: TransferError.self) {
            try await fixture.loop.perform(request(100, 50), into: sink)
        }
        #expect(error?.code == .wrongContentRange)
        #expect(sink.responses.isEmpty)
        #expect(sink.bytes.isEmpty)
    }

    @Test(
        "a 206 without a range request is refused if it may be incomplete",
        arguments: ["bytes 0-3/8", "bytes 4-7/8", "bytes 0-3/*", "rubbish"])
    func unaskedPartial(place: String) async {
        fixture.origin.fault("/a.ts", .status(206, headers: ["Content-Range: \(place)"], body: "abcd"))
        #expect(await fixture.failure(of: fixture.request("/a.ts")) == .wrongContentRange)
    }

    @Test("a 206 that is longer than the requested range begins with it, and the sink sees its end")
    func longerRange() async throws {
        let head = "Content-Range: bytes 100-153/1000"
        let body = String(repeating: "x", count: 54)
        fixture.origin.fault("/a.ts", .status(206, headers: [head], body: body))
        let (result, bytes) = try await fixture.loop.fetch(request(100, 50))
        #expect(result.response.contentRange?.positions == 100...153)
        #expect(bytes.count == 54)
    }

    @Test("a 206 with another Content-Length than its Content-Range is refused before its first byte")
    func wrongLength() async {
        fixture.origin.fault("/a.ts", .status(206, headers: ["Content-Range: bytes 0-7/8"], body: "abcd"))
        let code = await fixture.failure(of: fixture.request("/a.ts"))
        #expect(code == .lengthMismatch(expected: 8, received: 4))
    }

    @Test("a 206 without a range request is taken if it is complete")
    func unaskedWhole() async throws {
        fixture.origin.fault("/a.ts", .status(206, headers: ["Content-Range: bytes 0-3/4"], body: "abcd"))
        #expect(try await fixture.loop.fetch(fixture.request("/a.ts")).1 == Array("abcd".utf8))
    }

    @Test("a chunked 206 that is shorter than its Content-Range fails")
    func shortChunkedRange() async {
        let head = "HTTP/1.1 206 P\r\nContent-Range: bytes 100-149/1000\r\nTransfer-Encoding: chunked\r\n\r\n"
        fixture.origin.fault("/a.ts", .raw(head + "5\r\nhello\r\n0\r\n\r\n"))
        #expect(await fixture.failure(of: request(100, 50)) == .lengthMismatch(expected: 50, received: 5))
    }

    @Test(
        "a range without bytes or beyond 2^64 is refused",
        arguments: [TransferRange(offset: 0, length: 0), TransferRange(offset: .max, length: 2)])
    func impossibleRange(range: TransferRange) async {
        #expect(await fixture.failure(of: request(range.offset, range.length)) == .invalidRequest)
    }
}
