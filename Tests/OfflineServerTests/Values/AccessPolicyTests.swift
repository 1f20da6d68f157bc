import HTTPTypes
import Testing

@testable import HTTPDaemon
@testable import OfflineServer

/// The things that a web page must not be able to do to a server on loopback.
@Suite("Access")
struct AccessPolicyTests {
    /// A request as it passed the front door.
    private func request(_ host: String, _ fields: [(String, String)] = [], target: String = "/") throws
        -> Request
    {
        var bytes: [UInt8] = []
        for (name, value) in [("Host", host)] + fields {
            bytes += Array(name.utf8) + [0] + Array(value.utf8) + [0, 0]
        }
        let head = RawHead(
            method: "GET", target: Array(target.utf8), minorVersion: 1, fields: bytes + [0, 0])
        return try RequestGuard(bodyLimit: 100).admit(head, peer: "127.0.0.1")
    }

    /// `own` when it is answered, an origin when it is answered and shared with that, the status when refused.
    private func verdict(_ policy: AccessPolicy, _ request: Request, changing: Bool = false) -> String {
        switch policy.judge(request, changesState: changing) {
        case .permitted(sharedWith: nil): "own"
        case .permitted(sharedWith: let origin?): origin
        case .refused(let problem): "\(problem.status.code)"
        }
    }

    private func policy(_ allowed: String..., address: String = "127.0.0.1", port: UInt16 = 8090)
        -> AccessPolicy
    {
        AccessPolicy(address: address, port: port, allowedOrigins: allowed)
    }

    @Test(
        "an allowed origin is normalized to the form of browsers; an origin that no browser sends is refused",
        arguments: [
            ("https://P.test/", "https://p.test"), ("https://p.test:443", "https://p.test"), ("*", "*"),
            ("http://127.0.0.1:*", "http://127.0.0.1:*"), ("http://p.test:8080", "http://p.test:8080"),
            ("p.test", nil), ("https://p.test/a", nil), ("Capacitor://localhost", "capacitor://localhost"),
            ("://p.test", nil), ("https://", nil), ("https:///", nil), ("", nil),
            ("http://p.test:80", "http://p.test"), ("https://p.test:80", "https://p.test:80"),
            ("http://p.test:443", "http://p.test:443"),
        ])
    func origins(_ text: String, _ expected: String?) {
        #expect(AllowedOrigin.normalized(text) == expected)
    }

    @Test(
        "our names with our port are answered, in any case",
        arguments: [
            "127.0.0.1:8090", "localhost:8090", "LOCALHOST:8090", "LocalHost:8090", "[::1]:8090",
        ])
    func ownHosts(_ host: String) throws {
        #expect(verdict(policy(), try request(host)) == "own")
    }

    @Test(
        "any other name or port is misdirected, also a similar one",
        arguments: [
            "evil.test", "evil.test:8090", "localhost.evil.test:8090", "127.0.0.1.evil.test:8090",
            "127.0.0.1",
            "localhost", "127.0.0.1:80", "127.0.0.1:8091", "localhost:80", "localhost.:8090",
            "127.0.0.1.:8090",
            "127.1:8090", "2130706433:8090", "0x7f000001:8090", "0177.0.0.1:8090", "0.0.0.0:8090",
            "127.0.0.2:8090",
            "[::]:8090", "[::ffff:127.0.0.1]:8090", "[0:0:0:0:0:0:0:1]:8090", "[::1]", "xlocalhost:8090",
            "localhostx:8090", "192.168.1.2:8090", "offline-server:8090", "127.0.0.1%00:8090",
        ])
    func foreignHosts(_ host: String) throws {
        #expect(verdict(policy(), try request(host)) == "421")
    }

    @Test(
        "an invalid Host is refused by the front door",
        arguments: ["", "user@127.0.0.1:8090", "127.0.0.1:8090:8090", "[::1:8090", "127.0.0.1:99999", "a b"])
    func invalidHosts(_ host: String) {
        #expect(throws: Refusal.self) { try request(host) }
    }

    @Test("the authority of an absolute-form target counts, not Host")
    func absoluteForm() throws {
        let rebound = try request("127.0.0.1:8090", target: "http://evil.test:8090/")
        let own = try request("evil.test", target: "http://localhost:8090/")
        #expect(verdict(policy(), rebound) == "421")
        #expect(verdict(policy(), own) == "own")
    }

    @Test("the port may be left out when it is 80, and then the origin has none either")
    func portEighty() throws {
        let policy = policy(port: 80)
        #expect(verdict(policy, try request("localhost")) == "own")
        #expect(verdict(policy, try request("localhost:80")) == "own")
        #expect(verdict(policy, try request("localhost", [("Origin", "http://localhost")])) == "own")
    }

    @Test("the server's own addresses are names, an IPv6 one in brackets; the any-address is not")
    func ownAddress() throws {
        let lan = policy(address: "192.168.1.2")
        #expect(verdict(lan, try request("192.168.1.2:8090")) == "own")
        #expect(
            verdict(lan, try request("192.168.1.2:8090", [("Origin", "http://192.168.1.2:8090")])) == "own")
        let six = policy(address: "fd00::1")
        #expect(verdict(six, try request("[fd00::1]:8090", [("Origin", "http://[fd00::1]:8090")])) == "own")
        #expect(verdict(policy(address: "0.0.0.0"), try request("0.0.0.0:8090")) == "421")
    }

    @Test("our own pages may do everything", arguments: [false, true])
    func ownOrigins(_ changing: Bool) throws {
        for origin in [
            "http://127.0.0.1:8090", "http://localhost:8090", "http://[::1]:8090", "HTTP://LOCALHOST:8090",
        ] {
            let asked = try request(
                "localhost:8090", [("Origin", origin), ("Sec-Fetch-Site", "same-origin")])
            #expect(verdict(policy(), asked, changing: changing) == "own", "\(origin)")
        }
    }

    @Test(
        "other pages may do nothing",
        arguments: [
            "null", "http://evil.test", "https://127.0.0.1:8090", "http://127.0.0.1:8091", "http://127.0.0.1",
            "http://localhost.evil.test:8090", "file://", "", "http://127.0.0.1:8090/",
            "http://a:8090, http://b",
        ])
    func foreignOrigins(_ origin: String) throws {
        let asked = try request("localhost:8090", [("Origin", origin)])
        #expect(verdict(policy(), asked) == "403")
        #expect(verdict(policy(), asked, changing: true) == "403")
    }

    @Test("an allowed origin may read answers, but change nothing")
    func allowedOrigin() throws {
        let policy = policy("https://Player.test", "http://dev.test:*")
        for origin in ["https://player.test", "http://dev.test:5173", "http://dev.test:80"] {
            let asked = try request("localhost:8090", [("Origin", origin), ("Sec-Fetch-Site", "cross-site")])
            #expect(verdict(policy, asked) == origin)
            #expect(verdict(policy, asked, changing: true) == "403")
        }
    }

    @Test(
        "an allowed origin does not allow similar ones",
        arguments: [
            "http://player.test", "https://player.test:444", "https://xplayer.test",
            "https://player.test.evil.test",
            "https://dev.test:5173", "http://dev.test", "http://a.dev.test:5173", "null",
        ])
    func notQuiteAllowed(_ origin: String) throws {
        let policy = policy("https://player.test", "http://dev.test:*")
        #expect(verdict(policy, try request("localhost:8090", [("Origin", origin)])) == "403")
    }

    @Test("a star allows every origin except null")
    func star() throws {
        #expect(
            verdict(policy("*"), try request("localhost:8090", [("Origin", "https://a.test")]))
                == "https://a.test")
        #expect(verdict(policy("*"), try request("localhost:8090", [("Origin", "null")])) == "403")
    }

    @Test("without Origin, the Sec-Fetch fields of the browser decide")
    func fetchMetadata() throws {
        func verdict(_ site: String, _ mode: String, changing: Bool = false) throws -> String {
            let fields = [("Sec-Fetch-Site", site), ("Sec-Fetch-Mode", mode)]
            return self.verdict(policy(), try request("localhost:8090", fields), changing: changing)
        }
        #expect(try verdict("cross-site", "no-cors") == "403")
        #expect(try verdict("same-site", "no-cors") == "403")
        #expect(try verdict("cross-site", "navigate") == "own")
        #expect(try verdict("cross-site", "navigate", changing: true) == "403")
        #expect(try verdict("none", "navigate") == "own")
        #expect(try verdict("same-origin", "cors", changing: true) == "own")
    }

    @Test("a link to here may be followed, and nothing be shown within another page")
    func frames() throws {
        for (destination, expected) in [("document", "own"), ("iframe", "403"), ("embed", "403")] {
            let fields = [
                ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate"),
                ("Sec-Fetch-Dest", destination),
            ]
            #expect(verdict(policy(), try request("localhost:8090", fields)) == expected)
        }
    }

    @Test(
        "a link leads to pages and to parts of assets, to no key and to nothing that programs ask for",
        arguments: [
            ("/", "own"), ("/watch/TOKEN", "own"), ("/assets/TOKEN/master.m3u8", "own"),
            ("/assets/TOKEN/poster", "own"), ("/assets/TOKEN/video/0.ts", "own"),
            ("/assets/TOKEN/video/0.ts?decrypt=1", "403"), ("/assets/TOKEN/keys/k0.key", "403"),
            ("/api/v1/assets", "403"), ("/api/v1/assets/TOKEN", "403"), ("/api/v1/events", "403"),
            ("/metrics", "403"), ("/healthz", "403"), ("/readyz", "403"), ("/nothing", "403"),
            ("/app/main.js", "403"),
        ])
    func links(_ target: String, _ expected: String) throws {
        let fields = [
            ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "document"),
        ]
        let path = target.replacing("TOKEN", with: "01HZX3T5E8M9K2Q4R6S7V8W9XA")
        #expect(verdict(policy(), try request("localhost:8090", fields, target: path)) == expected)
    }

    @Test(
        "media that a page embeds without naming its origin are for those whose referrer is an allowed one",
        arguments: [
            ("https://player.test/", "own"), ("https://Player.test/a?b=https://evil.test/", "own"),
            ("http://dev.test:5173/", "own"), ("https://evil.test/", "403"),
            ("https://evil.test/https://player.test/", "403"), ("https://player.test.evil.test/", "403"),
            ("https://player.test:444/", "403"), ("player.test", "403"), ("", "403"), (nil, "403"),
        ])
    func embedded(_ referrer: String?, _ expected: String) throws {
        let page = [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "no-cors")]
        let asked = try request("localhost:8090", page + (referrer.map { [("Referer", $0)] } ?? []))
        let policy = policy("https://player.test", "http://dev.test:*")
        #expect(verdict(policy, asked) == expected)
        #expect(verdict(policy, asked, changing: true) == "403")
        #expect(verdict(self.policy(), asked) == "403")
        #expect(verdict(self.policy("*"), asked) == "own")
    }
}
