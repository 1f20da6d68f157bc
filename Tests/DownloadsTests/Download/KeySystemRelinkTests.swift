import StoreTestSupport
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import StoreFiles
@testable import StoreModel

@Suite("An asset whose keys only a key system has", .timeLimit(.minutes(1)))
struct KeySystemRelinkTests {
    private static let tags =
        "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://k/1\",KEYFORMAT=\"com.apple.streamingkeydelivery\"\n"

    @Test("takes a fresh address, from which its missing segments come")
    func relinked() async throws {
        try await StoreFixture.run { fixture async throws in
            let media = fixture.origin.serveStream("/v", count: 3, tags: Self.tags)
            fixture.origin.serveStream("/fresh", count: 3, tags: Self.tags)
            fixture.origin.fault("/v/s2.ts", .status(403))
            let token = try await fixture.download("/v/index.m3u8") { $0.allowsMissingKeys = true }.token
            try #require(try fixture.store.reader.requireAsset(token).state == .failed)
            try await fixture.store.relink(token, to: fixture.origin.url("/fresh/index.m3u8"))
            await fixture.store.untilSettled(token)
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.state == .complete, "\(asset.failure?.message ?? "")")
            #expect(try fixture.stored(token, "video/2.ts") == media[2])
            #expect(fixture.origin.paths.contains("/fresh/s2.ts"))
        }
    }
}
