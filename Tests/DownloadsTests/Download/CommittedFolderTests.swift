import Locking
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

@Suite("A group of units that are stored together", .timeLimit(.minutes(1)))
struct CommittedFolderTests {
    /// Enters an asset with renditions of two missing segments each; returns their identifiers.
    private func enter(_ names: [String], in fixture: StoreFixture) throws -> (AssetToken, [Int64]) {
        let moment = Timestamp(milliseconds: 1)
        let token = AssetToken(at: moment)
        try fixture.store.catalog.assets.insert(
            AssetRecord(
                token: token, name: "x", sourceURL: "https://host/x", state: .paused, requestedAt: moment))
        let units = (0..<2).map { number in
            UnitRecord(
                kind: .segment, number: number, start: Double(number * 4), duration: 4,
                url: "https://host/\(number)")
        }
        let ids = try fixture.store.catalog.write(.asset(token)) { session -> [Int64] in
            try names.enumerated().map { position, name -> Int64 in
                let row = RenditionRecord(
                    name: name, position: position, kind: .variant, required: true, listings: [],
                    hasPlaylist: true, container: .ts, duration: 8, segments: 2)
                let id = try RenditionTable.insert(row, of: token, session)
                try RenditionTable.insert(units, of: id, session)
                return id
            }
        }
        for name in names { try FileSystem.makeDirectory(fixture.store.paths.rendition(token, name)) }
        return (token, ids)
    }

    /// A segment of three bytes that has arrived beside its place.
    private func finished(
        _ number: Int, of rendition: Int64, in folder: FilePath, to destination: FilePath? = nil
    ) throws -> FinishedUnit {
        let file = try PartialFile(creating: folder.appending(".\(number).ts.part"))
        let bytes: [UInt8] = [1, 2, 3]
        try unsafe file.append(bytes.span.bytes)
        return FinishedUnit(
            file: file, destination: destination ?? folder.appending("\(number).ts"),
            unit: StoredUnit(rendition: rendition, kind: .segment, number: number, size: 3, sha256: [1]))
    }

    @Test("gives each of their folders the time that it has with all of them")
    func times() async throws {
        try await StoreFixture.run { fixture async throws in
            let (token, ids) = try enter(["video", "audio"], in: fixture)
            let folders = ["video", "audio"].map { fixture.store.paths.rendition(token, $0) }
            let group = [
                try finished(0, of: ids[0], in: folders[0]), try finished(1, of: ids[0], in: folders[0]),
                try finished(0, of: ids[1], in: folders[1]),
            ]
            try await SegmentCommitter(catalog: fixture.store.catalog).commit(group)
            for (name, (folder, count)) in zip(["video", "audio"], zip(folders, [2, 1])) {
                let row = try #require(try fixture.store.catalog.renditions.rendition(token, name))
                #expect(row.storedSegments == count && row.storedBytes == Int64(3 * count))
                #expect(row.folderTime != nil)
                #expect(row.folderTime == FileSystem.folderTime(folder))
            }
        }
    }

    @Test("is stored without the unit that can't be moved to its place")
    func failed() async throws {
        try await StoreFixture.run { fixture async throws in
            let (token, ids) = try enter(["video"], in: fixture)
            let folder = fixture.store.paths.rendition(token, "video")
            let group = [
                try finished(0, of: ids[0], in: folder, to: folder.appending("gone").appending("0.ts")),
                try finished(1, of: ids[0], in: folder),
            ]
            let committer = SegmentCommitter(catalog: fixture.store.catalog)
            let told = Lock<[FilePath]>([])
            committer.tell { files in told.withLock { $0 += files } }
            let error = await failure { try await committer.commit(group) }
            #expect(error != nil)
            let files = told.withLock(\.self)
            #expect(files == [folder.appending("1.ts")], "only stored files are told")
            #expect(try fixture.units(token, "video").map(\.state) == [.missing, .stored])
            let row = try #require(try fixture.store.catalog.renditions.rendition(token, "video"))
            #expect(row.storedSegments == 1)
            #expect(row.folderTime != nil)
            #expect(row.folderTime == FileSystem.folderTime(folder))
        }
    }
}
