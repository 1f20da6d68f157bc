internal import SystemPackage

extension OfflineStore {
    static let artworkLimit: UInt64 = 16 << 20

    /// Gets the picture that a request names; one that can't be had is no reason to refuse the stream.
    func artwork(
        _ source: String, for purpose: HeaderRule.Purpose, origin: Origin
    ) async throws(StoreError) -> Artwork? {
        let bytes: [UInt8]
        if source.hasPrefix("http://") || source.hasPrefix("https://") {
            bytes = try await origin.small(source, for: purpose, limit: Self.artworkLimit)
        } else {
            guard let file = try DurableWrite.read(FilePath(source), limit: Int(Self.artworkLimit)) else {
                throw StoreError(.file(.read, source, errno: Errno.noSuchFileOrDirectory.rawValue))
            }
            bytes = file
        }
        guard let artwork = Artwork(poster: bytes) else {
            throw StoreError(.notImportable("the artwork is neither a JPEG, a PNG nor a WebP picture"))
        }
        return artwork
    }
}
