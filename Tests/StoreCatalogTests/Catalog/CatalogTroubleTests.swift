import Foundation
import ModelTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import AssetStore
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel
@testable import StoreReading

@Suite("A catalog that can't be opened")
struct CatalogTroubleTests {
    private let folder: TemporaryDirectory
    private let root: FilePath

    init() throws {
        folder = try TemporaryDirectory()
        root = FilePath(folder.path)
    }

    /// What looking at the store fails with, and what an engine does.
    private func errors() async -> [StoreError] {
        let looking = await failure { _ = try StoreReader(root: root) }
        let working = await failure { _ = try OfflineStore(root: root) }
        return [looking, working].compactMap(\.self)
    }

    @Test("since it is a folder is reported as a folder")
    func directory() async throws {
        try FileSystem.makeDirectory(root.appending("catalog.db"))
        let errors = await errors()
        #expect(errors.count == 2)
        for error in errors {
            #expect(error.message.contains("/catalog.db: Is a directory; "), "\(error.message)")
        }
    }

    @Test("since it is a link to itself is not replaced by a new one")
    func loop() async throws {
        let path = root.appending("catalog.db").string
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
        #expect(await errors().count == 2)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == path)
    }

    @Test("since it is not a database is named, with an advice")
    func noDatabase() async throws {
        try folder.write(Array(String(repeating: "no database ", count: 500).utf8), to: "catalog.db")
        let errors = await errors()
        #expect(errors.count == 2)
        for error in errors {
            #expect(error.message.hasPrefix("the catalog \(root)/catalog.db failed: "), "\(error.message)")
            #expect(error.message.contains("; check the disk; "))
        }
    }
}
