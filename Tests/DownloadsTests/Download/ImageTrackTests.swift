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

/// Thumbnails for seeking: playlists of pictures.
@Suite(.timeLimit(.minutes(2)))
struct ImageTrackTests {
    private static let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + OriginResource.pattern(900)

    /// A stream with two tracks of pictures, whose URLs have no telling extensions.
    private func publish(_ origin: OriginServer) {
        origin.serveStream("/hi", count: 2)
        for name in ["small", "large"] {
            for number in 0..<2 {
                origin.serve("/\(name)/\(number)", bytes: Self.picture, contentType: "image/jpeg")
            }
            let tile = "#EXT-X-TILES:RESOLUTION=320x180,LAYOUT=5x2,DURATION=1\n"
            origin.serve(
                "/\(name)/index.m3u8",
                text: "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-IMAGES-ONLY\n"
                    + (0..<2).map { "\(tile)#EXTINF:4,\n\($0)\n" }.joined() + "#EXT-X-ENDLIST\n")
        }
        origin.serve(
            "/master.m3u8",
            text: Playlists.master(
                Playlists.variant("hi/index.m3u8", 900_000, "RESOLUTION=640x360"),
                image("small", 16_460, "320x180"), image("large", 65_000, "1280x720")))
    }

    private func image(_ name: String, _ bandwidth: Int, _ resolution: String) -> String {
        "#EXT-X-IMAGE-STREAM-INF:BANDWIDTH=\(bandwidth),RESOLUTION=\(resolution),CODECS=\"jpeg\","
            + "URI=\"\(name)/index.m3u8\""
    }

    @Test("they are stored with other renditions for seeking, and served from here as pictures")
    func stored() async throws {
        try await StoreFixture.run { fixture async throws in
            publish(fixture.origin)
            let asset = try await fixture.download("/master.m3u8") { $0.selection.trickPlay = true }
            #expect(asset.state == .complete)
            #expect(asset.renditions.map(\.name) == ["video-360p", "images-180p"])
            #expect(asset.renditions.last?.kind == .images && asset.renditions.last?.isComplete == true)
            #expect(try fixture.stored(asset.token, "images-180p/1.jpg") == Self.picture)
            let master = try fixture.master(asset.token)
            let line = "#EXT-X-IMAGE-STREAM-INF:BANDWIDTH=16460,RESOLUTION=320x180,CODECS=\"jpeg\","
            #expect(master.contains("\(line)URI=\"images-180p/media.m3u8\"\n"))
            #expect(!master.contains("large"))
            let lines = try fixture.mediaLines(asset.token, "images-180p")
            #expect(lines.contains("#EXT-X-IMAGES-ONLY") && lines.contains { $0.hasPrefix("#EXT-X-TILES:") })
            #expect(lines.filter { !$0.hasPrefix("#") } == ["0.jpg", "1.jpg"])
        }
    }

    @Test("a part of a presentation marks its pictures as pictures, too")
    func part() async throws {
        try await StoreFixture.run { fixture async throws in
            publish(fixture.origin)
            let asset = try await fixture.download("/master.m3u8") {
                ($0.selection.trickPlay, $0.selection.start) = (true, 4)
            }
            #expect(asset.state == .complete)
            let lines = try fixture.mediaLines(asset.token, "images-180p")
            #expect(lines.contains("#EXT-X-IMAGES-ONLY") && lines.contains { $0.hasPrefix("#EXT-X-TILES:") })
            #expect(lines.filter { !$0.hasPrefix("#") } == ["1.jpg"])
        }
    }

    @Test("they can be added later, and are left out without a request")
    func later() async throws {
        try await StoreFixture.run { fixture async throws in
            publish(fixture.origin)
            let token = try await fixture.download("/master.m3u8").token
            #expect(try !fixture.master(token).contains("IMAGE"))
            var wish = Selection()
            (wish.trickPlay, wish.allVariants) = (true, true)
            let added = try await fixture.store.addTracks(wish, to: token)
            #expect(added.names == ["images-180p", "images-720p"])
            await fixture.store.untilSettled(token)
            #expect(try fixture.store.reader.requireAsset(token).state == .complete)
        }
    }
}
