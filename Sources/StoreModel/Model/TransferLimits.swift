/// The largest sizes of an origin's answers, and the numbers of tries.
package enum TransferLimits {
    /// Bytes of a playlist, decoded.
    package static let playlist: UInt64 = 32 << 20
    /// Bytes of a segment.
    package static let segment: UInt64 = 4 << 30
    /// Tries that a segment has.
    package static let segmentTries = 8
    /// Playlists of one asset.
    package static let playlists = 200
    /// The limit for all playlists of one asset: ten times the bytes of a day of short segments in 20 renditions.
    package static let playlistBytes = 128 << 20
}
