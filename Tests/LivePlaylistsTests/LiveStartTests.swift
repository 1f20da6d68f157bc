import HLSPlaylist
import ModelTestSupport
import TestSupport
import Testing

@testable import LivePlaylists

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
}
