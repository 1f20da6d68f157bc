/// An EXT-X-PART (RFC 8216bis §4.4.4.9).
public struct PartialSegment: Sendable, Hashable {
    /// URI.
    public var uri: String
    /// DURATION in seconds.
    public var duration: Double
    /// BYTERANGE with its offset worked out.
    public var byteRange: ByteRange?
    /// INDEPENDENT=YES: the part begins with a frame that can be decoded alone.
    public var isIndependent: Bool
    /// GAP=YES: the part is not available.
    public var isGap: Bool
}
