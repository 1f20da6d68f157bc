import TestSupport
import Testing

@testable import Transfers

@Suite("Cookies")
struct CookieTests {
    let fixture: Fixture
    let jar: CookieJar

    init() throws {
        fixture = try Fixture()
        jar = try CookieJar()
    }

    func request(_ path: String) -> TransferRequest {
        var request = fixture.request(path)
        request.cookieJar = jar
        return request
    }

    @Test("a cookie of a playlist's response is sent with its segments")
    func shared() async throws {
        fixture.origin.serve("/a.m3u8", text: "#EXTM3U")
        fixture.origin.fault("/a.m3u8", .header("Set-Cookie: token=abc; Path=/"))
        fixture.origin.serve("/a.ts", bytes: [1])
        fixture.origin.fault("/a.ts", .requireCookie("token=abc"))
        _ = try await fixture.loop.fetch(request("/a.m3u8"))
        #expect(try await fixture.loop.fetch(request("/a.ts")).0.response.status == 200)
    }

    @Test("a cookie of a redirect is sent with the next hop")
    func redirect() async throws {
        fixture.origin.fault("/a.ts", .redirect(to: "/b.ts"))
        fixture.origin.fault("/a.ts", .header("Set-Cookie: gate=open"))
        fixture.origin.serve("/b.ts", bytes: [1])
        fixture.origin.fault("/b.ts", .requireCookie("gate=open"))
        #expect(try await fixture.loop.fetch(request("/a.ts")).0.response.status == 200)
    }

    @Test("transfers without the jar neither read nor write it")
    func separate() async throws {
        fixture.origin.serve("/a.ts", bytes: [1])
        fixture.origin.fault("/a.ts", .header("Set-Cookie: token=abc"))
        _ = try await fixture.loop.fetch(fixture.request("/a.ts"))
        #expect(jar.netscapeLines.isEmpty)
        _ = try await fixture.loop.fetch(request("/a.ts"))
        _ = try await fixture.loop.fetch(fixture.request("/a.ts"))
        #expect(fixture.origin.requests.allSatisfy { $0.header("Cookie") == nil })
    }

    @Test("transfers without the jar send no cookie of each other, after one with it")
    func withoutJar() async throws {
        fixture.origin.serve("/a.ts", bytes: [1])
        fixture.origin.fault("/a.ts", .header("Set-Cookie: token=abc"))
        _ = try await fixture.loop.fetch(request("/a.ts"))
        for _ in 0..<3 { _ = try await fixture.loop.fetch(fixture.request("/a.ts")) }
        #expect(fixture.origin.requests.count == 4)
        #expect(fixture.origin.requests.allSatisfy { $0.header("Cookie") == nil })
    }

    @Test("a Netscape file fills the jar, comments and malformed lines aside")
    func netscapeFile() async throws {
        jar.add(
            netscapeFile: """
                # Netscape HTTP Cookie File

                127.0.0.1\tFALSE\t/\tFALSE\t0\tplain\t1
                #HttpOnly_127.0.0.1\tFALSE\t/\tFALSE\t0\thidden\t2
                127.0.0.1\tFALSE\t/other/\tFALSE\t0\telsewhere\t3
                example.com\tFALSE\t/\tFALSE\t0\tforeign\t4
                nonsense
                Set-Cookie: sneaky=5
                """)
        #expect(jar.netscapeLines.count == 4)
        fixture.origin.serve("/a.ts", bytes: [1])
        _ = try await fixture.loop.fetch(request("/a.ts"))
        let sent = try #require(fixture.origin.requests.first?.header("Cookie"))
        #expect(Set(sent.split(separator: "; ")) == ["plain=1", "hidden=2"])
    }

    @Test("a jar's lines fill another jar with the same cookies")
    func roundTrip() async throws {
        jar.add(netscapeFile: "example.com\tTRUE\t/\tTRUE\t4102444800\tname\tvalue")
        let copy = try CookieJar()
        copy.add(netscapeFile: jar.netscapeLines.joined(separator: "\n"))
        #expect(copy.netscapeLines == jar.netscapeLines)
        #expect(copy.netscapeLines.count == 1)
    }
}
