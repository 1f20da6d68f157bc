import SidebandSubtitles
import Testing

@testable import Downloads
@testable import StoreModel
@testable import StorePlanning

@Suite("A subtitle file that is added to an asset")
struct AddedSubtitlesTests {
    private func added(_ text: String, to duration: Double) throws -> AddedSubtitles {
        let bytes = Array(text.utf8)
        let file = ReadSubtitles(
            source: SubtitleSource(source: "/films/a.vtt", language: "de"), original: bytes,
            file: try SubtitleFile(reading: bytes))
        return try #require(
            AddedSubtitles.all([file], beside: [], of: duration, Selection()).first)
    }

    @Test(
        "takes as long as the asset or its last cue, whichever is longer",
        arguments: [(30.0, "00:12.500", 30.0), (30, "00:45.500", 45.5), (0.25, "00:00.500", 1)])
    func length(_ duration: Double, _ end: String, _ expected: Double) throws {
        let added = try added("WEBVTT\n\n00:00.000 --> \(end)\nHallo\n", to: duration)
        #expect(added.row.duration == expected)
        #expect(String(decoding: added.playlist, as: UTF8.self).contains("#EXT-X-TARGETDURATION"))
    }

    @Test(
        "without a cue takes as long as the asset, and at least a second",
        arguments: [(0.0, 1.0), (7.5, 7.5)])
    func withoutCues(_ duration: Double, _ expected: Double) throws {
        #expect(try added("WEBVTT\n\n", to: duration).row.duration == expected)
    }
}
