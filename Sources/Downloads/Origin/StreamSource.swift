/// The source of playlists, keys and the first bytes of segments: an origin, or a folder.
package protocol StreamSource: Sendable {
    /// A playlist's bytes and its address after redirects.
    func playlist(_ url: String) async throws(StoreError) -> (bytes: [UInt8], url: String)
    /// The schemes of URLs that it reads.
    static var schemes: Set<String> { get }
    /// A content key.
    func key(_ url: String) async throws(StoreError) -> [UInt8]
    /// The first bytes of a resource, or of a range of it; at most `count`.
    ///
    /// - Parameter isNeeded: whether to retry as long as there is hope; otherwise there is one try, and none in a
    ///   cooldown.
    func beginning(
        of url: String, range: ClosedOffsetRange?, count: UInt64, isNeeded: Bool
    ) async throws(StoreError) -> [UInt8]
}

extension Origin: StreamSource {
    package static let schemes: Set<String> = ["http", "https"]
    package func key(_ url: String) async throws(StoreError) -> [UInt8] { try await small(url, for: .key) }
}
