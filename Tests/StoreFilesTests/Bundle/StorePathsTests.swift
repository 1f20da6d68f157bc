import SystemPackage
import TestSupport
import Testing

@testable import StoreFiles
@testable import StoreModel

@Suite("The folder of a store")
struct StorePathsTests {
    /// Whether a folder with empty files of these names may be one.
    private func mayBeStore(_ names: String...) throws -> Bool {
        let folder = try TemporaryDirectory()
        for name in names { try folder.write([], to: name) }
        return withExtendedLifetime(folder) { StorePaths(root: FilePath(folder.path)).mayBeStore }
    }

    @Test("is empty, or has files of a store; a folder of other files is none")
    func kinds() throws {
        #expect(try mayBeStore())
        for name in ["config.json", "store.key", "api-token", "engine.lock", "catalog.db"] {
            #expect(try mayBeStore(name, "other"))
        }
        #expect(try !mayBeStore("other"))
        let folder = try TemporaryDirectory()
        try folder.write([], to: "file")
        for name in ["none", "file"] {
            #expect(!StorePaths(root: FilePath(folder.file(name))).mayBeStore)
        }
    }

    @Test("has a store once the catalog is there, and a key once its file is there")
    func facts() throws {
        let folder = try TemporaryDirectory()
        let paths = StorePaths(root: FilePath(folder.path))
        #expect(!paths.isMade && !paths.hasKey && !paths.isOfNode)
        try folder.write([], to: "catalog.db")
        try folder.write([], to: "store.key")
        #expect(paths.isMade && paths.hasKey)
    }
}
