import AssetStore
import TestSupport
import Testing

@testable import OfflineServer

@Suite("A ClearKey license", .fewAtOnce, .timeLimit(.minutes(2)))
struct ClearKeyLicenseTests {
    /// An asset that there is no license for.
    enum Licenseless: CaseIterable {
        case unknown, expired, revoked, unencrypted

        var status: Int {
            switch self {
            case .unknown: 404
            case .expired, .revoked: 403
            case .unencrypted: 409
            }
        }
    }

    private func withAsset(
        isEncrypted: Bool = true, _ body: (Site, AssetToken, SteppedClock) async throws -> Void
    ) async throws {
        let origin = try OriginServer()
        var request = AssetRequest(url: origin.url("/index.m3u8"))
        if isEncrypted {
            ClearTests.serve(on: origin, ClearTests.segment)
            request.license = LicenseTerms(rental: 3600)
        } else {
            ClearTests.serve(on: origin, ClearTests.text, key: "#EXT-X-VERSION:3")
        }
        let clock = SteppedClock()
        try await withSite({ $0.engine.clock = clock }) { [request] site in
            let token = try await site.server.store.intake.add(request).token
            await site.server.store.untilSettled(token)
            try await body(site, token, clock)
        }
        origin.stop()
    }

    @Test(
        "is refused for an unknown asset, an unencrypted one, and one without a valid license, for any keys",
        arguments: Licenseless.allCases, [#"{"kids": []}"#, #"{"kids": ["AAAA"]}"#])
    func refused(asset: Licenseless, body: String) async throws {
        try await withAsset(isEncrypted: asset != .unencrypted) { site, made, clock in
            var token = made
            switch asset {
            case .unknown: token = try #require(AssetToken("01HZX3T5E8M9K2Q4R6S7V8W9XA"))
            case .expired: clock.pass(3600)
            case .revoked: try site.server.store.licenses.revoke(token)
            case .unencrypted: break
            }
            for _ in 0..<2 {
                let reply = try await site.post("/assets/\(token)/clearkey", body)
                #expect(reply.status == asset.status)
                #expect(reply["Content-Type"] == "application/problem+json")
                #expect(reply.object["token"] as? String == token.description)
            }
        }
    }

    @Test(
        "is not given for identifiers that are none",
        arguments: [#"["*"]"#, #"[""]"#, #"["AAAA", "*"]"#, #"["AA AA"]"#])
    func identifiers(_ kids: String) async throws {
        try await withAsset { site, token, _ in
            for name in [token.description, "01HZX3T5E8M9K2Q4R6S7V8W9XA"] {
                let reply = try await site.post("/assets/\(name)/clearkey", "{\"kids\": \(kids)}")
                #expect(reply.status == 400 && reply.object["token"] as? String == name)
            }
        }
    }

    @Test("has each key once, however often it is asked for, and none when none is asked for")
    func once() async throws {
        try await withAsset { site, token, _ in
            let identifier = [UInt8](repeating: 0xFB, count: 16)
            try site.server.store.licenses.addKey(SampleStream.key, identifier: identifier, to: token)
            let name = Base64URL.text(identifier)
            for (kids, count) in [("\"\(name)\", \"\(name)\"", 1), ("", 0), ("\"AAAA\"", 0)] {
                // First from the store, then from the cache.
                for _ in 0..<3 {
                    let reply = try await site.post("/assets/\(token)/clearkey", "{\"kids\": [\(kids)]}")
                    #expect(reply.status == 200)
                    #expect((reply.object["keys"] as? [Any])?.count == count)
                }
            }
        }
    }
}
