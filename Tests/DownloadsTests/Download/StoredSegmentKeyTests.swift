import StoreTestSupport
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import MediaDecryption
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

@Suite("The keys of stored segments", .timeLimit(.minutes(1)))
struct StoredSegmentKeyTests {
    @Test("are those that the playlist names for each, and none where it names none or they can't be read")
    func keys() async throws {
        try await StoreFixture.run { fixture async throws in
            let secrets = [5, 6].map { [UInt8](repeating: $0, count: 16) }
            let clear = (0..<3).map { Media.ts(10, seed: UInt64($0 + 1)) }
            var text = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n"
            for (number, secret) in secrets.enumerated() {
                fixture.origin.serve("/v/\(number).key", bytes: secret)
                fixture.origin.serve(
                    "/v/s\(number).ts",
                    bytes: SampleMedia.encrypted(clear[number], key: secret, number: number))
                text += "#EXT-X-KEY:METHOD=AES-128,URI=\"\(number).key\"\n#EXTINF:4,\ns\(number).ts\n"
            }
            fixture.origin.serve("/v/s2.ts", bytes: clear[2])
            text += "#EXT-X-KEY:METHOD=NONE\n#EXTINF:4,\ns2.ts\n#EXT-X-ENDLIST\n"
            fixture.origin.serve("/v/index.m3u8", text: text)
            let asset = try await fixture.download("/v/index.m3u8")
            #expect(asset.state == .complete)
            let catalog = fixture.store.catalog
            let row = try #require(try catalog.renditions.rendition(asset.token, "video"))
            let keys = WholeSegmentKeys(asset.token, catalog: catalog, vault: fixture.store.parts.vault)
            let blind = WholeSegmentKeys(asset.token, catalog: catalog, vault: nil)
            for number in 0..<3 {
                let unit = try #require(try catalog.units.unit(of: row.id, .segment, number))
                let job = UnitJob(unit: unit, rendition: row)
                let stored = try #require(try fixture.stored(asset.token, "video/\(number).ts"))
                let found = try keys.cipher(of: job)
                let isSeen = try blind.cipher(of: job) != nil
                let isFound = found != nil
                #expect(isFound == (number < 2), "segment \(number)")
                #expect(!isSeen, "segment \(number)")
                let bytes = try found.map { try $0.cipher.blocks(stored[...], iv: $0.iv) } ?? stored
                #expect(Array(bytes.prefix(clear[number].count)) == clear[number], "segment \(number)")
            }
        }
    }
}

@Suite("A damaged initialization section", .timeLimit(.minutes(1)))
struct DamagedSectionTests {
    @Test("is not looked at again when another section is stored: only segments are")
    func sections() async throws {
        try await StoreFixture.run { fixture async throws in
            let origin = fixture.origin
            for number in 0..<2 {
                origin.serve("/v/i\(number).mp4", bytes: Media.initialization(UInt64(number + 1)))
                origin.serve("/v/m\(number).m4s", bytes: Media.fragment(UInt64(number + 1)))
            }
            let uris = (0..<2).map { "#EXT-X-MAP:URI=\"i\($0).mp4\"\nm\($0).m4s" }
            origin.serve("/v/index.m3u8", text: Playlists.media(uris))
            let asset = try await fixture.download("/v/index.m3u8")
            #expect(asset.state == .complete)
            let catalog = fixture.store.catalog
            let row = try #require(try catalog.renditions.rendition(asset.token, "video"))
            try DurableWrite.write(Media.page, to: fixture.path(asset.token, "video/init-1.mp4"))
            let inspectors = UnitInspectors(
                asset.token, catalog: catalog, paths: fixture.store.paths, vault: nil)
            let unit = try #require(try catalog.units.unit(of: row.id, .initialization, 0))
            let strangers = try inspectors.strangers(after: UnitJob(unit: unit, rendition: row))
            #expect(strangers.map(\.unit.number) == [])
        }
    }
}
