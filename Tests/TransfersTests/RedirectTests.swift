import HTTPTypes
import TestSupport
import Testing

@testable import Transfers

@Suite("Redirects")
struct RedirectTests {
    let fixture: Fixture

    init() throws {
        fixture = try Fixture()
        fixture.origin.serve("/b.ts", bytes: [1, 2, 3])
    }

    @Test(
        "each redirect status is followed, and the final URL is told", arguments: [301, 302, 303, 307, 308])
    func followed(status: Int) async throws {
        fixture.origin.fault("/x/a.ts", .redirect(to: "../b.ts", status: status))
        let (result, body) = try await fixture.loop.fetch(fixture.request("/x/a.ts"))
        #expect(body == [1, 2, 3])
        #expect(result.response.finalURL == fixture.origin.url("/b.ts"))
    }

    @Test("the range goes along")
    func rangeGoesAlong() async throws {
        fixture.origin.fault("/a.ts", .redirect(to: "/b.ts"))
        var request = fixture.request("/a.ts")
        request.range = TransferRange(offset: 1)
        #expect(try await fixture.loop.fetch(request).1 == [2, 3])
    }

    @Test(
        "a POST becomes a GET after 302 and stays a POST after 307", arguments: [(302, "GET"), (307, "POST")])
    func postMethod(status: Int, method: String) async throws {
        fixture.origin.fault("/a.ts", .redirect(to: "/b.ts", status: status))
        var request = fixture.request("/a.ts")
        request.method = .post(body: [7])
        _ = try await fixture.loop.fetch(request)
        #expect(fixture.origin.requests.last?.method == method)
        #expect(fixture.origin.requests.last?.body == (method == "POST" ? [7] : []))
    }

    @Test("a PUT becomes a GET after 303 alone", arguments: [301, 302, 303, 307, 308])
    func putMethod(status: Int) async throws {
        fixture.origin.fault("/a.ts", .redirect(to: "/b.ts", status: status))
        var request = fixture.request("/a.ts")
        request.method = .put(.bytes([7]))
        _ = try await fixture.loop.fetch(request)
        let last = try #require(fixture.origin.requests.last)
        #expect(last.path == "/b.ts" && last.method == (status == 303 ? "GET" : "PUT"))
        #expect(last.body == (status == 303 ? [] : [7]))
    }

    @Test("a loop of redirects ends at the limit")
    func loop() async {
        fixture.origin.fault("/a.ts", .redirect(to: "/a.ts"))
        #expect(await fixture.failure(of: fixture.request("/a.ts")) == .tooManyRedirects(limit: 5))
        #expect(fixture.origin.requests.count == 6)
    }

    @Test("credentials stay with the origin they were given for; harmless fields go along")
    func credentialsStay() async throws {
        let other = try OriginServer()
        other.serve("/c.ts", bytes: [9])
        fixture.origin.fault("/a.ts", .redirect(to: other.url("/c.ts")))
        var request = fixture.request("/a.ts")
        let token = try #require(HTTPField.Name("X-Token"))
        request.headerFields = [.authorization: "Bearer t", token: "t", .referer: "https://example.com/"]
        request.cookies = ["session=t"]
        _ = try await fixture.loop.fetch(request)
        let first = try #require(fixture.origin.requests.first)
        #expect(first.header("Authorization") == "Bearer t")
        let second = try #require(other.requests.first)
        #expect(second.header("Authorization") == nil)
        #expect(second.header("X-Token") == nil)
        #expect(second.header("Cookie") == nil)
        #expect(second.header("Referer") == "https://example.com/")
    }

    @Test("a user and password of the URL are not sent to another origin")
    func userStays() async throws {
        let other = try OriginServer()
        other.serve("/c.ts", bytes: [9])
        fixture.origin.fault("/a.ts", .redirect(to: other.url("/c.ts")))
        var request = TransferRequest(url: "http://me:secret@127.0.0.1:\(fixture.origin.port)/a.ts")
        request.allowsPrivateAddresses = true
        _ = try await fixture.loop.fetch(request)
        #expect(fixture.origin.requests.first?.header("Authorization")?.hasPrefix("Basic ") == true)
        #expect(other.requests.first?.header("Authorization") == nil)
    }

    @Test(
        "a redirect to another scheme or to nonsense is refused",
        arguments: [
            "file:///etc/passwd", "ftp://127.0.0.1/a", "gopher://127.0.0.1/", "data:,x", "http://",
            "http://[::1",
            "http://a b/", "//", "javascript:alert(1)",
        ])
    func refused(target: String) async {
        fixture.origin.fault("/a.ts", .redirect(to: target))
        #expect(await fixture.failure(of: fixture.request("/a.ts")) == .redirectRefused)
        #expect(fixture.origin.requests.count == 1)
    }

    @Test("from https to http is refused unless allowed")
    func downgrade() throws {
        let url = try TransferURL("https://example.com/a.m3u8")
        var request = TransferRequest(url: url.text)
        let response = try #require(
            HeadTests.response("HTTP/1.1 302 Found", "Location: http://example.com/b"))
        #expect(throws: TransferError.Code.redirectRefused) {
            try Redirect(response, from: url, method: .get, hops: 0, request: request)
        }
        request.allowsInsecureRedirects = true
        let redirect = try Redirect(response, from: url, method: .get, hops: 0, request: request)
        #expect(redirect?.url.text == "http://example.com/b")
    }

    @Test("a redirect without Location is a result")
    func noLocation() async throws {
        fixture.origin.fault("/a.ts", .status(302, body: "where to?"))
        let (result, _) = try await fixture.loop.fetch(fixture.request("/a.ts"))
        #expect(result.response.status == 302)
    }

    @Test("a redirect's long body is not read to its end")
    func longBody() async throws {
        let body = String(repeating: "x", count: 3_000_000)
        fixture.origin.fault("/a.ts", .status(302, headers: ["Location: /b.ts"], body: body))
        #expect(try await fixture.loop.fetch(fixture.request("/a.ts")).1 == [1, 2, 3])
    }
}
