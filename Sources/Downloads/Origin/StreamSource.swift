/// The source of playlists, keys and the first bytes of segments: an origin, or a folder.
package protocol StreamSource: Sendable {
    /// A playlist's bytes and the address they came from in the end.
    func playlist(_ url: String) async throws(StoreError) -> (bytes: [UInt8], url: String)
    /// The schemes of URLs that it reads.
    static var schemes: Set<String> { get }
    /// A content key.
    func key(_ url: String) async throws(StoreError) -> [UInt8]
    /// The first bytes of a resource, or of a range of it; `count` at most.
    ///
    /// - Parameter isNeeded: whether it is asked for until there is no hope; else once, and not of who is to be left
    ///   alone.
    func beginning(
        of url: String, range: ClosedOffsetRange?, count: UInt64, isNeeded: Bool
    ) async throws(StoreError) -> [UInt8]
}

extension Origin: StreamSource {
    package static let schemes: Set<String> = ["http", "https"]
    package func key(_ url: String) async throws(StoreError) -> [UInt8] { try await small(url, for: .key) }
}
