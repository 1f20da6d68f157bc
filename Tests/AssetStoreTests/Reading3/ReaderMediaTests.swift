import ASCII
import ModelTestSupport
import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import MediaDecryption
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel
@testable import StoreReading

@Suite("The media of a reader", .ofSQLite, .timeLimit(.minutes(2)))
struct ReaderMediaTests {
    /// A closed store with an asset of three segments, and their bytes.
    private struct Film {
        let fixture: StoreFixture
        let token: AssetToken
        let segments: [[UInt8]]
        let row: Int64

        init(_ change: (StoreFixture, Int64) throws -> Void = { _, _ in }) async throws {
            fixture = try StoreFixture()
            segments = fixture.origin.serveStream("/v", count: 3)
            token = try await fixture.download("/v/index.m3u8").token
            row = try fixture.store.catalog.renditions.rendition(token, "video")?.id ?? 0
            try change(fixture, row)
            await fixture.store.stop()
        }

        func file(_ number: Int) -> FilePath { fixture.path(token, "video/\(number).ts") }
    }

    /// An asset's folder that lies elsewhere until it is wanted.
    private struct Shelf: MediaSource {
        let kept: FilePath
        let folder: FilePath

        func bring(_ key: UnitKey, named name: String) throws(StoreError) {}

        func restore(_ token: AssetToken) throws(StoreError) {
            guard FileSystem.isAbsent(folder) else { return }
            try FileSystem.rename(kept, to: folder)
        }

        func keep(_ body: [UInt8]?, at path: String, of token: AssetToken) throws(StoreError) {}
    }

    /// Has the catalog name an object of a bucket for the second segment of a rendition.
    private func putSecondIntoBucket(_ fixture: StoreFixture, _ row: Int64) throws {
        try fixture.store.catalog.write(.store) { session in
            try session.execute(
                "UPDATE unit SET object = 'o1' WHERE rendition = ? AND kind = 0 AND number = 1", [row])
        }
    }

    private func absent(_ number: Int, of token: AssetToken, in reader: StoreReader) throws -> AbsentUnit {
        let answer = try reader.media.unit(token, "video", named: .segment(number), extension: "ts")
        guard case .absent(let unit) = answer else { throw StoreError(.notWhole(token)) }
        return unit
    }

    @Test("have an asset's folder restored for a unit that is stored, and not for one that is missing")
    func restored() async throws {
        let film = try await Film { fixture, row in
            try fixture.store.catalog.units.markAbsent([(row, .segment, 1)], as: .missing)
        }
        let paths = StorePaths(root: film.fixture.root)
        let shelf = Shelf(kept: paths.root.appending("shelf"), folder: paths.asset(film.token))
        try FileSystem.rename(shelf.folder, to: shelf.kept)
        let reader = try StoreReader(root: film.fixture.root).bringing(shelf)
        let missing = try absent(1, of: film.token, in: reader)
        #expect(!missing.isGone)
        #expect(FileSystem.isAbsent(shelf.folder))
        let answer = try reader.media.unit(film.token, "video", named: .segment(0), extension: "ts")
        guard case .stored(let file) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(try DurableWrite.read(file.path) == film.segments[0])
    }

    @Test("are objects of a bucket where the catalog names objects, and else files of the folder alone")
    func objects() async throws {
        let film = try await Film { fixture, row in
            try putSecondIntoBucket(fixture, row)
        }
        let (media, token) = (try StoreReader(root: film.fixture.root).media, film.token)
        let found = try media.object(token, "video", named: .segment(1), extension: "ts")
        let object = try #require(found)
        #expect(object.key == "\(token)/video/1.ts.o1")
        #expect(object.size == UInt64(film.segments[1].count))
        #expect(try object.entityTag == Sum.sha256(film.segments[1]))
        #expect(object.mark.end == 8 && object.container == .ts)
        #expect(try media.object(token, "video", named: .segment(0), extension: "ts") == nil)
        #expect(try media.object(token, "video", named: .segment(3), extension: "ts") == nil)
        #expect(try media.object(token, "none", named: .segment(1), extension: "ts") == nil)
    }

    @Test("make a lost file known as damage; a unit of a bucket needs no file, and a missing one has none")
    func lost() async throws {
        let film = try await Film { fixture, row in
            try fixture.store.catalog.units.markAbsent([(row, .segment, 0)], as: .missing)
            try putSecondIntoBucket(fixture, row)
        }
        for number in 0..<3 { try FileSystem.unlink(film.file(number)) }
        let reader = try StoreReader(root: film.fixture.root)
        let units = try (0..<3).map { try absent($0, of: film.token, in: reader) }
        #expect(units.map(\.isInBucket) == [false, true, false])
        #expect(units.map(\.isGone) == [false, true, true])
        #expect(units[1].path == film.file(1))
        #expect(units.map(\.end) == [4, 8, 12])
        let damage = AbsentRow(rendition: film.row, kind: .segment, number: 2, finding: .gone)
        let known: [AssetToken: Set<AbsentRow>] = [film.token: [damage]]
        #expect(reader.discoveries.take() == known)
    }

    @Test("have no poster if the asset has none, or if there is no such asset")
    func poster() async throws {
        let film = try await Film()
        let media = try StoreReader(root: film.fixture.root).media
        #expect(try media.poster(film.token) == nil)
        #expect(try media.poster(AssetToken(at: Timestamp(milliseconds: 1))) == nil)
    }
}
