import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import AssetStore

/// Renditions that can't be read, of streams that are of use without them.
@Suite("What is left out", .timeLimit(.minutes(2)))
struct LostRenditionTests {
    @Test("of a download is told with the reason, and without the query of its address")
    func download() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v")
            fixture.origin.serve(
                "/master.m3u8",
                text: Playlists.master(
                    Playlists.rendition("SUBTITLES", "s", "en", "gone.m3u8?token=S3CRET"),
                    Playlists.variant("v/index.m3u8", 900_000, "SUBTITLES=\"s\"")))
            let added = try await fixture.store.add(fixture.request("/master.m3u8"))
            #expect(added.lost.count == 1)
            #expect(added.lost.first?.contains("404") == true)
            #expect(added.lost.first?.contains("S3CRET") == false)
        }
    }

    @Test("of a folder that is imported is told, too")
    func folder() async throws {
        try await StoreFixture.run { fixture async throws in
            let source = try TemporaryDirectory()
            try source.write(Media.ts(5), to: "hls/0.ts")
            try source.write(Array(Playlists.media(["0.ts"]).utf8), to: "hls/v.m3u8")
            let master = Playlists.master(
                Playlists.rendition("SUBTITLES", "s", "en", "none.m3u8"),
                Playlists.variant("v.m3u8", 900_000, "SUBTITLES=\"s\""))
            try source.write(Array(master.utf8), to: "hls/master.m3u8")
            let added = try await fixture.store.importing(FilePath(source.file("hls")))
            #expect(added.lost.count == 1 && added.lost.first?.contains("none.m3u8") == true)
            #expect(try fixture.store.reader.requireAsset(added.token).availability.offline)
        }
    }
}
