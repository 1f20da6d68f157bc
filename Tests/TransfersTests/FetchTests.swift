import HTTPTypes
import TestSupport
import Testing

@testable import Transfers

@Suite("Fetching over HTTP/1.1")
struct FetchTests {
    let fixture: Fixture

    init() throws { fixture = try Fixture() }

    @Test("a body arrives whole and in order, with its head")
    func wholeBody() async throws {
        let bytes = OriginResource.pattern(1_000_001)
        fixture.origin.serve("/a.ts", bytes: bytes, contentType: "video/mp2t")
        let (result, body) = try await fixture.loop.fetch(fixture.request("/a.ts"))
        #expect(body == bytes)
        #expect(result.bytesReceived == 1_000_001)
        #expect(result.bytesOnWire == 1_000_001)
        #expect(result.response.status == 200)
        #expect(result.response.contentLength == 1_000_001)
        #expect(result.response.lengthIsKnown)
        #expect(result.response.contentType == "video/mp2t")
        #expect(result.response.version == .http1Dot1)
        #expect(result.response.etag?.hasPrefix("\"") == true)
        #expect(result.response.finalURL == fixture.origin.url("/a.ts"))
    }

    @Test("the second transfer to a host uses the first one's connection")
    func reuse() async throws {
        fixture.origin.serve("/a.ts", bytes: [1, 2, 3])
        let (first, _) = try await fixture.loop.fetch(fixture.request("/a.ts"))
        let (second, _) = try await fixture.loop.fetch(fixture.request("/a.ts"))
        #expect(!first.connectionReused)
        #expect(second.connectionReused)
        #expect(fixture.origin.connectionCount == 1)
    }

    @Test("an empty body is a whole body")
    func emptyBody() async throws {
        fixture.origin.serve("/empty.vtt", bytes: [])
        let (result, body) = try await fixture.loop.fetch(fixture.request("/empty.vtt"))
        #expect(body.isEmpty)
        #expect(result.response.contentLength == 0)
    }

    @Test("a status of 404 is a result, and its body is handed on")
    func notFoundIsResult() async throws {
        fixture.origin.fault("/gone.ts", .status(404, body: "gone"))
        let (result, body) = try await fixture.loop.fetch(fixture.request("/gone.ts"))
        #expect(result.response.status == 404)
        #expect(body == Array("gone".utf8))
    }

    @Test("a status of 503 is an error with its Retry-After when the request asks for that")
    func statusAsError() async throws {
        fixture.origin.fault("/a.ts", .status(503, headers: ["Retry-After: 7"]))
        var request = fixture.request("/a.ts")
        request.failsOnHTTPError = true
        let error = await #expect(throws: TransferError.self) { try await fixture.loop.fetch(request) }
        #expect(error?.code == .http(status: 503))
        #expect(error?.retryAfter == 7)
        #expect(error?.isRetryable == true)
    }

    @Test("HEAD reports the length and brings no body")
    func head() async throws {
        fixture.origin.serve("/a.ts", bytes: OriginResource.pattern(500))
        var request = fixture.request("/a.ts")
        request.method = .head
        let (result, body) = try await fixture.loop.fetch(request)
        #expect(body.isEmpty)
        #expect(result.response.contentLength == 500)
    }

    @Test("POST sends its body")
    func post() async throws {
        fixture.origin.serve("/license", bytes: [9])
        var request = fixture.request("/license")
        request.method = .post(body: OriginResource.pattern(3_000))
        _ = try await fixture.loop.fetch(request)
        #expect(fixture.origin.requests.first?.body == OriginResource.pattern(3_000))
        #expect(fixture.origin.requests.first?.header("Expect") == nil)
        #expect(fixture.origin.requests.first?.header("Content-Type") == "application/octet-stream")
    }

    @Test("the request carries the caller's fields, cookies and user agent")
    func requestFields() async throws {
        fixture.origin.serve("/a.ts", bytes: [1])
        var request = fixture.request("/a.ts")
        request.headerFields = [.referer: "https://example.com/", .authorization: "Bearer t"]
        request.cookies = ["a=1", "b=2"]
        request.userAgent = "player/2"
        _ = try await fixture.loop.fetch(request)
        let sent = try #require(fixture.origin.requests.first)
        #expect(sent.header("Referer") == "https://example.com/")
        #expect(sent.header("Authorization") == "Bearer t")
        #expect(sent.header("Cookie") == "a=1; b=2")
        #expect(sent.header("User-Agent") == "player/2")
        #expect(sent.header("Accept-Encoding") == "identity")
    }

    @Test("a transfer's request has nothing from the one before")
    func handlesAreClean() async throws {
        fixture.origin.serve("/a.ts", bytes: OriginResource.pattern(100))
        var first = fixture.request("/a.ts")
        first.cookies = ["a=1"]
        first.headerFields = [.authorization: "Bearer t"]
        first.range = TransferRange(offset: 10)
        _ = try await fixture.loop.fetch(first)
        _ = try await fixture.loop.fetch(fixture.request("/a.ts"))
        let second = try #require(fixture.origin.requests.last)
        #expect(second.header("Cookie") == nil)
        #expect(second.header("Authorization") == nil)
        #expect(second.header("Range") == nil)
        #expect(second.header("User-Agent") == "offline-server/1.0")
    }

    @Test(
        "a header field, cookie or user agent with a line end is refused",
        arguments: ["a\r\nX: 1", "a\u{0}b"])
    func headerInjection(text: String) async {
        var request = fixture.request("/a.ts")
        request.userAgent = text
        #expect(await fixture.failure(of: request) == .invalidRequest)
        request.userAgent = nil
        request.cookies = [text]
        #expect(await fixture.failure(of: request) == .invalidRequest)
        #expect(fixture.origin.requests.isEmpty)
    }

    @Test("a proxy is asked for the absolute URL and resolves the name itself")
    func proxy() async throws {
        fixture.origin.serve("http://media.invalid/a.ts", bytes: [4, 2])
        var request = TransferRequest(url: "http://media.invalid/a.ts")
        request.proxy = fixture.origin.url("")
        let (_, body) = try await fixture.loop.fetch(request)
        #expect(body == [4, 2])
    }

    @Test(
        "a proxy that can't be reached is named, without its password, instead of the host of the URL",
        arguments: [("http://me:secret@127.0.0.1:1", "http://127.0.0.1:1"), ("127.0.0.1:1", "127.0.0.1:1")])
    func absentProxy(_ proxy: String, _ name: String) async throws {
        var request = TransferRequest(url: "http://media.invalid/a.ts")
        request.proxy = proxy
        do {
            _ = try await fixture.loop.fetch(request)
            Issue.record("nothing listens there")
        } catch {
            #expect(error.code == .connect)
            #expect(error.sentence == "could not reach the proxy \(name): no connection could be made")
        }
    }

    @Test("200 transfers at a time use no more connections than the host's limit")
    func hostLimit() async throws {
        var configuration = TransferLoopConfiguration()
        configuration.maximumTransfersPerHost = 4
        let fixture = try Fixture(configuration)
        fixture.origin.serve("/a.ts", bytes: OriginResource.pattern(10_000))
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<200 {
                group.addTask { try await fixture.loop.fetch(fixture.request("/a.ts")).1.count }
            }
            for try await count in group { #expect(count == 10_000) }
        }
        #expect(fixture.origin.requests.count == 200)
        #expect(fixture.origin.peakConcurrency <= 4)
        #expect(fixture.origin.connectionCount <= 4)
    }

    @Test("a transfer's own connection replaces an idle one")
    func restingConnections() async throws {
        var configuration = TransferLoopConfiguration()
        configuration.maximumTransfersPerHost = 2
        let fixture = try Fixture(configuration)
        fixture.origin.serve("/a.ts", bytes: [1, 2, 3])
        fixture.origin.fault("/a.ts", .holdHeader, times: 3)
        let requests = (1...2).map { _ in fixture.request("/a.ts") }
        async let first = fixture.loop.fetch(requests[0])
        async let second = fixture.loop.fetch(requests[1])
        #expect(await fixture.origin.waitForRequests(2))
        fixture.origin.release()
        _ = try await (first, second)
        var request = fixture.request("/a.ts")
        request.hasOwnConnection = true
        let own = request
        async let third = fixture.loop.fetch(own)
        #expect(await fixture.origin.waitForRequests(3))
        try await eventually { fixture.origin.openConnectionCount == 2 }
        fixture.origin.release()
        _ = try await third
    }
}
