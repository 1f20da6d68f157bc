import Foundation
package import StoreFiles
package import SystemPackage

@testable import AssetStore

extension StoreFixture {
    /// The files of the store that hold these bytes.
    package func filesContaining(_ needle: [UInt8]) throws -> [String] {
        try FileSystem.tree(root).filter { path in
            try DurableWrite.read(path)?.firstRange(of: needle) != nil
        }.map(\.string)
    }
}

extension FileSystem {
    /// All files below a folder.
    package static func tree(_ path: FilePath) -> [FilePath] {
        names(in: path).flatMap { name in
            let entry = path.appending(name)
            return isDirectory(entry) ? tree(entry) : [entry]
        }
    }
}
