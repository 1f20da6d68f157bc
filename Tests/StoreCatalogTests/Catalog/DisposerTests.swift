import Foundation
import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

@Suite("Folders to be deleted")
struct DisposerTests {
    private let fixture: TableFixture
    private let paths: StorePaths
    private let log = CollectedLog()
    private let disposer: Disposer

    init() throws {
        fixture = try TableFixture()
        paths = StorePaths(root: FilePath(fixture.folder.path))
        disposer = Disposer(catalog: fixture.catalog, paths: paths, log: log.logger)
    }

    /// Makes a folder of media, and enters it as one to be deleted.
    private func add(_ path: String) throws -> Disposal {
        try fixture.folder.write([1], to: "assets/\(path)/0.ts")
        return try fixture.catalog.storage.addDisposal(path)
    }

    private func isThere(_ path: String) -> Bool {
        !FileSystem.isAbsent(paths.assets.pushing(FilePath(path)))
    }

    /// Tries to delete folders while nobody can get at them.
    private func disposeInVain(_ items: [Disposal]) throws {
        let elsewhere = paths.root.appending("elsewhere")
        try FileSystem.rename(paths.assets, to: elsewhere)
        try FileManager.default.createSymbolicLink(
            atPath: paths.assets.string, withDestinationPath: paths.assets.string)
        #expect(throws: StoreError.self) { try disposer.dispose(items) }
        try FileSystem.unlink(paths.assets)
        try FileSystem.rename(elsewhere, to: paths.assets)
    }

    private func left() throws -> [String] { try fixture.catalog.storage.disposals().map(\.path) }

    @Test("are moved out of view at once, and gone in the end")
    func gone() async throws {
        let item = try add("other/video")
        try disposer.dispose([item])
        #expect(!isThere("other/video") && isThere("other"))
        await disposer.untilDone()
        #expect(try left() == [] && FileSystem.names(in: paths.disposal) == [])
        #expect(disposer.lastFailure == -.infinity && disposer.isIdle)
    }

    @Test("that could not be moved are tried again; those of an asset wait until it is removed")
    func again() async throws {
        let token = try fixture.add(1)
        let items = try ["\(sampleRecord(2).token)", "\(token)/video"].map { try add($0) }
        try disposeInVain(items)
        #expect(try left() == items.map(\.path))
        disposer.tryAgain()
        await disposer.untilDone()
        // What is in the folder of an asset may have been stored since.
        #expect(!isThere(items[0].path) && isThere(items[1].path))
        #expect(try left() == [items[1].path])
        disposer.tryAgain()
        await disposer.untilDone()
        #expect(isThere(items[1].path))
        try fixture.catalog.assets.delete(token)
        disposer.tryAgain()
        await disposer.untilDone()
        #expect(try !isThere(items[1].path) && left() == [])
        #expect(FileSystem.names(in: paths.disposal) == [] && disposer.isIdle)
    }

    @Test("are not tried again after they were deleted, so that a new folder of the name stays")
    func once() async throws {
        let item = try add("other")
        try disposeInVain([item])
        disposer.tryAgain()
        await disposer.untilDone()
        #expect(!isThere("other"))
        try fixture.folder.write([2], to: "assets/other/0.ts")
        disposer.tryAgain()
        await disposer.untilDone()
        #expect(try fixture.folder.read("assets/other/0.ts") == [2])
    }

    @Test("that can't be deleted have a time of failure, which another try does not move")
    func failure() async throws {
        let deep = try DeepFolder(at: paths.assets.appending("deep"), in: fixture.folder)
        let item = try fixture.catalog.storage.addDisposal("deep")
        try disposer.dispose([item])
        await disposer.untilDone()
        let time = disposer.lastFailure
        #expect(time.isFinite && FileSystem.names(in: paths.disposal) == ["\(item.id)"])
        disposer.tryAgain()
        await disposer.untilDone()
        #expect(disposer.lastFailure == time && log.text.contains("cannot delete removed files"))
        #expect(try left() == ["deep"])
        try deep.takeApart(at: paths.disposal.appending("\(item.id)"))
        disposer.tryAgain()
        await disposer.untilDone()
        #expect(try left() == [] && FileSystem.names(in: paths.disposal) == [])
    }

    @Test("that were moved once are not looked for at their old path again, where a new one may be")
    func newOne() async throws {
        let deep = try DeepFolder(at: paths.assets.appending("deep"), in: fixture.folder)
        let item = try fixture.catalog.storage.addDisposal("deep")
        try disposer.dispose([item])
        await disposer.untilDone()
        // It could not be deleted, and then somebody else does that.
        let place = paths.disposal.appending("\(item.id)")
        try deep.takeApart(at: place)
        try FileSystem.removeTree(place)
        try fixture.folder.write([2], to: "assets/deep/0.ts")
        disposer.tryAgain()
        await disposer.untilDone()
        #expect(try fixture.folder.read("assets/deep/0.ts") == [2])
        #expect(try left() == [])
    }

    @Test("of an earlier engine are found by their rows and by their numbers")
    func recovered() async throws {
        let (moved, left, used) = (try add("moved"), try add("left"), try add("used"))
        try FileSystem.makeDirectory(paths.disposal)
        try FileSystem.rename(
            paths.assets.appending("moved"), to: paths.disposal.appending("\(moved.id)"))
        // A new folder of the name that a moved one had.
        try fixture.folder.write([2], to: "assets/moved/0.ts")
        try fixture.catalog.storage.setMoved([used])
        for name in ["\(left.id + 100)", "0", "-1"] {
            try fixture.folder.write([1], to: "removed/\(name)/0.ts")
        }
        try disposer.recover()
        await disposer.untilDone()
        #expect(isThere("moved") && !isThere("left") && isThere("used"))
        #expect(try self.left() == [] && Set(FileSystem.names(in: paths.disposal)) == ["0", "-1"])
    }

    @Test("leave nothing of removed rows in the catalog's log, each time", .ofSQLite)
    func erased() async throws {
        let log = WriteAheadLog.path(of: FilePath(fixture.folder.file("catalog.db")))
        for number in 1...3 {
            try fixture.add(number)
            #expect(FileSystem.facts(log)?.size ?? 0 > 0)
            disposer.forgetErased()
            await disposer.untilDone()
            #expect(FileSystem.facts(log)?.size ?? 0 == 0)
        }
    }

    @Test("have removed rows erased once for all who ask before it is done", .ofSQLite)
    func erasedOnce() async throws {
        let log = WriteAheadLog.path(of: FilePath(fixture.folder.file("catalog.db")))
        let items = try ["a", "b"].map { path -> Disposal in
            var item = try fixture.catalog.storage.addDisposal(path)
            item.isMoved = true
            return item
        }
        // The first deletion waits for the end of this transaction, and all that is asked for in it comes after that.
        try fixture.catalog.write(.store) { _ in
            for item in items {
                try disposer.dispose([item])
                disposer.forgetErased()
            }
        }
        await disposer.untilDone()
        #expect(try left() == [])
        // The row of the second folder was deleted after the rows were erased.
        #expect(FileSystem.facts(log)?.size ?? 0 > 0)
    }
}
