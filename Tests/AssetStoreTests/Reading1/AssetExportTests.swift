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
@testable import StorePlanning
@testable import StoreReading

@Suite("An export of an asset", .timeLimit(.minutes(2)))
struct AssetExportTests {
    /// Downloads a stream whose address has a query.
    private func film(_ fixture: StoreFixture) async throws -> AssetToken {
        fixture.origin.serveStream("/v", count: 3)
        return try await fixture.download("/v/index.m3u8?sig=5ecret").token
    }

    private func target(_ fixture: StoreFixture) -> FilePath { FilePath(fixture.folder.file("out")) }

    @Test("with keys for another store is refused if the asset is not encrypted, and leaves nothing")
    func notEncrypted() async throws {
        try await StoreFixture.run { fixture async throws in
            let (token, folder) = (try await film(fixture), target(fixture))
            let reader = fixture.store.reader
            let key = try reader.publicKey()
            let error = await failure {
                try reader.exporter.export(token, to: folder, withKeys: false, keysFor: key)
            }
            #expect(error?.code.name == "not-encrypted")
            #expect(FileSystem.isAbsent(folder))
            #expect(FileSystem.isAbsent(AssetExporter.partFolder(for: folder)))
        }
    }

    @Test("is refused if media are in a bucket that the reader can't fetch from")
    func bucket() async throws {
        try await StoreFixture.run { fixture async throws in
            let (token, folder) = (try await film(fixture), target(fixture))
            try fixture.store.catalog.write(.store) { session in
                try session.execute("UPDATE unit SET object = 'film/1.ts' WHERE number = 1")
            }
            let reader = fixture.store.reader
            let error = await failure { try reader.exporter.export(token, to: folder, withKeys: false) }
            #expect(error?.code.name == "media-elsewhere")
            #expect(FileSystem.isAbsent(folder))
        }
    }

    @Test("notes a file with other bytes as damaged, not as gone")
    func damaged() async throws {
        try await StoreFixture.run { fixture async throws in
            let (token, folder) = (try await film(fixture), target(fixture))
            fixture.store.parts.tamperWatch.stop()
            let file = try FileDescriptor.open(fixture.path(token, "video/1.ts"), .writeOnly)
            _ = try file.writeAll(toAbsoluteOffset: 300, [1, 2, 3, 4])
            try file.close()
            // The engine's own reader hands its discoveries on at once.
            let reader = StoreReader(
                paths: fixture.store.paths, catalog: fixture.store.catalog, vault: nil)
            let error = await failure { try reader.exporter.export(token, to: folder, withKeys: false) }
            #expect(error?.code.name == "integrity")
            let found = reader.discoveries.take()[token] ?? []
            #expect(found.map(\.number) == [1])
            #expect(found.map(\.finding) == [.damaged])
        }
    }

    @Test("has the address of the stream without its query, unless the whole one is asked for")
    func source() async throws {
        try await StoreFixture.run { fixture async throws in
            let (token, folder) = (try await film(fixture), target(fixture))
            let exporter = fixture.store.reader.exporter
            try exporter.export(token, to: folder, withKeys: false)
            #expect(ExportedFacts.read(in: folder)?.sourceURL == fixture.origin.url("/v/index.m3u8"))
            let other = FilePath(fixture.folder.file("whole"))
            try exporter.export(token, to: other, withKeys: false, withSource: true)
            let whole = fixture.origin.url("/v/index.m3u8?sig=5ecret")
            #expect(ExportedFacts.read(in: other)?.sourceURL == whole)
        }
    }

    @Test("names no interstitials in its playlists, since their assets are not in it")
    func interstitials() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/ad", count: 1, seed: 50)
            let range =
                "#EXT-X-DATERANGE:ID=\"a\",CLASS=\"com.apple.hls.interstitial\","
                + "START-DATE=\"2026-01-01T00:00:04Z\",X-ASSET-URI=\"/ad/index.m3u8\"\n"
            let date = "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00Z\n"
            fixture.origin.serveStream("/main", count: 3, tags: range + date)
            let token = try await fixture.download("/main/index.m3u8") {
                $0.selection.interstitials = .keep
            }.token
            #expect(try fixture.mediaLines(token).contains { $0.contains("X-ASSET-URI") })
            let folder = target(fixture)
            try fixture.store.reader.exporter.export(token, to: folder, withKeys: false)
            let bytes = try DurableWrite.read(folder.pushing(FilePath("video/media.m3u8"))) ?? []
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.contains("#EXTINF"))
            #expect(!text.contains("X-ASSET-URI"))
        }
    }
}
