/// Playlists as origins write them.
public enum Playlists {
    /// A VOD media playlist.
    public static func media(_ uris: [String], seconds: Int = 4, tags: String = "", end: Bool = true)
        -> String
    {
        let segments = uris.map { "#EXTINF:\(seconds),\n\($0)\n" }.joined()
        return "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:\(seconds)\n\(tags)"
            + segments + (end ? "#EXT-X-ENDLIST\n" : "")
    }

    /// A multivariant playlist of these lines.
    public static func master(_ lines: String...) -> String {
        "#EXTM3U\n" + lines.joined(separator: "\n") + "\n"
    }

    /// A variant stream.
    public static func variant(_ uri: String, _ bandwidth: Int, _ more: String = "") -> String {
        "#EXT-X-STREAM-INF:BANDWIDTH=\(bandwidth)\(more.isEmpty ? "" : "," + more)\n\(uri)"
    }

    /// A rendition; `LANGUAGE` and `NAME` are the language's.
    public static func rendition(
        _ type: String, _ group: String, _ language: String, _ uri: String?, _ more: String = ""
    ) -> String {
        let address = uri.map { ",URI=\"\($0)\"" } ?? ""
        let rest = more.isEmpty ? "" : "," + more
        return
            "#EXT-X-MEDIA:TYPE=\(type),GROUP-ID=\"\(group)\",LANGUAGE=\"\(language)\",NAME=\"\(language)\"\(address)\(rest)"
    }
}
