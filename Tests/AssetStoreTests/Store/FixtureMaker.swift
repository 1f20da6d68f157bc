import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import AssetStore

/// Makes the store that a released format is remembered by: set `STORE_FIXTURE` to the folder to be made.
struct FixtureMaker {
    @Test(
        "the fixture of the present format is made on demand",
        .enabled(if: ProcessInfo.processInfo.environment["STORE_FIXTURE"] != nil))
    func make() async throws {
        let target = try #require(ProcessInfo.processInfo.environment["STORE_FIXTURE"])
        let fixture = try StoreFixture()
        fixture.origin.serve("/v/k", bytes: Array(0..<16))
        for number in 0..<2 {
            fixture.origin.serve("/v/s\(number).ts", bytes: OriginResource.pattern(320, seed: UInt64(number)))
        }
        let tags = "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n"
        fixture.origin.serve("/v/index.m3u8", text: Playlists.media(["s0.ts", "s1.ts"], tags: tags))
        fixture.origin.serveSubtitles("/s")
        fixture.origin.serve(
            "/master.m3u8",
            text: Playlists.master(
                Playlists.rendition("SUBTITLES", "s", "en", "s/index.m3u8"),
                Playlists.variant("v/index.m3u8", 900_000, "RESOLUTION=640x360,SUBTITLES=\"s\"")))
        let asset = try await fixture.download("/master.m3u8") {
            $0.name = "Old"
            $0.meta = ["made": "by version 1"]
        }
        #expect(asset.state == .complete)
        await fixture.store.stop()
        try FileSystem.makeDirectory(FilePath(target))
        for name in ["assets", "catalog.db", "store.key"] {
            try FileManager.default.copyItem(
                atPath: fixture.root.appending(name).string, toPath: "\(target)/\(name)")
        }
    }
}
