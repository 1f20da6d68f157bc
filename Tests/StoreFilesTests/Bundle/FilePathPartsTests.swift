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

    private static let dotted: [FilePath] = [
        "/a/./b", "/a/../b", "/../a", "a/..", "./a", "/a/...", "/x\u{600}/../b", "/a/.\u{301}.",
    ]

    @Test("has no dots when it is normalized", arguments: paths + dotted)
    func dots(_ path: FilePath) {
        #expect(path.normalized == path.lexicallyNormalized())
    }

    @Test("is in the folders that it begins with, component by component", arguments: paths)
    func folders(_ folder: FilePath) {
        for path in Self.paths + ["/a/bc", "/a/b/c", "/ab"] where path.isAbsolute && folder.isAbsolute {
            #expect(path.isIn(folder) == path.starts(with: folder), "\(path)")
        }
    }
}
