/// A playlist with date ranges.
public enum DatedPlaylist {
    /// A date range with an ID, which begins at a second of 08:00, with more attributes.
    public static func range(_ id: String, _ second: String, _ more: String = "") -> String {
        "#EXT-X-DATERANGE:ID=\"\(id)\",START-DATE=\"2026-01-31T08:00:\(second)Z\"\(more)"
    }

    /// Four segments of four seconds with date ranges at the beginning, before the last segment and at the end.
    public static let text = """
        #EXTM3U
        #EXT-X-TARGETDURATION:4
        #EXT-X-PROGRAM-DATE-TIME:2026-01-31T08:00:00Z
        \(range("over", "00", ",DURATION=3"))
        \(range("into", "02", ",DURATION=4"))
        \(range("first", "00", ",DURATION=1,CUE=\"PRE\""))
        #EXTINF:4,
        s0.ts
        #EXTINF:4,
        s1.ts
        #EXTINF:4,
        s2.ts
        \(range("late", "10"))
        #EXTINF:4,
        s3.ts
        \(range("end", "08", ",DURATION=12"))
        \(range("next", "13"))
        #EXT-X-ENDLIST

        """
}
