import ModelTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import Downloads
@testable import StoreFiles
@testable import StoreModel

@Suite("A content key in a folder of plain HLS")
struct FolderKeyTests {
    private let folder: TemporaryDirectory
    private let key = [UInt8](40..<56)

    init() throws { folder = try TemporaryDirectory() }

    private func url(_ name: String) -> String { LocalFolder.url(FilePath(folder.file(name))) }

    @Test("is read from its file")
    func read() async throws {
        try folder.write(key, to: "keys/k.key")
        let source = LocalFolder(root: FilePath(folder.path))
        #expect(try await source.key(url("keys/k.key")) == key)
    }

    @Test("is missing if it has no file; the error tells that the folder lacks it")
    func missing() async throws {
        try folder.write(key, to: "k.key")
        let source = LocalFolder(root: FilePath(folder.path))
        let error = await failure { _ = try await source.key(url("other.key")) }
        guard case .key(.notInFolder)? = error?.code else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
