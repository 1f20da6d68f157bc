package import HLSPlaylist

extension ParseLimits {
    /// The limits of playlists in the catalog: a recording may be longer than an origin's playlist, and ends before
    /// it reaches the limits (`RecordedSize`). The limits of lines and segments are those of origins' playlists, so
    /// that served playlists can be read everywhere; other tags are limited by the number of bytes.
    package static let stored: ParseLimits = {
        var limits = ParseLimits()
        limits.bytes = 128 << 20
        limits.attributes = 8_000_000
        limits.otherTags = limits.bytes
        return limits
    }()
}
