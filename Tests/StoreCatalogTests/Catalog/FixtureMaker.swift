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

/// Makes the store that a released format is remembered by: set `STORE_FIXTURE` to the folder to be made.
struct FixtureMaker {
    @Test(
        "the fixture of the present format is made on demand",
        .enabled(if: ProcessInfo.processInfo.environment["STORE_FIXTURE"] != nil))
    func make() async throws {
        let target = try #require(ProcessInfo.processInfo.environment["STORE_FIXTURE"])
        let fixture = try StoreFixture()
        let key = [UInt8](0..<16)
        fixture.origin.serve("/v/k", bytes: key)
        let tags = "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n"
        fixture.origin.serveStream("/v", count: 2, tags: tags, key: key)
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

    @Test(
        "the fixture of a store with a password and signatures in its addresses is made on demand",
        .enabled(if: ProcessInfo.processInfo.environment["SIGNED_STORE_FIXTURE"] != nil))
    func makeSigned() async throws {
        let target = try #require(ProcessInfo.processInfo.environment["SIGNED_STORE_FIXTURE"])
        let fixture = try StoreFixture()
        SignedStream.serve(fixture.origin)
        let whole = try await fixture.store.intake.add(AssetRequest(url: SignedStream.url(fixture.origin)))
            .token
        await fixture.store.untilSettled(whole)
        for number in 2..<4 { fixture.origin.fault("/v/s\(number).ts", .status(404)) }
        let cut = try await fixture.store.intake.add(AssetRequest(url: SignedStream.url(fixture.origin)))
            .token
        await fixture.store.untilSettled(cut)
        #expect(try fixture.store.reader.requireAsset(whole).state == .complete)
        #expect(try fixture.store.reader.requireAsset(cut).state == .failed)
        await fixture.store.stop()
        try FileSystem.makeDirectory(FilePath(target))
        for name in ["assets", "catalog.db", "store.key"] {
            try FileManager.default.copyItem(
                atPath: fixture.root.appending(name).string, toPath: "\(target)/\(name)")
        }
    }
}
