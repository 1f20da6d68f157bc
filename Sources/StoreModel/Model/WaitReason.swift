/// Why an asset waits although there may be a place for it.
package enum WaitReason: String, Sendable, CaseIterable {
    /// There is no way to its origin.
    case network
    /// There is no room for it.
    case disk
    /// Too many files are open. It is tried again at the next look.
    case files
    /// The connection costs by volume.
    case metered
    /// It is not its time.
    case schedule
    /// Its origin has asked to be left alone for a while, or could not give its playlists, or something that it can do
    /// without, a while ago.
    case origin
}

extension AssetRecord {
    /// Why an asset is queued whose origin wants a fresh address.
    package static let linkReason = "link"

    /// Whether it waits for a fresh address.
    package var waitsForLink: Bool { state == .queued && reason == Self.linkReason }
}
