import SystemPackage
import TestSupport
import Testing

@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel
@testable import StorePlanning
@testable import StoreReading

@Suite("The folder of a node of a shared store")
struct NodeFolderTests {
    private let directory: TemporaryDirectory
    private let paths: StorePaths
    private let folder: NodeFolder
    private let first = PostgresAddress("postgresql://films:pass@films-1.example/store")
    private let second = PostgresAddress("postgresql://films:pass@films-2.example/store")

    init() throws {
        directory = try TemporaryDirectory()
        paths = StorePaths(root: FilePath(directory.file("store")))
        folder = NodeFolder(paths)
    }

    @Test("keeps the address of its first catalog, without the password, until another one is confirmed")
    func confirmed() throws {
        #expect(try folder.catalog == nil)
        try folder.begin(first)
        try folder.begin(second)
        #expect(try folder.catalog == "postgresql://films@films-1.example/store")
        try folder.confirm(second)
        #expect(try folder.catalog == "postgresql://films@films-2.example/store")
    }

    @Test("keeps its media when another address is confirmed, if no other node has owned the store since")
    func owned() throws {
        try folder.begin(first)
        try folder.adopt(OwningNode(node: "one", epoch: 6))
        try FileSystem.makeDirectory(paths.assets.appending("film"))
        try folder.confirm(second)
        let isEmptied = try folder.adopt(OwningNode(node: "two", epoch: 7))
        #expect(!isEmptied && FileSystem.names(in: paths.assets) == ["film"])
        let isOutdated = try folder.adopt(OwningNode(node: "three", epoch: 9))
        #expect(isOutdated && FileSystem.names(in: paths.assets).isEmpty)
        #expect(try folder.catalog == second.shown)
    }

    @Test("is emptied if it is unknown which node owned the store before")
    func unknownOwner() throws {
        try folder.begin(first)
        try FileSystem.makeDirectory(paths.assets.appending("film"))
        let isEmptied = try folder.adopt(OwningNode(node: "one", epoch: 1))
        #expect(isEmptied && FileSystem.names(in: paths.assets).isEmpty)
    }

    @Test("may hold no store of its own: neither a catalog nor media")
    func ownStore() throws {
        func isTaken() -> Bool {
            do throws(StoreError) {
                try folder.begin(first)
                return false
            } catch {
                guard case .storeFolder = error.code else { return false }
                return true
            }
        }
        for place in [paths.catalog, paths.assets.appending("film")] {
            try FileSystem.makeDirectory(place)
            #expect(isTaken(), "\(place)")
            #expect(try folder.catalog == nil)
            try FileSystem.removeTree(place)
        }
        #expect(!isTaken())
        try FileSystem.makeDirectory(paths.assets.appending("film"))
        #expect(!isTaken())
        #expect(try folder.catalog == first.shown)
    }
}
