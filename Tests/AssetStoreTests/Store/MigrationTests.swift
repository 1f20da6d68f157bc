import Foundation
import ModelTestSupport
import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel
@testable import StoreReading

@Suite(
    "A store that moves", .enabled(if: PostgresServer.runs && ObjectServer.Engine.moto.runs), .ofSQLite,
    .serialized, .timeLimit(.minutes(4)))
struct MigrationTests {
    private let server: ObjectServer
    private let database: String
    private let folder: TemporaryDirectory

    init() throws {
        server = try ObjectServer()
        database = try PostgresServer.shared.get().newDatabase()
        folder = try TemporaryDirectory()
    }

    private func migration(
        _ name: String, database: String? = nil, prefix: String = "films"
    ) throws -> StoreMigration {
        StoreMigration(
            FilePath(folder.file(name)), PostgresAddress(database ?? self.database),
            try BucketFixture.settings(server, prefix: prefix), settle: { _, _ in }, tell: { _ in },
            step: { _ in })
    }

    /// A closed store with two assets: one of several renditions with users' files, and an encrypted one.
    private func made(_ name: String) async throws -> [AssetToken] {
        let fixture = try StoreFixture(in: folder, named: name)
        // More units than are moved at the same time.
        fixture.origin.serveStream("/v", count: 2 * StoreMigration.width)
        fixture.origin.serveStream("/w", count: 3)
        let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + OriginResource.pattern(300, seed: 91)
        fixture.origin.serve("/poster.jpg", bytes: picture)
        let subtitles = folder.file("own.srt")
        try Data("1\n00:00:01,000 --> 00:00:02,000\nFjord\n".utf8).write(to: URL(filePath: subtitles))
        let first = try await fixture.download("/v/index.m3u8") {
            $0.artwork = fixture.origin.url("/poster.jpg")
            $0.tags = ["kids", "winter"]
        }
        _ = try await fixture.store.addSubtitleFiles(
            [SubtitleSource(source: subtitles, language: "nb")], to: first.token)
        let second = try await fixture.download("/w/index.m3u8")
        await fixture.store.stop()
        return [first.token, second.token]
    }

    /// All files of assets in a folder, by their paths.
    private func files(_ name: String) throws -> [String: [UInt8]] {
        let root = folder.file("\(name)/assets")
        var found: [String: [UInt8]] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: root) {
            guard FileSystem.facts(FilePath("\(root)/\(path)"))?.isRegular == true else { continue }
            found[path] = [UInt8](try Data(contentsOf: URL(filePath: "\(root)/\(path)")))
        }
        return found
    }

    /// All rows of a folder's catalog that move, but for the times of folders.
    private func rows(_ name: String, _ shared: Catalog) throws -> [String: [[SQLValue]]] {
        let own = try #require(try Catalog(reading: FilePath(folder.file("\(name)/catalog.db"))))
        defer { own.close() }
        let plan = CatalogCopy(
            from: own, to: shared, .init(object: { _ in nil }, folderTime: { _ in nil }, mediaPlace: nil)
        ) { _ in }
        var all: [String: [[SQLValue]]] = [:]
        for var table in try plan.tables() {
            table.columns.removeAll { $0.name == "folder_time" }
            all[table.name] = try own.read { session in
                try session.rows(
                    "SELECT \(table.names) FROM \(table.name) ORDER BY \(table.key.joined(separator: ", "))"
                ) { row in table.columns.enumerated().map { $1.type.value($0, of: row) } }
            }
        }
        return all
    }

    private func copyKey(from: String, to: String) throws {
        try FileManager.default.createDirectory(atPath: folder.file(to), withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: folder.file("\(from)/store.key"), toPath: folder.file("\(to)/store.key"))
    }

    @Test("into the cluster and back has the same rows and the same files, byte for byte")
    func roundTrip() async throws {
        let tokens = try await made("one")
        let before = try files("one")
        let there = try await migration("one").share()
        #expect(there.assets == 2 && there.files == 2 * StoreMigration.width + 3 && there.absent.isEmpty)
        #expect(try files("one") == before)
        try copyKey(from: "one", to: "two")
        let back = try await migration("two").takeBack()
        #expect(
            back.assets == 2 && back.files == there.files && back.rows == there.rows && back.absent.isEmpty)
        #expect(try files("two") == before)
        let shared = try Catalog(reading: PostgresAddress(database))
        defer { shared.close() }
        #expect(try rows("two", shared) == rows("one", shared))
        let store = try OfflineStore(root: FilePath(folder.file("two")))
        for token in tokens {
            let asset = try store.reader.requireAsset(token)
            #expect(asset.isPlayableOffline && asset.state == .complete)
            #expect(try await store.repairer.verify(token).isSound)
        }
        await store.stop()
    }

    @Test("is not worked on in its old place, which says where the new one is")
    func moved() async throws {
        _ = try await made("one")
        _ = try await migration("one").share()
        let error = #expect(throws: StoreError.self) { try OfflineStore(root: FilePath(folder.file("one"))) }
        #expect(error?.message.contains("moved to \(PostgresAddress(database).shown)") == true)
        #expect(error?.message.contains("migration.json") == true)
        // Looking is still possible, and so is the return on the user's own word.
        #expect(try StoreReader(root: FilePath(folder.file("one"))).tokens().count == 2)
        #expect(try await migration("one").share().wasDone)
        let other = try PostgresServer.shared.get().newDatabase()
        let again = await failure { _ = try await migration("one", database: other, prefix: "other").share() }
        #expect(again?.code.name == "moved")
        try FileManager.default.removeItem(atPath: folder.file("one/migration.json"))
        let store = try OfflineStore(root: FilePath(folder.file("one")))
        await store.stop()
    }

    @Test("goes into no place that has something in it")
    func notEmpty() async throws {
        _ = try await made("one")
        _ = try await made("other")
        _ = try await migration("other").share()
        let taken = await failure { _ = try await migration("one", prefix: "one").share() }
        #expect(taken?.code.name == "not-empty", "\(taken?.message ?? "")")
        let fresh = try PostgresServer.shared.get().newDatabase()
        let bucket = await failure { _ = try await migration("one", database: fresh).share() }
        #expect(bucket?.message.contains("s3://") == true && bucket?.code.name == "not-empty")
        // A node has made an empty store there.
        let server = try PostgresServer.shared.get()
        let begun = try server.newDatabase()
        try StoreNode(PostgresAddress(begun), at: "http://films-1.example:8090").prepare()
        try server.sql("INSERT INTO store_secret (name, value) VALUES ('api-token', 'x')", in: begun)
        let own = await failure { _ = try await migration("one", database: begun, prefix: "two").share() }
        #expect(own?.code.name == "not-empty" && own?.message.contains("postgresql://") == true)
        #expect(!FileManager.default.fileExists(atPath: folder.file("one/migration.json")))
        let back = await failure { _ = try await migration("one").takeBack() }
        #expect(back?.code.name == "not-empty", "\(back?.message ?? "")")
        // Nothing of this has changed the store.
        let store = try OfflineStore(root: FilePath(folder.file("one")))
        await store.stop()
    }

    @Test("names files that are missing or damaged, which the new store does not take for stored")
    func damaged() async throws {
        let tokens = try await made("one")
        let video = "one/assets/\(tokens[1])/video"
        try FileManager.default.removeItem(atPath: folder.file("\(video)/0.ts"))
        let handle = try FileHandle(forWritingTo: URL(filePath: folder.file("\(video)/1.ts")))
        try handle.write(contentsOf: Data([1, 2, 3]))
        try handle.close()
        let report = try await migration("one").share()
        #expect(Set(report.absent.map(\.name)) == ["video/0.ts", "video/1.ts"])
        let shared = try Catalog(reading: PostgresAddress(database))
        defer { shared.close() }
        let row = try #require(try shared.renditions.all(of: [tokens[1]])[tokens[1]]?.first)
        #expect(row.storedSegments == 1)
        #expect(try shared.units.storedNumbers(ofRendition: row.id) == [2])
    }

    @Test("has a node neither before it nor behind it")
    func active() async throws {
        _ = try await made("one")
        let node = StoreNode(PostgresAddress(database), at: "http://films-1.example:8090")
        try node.prepare()
        guard case .own(let ownership) = try node.look() else {
            Issue.record("the store has an owner")
            return
        }
        let refused = await failure { _ = try await migration("one").share() }
        #expect(refused?.message.contains("films-1.example") == true)
        try node.leave(ownership)
        _ = try await migration("one").share()
        try copyKey(from: "one", to: "two")
        _ = try await migration("two").takeBack()
        let error = #expect(throws: StoreError.self) { try node.look() }
        #expect(error?.code.name == "moved" && error?.message.contains(folder.file("two")) == true)
    }
}
