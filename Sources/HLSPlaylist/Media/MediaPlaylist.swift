/// A media playlist: segments in order, and the tags that apply to them (RFC 8216bis §4.4.3, §4.4.4).
///
/// ```swift
/// guard case .media(let playlist) = try Playlist(parsing: bytes) else { return }
/// for segment in playlist.segments where !segment.isGap {
///     print(segment.mediaSequence, segment.duration, segment.uri)
/// }
/// print(playlist.hasEndList ? "VOD" : "live", playlist.targetDuration)
/// ```
public struct MediaPlaylist: Sendable {
    /// EXT-X-PLAYLIST-TYPE.
    public enum PlaylistType: String, Sendable, Hashable {
        /// Segments may only be added.
        case event = "EVENT"
        /// The playlist never changes.
        case vod = "VOD"
    }

    /// The largest EXT-X-MEDIA-SEQUENCE and EXT-X-DISCONTINUITY-SEQUENCE that are accepted: half of `Int.max`, so
    /// that the numbers after them do not overflow. (RFC 8216bis §4.2 allows twice `Int.max`, which no stream
    /// reaches.)
    public static let largestSequenceNumber = Int.max / 2

    /// The bytes the playlist was read from.
    public let serialized: [UInt8]
    /// The segments in order.
    public let segments: SegmentList
    /// The distinct EXT-X-MAPs in order of appearance; segments refer to them by index.
    public let initializationSections: [InitializationSection]
    var header: Header
    var lowLatency: LowLatency

    /// EXT-X-VERSION; `nil` when missing or not a number.
    public var version: Int? { header.version }
    /// EXT-X-TARGETDURATION in seconds; `nil` when missing or not a number.
    public var declaredTargetDuration: Int? { header.targetDuration }
    /// The declared target duration; without one, the longest duration, rounded.
    public var targetDuration: Int { header.targetDuration ?? WholeSeconds.rounded(segments.longestDuration) }
    /// The target duration, or that of the longest segment where it is too short for that one (RFC 8216bis §4.4.3.1).
    public var sufficientTargetDuration: Int {
        max(targetDuration, WholeSeconds.rounded(segments.longestDuration))
    }
    /// EXT-X-MEDIA-SEQUENCE: the number of the first segment, skipped ones included.
    public var mediaSequence: Int { header.mediaSequence }
    /// EXT-X-DISCONTINUITY-SEQUENCE.
    public var discontinuitySequence: Int { header.discontinuitySequence }
    /// EXT-X-PLAYLIST-TYPE; `nil` if it is missing or unknown.
    public var playlistType: PlaylistType? { header.playlistType }
    /// Whether it has EXT-X-ENDLIST: no segment will be added.
    public var hasEndList: Bool { header.hasEndList }
    /// EXT-X-I-FRAMES-ONLY.
    public var iFramesOnly: Bool { header.iFramesOnly }
    /// EXT-X-IMAGES-ONLY, which Roku defines: the segments are pictures.
    public var imagesOnly: Bool { header.imagesOnly }
    /// EXT-X-INDEPENDENT-SEGMENTS.
    public var independentSegments: Bool { header.independentSegments }
    /// EXT-X-START.
    public var start: StartPoint? { header.start }
    /// The EXT-X-DATERANGEs in order.
    public var dateRanges: [DateRange] { header.dateRanges }
    /// The variables defined by EXT-X-DEFINE, with their values.
    public var variables: [String: String] { header.variables }
    /// Lines after the last segment that no property of this type tells, as in `MediaSegment.otherTags`.
    public var trailingTags: [String] { header.trailingTags }
    /// The sum of the segments' durations in seconds.
    public var duration: Double { segments.duration }
    /// The share of `ParseLimits.attributes` that reading it took.
    public var attributeCount: Int { header.attributeCount }

    /// EXT-X-SERVER-CONTROL.
    public var serverControl: ServerControl? { lowLatency.serverControl }
    /// PART-TARGET of EXT-X-PART-INF, in seconds.
    public var partTarget: Double? { lowLatency.partTarget }
    /// EXT-X-SKIP: the part that a delta update leaves out.
    public var skip: Skip? { lowLatency.skip }
    /// Parts after the last segment.
    public var trailingParts: [PartialSegment] { lowLatency.trailingParts }
    /// EXT-X-PRELOAD-HINT.
    public var preloadHints: [PreloadHint] { lowLatency.preloadHints }
    /// EXT-X-RENDITION-REPORT.
    public var renditionReports: [RenditionReport] { lowLatency.renditionReports }
}

extension MediaPlaylist {
    /// The tags that apply to the playlist as a whole.
    struct Header {
        var version: Int?
        var targetDuration: Int?
        var mediaSequence = 0
        var discontinuitySequence = 0
        var playlistType: PlaylistType?
        var hasEndList = false
        var iFramesOnly = false
        var imagesOnly = false
        var independentSegments = false
        var start: StartPoint?
        var dateRanges: [DateRange] = []
        var variables: [String: String] = [:]
        var trailingTags: [String] = []
        var attributeCount = 0
    }

    /// The tags of Low-Latency HLS (RFC 8216bis §4.4.3.7, §4.4.3.8, §4.4.5).
    struct LowLatency {
        var serverControl: ServerControl?
        var partTarget: Double?
        var skip: Skip?
        var trailingParts: [PartialSegment] = []
        var preloadHints: [PreloadHint] = []
        var renditionReports: [RenditionReport] = []
    }
}
