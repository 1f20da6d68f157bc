import GRDB
import ModelTestSupport
import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import AssetStore
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel
@testable import StoreReading

@Suite("A reader that is made from a folder", .timeLimit(.minutes(1)))
struct FolderReaderTests {
    private let folder: TemporaryDirectory
    private let paths: StorePaths
    private let token = AssetToken(at: Timestamp(milliseconds: 1))

    init() throws {
        folder = try TemporaryDirectory()
        paths = StorePaths(root: FilePath(folder.file("store")))
    }

    /// Makes the catalog of an older version, with an asset.
    private func makeOlderCatalog() throws {
        try FileSystem.makeDirectory(paths.root)
        let queue = try DatabaseQueue(path: paths.catalog.string)
        try CatalogSchema.migrator.migrate(queue, upTo: "addresses")
        try queue.write { database in
            try database.execute(
                sql: """
                    INSERT INTO asset (token, name, source_url, state, selection, requested_at)
                        VALUES ('\(token)', 'n', 'https://host/x', 'complete', '{}', 0)
                    """)
        }
        try queue.close()
    }

    @Test("has no assets, tracks or posters if there is no store in the folder")
    func empty() throws {
        let reader = try StoreReader(root: paths.root)
        #expect(try reader.tokens().isEmpty)
        #expect(try reader.tokens(for: .remove).isEmpty)
        #expect(try reader.captions.subtitles(token, "en") == nil)
        #expect(try reader.captions.subtitleRenditions(token) == nil)
        #expect(try reader.media.poster(token) == nil)
        #expect(try reader.media.object(token, "video", named: .segment(0), extension: "ts") == nil)
        #expect(FileSystem.isAbsent(paths.root))
    }

    @Test("brings the catalog of an older version up to date, and sees its assets", .ofSQLite)
    func older() throws {
        try makeOlderCatalog()
        #expect(try StoreReader(root: paths.root).tokens() == [token])
        let known = try Catalog(reading: paths.catalog)
        #expect(known != nil)
        known?.close()
    }

    @Test("leaves the catalog of an older version alone while an engine works on the store", .ofSQLite)
    func olderInUse() throws {
        try makeOlderCatalog()
        let lock = try StoreLock(paths.lock)
        #expect(try StoreReader(root: paths.root).tokens().isEmpty)
        let known = try Catalog(reading: paths.catalog)
        #expect(known == nil)
        lock.release()
        #expect(try StoreReader(root: paths.root).tokens() == [token])
    }

    @Test(
        "reads the shared catalog if the folder is that of a node, and looks for no media in the folder",
        .enabled(if: PostgresServer.runs))
    func node() throws {
        let address = PostgresAddress(try PostgresServer.shared.get().newDatabase())
        try StoreNode(address, at: "http://films-1.example:8090").prepare()
        try NodeFolder(paths).begin(address)
        let reader = try StoreReader(root: paths.root)
        #expect(reader.paths.isOfNode)
        #expect(reader.catalog?.path == FilePath(address.shown))
        #expect(try reader.tokens().isEmpty)
        reader.catalog?.close()
    }
}
