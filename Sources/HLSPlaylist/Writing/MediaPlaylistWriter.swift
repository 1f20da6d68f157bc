internal import ASCII

/// Writes a media playlist (RFC 8216bis §4.4.3, §4.4.4).
///
/// Append the segments in order, then read the bytes. Keys and maps are written where they change, the version is the
/// lowest that permits the written tags, and the target duration covers the longest segment. Characters that would
/// end a line or quotes are removed.
///
/// ```swift
/// var writer = MediaPlaylistWriter()
/// writer.playlistType = .vod
/// writer.hasEndList = true
/// writer.append(SegmentEntry(uri: "0.ts", duration: 6))
/// writer.append(SegmentEntry(uri: "1.ts", duration: 4.5))
/// print(String(decoding: writer.bytes, as: UTF8.self))
/// ```
public struct MediaPlaylistWriter: Sendable {
    /// The lowest EXT-X-TARGETDURATION to write, in seconds: that of the source.
    public var targetDuration = 0
    /// The number of the first segment.
    public var mediaSequence = 0
    /// The discontinuity sequence number of the first segment; written unless 0.
    public var discontinuitySequence = 0
    /// EXT-X-PLAYLIST-TYPE.
    public var playlistType: MediaPlaylist.PlaylistType?
    /// EXT-X-I-FRAMES-ONLY.
    public var iFramesOnly = false
    /// EXT-X-IMAGES-ONLY.
    public var imagesOnly = false
    /// EXT-X-INDEPENDENT-SEGMENTS.
    public var independentSegments = false
    /// EXT-X-START.
    public var start: StartPoint?
    /// Whether to end with EXT-X-ENDLIST.
    public var hasEndList = false

    private var features: MediaFeatures = []
    private var longestDuration = 0.0
    private var body = PlaylistOutput()
    private var keys: [EncryptionKey] = []
    private var section: InitializationSection?
    private var bitrate: Int?

    /// A playlist without segments.
    public init() {}

    /// Makes a playlist without segments, with the tags of a source's header.
    public init(header source: MediaPlaylist) {
        targetDuration = source.targetDuration
        mediaSequence = source.mediaSequence + (source.skip?.skippedSegments ?? 0)
        discontinuitySequence = source.discontinuitySequence
        playlistType = source.playlistType
        iFramesOnly = source.iFramesOnly
        imagesOnly = source.imagesOnly
        independentSegments = source.independentSegments
        start = source.start
        hasEndList = source.hasEndList
    }

    /// Adds a segment.
    public mutating func append(_ segment: SegmentEntry) {
        if segment.isDiscontinuity { body.line("#EXT-X-DISCONTINUITY") }
        for tag in segment.otherTags { body.line(tag) }
        if let section = segment.initializationSection {
            append(section, isForced: segment.isDiscontinuity)
        }
        switchKeys(to: segment.keys)
        appendSegmentTags(segment)
        longestDuration = max(longestDuration, min(segment.duration, 1e9))
        let text = segment.durationText ?? DecimalText.text(segment.duration)
        if text.utf8.contains(.dot) { features.insert(.fractions) }
        body.line("#EXTINF:\(text),\(segment.title ?? "")")
        body.line(segment.uri)
    }

    /// Adds a line after the segments appended so far, such as EXT-X-DATERANGE.
    public mutating func append(tag line: String) {
        body.line(line)
    }

    /// Writes the map under its own keys, if it changes or a discontinuity requires it again.
    private mutating func append(_ section: InitializationSection, isForced: Bool) {
        guard section != self.section || isForced else { return }
        self.section = section
        features.insert(.map)
        switchKeys(to: section.keys)
        var list = AttributeList().setting("URI", quoted: section.uri)
        if let range = section.byteRange { list = list.setting("BYTERANGE", quoted: range.verbatim) }
        body.tag("EXT-X-MAP", list)
    }

    /// Writes the keys if they change. If a KEYFORMAT is no longer used, METHOD=NONE must come first.
    private mutating func switchKeys(to next: [EncryptionKey]) {
        guard next != keys else { return }
        let formats = Set(next.map(\.keyFormat))
        if !keys.allSatisfy({ formats.contains($0.keyFormat) }) {
            body.tag("EXT-X-KEY", AttributeList().setting("METHOD", plain: "NONE"))
            keys = []
        }
        for key in next where !keys.contains(key) {
            features.formUnion(MediaFeatures(key))
            body.tag("EXT-X-KEY", key.attributes)
        }
        keys = next
    }

    private mutating func appendSegmentTags(_ segment: SegmentEntry) {
        if let date = segment.programDateTime { body.line("#EXT-X-PROGRAM-DATE-TIME:\(date)") }
        if let rate = segment.bitrate, rate != bitrate {
            body.line("#EXT-X-BITRATE:\(rate)")
            bitrate = rate
        }
        if segment.isGap { body.line("#EXT-X-GAP") }
        if let range = segment.byteRange {
            features.insert(.byteRanges)
            body.line("#EXT-X-BYTERANGE:\(range.verbatim)")
        }
    }

    /// The lines of the appended segments, without the tags of the whole playlist.
    public var appended: [UInt8] { body.bytes }

    /// The playlist.
    public var bytes: [UInt8] {
        var output = PlaylistOutput()
        output.line("#EXTM3U")
        output.line("#EXT-X-VERSION:\(version)")
        output.line("#EXT-X-TARGETDURATION:\(max(targetDuration, WholeSeconds.rounded(longestDuration), 1))")
        output.line("#EXT-X-MEDIA-SEQUENCE:\(mediaSequence)")
        if discontinuitySequence > 0 { output.line("#EXT-X-DISCONTINUITY-SEQUENCE:\(discontinuitySequence)") }
        if let playlistType { output.line("#EXT-X-PLAYLIST-TYPE:\(playlistType.rawValue)") }
        if iFramesOnly { output.line("#EXT-X-I-FRAMES-ONLY") }
        if imagesOnly { output.line("#EXT-X-IMAGES-ONLY") }
        if independentSegments { output.line("#EXT-X-INDEPENDENT-SEGMENTS") }
        if let start { output.tag("EXT-X-START", start.attributes) }
        output.bytes += body.bytes
        if hasEndList { output.line("#EXT-X-ENDLIST") }
        return output.bytes
    }

    private var version: Int {
        features.union(iFramesOnly ? .iFramesOnly : []).version
    }
}
