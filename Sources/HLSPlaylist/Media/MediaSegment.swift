/// A media segment with everything that applies to it (RFC 8216bis §3, §4.4.4).
public struct MediaSegment: Sendable {
    /// The URI as written, variables replaced; not resolved against the playlist's URL.
    public var uri: String
    /// The segment's number: EXT-X-MEDIA-SEQUENCE, the skipped segments, and its place.
    public var mediaSequence: Int
    /// EXTINF in seconds, from 0.
    public var duration: Double
    /// The duration as written.
    public var durationText: String
    /// The text behind the comma of EXTINF; `nil` without one.
    public var title: String?
    /// EXT-X-BYTERANGE with its offset worked out.
    public var byteRange: ByteRange?
    /// Whether EXT-X-DISCONTINUITY stands before the segment.
    public var isDiscontinuity: Bool
    /// EXT-X-DISCONTINUITY-SEQUENCE and the discontinuities up to this segment.
    public var discontinuitySequence: Int
    /// The EXT-X-MAP that applies: an index into `MediaPlaylist.initializationSections`.
    public var initializationSection: Int?
    /// The keys in force, one for each KEYFORMAT, in order of appearance; empty when not encrypted.
    public var keys: [EncryptionKey]
    /// EXT-X-PROGRAM-DATE-TIME as written.
    public var programDateTime: String?
    /// EXT-X-GAP: the resource is missing and must not be fetched.
    public var isGap: Bool
    /// The EXT-X-BITRATE that applies, in kilobits per second; `nil` for a segment with a byte range.
    public var bitrate: Int?
    /// The EXT-X-PARTs of this segment.
    public var parts: [PartialSegment]
    /// Lines before the segment that no other property tells, in order: EXT-X-DATERANGE with its variables
    /// replaced, and every `#EXT` tag this package does not know, as written.
    public var otherTags: [String]
    /// The line of the URI, counted from 1.
    public var line: Int
}
