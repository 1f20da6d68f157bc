/// The place where playing begins, from `EXT-X-START` (RFC 8216bis §4.4.2.2).
public struct StartPoint: Sendable, Hashable {
    /// Seconds from the start, or, when negative, from the end of the last segment.
    public var timeOffset: Double
    /// Whether playback begins exactly there, not at the start of the segment.
    public var isPrecise: Bool

    /// A start point of the two.
    public init(timeOffset: Double, isPrecise: Bool = false) {
        self.timeOffset = timeOffset
        self.isPrecise = isPrecise
    }

    /// `nil` when TIME-OFFSET is missing or not a number.
    init?(_ attributes: AttributeList) {
        guard let offset = attributes.decimal("TIME-OFFSET") else { return nil }
        self.init(timeOffset: offset, isPrecise: attributes.isYes("PRECISE"))
    }
}
