/// A segment as `MediaPlaylistWriter` writes it.
public struct SegmentEntry: Sendable, Hashable {
    /// The URI to write.
    public var uri: String
    /// The duration in seconds, from 0.
    public var duration: Double
    /// The duration as decimal text; the text of `duration` when `nil`.
    public var durationText: String?
    /// The title.
    public var title: String?
    /// The part of the resource.
    public var byteRange: ByteRange?
    /// Whether EXT-X-DISCONTINUITY stands before the segment.
    public var isDiscontinuity = false
    /// The EXT-X-MAP in force; its `keys` are those that it is encrypted with.
    public var initializationSection: InitializationSection?
    /// The keys in force, one for each KEYFORMAT.
    public var keys: [EncryptionKey] = []
    /// EXT-X-PROGRAM-DATE-TIME.
    public var programDateTime: String?
    /// EXT-X-GAP.
    public var isGap = false
    /// EXT-X-BITRATE in kilobits per second; written when it changes.
    public var bitrate: Int?
    /// Whole lines that stand before the segment, such as EXT-X-DATERANGE.
    public var otherTags: [String] = []

    /// Makes a segment with only a duration.
    public init(uri: String, duration: Double, durationText: String? = nil) {
        self.uri = uri
        self.duration = duration
        self.durationText = durationText
    }

    /// Makes an entry of a segment that was read. `initializationSection` is its section, with the URI to write.
    public init(_ segment: MediaSegment, uri: String, initializationSection: InitializationSection? = nil) {
        self.init(uri: uri, duration: segment.duration, durationText: segment.durationText)
        title = segment.title
        byteRange = segment.byteRange
        isDiscontinuity = segment.isDiscontinuity
        self.initializationSection = initializationSection
        keys = segment.keys
        programDateTime = segment.programDateTime
        isGap = segment.isGap
        bitrate = segment.bitrate
        otherTags = segment.otherTags
    }
}
