/// How much is taken from an origin, and how often it is asked.
enum TransferLimits {
    /// Bytes of a playlist, decoded.
    static let playlist: UInt64 = 32 << 20
    /// Bytes of a segment.
    static let segment: UInt64 = 4 << 30
    /// Tries that a segment has.
    static let segmentTries = 8
}
