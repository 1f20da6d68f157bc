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

/// The addresses to which redirects have led from a source.
struct RedirectedSourceTests {
    @Test(
        "an asset tells where redirects have led from its source, without queries, also when that was changed"
    )
    func redirects() async throws {
        let other = try OriginServer()
        other.serveStream("/far", count: 1)
        try await StoreFixture.run { fixture async throws in
            fixture.origin.fault("/short", .redirect(to: "/hop?sig=5ecret"))
            fixture.origin.fault("/hop", .redirect(to: other.url("/far/index.m3u8?sig=5ecret")))
            let asset = try await fixture.download("/short")
            #expect(asset.redirects == [fixture.origin.url("/hop"), other.url("/far/index.m3u8")])
            fixture.origin.serveStream("/far", count: 1)
            try await fixture.store.relink(asset.token, to: fixture.origin.url("/far/index.m3u8"))
            #expect(try fixture.store.reader.requireAsset(asset.token).redirects == [])
        }
    }
}
