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

/// Downloads of a part of a presentation, as they are stored and served.
struct PartDownloadTests {
    @Test("only the segments of the part are stored, under their own numbers, and it plays as a whole")
    func stored() async throws {
        try await StoreFixture.run { fixture async throws in
            let key = Array("0123456789abcdef".utf8)
            fixture.origin.serve("/k.key", bytes: key)
            let bytes = (0..<6).map { number in
                SampleMedia.encrypted(Media.ts(8, seed: UInt64(number)), key: key, number: number)
            }
            for (number, segment) in bytes.enumerated() {
                fixture.origin.serve("/s\(number).ts", bytes: segment)
            }
            let tags = "#EXT-X-KEY:METHOD=AES-128,URI=\"/k.key\"\n"
            fixture.origin.serve("/v.m3u8", text: Playlists.media((0..<6).map { "s\($0).ts" }, tags: tags))
            let token = try await fixture.add("/v.m3u8") {
                $0.selection.start = 9
                $0.selection.end = 15
            }
            await fixture.store.untilSettled(token)
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.state == .complete && asset.availability.offline && asset.duration == 8)
            for number in [2, 3] { #expect(try fixture.stored(token, "video/\(number).ts") == bytes[number]) }
            #expect(!fixture.origin.paths.contains { ["/s0.ts", "/s1.ts", "/s4.ts", "/s5.ts"].contains($0) })
            let served = String(decoding: try fixture.stored(token, "video/media.m3u8") ?? [], as: UTF8.self)
            #expect(served.contains("#EXT-X-MEDIA-SEQUENCE:2\n") && served.contains("#EXT-X-ENDLIST"))
        }
    }

    @Test("date ranges of the part are served, with their places in it")
    func servedDateRanges() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 4)
            fixture.origin.serve("/v/index.m3u8", text: DatedPlaylist.text)
            let token = try await fixture.download("/v/index.m3u8") {
                ($0.selection.start, $0.selection.end) = (5, 11)
            }.token
            let ranges = try fixture.store.reader.playlists.dateRanges(of: token) ?? []
            #expect(ranges.map(\.id) == ["first", "into", "end", "late"])
            #expect(ranges.map(\.start) == [-4, -2, 4, 6])
            let lines = try fixture.mediaLines(token)
            #expect(lines.filter { $0.hasPrefix("#EXT-X-DATERANGE") }.count == 4)
        }
    }
}
