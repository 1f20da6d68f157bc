import Foundation
import ModelTestSupport
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

/// Renditions that can't be read, of streams that are of use without them.
@Suite("A lost rendition", .timeLimit(.minutes(2)))
struct LostRenditionTests {
    @Test("of a download is reported with the reason, and without the query of its address")
    func download() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v")
            fixture.origin.serve(
                "/master.m3u8",
                text: Playlists.master(
                    Playlists.rendition("SUBTITLES", "s", "en", "gone.m3u8?token=S3CRET"),
                    Playlists.variant("v/index.m3u8", 900_000, "SUBTITLES=\"s\"")))
            let added = try await fixture.store.intake.add(fixture.request("/master.m3u8"))
            #expect(added.lost.count == 1)
            #expect(added.lost.first?.contains("404") == true)
            #expect(added.lost.first?.contains("S3CRET") == false)
        }
    }

    @Test("of an imported folder is reported, too")
    func folder() async throws {
        try await StoreFixture.run { fixture async throws in
            let source = try TemporaryDirectory()
            try source.write(Media.ts(5), to: "hls/0.ts")
            try source.write(Array(Playlists.media(["0.ts"]).utf8), to: "hls/v.m3u8")
            let master = Playlists.master(
                Playlists.rendition("SUBTITLES", "s", "en", "none.m3u8"),
                Playlists.variant("v.m3u8", 900_000, "SUBTITLES=\"s\""))
            try source.write(Array(master.utf8), to: "hls/master.m3u8")
            let added = try await fixture.store.imports.add(FilePath(source.file("hls")))
            #expect(added.lost.count == 1 && added.lost.first?.contains("none.m3u8") == true)
            #expect(try fixture.store.reader.requireAsset(added.token).availability.offline)
        }
    }

    /// A folder with the smaller one of two variants, and nothing of the other one.
    private func halfFolder() throws -> TemporaryDirectory {
        let source = try TemporaryDirectory()
        try source.write(Media.ts(5), to: "hls/0.ts")
        try source.write(Array(Playlists.media(["0.ts"]).utf8), to: "hls/lo.m3u8")
        let master = Playlists.master(
            Playlists.rendition("AUDIO", "a", "en", "en.m3u8", "DEFAULT=YES"),
            Playlists.variant("hi.m3u8", 900_000, "RESOLUTION=640x360,AUDIO=\"a\""),
            Playlists.variant("lo.m3u8", 300_000, "RESOLUTION=320x180"))
        try source.write(Array(master.utf8), to: "hls/master.m3u8")
        return source
    }

    @Test("of a folder with one of its listed variants is reported, and the asset is that variant")
    func variants() async throws {
        try await StoreFixture.run { fixture async throws in
            let source = try halfFolder()
            let added = try await fixture.store.imports.add(FilePath(source.file("hls")))
            #expect(added.lost.count == 1 && added.lost.first?.contains("hi.m3u8") == true)
            let asset = try fixture.store.reader.requireAsset(added.token)
            #expect(asset.state == .complete && asset.availability.offline)
            #expect(asset.renditions.map(\.name) == ["video-180p"])
            #expect(try !fixture.master(added.token).contains("900000"))
        }
    }

    @Test("of a folder is no variant that was asked for")
    func wanted() async throws {
        try await StoreFixture.run { fixture async throws in
            let source = try halfFolder()
            let folder = FilePath(source.file("hls"))
            let error = await failure {
                _ = try await fixture.store.imports.add(folder, selection: Selection())
            }
            #expect(error?.message.contains("hi.m3u8") == true)
            #expect(try fixture.isEmpty)
        }
    }
}
