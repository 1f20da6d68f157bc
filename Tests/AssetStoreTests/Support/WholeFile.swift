@testable import AssetStore
@testable import Downloads
@testable import Licensing
@testable import MediaDecryption
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

extension ArrivingFile {
    /// All bytes, once they have arrived; `nil` when they will not.
    func whole() async throws -> [UInt8]? {
        guard try await ended() else { return nil }
        return try gather(at: 0, count: .max / 2).bytes
    }
}
