import Crypto
import Foundation
import StoreFiles
package import StoreModel
import SystemPackage

@testable import AssetStore

extension StoreFixture {
    /// Has an asset be as a version has left it that looked at no media: other bytes in a segment, and no findings.
    package func replaceAsOlderVersion(
        _ token: AssetToken, _ rendition: String, _ number: Int, with bytes: [UInt8]
    ) throws {
        let file = path(token, "\(rendition)/\(number).ts")
        try FileSystem.unlink(file)
        try DurableWrite.create(bytes, at: file)
        try store.catalog.write(.store) { session in
            try session.execute("UPDATE unit SET finding = NULL")
            try session.execute("UPDATE asset SET health = NULL")
            try session.execute(
                """
                UPDATE unit SET size = ?, sha256 = ? WHERE kind = 0 AND number = ?
                    AND rendition = (SELECT id FROM rendition WHERE asset = ? AND name = ?)
                """,
                [
                    bytes.count, Array(SHA256.hash(data: bytes)), number, token.description, rendition,
                ])
        }
    }
}
