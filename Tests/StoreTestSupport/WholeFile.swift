import MediaDecryption
package import StoreFiles

extension ArrivingFile {
    /// All bytes, once they have arrived; `nil` when they will not.
    package func whole() async throws -> [UInt8]? {
        guard try await ended() else { return nil }
        return try gather(at: 0, count: .max / 2).bytes
    }
}
