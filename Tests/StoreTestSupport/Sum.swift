import ASCII
import ModelTestSupport
import StoreFiles
import SystemPackage
import TestSupport

package enum Sum {
    /// SHA-256 in hexadecimal digits.
    package static func sha256(_ bytes: [UInt8]) throws -> String {
        let folder = try TemporaryDirectory()
        try folder.write(bytes, to: "bytes")
        return Hexadecimal.text(try FilePieces.sha256(of: FilePath(folder.file("bytes"))))
    }
}
