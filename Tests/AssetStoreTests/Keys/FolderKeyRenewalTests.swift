import ModelTestSupport
import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import Licensing
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

@Suite("When the keys of an imported folder are fetched again,", .timeLimit(.minutes(2)))
struct FolderKeyRenewalTests {
    @Test("one that a playlist holds is read from the playlist in that folder")
    func inline() async throws {
        try await StoreFixture.run { fixture async throws in
            let key = Secret.key(OriginResource.pattern(16, seed: 341))
            for number in 0..<2 {
                let clear = Media.ts(10, seed: UInt64(number + 1))
                let bytes = SampleMedia.encrypted(clear, key: key, number: number)
                try fixture.folder.write(bytes, to: "hls/\(number).ts")
            }
            let tag = "#EXT-X-KEY:METHOD=AES-128,URI=\"data:;base64,\(Secret.base64(key))\"\n"
            let text = Playlists.media(["0.ts", "1.ts"], tags: tag)
            try fixture.folder.write(Array(text.utf8), to: "hls/index.m3u8")
            let path = FilePath(fixture.folder.file("hls"))
            let token = try await fixture.store.imports.add(path).token
            let record = try #require(try fixture.store.catalog.assets.asset(token))
            let renewal = KeyRenewal(sources: fixture.store.licenses.sources, record: record, via: nil)
            let keys = try await renewal.fetch()
            #expect(keys.map(\.id) == ["k0"])
            #expect(keys.map { $0.opened(by: fixture.store.parts.vault, for: token) } == [key])
            #expect(fixture.origin.requests.isEmpty)
        }
    }
}
