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

@Suite("Key tags of served playlists", .timeLimit(.minutes(2)))
struct KeyTagTests {
    @Test("a multivariant playlist lists the keys of its renditions, also if the origin's listed none")
    func sessionKeys() async throws {
        try await Licensed.run(LicenseTerms()) { asset async throws in
            let master = try asset.fixture.master(asset.token)
            #expect(master.contains("#EXT-X-SESSION-KEY:METHOD=AES-128,URI=\"keys/k0.key\""))
            try asset.fixture.store.licenses.revoke(asset.token)
            #expect(try !asset.fixture.master(asset.token).contains("SESSION-KEY"))
        }
    }

    @Test("a segment with keys of several systems is listed with the usable key only")
    func several() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serve("/k.key", bytes: Licensed.key)
            fixture.origin.serveStream(
                "/v",
                tags: """
                    #EXT-X-KEY:METHOD=SAMPLE-AES,URI="k.key"
                    #EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://x",KEYFORMAT="com.apple.streamingkeydelivery"
                    #EXT-X-KEY:METHOD=SAMPLE-AES,URI="data:,x",KEYFORMAT="urn:uuid:edef8ba9-79d6-4ace-a3c8-27dcd51d21ed"

                    """.replacing("\"k.key\"", with: "\"/k.key\""))
            let token = try await fixture.add("/v/index.m3u8")
            let served = String(
                decoding: try fixture.stored(token, "video/media.m3u8") ?? [], as: UTF8.self)
            let tags = served.split(separator: "\n").filter { $0.hasPrefix("#EXT-X-KEY") }
            #expect(tags == ["#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"../keys/k0.key\""])
        }
    }
}
