import ModelTestSupport
import StoreTestSupport
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import Licensing
@testable import MediaDecryption
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

/// Credentials from the user, and redirects of the origin.
struct OriginAccessTests {
    private static let secret = "5ecret-value-of-a-header"
    private static let key = OriginResource.pattern(16)
    private static let cookie = "5ecret-value-of-a-cookie"

    private func serve(_ origin: OriginServer) {
        origin.serveStream("/v", count: 2, tags: "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n", key: Self.key)
        origin.serve("/v/k", bytes: Self.key)
        origin.serve("/master.m3u8", text: Playlists.master(Playlists.variant("v/index.m3u8", 1)))
        origin.fault("*", .require(header: "X-Auth", value: Self.secret))
        origin.fault("*", .requireCookie("session=\(Self.cookie)"))
    }

    private func access(_ request: inout AssetRequest) {
        request.access.headers = [["X-Auth", Self.secret]]
        request.access.cookies = "127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\t\(Self.cookie)\n"
    }

    @Test("headers and cookies go with every request: playlists, keys and segments")
    func applied() async throws {
        try await StoreFixture.run { fixture async throws in
            serve(fixture.origin)
            #expect(await fixture.refusal("/master.m3u8")?.text == "status(403, retryAfter: nil)")
            let asset = try await fixture.download("/master.m3u8", access)
            #expect(asset.state == .complete, "\(asset.failure?.message ?? "")")
        }
    }

    @Test("headers and cookies are in no file of the store in the clear")
    func sealed() async throws {
        try await StoreFixture.run { fixture async throws in
            serve(fixture.origin)
            _ = try await fixture.download("/master.m3u8", access)
            #expect(try fixture.filesContaining(Array("master.m3u8".utf8)).isEmpty == false)
            #expect(try fixture.filesContaining(Array(Self.secret.utf8)).isEmpty)
            #expect(try fixture.filesContaining(Array(Self.cookie.utf8)).isEmpty)
        }
    }

    @Test("a User-Agent of the user's own replaces ours")
    func userAgent() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            fixture.origin.fault("*", .require(header: "User-Agent", value: "Agent/7"))
            let asset = try await fixture.download("/v/index.m3u8") { $0.access.userAgent = "Agent/7" }
            #expect(asset.state == .complete)
        }
    }

    @Test("relative references are resolved against the playlist's address after redirects")
    func redirects() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/far/v", count: 2)
            fixture.origin.serve("/far/master.m3u8", text: Playlists.master(Playlists.variant("hop.m3u8", 1)))
            fixture.origin.fault("/short", .redirect(to: "/far/master.m3u8"))
            fixture.origin.fault("/far/hop.m3u8", .redirect(to: "/far/v/index.m3u8", status: 307))
            fixture.origin.fault("/far/v/s1.ts", .redirect(to: "/elsewhere.ts", status: 301))
            fixture.origin.serve("/elsewhere.ts", bytes: Media.ts(5, seed: 77))
            let asset = try await fixture.download("/short")
            #expect(asset.state == .complete)
            #expect(asset.sourceURL == fixture.origin.url("/short"))
            #expect(try fixture.stored(asset.token, "video/1.ts") == Media.ts(5, seed: 77))
        }
    }

    @Test("compressed playlists are read")
    func gzip() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 2)
            fixture.origin.fault("/v/index.m3u8", .gzip)
            #expect(try await fixture.download("/v/index.m3u8").state == .complete)
        }
    }

    @Test("the query of a source is asked with and never shown")
    func query() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            fixture.origin.fault("/v/s0.ts", .status(403))
            fixture.origin.serve("/v/index.m3u8", text: Playlists.media(["s0.ts?token=5ecret"]))
            let asset = try await fixture.download("/v/index.m3u8?token=5ecret")
            #expect(fixture.origin.requests.allSatisfy { $0.query == "token=5ecret" })
            #expect(asset.failure?.errorClass == "auth")
            #expect(!"\(asset)".contains("5ecret"))
        }
    }
}
