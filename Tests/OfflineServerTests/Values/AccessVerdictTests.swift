import HTTPDaemon
import HTTPTypes
import Testing

@testable import OfflineServer

@Suite("The verdict on a request")
struct AccessVerdictTests {
    /// `own` when it is answered, an origin when it is answered and shared with that, the status when refused.
    private func text(_ verdict: AccessPolicy.Verdict) -> String {
        switch verdict {
        case .permitted(sharedWith: nil): "own"
        case .permitted(sharedWith: let origin?): origin
        case .refused(let problem): "\(problem.status.code)"
        }
    }

    @Test(
        "of an allowed origin depends on whether the method changes anything, and a license request does not",
        arguments: [
            ("GET", "clearkey", "https://player.test"), ("HEAD", "master.m3u8", "https://player.test"),
            ("OPTIONS", "keys/k0.key", "https://player.test"), ("POST", "clearkey", "https://player.test"),
            ("POST", "master.m3u8", "403"), ("PUT", "clearkey", "403"), ("PUT", "keys/k0.key", "403"),
            ("DELETE", "master.m3u8", "403"),
        ])
    func methods(method: String, name: String, expected: String) throws {
        let policy = AccessPolicy(
            address: "127.0.0.1", port: 8090, allowedOrigins: ["https://player.test"])
        let request = try Request.admitted(
            "/assets/01HZX3T5E8M9K2Q4R6S7V8W9XA/\(name)", method: method,
            fields: [("Origin", "https://player.test")])
        #expect(text(policy.verdict(on: request)) == expected)
    }

    @Test("under any name takes the page of that name for the server's own, and no other page")
    func anyName() throws {
        let policy = AccessPolicy(
            address: "0.0.0.0", port: 8090, allowedOrigins: [], allowsAnyName: true)
        for (origin, expected) in [
            ("http://tv.lan:1234", "own"), ("http://TV.lan:1234", "own"), ("https://tv.lan:1234", "403"),
            ("http://tv.lan", "403"), ("http://other.lan:1234", "403"),
        ] {
            let request = try Request.admitted(
                "/api/v1/assets", method: "POST", host: "tv.lan:1234", fields: [("Origin", origin)])
            #expect(text(policy.verdict(on: request)) == expected, "\(origin)")
        }
    }

    @Test("under the name of the proxy takes the page at its address for the server's own, and no other page")
    func publicName() throws {
        let policy = AccessPolicy(
            address: "127.0.0.1", port: 8090, allowedOrigins: [],
            proxies: ProxyPolicy(publicURL: PublicURL("https://media.test")))
        for (origin, expected) in [("https://media.test", "own"), ("http://media.test", "403")] {
            let request = try Request.admitted(
                "/api/v1/assets", method: "POST", host: "media.test", fields: [("Origin", origin)])
            #expect(text(policy.verdict(on: request)) == expected, "\(origin)")
        }
    }

    @Test("is good for a client of HTTP/1.0 that sends no name, which is not the usual name")
    func noName() throws {
        let policy = AccessPolicy(address: "127.0.0.1", port: 8090, allowedOrigins: [])
        #expect(text(policy.verdict(on: try Request.admitted("/", host: nil))) == "own")
        #expect(!policy.isUsualName(nil))
        #expect(policy.isUsualName("127.0.0.1:8090"))
    }

    @Test("is good for the library's address without its last slash, to which a link leads")
    func withoutSlash() throws {
        let policy = AccessPolicy(address: "127.0.0.1", port: 8090, allowedOrigins: [])
        let fields = [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate")]
        let request = try Request.admitted("/t/x", fields: fields)
        #expect(text(policy.verdict(on: request.without(prefix: "/t/x"))) == "own")
        #expect(text(policy.verdict(on: request)) == "403")
    }
}
