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

    @Test("is in another playlist the first of two segments that are equally near")
    func tie() throws {
        let date = { (second: Int) in "#EXT-X-PROGRAM-DATE-TIME:2026-01-31T08:00:0\(second)Z\n" }
        let lead = try playlist([4, 4, 4, 4, 4], from: 7, tags: date(2))
        let other = try playlist([4, 4, 4, 4, 4], from: 7, tags: date(0))
        let start = LiveStart(lead, 2, url: "http://o/v.m3u8")
        #expect(start.place(in: other, base: URIReference("http://o/a.m3u8"), kind: .audio) == 2)
    }

    private func stream(
        _ durations: [Double], required: Bool = true, isLive: Bool = true, name: String = "v",
        tags: String = ""
    ) throws -> ResolvedStream {
        var text = Playlists.media((0..<durations.count).map { "s\($0).ts" }, tags: tags, end: !isLive)
        for (number, duration) in durations.enumerated() {
            text = text.replacing("#EXTINF:4,\ns\(number).ts", with: "#EXTINF:\(duration),\ns\(number).ts")
        }
        return ResolvedStream(
            selected: SelectedStream(
                kind: name == "v" ? .variant : .audio, uri: "\(name).m3u8", required: required, listings: []),
            url: "http://o/\(name).m3u8", playlist: try Playlists.parsedMedia(text), container: .ts)
    }

    private func numbers(_ plan: DownloadPlan) -> [[Int]] {
        plan.renditions.map { $0.units.filter { $0.kind == .segment }.map(\.number) }
    }

    @Test("is that of the first required live stream, from which its segments on are planned")
    func lead() throws {
        let optional = try stream([4, 4, 4, 4, 4, 4, 4], required: false, name: "a")
        let main = try stream([4, 4, 4, 4, 4])
        let plan = try LiveStart.plan([optional, main], sources: [], .init()) { _, error in
            Issue.record(error)
        }
        #expect(numbers(plan) == [[2, 3, 4, 5, 6], [2, 3, 4]])
        let still = try stream([4, 4, 4, 4, 4], isLive: false, name: "a")
        let other = try LiveStart.plan([still, main], sources: [], .init()) { _, error in Issue.record(error)
        }
        #expect(numbers(other) == [[0, 1, 2, 3, 4], [2, 3, 4]])
        let alone = try LiveStart.plan([optional], sources: [], .init()) { _, error in Issue.record(error) }
        #expect(numbers(alone) == [[4, 5, 6]] && alone.recording != nil)
    }

    @Test("leaves an optional stream out whose lines can't be read again, and refuses a required one")
    func unreadable() throws {
        let tags = "#EXT-X-MEDIA-SEQUENCE:\(MediaPlaylist.largestSequenceNumber - 3)\n"
        let main = try stream([4, 4, 4])
        for required in [false, true] {
            let broken = try stream([4, 4, 4, 4, 4], required: required, name: "a", tags: tags)
            var lost: [SelectedStream] = []
            let wish = Selection.Recording.whole
            let plan = try? LiveStart.plan([main, broken], sources: [], wish) { stream, _ in
                lost.append(stream)
            }
            #expect((plan == nil) == required, "\(numbers(plan ?? DownloadPlan([], sources: [])))")
            #expect(lost.map(\.uri) == (required ? [] : ["a.m3u8"]))
        }
    }
}

extension Selection.Recording {
    /// From the oldest listed segment on.
    fileprivate static var whole: Self {
        var wish = Self()
        wish.fromStart = true
        return wish
    }
}
