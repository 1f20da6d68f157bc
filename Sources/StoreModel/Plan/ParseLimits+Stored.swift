package import HLSPlaylist

extension ParseLimits {
    /// Of what is in the catalog: a recording may be longer than what an origin sends at once. A recording ends before it
    /// comes near them (`RecordedSize`). Lines are as long, and segments as many, as in what origins send, so that what is
    /// served of it can be read everywhere; other tags are limited by the bytes.
    package static let stored: ParseLimits = {
        var limits = ParseLimits()
        limits.bytes = 128 << 20
        limits.attributes = 8_000_000
        limits.otherTags = limits.bytes
        return limits
    }()
}
