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

/// What an export has beside media.
struct ExportedFactsTests {
    private func asset(_ fixture: StoreFixture) async throws -> AssetToken {
        fixture.origin.serveStream("/v", count: 2)
        fixture.origin.serve("/facts.json", text: "{\"year\": 1999}", contentType: "application/json")
        fixture.origin.serve(
            "/master.m3u8",
            text: Playlists.master(
                "#EXT-X-SESSION-DATA:DATA-ID=\"com.example.facts\",URI=\"facts.json\"",
                Playlists.variant("v/index.m3u8", 900_000)))
        return try await fixture.download("/master.m3u8?sig=5ecret") {
            $0.name = "A film"
            $0.meta = ["series": "7"]
        }.token
    }

    @Test("an export keeps name, metadata, source and session data, and an import takes them")
    func kept() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await asset(fixture)
            let folder = FilePath(fixture.folder.file("out"))
            try fixture.store.reader.exporter.export(token, to: folder, withKeys: false)
            let facts = try #require(ExportedFacts.read(in: folder))
            #expect(facts.name == "A film" && facts.meta == ["series": "7"])
            #expect(facts.sourceURL == fixture.origin.url("/master.m3u8"), "without its query")
            let text = try DurableWrite.read(folder.appending(ExportedFacts.fileName)) ?? []
            #expect(text.contains(UInt8(ascii: "\n")), "in lines, for people")
            let data = try DurableWrite.read(folder.pushing("session-data/0"))
            #expect(data.map { String(decoding: $0, as: UTF8.self) } == "{\"year\": 1999}")
            let master = try DurableWrite.read(folder.appending("master.m3u8")) ?? []
            #expect(String(decoding: master, as: UTF8.self).contains("URI=\"session-data/0\""))
            let copy = try await fixture.store.imports.add(folder).token
            let asset = try fixture.store.reader.requireAsset(copy)
            #expect(asset.name == "A film" && asset.meta == ["series": "7"])
        }
    }

    @Test("the whole address of the source is written only if that is asked for")
    func source() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await asset(fixture)
            let folder = FilePath(fixture.folder.file("out"))
            try fixture.store.reader.exporter.export(token, to: folder, withKeys: false, withSource: true)
            #expect(
                ExportedFacts.read(in: folder)?.sourceURL == fixture.origin.url("/master.m3u8?sig=5ecret"))
        }
    }
}
