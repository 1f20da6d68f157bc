import ModelTestSupport
import SidebandSubtitles
import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import Licensing
@testable import MediaDecryption
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel
@testable import StoreReading

/// Streams with impossible sizes.
struct HostileNumberTests {
    private static let ranged = Playlists.media(["a.ts", "a.ts", "a.ts", "a.ts"])
        .replacing("#EXTINF", with: "#EXT-X-BYTERANGE:9000000000000000000@0\n#EXTINF")
    private static let rated = Playlists.media(["a.ts"], tags: "#EXT-X-BITRATE:9000000000000000000\n")

    @Test(
        "they are calculated without an overflow",
        arguments: [ranged, rated], [nil, 1_000_000, Int.max])
    func sizes(_ media: String, _ bandwidth: Int?) async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serve("/media.m3u8", text: media)
            let master = Playlists.master(
                Playlists.variant("media.m3u8", bandwidth ?? 0),
                Playlists.variant("media.m3u8?2", bandwidth ?? 0))
            fixture.origin.serve("/master.m3u8", text: master)
            let path = bandwidth == nil ? "/media.m3u8" : "/master.m3u8"
            let token = try await fixture.add(path) { $0.selection.allVariants = true }
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.expectedBytes ?? 0 >= 0)
            #expect(try fixture.store.reader.assets().count == 1)
            let estimate = try await fixture.store.inspector(
                url: fixture.origin.url(path), access: OriginAccess()
            ).preview(Selection()).size
            #expect(estimate.low >= 0 && estimate.high >= estimate.low)
        }
    }

    @Test("the clock of media is worked out behind gaps of any length")
    func clocks() throws {
        let gaps = String(repeating: "#EXT-X-GAP\n#EXTINF:1000000000,\ng\n", count: 102_500)
        let source = try Playlists.parsedMedia("#EXTM3U\n\(gaps)#EXTINF:4,\ns\n#EXT-X-ENDLIST\n")
        let folder = try TemporaryDirectory()
        let token = AssetToken(at: Timestamp(milliseconds: 1))
        try folder.write(Media.timedPacket(900_000) + Media.ts(2), to: "assets/\(token)/video/102500.ts")
        let media = ClearSegments(
            source, url: "http://o/m.m3u8", paths: StorePaths(root: FilePath(folder.path)), token: token,
            rendition: "video", container: .ts, keys: [:], records: [])
        let timeline = PresentationTimeline(source)
        let clocks = AssetClocks(timeline: timeline, media: media, stored: [102_500])
        let ticks = try #require(try clocks.firstTimestamps()[0]?.ticks)
        #expect((0..<1 << 33).contains(ticks))
        #expect(timeline.map(of: 102_500, firstTicks: ticks).mpegTicks == ticks)
    }

    @Test("numbers of bytes stay small enough to be added up", arguments: [Double.nan, -1, 1e300, .infinity])
    func clamping(_ bytes: Double) {
        let size = Int64(bytes: bytes)
        #expect(size == (bytes > 0 ? .largestSize : 0))
        #expect(Int64(claimed: .max).adding(size) == .largestSize)
    }
}
