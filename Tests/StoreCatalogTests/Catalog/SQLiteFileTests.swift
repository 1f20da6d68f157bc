import Foundation
import GRDB
import ModelTestSupport
import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

@Suite("The files of a catalog in SQLite", .ofSQLite)
struct SQLiteFileTests {
    private let folder: TemporaryDirectory
    private let path: FilePath

    init() throws {
        folder = try TemporaryDirectory()
        path = FilePath(folder.file("catalog.db"))
    }

    private func file(_ name: String) -> FilePath { FilePath(folder.file(name)) }

    /// Leaves the files as an engine does that is killed: a write is in the log only.
    private func writeAndCrash() throws {
        let other = try TemporaryDirectory()
        let catalog = try Catalog(writing: FilePath(other.file("catalog.db")))
        defer { catalog.close() }
        #expect(catalog.forgetErased())
        try catalog.assets.insert(sampleRecord(1))
        for name in ["catalog.db", "catalog.db-wal"] { try folder.write(other.read(name), to: name) }
    }

    private func bytes() throws -> [[UInt8]] {
        try ["catalog.db", "catalog.db-wal"].map { try folder.read($0) }
    }

    @Test("stay as they are when someone only looks, and nothing is erased from them or written to them")
    func looking() throws {
        try writeAndCrash()
        let before = try bytes()
        let catalog = try #require(try Catalog(reading: path))
        #expect(try catalog.assets.asset(sampleRecord(1).token) != nil)
        #expect(!catalog.forgetErased())
        #expect(throws: StoreError.self) { try catalog.assets.insert(sampleRecord(2)) }
        #expect(throws: StoreError.self) { try catalog.rewrite() }
        #expect(throws: StoreError.self) { try catalog.sealed.copy(to: file("copy.db")) }
        catalog.close()
        let after = try bytes()
        #expect(after == before)
        #expect(FileSystem.isAbsent(file("copy.db")) && FileSystem.isAbsent(file("copy.db.tmp")))
    }

    @Test("are none without an engine that has made them")
    func none() throws {
        #expect(try Catalog(reading: path) == nil)
        #expect(FileSystem.isAbsent(path))
        try folder.write([], to: "catalog.db")
        #expect(try Catalog(reading: path) == nil, "an engine may be making them just now")
    }

    @Test("have a log with writes, to which nothing is added when an engine opens it")
    func log() throws {
        try writeAndCrash()
        let before = try folder.read("catalog.db-wal")
        let catalog = try Catalog(writing: path)
        #expect(try folder.read("catalog.db-wal") == before && !before.isEmpty)
        #expect(try catalog.assets.asset(sampleRecord(1).token) != nil)
        catalog.close()
    }

    @Test("have an empty log after what was overwritten was erased")
    func erased() throws {
        let catalog = try Catalog(writing: path)
        defer { catalog.close() }
        let log = WriteAheadLog.path(of: path)
        for number in 1...2 {
            try catalog.assets.insert(sampleRecord(number))
            #expect(FileSystem.facts(log)?.size ?? 0 > 0)
            #expect(catalog.forgetErased() && FileSystem.facts(log)?.size ?? 0 == 0)
        }
    }

    @Test("can be copied to one file, for its owner alone")
    func copied() throws {
        let catalog = try Catalog(writing: path)
        defer { catalog.close() }
        try catalog.assets.insert(sampleRecord(1))
        try catalog.sealed.copy(to: file("copy.db"))
        let copy = try #require(try Catalog(reading: file("copy.db")))
        #expect(try copy.assets.asset(sampleRecord(1).token)?.sourceURL == "https://host/x")
        copy.close()
        #expect(!FileSystem.isOpenToOthers(file("copy.db")) && FileSystem.isAbsent(file("copy.db.tmp")))
        // A copy that can't be finished leaves nothing.
        try FileSystem.makeDirectory(file("taken"))
        #expect(throws: StoreError.self) { try catalog.sealed.copy(to: file("taken")) }
        #expect(FileSystem.isAbsent(file("taken.tmp")) && FileSystem.isDirectory(file("taken")))
    }

    @Test("have no nodes that share them")
    func nodes() throws {
        let catalog = try Catalog(writing: path)
        defer { catalog.close() }
        #expect(try catalog.nodes.all() == [])
    }

    @Test("take statements with a value for each placeholder")
    func placeholders() throws {
        let catalog = try Catalog(writing: path)
        defer { catalog.close() }
        for values in [[.integer(1)], [.integer(1), .null, .null]] as [[SQLValue]] {
            #expect(throws: StoreError.self) {
                try catalog.read { session in try session.hasRow("SELECT ?, ?", SQLArguments(values)) }
            }
        }
        let found = try catalog.read { session in
            try session.first("SELECT ?, ?, ?", [[UInt8](), nil, "é"]) { row in
                (row[0] as [UInt8]?, row[1] as [UInt8]?, row[2] as String)
            }
        }
        #expect(found?.0 == [] && found?.1 == nil && found?.2 == "é")
    }
}

@Suite("An error of SQLite", .ofSQLite)
struct SQLiteErrorTests {
    private let folder: TemporaryDirectory
    private let path: FilePath

    init() throws {
        folder = try TemporaryDirectory()
        path = FilePath(try folder.write([1], to: "catalog.db"))
    }

    /// What is told of an error.
    private func told(_ code: ResultCode) -> String {
        SQLiteEngine.failure(DatabaseError(resultCode: code, message: "it failed"), path).text
    }

    private func file(_ operation: FileOperation, _ path: FilePath, _ reason: Errno) -> String {
        StoreError(.file(operation, path.string, errno: reason.rawValue)).text
    }

    private var plain: String { StoreError(.database("it failed", path: path.string)).text }

    @Test(
        "is told as it is when nothing is in the way of the files",
        arguments: [
            ResultCode.SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_IOERR, .SQLITE_CORRUPT,
        ])
    func unknown(_ code: ResultCode) {
        #expect(told(code) == plain)
    }

    @Test("names a folder that lies where a file should be", arguments: ["", "-wal", "-shm"])
    func folders(_ suffix: String) throws {
        let place = FilePath(path.string + suffix)
        try FileSystem.unlink(place)
        try FileSystem.makeDirectory(place)
        #expect(told(.SQLITE_CANTOPEN) == file(.open, place, .isDirectory))
        #expect(told(.SQLITE_CORRUPT) == plain, "it says nothing about the files")
    }

    @Test("names the folder in which no file can be made", .enabled(if: Immutability.isPossible))
    func immutable() {
        let place = FilePath(folder.path)
        #expect(Immutability.set(true, place))
        defer { Immutability.set(false, place) }
        #expect(told(.SQLITE_CANTOPEN) == file(.write, place, .notPermitted))
    }

    @Test("names the file that can't be written", .enabled(if: Immutability.isPossible))
    func fixed() {
        #expect(Immutability.set(true, path))
        defer { Immutability.set(false, path) }
        #expect(told(.SQLITE_READONLY) == file(.open, path, .notPermitted))
    }

    @Test("does not name a folder that need not be listed", .enabled(if: getuid() != 0))
    func unlisted() throws {
        let place = folder.path
        for (mode, expected) in [(0o300, plain), (0o500, file(.write, FilePath(place), .permissionDenied))] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: place)
            #expect(told(.SQLITE_CANTOPEN) == expected)
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: place)
    }

    @Test("of a full file system says so, and an error of the store stays what it is")
    func others() {
        #expect(told(.SQLITE_FULL) == StoreError(.diskFull(path.string)).text)
        #expect(SQLiteEngine.failure(StoreError(.storeTooNew), path).text == StoreError(.storeTooNew).text)
        let other = SQLiteEngine.failure(CancellationError(), path).text
        #expect(other == StoreError(.database("CancellationError()", path: path.string)).text)
    }
}
