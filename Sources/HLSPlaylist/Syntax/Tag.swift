internal import ASCII

/// The tags of RFC 8216bis §4.4, and those for playlists of pictures, which Roku defines.
enum Tag: String, CaseIterable {
    case allowCache = "EXT-X-ALLOW-CACHE"
    case bitrate = "EXT-X-BITRATE"
    case byteRange = "EXT-X-BYTERANGE"
    case contentSteering = "EXT-X-CONTENT-STEERING"
    case dateRange = "EXT-X-DATERANGE"
    case define = "EXT-X-DEFINE"
    case discontinuity = "EXT-X-DISCONTINUITY"
    case discontinuitySequence = "EXT-X-DISCONTINUITY-SEQUENCE"
    case endList = "EXT-X-ENDLIST"
    case m3u = "EXTM3U"
    case gap = "EXT-X-GAP"
    case iFrameStreamInf = "EXT-X-I-FRAME-STREAM-INF"
    case iFramesOnly = "EXT-X-I-FRAMES-ONLY"
    case imageStreamInf = "EXT-X-IMAGE-STREAM-INF"
    case imagesOnly = "EXT-X-IMAGES-ONLY"
    case independentSegments = "EXT-X-INDEPENDENT-SEGMENTS"
    case inf = "EXTINF"
    case key = "EXT-X-KEY"
    case map = "EXT-X-MAP"
    case media = "EXT-X-MEDIA"
    case mediaSequence = "EXT-X-MEDIA-SEQUENCE"
    case part = "EXT-X-PART"
    case partInf = "EXT-X-PART-INF"
    case playlistType = "EXT-X-PLAYLIST-TYPE"
    case preloadHint = "EXT-X-PRELOAD-HINT"
    case programDateTime = "EXT-X-PROGRAM-DATE-TIME"
    case renditionReport = "EXT-X-RENDITION-REPORT"
    case serverControl = "EXT-X-SERVER-CONTROL"
    case sessionData = "EXT-X-SESSION-DATA"
    case sessionKey = "EXT-X-SESSION-KEY"
    case skip = "EXT-X-SKIP"
    case start = "EXT-X-START"
    case streamInf = "EXT-X-STREAM-INF"
    case targetDuration = "EXT-X-TARGETDURATION"
    case version = "EXT-X-VERSION"
}

extension Tag {
    private struct Entry {
        let name: [UInt8]
        let tag: Tag
    }

    /// The tags by the length of their name.
    private static let byLength: [[Entry]] = {
        var table = [[Entry]](repeating: [], count: 32)
        for tag in allCases {
            table[tag.rawValue.utf8.count].append(Entry(name: Array(tag.rawValue.utf8), tag: tag))
        }
        return table
    }()

    /// The tag of a line that begins with `#`, and where its value begins; `nil` for comments and other tags.
    static func find(in bytes: [UInt8], line: Line) -> (tag: Tag, value: Int)? {
        let start = line.start + 1
        let stop = min(line.end, start + byLength.count)
        var end = start
        while end < stop, bytes[end] != .colon { end += 1 }
        guard end - start < byLength.count else { return nil }
        for entry in byLength[end - start] where bytes[start..<end].elementsEqual(entry.name) {
            var value = min(end + 1, line.end)
            while value < line.end, bytes[value].isBlank { value += 1 }
            return (entry.tag, value)
        }
        return nil
    }
}
