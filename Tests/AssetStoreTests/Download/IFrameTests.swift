import TestSupport
import Testing

@testable import AssetStore

/// I-frames for seeking: byte ranges of the media that they are pictures of.
@Suite(.timeLimit(.minutes(2)))
struct IFrameTests {
    /// A playlist of I-frames, each of them a byte range of a resource.
    private func list(_ frames: [(uri: String, offset: Int, length: Int)], tags: String = "") -> String {
        let lines = frames.map { "#EXTINF:4,\n#EXT-X-BYTERANGE:\($0.length)@\($0.offset)\n\($0.uri)\n" }
        return "#EXTM3U\n#EXT-X-VERSION:5\n#EXT-X-TARGETDURATION:4\n#EXT-X-I-FRAMES-ONLY\n\(tags)"
            + lines.joined() + "#EXT-X-ENDLIST\n"
    }

    /// Serves a variant of three segments beside the playlist of I-frames `i/index.m3u8`.
    private func publish(_ origin: OriginServer, _ frames: String) {
        origin.serveStream("/v", count: 3)
        origin.serve("/i/index.m3u8", text: frames)
        origin.serve(
            "/master.m3u8",
            text: Playlists.master(
                Playlists.variant("v/index.m3u8", 900_000, "RESOLUTION=320x180"),
                #"#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=90000,RESOLUTION=320x180,URI="i/index.m3u8""#))
    }

    @Test("an I-frame whose range ends inside a box is asked for once")
    func endInBox() async throws {
        try await StoreFixture.run { fixture async throws in
            let section = Media.initialization()
            let all: [UInt8] = section + (1...3).flatMap { Media.fragment(UInt64($0)) }
            let offsets = (0..<3).map { section.count + $0 * Media.fragment(1).count }
            fixture.origin.serve("/i/all.mp4", bytes: all)
            publish(
                fixture.origin,
                list(
                    offsets.map { ("all.mp4", $0, 600) },
                    tags: "#EXT-X-MAP:URI=\"all.mp4\",BYTERANGE=\"\(section.count)@0\"\n"))
            let asset = try await fixture.download("/master.m3u8") { $0.selection.trickPlay = true }
            #expect(asset.state == .complete, "\(asset.failure?.message ?? "")")
            for (number, offset) in offsets.enumerated() {
                let frame = try fixture.stored(asset.token, "iframes-180p/\(number).m4s")
                #expect(frame == Array(all[offset..<offset + 600]))
            }
            #expect(fixture.origin.requests(for: "/i/all.mp4").map(\.offset).sorted() == [0] + offsets)
        }
    }
}
