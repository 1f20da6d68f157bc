/// How much is taken from an origin, and how often it is asked.
package enum TransferLimits {
    /// Bytes of a playlist, decoded.
    package static let playlist: UInt64 = 32 << 20
    /// Bytes of a segment.
    package static let segment: UInt64 = 4 << 30
    /// Tries that a segment has.
    package static let segmentTries = 8
    /// Playlists of one asset.
    package static let playlists = 200
    /// Bytes of all playlists of one asset: ten times what a day of short segments takes in 20 renditions is refused.
    package static let playlistBytes = 128 << 20
}
