import Foundation
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

@Suite(
    "The steps of a store that moves", .enabled(if: PostgresServer.runs && ObjectServer.Engine.moto.runs),
    .ofSQLite, .serialized, .timeLimit(.minutes(2)))
struct StoreMigrationStepTests {
    private let server: ObjectServer
    private let address: PostgresAddress
    private let folder: TemporaryDirectory
    /// The bytes that are done, and all bytes, as they were told.
    private let steps = Lock<[[Int64]]>([])
    /// The notes of the shared catalog when the secrets are compared.
    private let notes = Lock<[MigrationNote]>([])

    init() throws {
        server = try ObjectServer()
        address = PostgresAddress(try PostgresServer.shared.get().newDatabase())
        folder = try TemporaryDirectory()
    }

    /// - Parameter isCut: whether its task is cancelled after its first file.
    private func migration(_ name: String, isCut: Bool = false) throws -> StoreMigration {
        StoreMigration(
            FilePath(folder.file(name)), address, try BucketFixture.settings(server, prefix: "films"),
            settle: { [notes] _, shared throws(StoreError) in
                guard let note = try shared.migration.note() else { return }
                notes.withLock { $0.append(note) }
            }, tell: { _ in },
            step: { [steps] step in
                guard case .media(let done, let total) = step else { return }
                steps.withLock { $0.append([done, total]) }
                if isCut { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
            })
    }

    /// A closed store with an asset of so many segments of 188 bytes.
    private func make(_ name: String, segments: Int) async throws {
        let fixture = try StoreFixture(in: folder, named: name)
        for number in 0..<segments {
            try folder.write(Media.ts(1, seed: UInt64(number)), to: "hls/\(number).ts")
        }
        let playlist = Playlists.media((0..<segments).map { "\($0).ts" })
        try folder.write(Array(playlist.utf8), to: "hls/index.m3u8")
        _ = try await fixture.store.imports.add(FilePath(folder.file("hls")))
        await fixture.store.stop()
    }

    private var expectedSteps: [[Int64]] { (1...3).map { [Int64($0) * 188, 3 * 188] } }

    @Test("tell the bytes that are done and all bytes, there and back, with notes from the beginning")
    func both() async throws {
        try await make("one", segments: 3)
        let there = try await migration("one").share()
        #expect(there.files == 3 && there.bytes == 3 * 188 && there.earlier == 0 && !there.wasDone)
        #expect(steps.withLock(\.self) == expectedSteps)
        let first = try #require(notes.withLock(\.last))
        #expect(first.state == .arriving && first.place.hasPrefix(folder.file("one")))
        #expect(try MigrationFile(StorePaths(root: FilePath(folder.file("one")))).note?.state == .left)
        try FileSystem.makeDirectory(FilePath(folder.file("two")))
        try FileManager.default.copyItem(
            atPath: folder.file("one/store.key"), toPath: folder.file("two/store.key"))
        steps.withLock { $0 = [] }
        let back = try await migration("two").takeBack()
        #expect(back.files == 3 && back.bytes == 3 * 188 && back.earlier == 0 && !back.wasDone)
        #expect(steps.withLock(\.self) == expectedSteps)
        let second = try #require(notes.withLock(\.last))
        #expect(second.state == .leaving && second.place.hasPrefix(folder.file("two")))
        #expect(second.id != first.id)
        #expect(try MigrationFile(StorePaths(root: FilePath(folder.file("two")))).note?.state == .arrived)
        #expect(try await migration("two").takeBack().wasDone)
    }

    @Test("are continued after an interruption: files that were copied are not copied again")
    func interrupted() async throws {
        let count = 3 * StoreMigration.width
        try await make("one", segments: count)
        let first = try migration("one", isCut: true)
        let error = await Task { await failure { _ = try await first.share() } }.value
        #expect(error != nil)
        let second = try await migration("one").share()
        #expect(second.earlier > 0 && second.earlier + second.files == count && second.absent.isEmpty)
        #expect(second.bytes == UInt64(second.files) * 188)
    }
}
