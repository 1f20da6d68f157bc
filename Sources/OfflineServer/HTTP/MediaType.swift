/// Content types, by the canonical extensions that the server uses.
package enum MediaType {
    static let playlist = "application/vnd.apple.mpegurl"
    package static let json = "application/json"
    static let problem = "application/problem+json"
    static let events = "text/event-stream"
    static let key = "application/octet-stream"

    /// Whether a Content-Type is JSON, with any parameters (RFC 9110, section 8.3.1).
    static func isJSON(_ contentType: String?) -> Bool {
        let parts = contentType?.lowercased().split(
            separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
        return parts?.first?.split { $0 == " " || $0 == "\t" } == [json[...]]
    }

    static func of(extension suffix: String) -> String {
        switch suffix {
        case "ts": "video/mp2t"
        case "m4s": "video/iso.segment"
        case "mp4": "video/mp4"
        case "aac": "audio/aac"
        case "mp3": "audio/mpeg"
        case "ac3": "audio/ac3"
        case "ec3": "audio/eac3"
        case "vtt": "text/vtt; charset=utf-8"
        case "srt": "application/x-subrip; charset=utf-8"
        case "ass": "text/x-ssa; charset=utf-8"
        case "json": json
        case "m3u8": playlist
        case "mpd": "application/dash+xml"
        case "jpg": "image/jpeg"
        case "png": "image/png"
        case "webp": "image/webp"
        default: "application/octet-stream"
        }
    }
}
