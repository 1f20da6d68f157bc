import ASCII
import SystemPackage
import TestSupport

@testable import AssetStore
@testable import Downloads
@testable import Licensing
@testable import MediaDecryption
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

enum Sum {
    /// SHA-256 in hexadecimal digits.
    static func sha256(_ bytes: [UInt8]) throws -> String {
        let folder = try TemporaryDirectory()
        try folder.write(bytes, to: "bytes")
        return Hexadecimal.text(try FilePieces.sha256(of: FilePath(folder.file("bytes"))))
    }
}
