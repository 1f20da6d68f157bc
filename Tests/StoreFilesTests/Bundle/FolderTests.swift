import Foundation
import ModelTestSupport
import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import StoreFiles
@testable import StoreModel

/// Folders that can't be listed or deleted.
struct FolderTests {
    private let folder: TemporaryDirectory
    private let root: FilePath

    init() throws {
        folder = try TemporaryDirectory()
        root = FilePath(folder.path)
    }

    @Test("a folder that can't be listed is an error, and not an empty folder")
    func unlisted() throws {
        try folder.write([1], to: "full/file")
        #expect(try FileSystem.contents(of: root.appending("full")) == ["file"])
        for name in ["full/file", "nowhere"] {
            #expect(throws: StoreError.self) { try FileSystem.contents(of: root.pushing(FilePath(name))) }
        }
    }

    @Test("deleting a missing file succeeds, also if its folder is a file")
    func gone() throws {
        try folder.write([1], to: "file")
        for name in ["nowhere", "nowhere/inner", "file/inner"] {
            try FileSystem.removeTree(root.pushing(FilePath(name)))
        }
    }

    @Test("a file whose existence can't be checked does not count as absent")
    func absent() throws {
        try folder.write([1], to: "file")
        let loop = folder.file("loop")
        try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
        for name in ["nowhere", "nowhere/inner", "file/inner"] {
            #expect(FileSystem.isAbsent(root.pushing(FilePath(name))), "\(name)")
        }
        for name in ["file", "loop", "loop/inner", String(repeating: "x", count: 300)] {
            #expect(!FileSystem.isAbsent(root.pushing(FilePath(name))), "\(name)")
        }
    }

    @Test("an empty file is made once; an existing file stays, also if several make it at once")
    func madeOnce() async throws {
        let path = root.appending("made")
        try FileSystem.makeFile(path)
        #expect(try folder.read("made") == [])
        try folder.write([1, 2, 3], to: "made")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<16 { group.addTask { try FileSystem.makeFile(path) } }
            try await group.waitForAll()
        }
        #expect(try folder.read("made") == [1, 2, 3])
        #expect(FileSystem.names(in: root) == ["made"])
    }

    @Test("a folder, which has one name only, is renamed unless the new name is taken, which is reported")
    func oneName() throws {
        let (from, to) = (root.appending("from"), root.appending("to"))
        // No file system gives a folder two names.
        try FileSystem.makeDirectory(from)
        #expect(try !FileSystem.link(from, to: to))
        #expect(FileSystem.names(in: root) == ["to"])
        try FileSystem.makeDirectory(from)
        #expect(try FileSystem.link(from, to: to))
        #expect(FileSystem.names(in: root).sorted() == ["from", "to"])
    }

    private func number(of error: StoreError?) -> Int32? {
        guard case .file(_, _, errno: let number)? = error?.code else { return nil }
        return number
    }

    @Test("a folder that can't be deleted says why")
    func undeletable() async throws {
        let path = root.appending("deep")
        let deep = try DeepFolder(at: path, in: folder)
        let error = await failure { try FileSystem.removeTree(path) }
        #expect(number(of: error) == ENAMETOOLONG)
        try deep.takeApart(at: path)
        try FileSystem.removeTree(path)
        #expect(FileSystem.facts(path) == nil)
    }

    @Test("a folder that may not be listed says so when it is to be deleted", .enabled(if: getuid() != 0))
    func forbidden() async throws {
        try folder.write([1], to: "closed/file")
        let path = root.appending("closed")
        try FileManager.default.setAttributes([.posixPermissions: 0o300], ofItemAtPath: path.string)
        let error = await failure { try FileSystem.removeTree(path) }
        #expect(number(of: error) == EACCES)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path.string)
    }
}
