import AssetStore
import TestSupport
import Testing

@testable import OfflineServer

@Suite("Behind a reverse proxy", .fewAtOnce, .timeLimit(.minutes(2)))
struct ProxyTests {
    private static let page = ["Origin": "https://media.test", "Sec-Fetch-Site": "same-origin"]

    @Test("the page below the public URL may change things, and addresses are below it")
    func publicURL() async throws {
        try await withSite {
            $0.server.publicURL = "https://media.test/films/"
        } _: { site in
            let token = try await site.importSample()
            let host = ["Host": "media.test"]
            let asset = try await site.get("/api/v1/assets/\(token)", host).object
            #expect(
                asset["playlist_url"] as? String == "https://media.test/films/assets/\(token)/master.m3u8")
            let own = Self.page.merging(host) { $1 }
            #expect(try await site.post("/api/v1/assets/\(token)/pause", "{}", own).status == 200)
            // A proxy that does not hand on the name.
            #expect(try await site.post("/api/v1/assets/\(token)/pause", "{}", Self.page).status == 200)
            let foreign = ["Origin": "https://evil.test", "Host": "media.test"]
            #expect(try await site.post("/api/v1/assets/\(token)/pause", "{}", foreign).status == 403)
            let local = try await site.get("/api/v1/assets/\(token)").object["playlist_url"] as? String
            #expect(local == "\(site.server.url)/assets/\(token)/master.m3u8")
            let made = try await site.post("/api/v1/sessions/codes", "{}", host).object
            let code = try #require(made["code"] as? String)
            let session = try await site.post("/api/v1/sessions", #"{"code": "\#(code)"}"#, host)
            #expect(session["Set-Cookie"]?.hasSuffix("; SameSite=Strict; Secure") == true)
        }
    }

    @Test("fields of a proxy about its client are believed of a trusted one only")
    func trustedProxy() async throws {
        let told = ["X-Forwarded-Proto": "https", "X-Forwarded-Host": "media.test"]
        for proxies in [["127.0.0.1"], []] {
            try await withSite {
                $0.server.trustedProxies = proxies
            } _: { site in
                let token = try await site.importSample()
                let asset = try await site.get("/api/v1/assets/\(token)", told).object
                let address = try #require(asset["playlist_url"] as? String)
                #expect(address.hasPrefix("https://media.test/") == !proxies.isEmpty)
                let change = try await site.post(
                    "/api/v1/assets/\(token)/pause", "{}", told.merging(Self.page) { $1 })
                #expect(change.status == (proxies.isEmpty ? 403 : 200))
                // The request is still judged by its own name.
                let rebound = told.merging(["Host": "evil.test"]) { $1 }
                #expect(try await site.get("/api/v1/assets", rebound).status == 421)
            }
        }
    }

    @Test(
        "a public URL must be one that people can open",
        arguments: [
            ("https://media.test", true), ("http://media.test:8080/a/b/", true), ("media.test", false),
            ("ftp://media.test", false), ("https://user@media.test", false),
            ("https://media.test/?a", false), ("*", false), ("https://media.test/ä", false),
            ("https://media.test/!~", true), ("https://media.test/a b", false),
            ("https://media.test/\u{7F}", false), ("https://media.test/a#b", false), ("https:///", false),
        ])
    func urls(_ text: String, _ isOne: Bool) {
        #expect((PublicURL(text) != nil) == isOne)
    }

    @Test(
        "a trusted proxy is named by a numeric address",
        arguments: [
            ("10.0.0.1", true), ("::1", true), ("[fe80::1]", true), ("proxy", false), ("10.0.0", false),
            ("fade", false), ("proxy:80", false), ("10.0.0.256", false), ("1.2.3.4.5", false),
            ("::ffff:10.0.0.1", true),
        ])
    func proxies(_ text: String, _ isOne: Bool) {
        #expect(ProxyPolicy.isAddress(text) == isOne)
    }
}
