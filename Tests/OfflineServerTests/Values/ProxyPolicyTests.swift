import HTTPDaemon
import HTTPTypes
import Testing

@testable import OfflineServer

@Suite("The policy for proxies")
struct ProxyPolicyTests {
    private func value(_ fields: HTTPFields, _ name: String) -> String? {
        HTTPField.Name(name).flatMap { fields[$0] }
    }

    @Test("takes a public URL apart, without its usual port and the slash at its end")
    func publicURL() throws {
        let url = try #require(PublicURL("https://Media.test:443/Films/"))
        #expect(url.origin == "https://media.test")
        #expect(url.authority == "media.test")
        #expect(url.path == "/Films")
    }

    @Test("believes each field of a trusted proxy alone, and of several proxies the last one")
    func fields() throws {
        let policy = ProxyPolicy(trusted: ["[::1]", "10.0.0.1"])
        let (scheme, name) = ("X-Forwarded-Proto", "X-Forwarded-Host")
        let table: [(fields: [(String, String)], address: String?)] = [
            ([(scheme, "https")], "https://localhost:8090"), ([(name, "Media.test")], "http://media.test"),
            ([(scheme, "http, HTTPS"), (name, "a.test, b.test")], "https://b.test"), ([], nil),
        ]
        for (fields, address) in table {
            for (peer, isTrusted) in [("::1", true), ("::ffff:10.0.0.1", true), ("10.0.0.2", false)] {
                let request = try Request.admitted("/", fields: fields, peer: peer)
                #expect(policy.outerAddress(of: request) == (isTrusted ? address : nil), "\(fields) \(peer)")
            }
        }
    }

    @Test("knows what another node demands by the proof beside it only")
    func nodes() throws {
        let policy = ProxyPolicy(proof: "p")
        let table: [(node: String?, demand: String?, token: Bool, object: Bool)] = [
            ("p", "token", true, false), ("p", "object", false, true), ("p", nil, false, false),
            (nil, "token", false, false), (nil, "object", false, false), ("q", "token", false, false),
            ("q", "object", false, false),
        ]
        for (node, demand, token, object) in table {
            var fields: [(String, String)] = []
            if let node { fields.append(("Offline-Server-Node", node)) }
            if let demand { fields.append(("Offline-Server-Demand", demand)) }
            let request = try Request.admitted("/", fields: fields)
            #expect(policy.demandsToken(request) == token, "\(fields)")
            #expect(policy.wantsObject(request) == object, "\(fields)")
            #expect(policy.isFromNode(request) == (node == "p"), "\(fields)")
            #expect(!ProxyPolicy().isFromNode(request), "\(fields)")
        }
    }

    @Test("passes on the address of the client, except one that the other node finds out itself")
    func passingOn() throws {
        let policy = ProxyPolicy(
            publicURL: PublicURL("https://media.test"), trusted: ["10.0.0.1"], proof: "p")
        let told = [("X-Forwarded-Proto", "https"), ("X-Forwarded-Host", "a.test")]
        let table: [(host: String, peer: String, scheme: String?, name: String?)] = [
            ("media.test", "127.0.0.1", nil, nil), ("localhost:8090", "127.0.0.1", "http", "localhost:8090"),
            ("localhost:8090", "10.0.0.1", "https", "a.test"), ("media.test", "10.0.0.1", "https", "a.test"),
        ]
        for (host, peer, scheme, name) in table {
            let request = try Request.admitted("/", host: host, fields: told, peer: peer)
            let fields = policy.fields(passingOn: request, isClosed: host == "media.test")
            #expect(value(fields, "X-Forwarded-Proto") == scheme, "\(host) \(peer)")
            #expect(value(fields, "X-Forwarded-Host") == name, "\(host) \(peer)")
            #expect(value(fields, "Offline-Server-Node") == "p")
            #expect(value(fields, "Offline-Server-Demand") == (host == "media.test" ? "token" : nil))
        }
    }

    @Test("lets the server demand the token for a node, where it demands none itself")
    func closedGate() throws {
        let gate = TokenGate(token: "t", isClosed: false)
        let plain = try Request.admitted("/healthz")
        #expect(gate.admit(plain) != nil)
        #expect(gate.closed.admit(plain) == nil)
        let shown = try Request.admitted("/healthz", fields: [("Authorization", "Bearer t")])
        #expect(gate.closed.admit(shown) != nil)
    }
}
