import HLSPlaylist
import ModelTestSupport
import TestSupport
import Testing

@testable import LivePlaylists
@testable import StoreModel

@Suite("The start of a recording")
struct LiveStartTests {
    @Test(
        "is the last segment from which three target durations are left",
        arguments: [
            ([4, 4, 4, 4, 4], 2), ([4, 4, 4, 4, 3.9], 1), ([4, 4, 4], 0), ([4, 4], 0),
            ([2, 2, 2, 2, 2, 2, 2], 1),
            ([4, 4, 4, 4, 4.4], 2),
        ] as [([Double], Int)])
    func edge(_ durations: [Double], first: Int) throws {
        var lines = ["#EXTM3U", "#EXT-X-TARGETDURATION:4", "#EXT-X-MEDIA-SEQUENCE:7"]
        for (number, duration) in durations.enumerated() {
            lines += ["#EXTINF:\(duration),", "s\(number).ts"]
        }
        let playlist = try Playlists.parsedMedia(lines.joined(separator: "\n") + "\n")
        #expect(LiveStart.edge(of: playlist) == first)
    }

    private func playlist(_ durations: [Double], from sequence: Int, tags: String = "") throws
        -> MediaPlaylist
    {
        let segments = durations.enumerated().map { (number, duration) in
            "#EXTINF:\(duration),\ns\(number).ts\n"
        }
        return try Playlists.parsedMedia(
            "#EXTM3U\n#EXT-X-TARGETDURATION:8\n#EXT-X-MEDIA-SEQUENCE:\(sequence)\n\(tags)\(segments.joined())"
        )
    }

    @Test(
        "is in another playlist at the same date, else the same number, else the same distance from the end",
        arguments: [
            // Durations, number of the first segment, kind, whether it has dates, and the place.
            ([4, 4, 4, 4, 4], 7, .audio, false, 2), ([4, 4, 4, 4, 4], 8, .audio, false, 1),
            ([4, 4, 4, 4, 4], 90, .audio, false, 2), ([8, 8, 8], 90, .audio, false, 2),
            ([8, 8, 7], 90, .audio, false, 1), ([4, 4], 90, .audio, false, 0),
            ([4, 4, 4, 4, 4], 8, .iframe, false, 2), ([4, 4, 4, 4, 4], 90, .audio, true, 1),
        ] as [([Double], Int, RenditionKind, Bool, Int)])
    func common(_ durations: [Double], _ number: Int, _ kind: RenditionKind, isDated: Bool, place: Int) throws
    {
        let date = { (second: Int) in "#EXT-X-PROGRAM-DATE-TIME:2026-01-31T08:00:0\(second)Z\n" }
        let lead = try playlist([4, 4, 4, 4, 4], from: 7, tags: isDated ? date(0) : "")
        let other = try playlist(durations, from: number, tags: isDated ? date(5) : "")
        let start = LiveStart(lead, 2, url: "http://o/v.m3u8")
        #expect(start.place(in: other, base: URIReference("http://o/a.m3u8"), kind: kind) == place)
    }
}
