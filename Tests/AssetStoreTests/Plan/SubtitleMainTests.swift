import HLSPlaylist
import ModelTestSupport
import SidebandSubtitles
import TestSupport
import Testing

@testable import StoreModel
@testable import StorePlanning
@testable import StoreReading

@Suite("The rendition that subtitles follow")
struct SubtitleMainTests {
    private func row(
        _ name: String, _ kind: RenditionKind, hasPlaylist: Bool = true, failure: String? = nil
    ) -> RenditionRecord {
        RenditionRecord(
            name: name, position: 0, kind: kind, required: true, listings: [], hasPlaylist: hasPlaylist,
            container: .ts, duration: 12, segments: 3, failure: failure)
    }

    @Test("is the first variant with a playlist that was not given up, or else such an audio rendition")
    func main() {
        let audio = row("audio", .audio)
        let none = [
            row("a", .variant, hasPlaylist: false), row("b", .variant, failure: "gone"), row("c", .subtitles),
        ]
        #expect(SubtitleMaker.main(of: none) == nil)
        #expect(SubtitleMaker.main(of: none + [audio])?.name == "audio")
        let variants = [row("d", .variant), row("e", .variant)]
        #expect(SubtitleMaker.main(of: none + [audio] + variants)?.name == "d")
    }

    @Test(
        "has no subtitles yet for a segment that overlaps a missing stretch, and not for one that touches it",
        arguments: [
            ([], false), ([0...4], false), ([8...12], false), ([0...4.5], true), ([7.5...12], true),
            ([5...6], true), ([0...4, 8...12], false), ([0...1, 5...6], true),
        ] as [([ClosedRange<Double>], Bool)])
    func missing(_ stretches: [ClosedRange<Double>], _ isMissing: Bool) throws {
        let playlist = try Playlists.parsedMedia(Playlists.media(["0.ts", "1.ts", "2.ts"]))
        let timeline = PresentationTimeline(playlist)
        let subtitles = AssetSubtitles(
            rendition: SubtitleRendition(row("subtitles", .subtitles)), track: SubtitleTrack(), revision: "1",
            isComplete: false, isDamaged: false, problems: [], picture: PictureSize(), timeline: timeline,
            segmented: nil, clocks: [:], missing: stretches)
        #expect(subtitles.isMissing(timeline.segments[1]) == isMissing)
    }
}
