import StoreFiles
import SystemPackage
import Testing

@Suite("A path") struct FilePathPartsTests {
    private static let paths: [FilePath] = [
        "", "/", "b", "/b", "a/b", "/a/b", "/a/b/", "/a//b", "/a/.b", "/a/b.ts", "../b", "/über/Ö",
        "/a b/c d",
    ]

    @Test("has the folder and the name that its library finds", arguments: paths)
    func parts(_ path: FilePath) {
        #expect(path.parent == path.removingLastComponent())
        #expect(path.name == path.lastComponent?.string ?? "")
    }

    @Test("is in the folders that it begins with, component by component", arguments: paths)
    func folders(_ folder: FilePath) {
        for path in Self.paths + ["/a/bc", "/a/b/c", "/ab"] where path.isAbsolute && folder.isAbsolute {
            #expect(path.isIn(folder) == path.starts(with: folder), "\(path)")
        }
    }
}
