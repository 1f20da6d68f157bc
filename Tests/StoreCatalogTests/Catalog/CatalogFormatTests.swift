import Foundation
import GRDB
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
@testable import StoreReading

/// Stores of other versions.
@Suite(.ofSQLite)
struct CatalogFormatTests {
    /// A copy of the store that version 1 of the catalog's format made: one complete asset of two encrypted
    /// segments with English subtitles, whose key is the bytes 0 to 15.
    private func version1() throws -> TemporaryDirectory {
        let folder = try TemporaryDirectory()
        let fixture = try #require(
            Bundle.module.url(forResource: "store-v1", withExtension: nil, subdirectory: "Fixtures"))
        try FileManager.default.copyItem(at: fixture, to: URL(fileURLWithPath: folder.file("store")))
        return folder
    }

    @Test("a store of version 1 is opened, and its asset is there with all it has")
    func opens() async throws {
        let fixture = try StoreFixture(in: version1())
        let assets = try fixture.store.reader.assets()
        let asset = try #require(assets.first)
        #expect(assets.count == 1)
        #expect(asset.name == "Old")
        #expect(asset.state == .complete && asset.availability.offline)
        #expect(asset.meta == ["made": "by version 1"])
        #expect(asset.renditions.map(\.name) == ["video-360p", "subtitles-en"])
        #expect(try fixture.contentKey(asset.token, "k0") == Array(0..<16))
        let result = try await fixture.store.verify(asset.token)
        #expect(result.checked == 6)
        // The media of this store are no media, which that version did not see.
        #expect(result.damaged == [] && result.missing == [])
        #expect(result.undecodable == ["video-360p/0.ts", "video-360p/1.ts"])
        #expect(try fixture.master(asset.token).contains("video-360p/media.m3u8"))
        await fixture.store.stop()
    }

    @Test("a reader of a store of version 1 sees its asset, too")
    func looks() throws {
        let folder = try version1()
        let reader = try StoreReader(root: FilePath(folder.file("store")))
        #expect(try reader.assets().map(\.name) == ["Old"])
        #expect(reader.engine == nil)
    }

    @Test("every commit is flushed to the disk before it is acknowledged")
    func flushes() async throws {
        let fixture = try StoreFixture()
        let (journal, synchronous) = try fixture.store.catalog.write(.store) { session in
            (
                try session.value("PRAGMA journal_mode") as String?,
                try session.value("PRAGMA synchronous") as Int?
            )
        }
        #expect(journal == "wal")
        #expect(synchronous == 2, "2 is FULL: with 1, NORMAL, a cut of the power loses commits")
        await fixture.store.stop()
    }

    @Test("the store of version 1 can be repaired from its origin's playlists")
    func repairs() async throws {
        let fixture = try StoreFixture(in: version1())
        let token = try #require(try fixture.store.reader.assets().first?.token)
        let before = try fixture.stored(token, "video-360p/media.m3u8")
        try FileSystem.unlink(fixture.path(token, "video-360p/media.m3u8"))
        try await fixture.store.repair(token, isReading: false)
        await fixture.store.untilSettled(token)
        #expect(try fixture.stored(token, "video-360p/media.m3u8") == before)
        #expect(try fixture.store.reader.requireAsset(token).state == .complete)
        await fixture.store.stop()
    }

    @Test("an asset of an older version is found by its address, and more assets of that address can be made")
    func addresses() throws {
        let queue = try DatabaseQueue()
        try CatalogSchema.migrator.migrate(queue, upTo: "host holds")
        try queue.write { try $0.execute(sql: "INSERT INTO address (digest, asset) VALUES (x'01', 'old')") }
        try CatalogSchema.migrator.migrate(queue)
        let known = try queue.write { database in
            try database.execute(sql: "INSERT INTO address (digest, asset) VALUES (x'01', 'new')")
            return try String.fetchAll(database, sql: "SELECT asset FROM address WHERE digest = x'01'")
        }
        #expect(known.sorted() == ["new", "old"])
    }

    @Test("a bandwidth that an older version estimated is forgotten, and a declared one stays")
    func bandwidths() throws {
        let queue = try DatabaseQueue()
        try CatalogSchema.migrator.migrate(queue, upTo: "addresses")
        try queue.write { database in
            for (asset, bandwidth) in [("made up", 2_000_000), ("told", 2_000_000), ("ranged", 900_000)] {
                try database.execute(
                    sql: """
                        INSERT INTO asset (token, name, source_url, state, selection, requested_at)
                            VALUES ('\(asset)', 'n', 'u', 'complete', '{}', 0);
                        INSERT INTO rendition (asset, name, position, kind, required, bandwidth, listings,
                                has_playlist, extension, duration, segments)
                            VALUES ('\(asset)', 'video', 0, 'variant', 1, \(bandwidth),
                                '["BANDWIDTH=\(bandwidth)"]', 1, 'ts', 4, 1);
                        INSERT INTO source_playlist (asset, rendition, url, body)
                            VALUES ('\(asset)', 'video', 'u', x'');
                        """)
            }
            try database.execute(
                sql: """
                    INSERT INTO source_playlist (asset, rendition, url, body) VALUES ('told', '', 'u', x'')
                    """)
        }
        try CatalogSchema.migrator.migrate(queue)
        let known = try queue.read { database in
            try Optional<Int>.fetchAll(database, sql: "SELECT bandwidth FROM rendition ORDER BY id")
        }
        #expect(known == [nil, 2_000_000, 900_000])
    }

    /// Writes into the catalog of a store that nobody has open.
    private func edit(_ folder: TemporaryDirectory, _ sql: String) throws {
        let queue = try DatabaseQueue(path: folder.file("store/catalog.db"))
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }

    @Test("a store of a newer version is refused, for working on it and for looking at it")
    func newer() async throws {
        let folder = try version1()
        try edit(folder, "INSERT INTO grdb_migrations (identifier) VALUES ('99')")
        #expect(await failure { _ = try StoreFixture(in: folder) }?.text == "storeTooNew")
        let reading = await failure { _ = try StoreReader(root: FilePath(folder.file("store"))) }
        #expect(reading?.text == "storeTooNew")
        #expect(reading?.message.contains("newer version") == true)
    }

    @Test(
        "rows that only a newer version can have made are refused as such",
        arguments: [
            "UPDATE asset SET state = 'dreaming'", "UPDATE rendition SET kind = 'smell'",
            "UPDATE rendition SET extension = 'av9'",
        ])
    func newerRows(_ sql: String) async throws {
        let folder = try version1()
        try edit(folder, sql)
        let reader = try StoreReader(root: FilePath(folder.file("store")))
        #expect(await failure { _ = try reader.assets() }?.text == "storeTooNew")
    }

    @Test(
        "a reader sees the assets of an older version; their keys count as purchased with the request")
    func looking() async throws {
        let folder = try version1()
        let asset = try #require(
            try StoreReader(root: FilePath(folder.file("store"))).assets().first)
        #expect(asset.availability.offline)
        #expect(asset.license.state == .valid)
        #expect(asset.license.expiry == .never)
        #expect(asset.license.requestedAt == asset.requestedAt)
    }

    @Test("a catalog that is no database is told as such, and left alone")
    func damaged() async throws {
        let folder = try TemporaryDirectory()
        let junk = OriginResource.pattern(8192)
        try folder.write(junk, to: "store/catalog.db")
        let error = await failure { _ = try StoreFixture(in: folder) }
        #expect(error?.text.hasPrefix("database(") == true)
        #expect(try folder.read("store/catalog.db") == junk)
    }

    @Test("a store that does not exist is empty for a reader, and a reader does not make it")
    func absent() throws {
        let folder = try TemporaryDirectory()
        let reader = try StoreReader(root: FilePath(folder.file("store")))
        #expect(try reader.assets().isEmpty)
        #expect(reader.engine == nil)
        #expect(FileSystem.names(in: FilePath(folder.path)).isEmpty)
    }

    @Test("a reader sees a store while an engine works on it")
    func readerBesideEngine() async throws {
        try await StoreFixture.run { fixture async throws in
            let before = try StoreReader(root: fixture.root)
            fixture.origin.serveStream("/v", count: 2)
            let token = try await fixture.download("/v/index.m3u8").token
            #expect(try before.requireAsset(token).availability.offline)
            #expect(try StoreReader(root: fixture.root).assets().map(\.token) == [token])
        }
    }
}
