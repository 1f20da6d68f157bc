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

    @Test("has a place behind the renditions, and a name and a title that no other one has")
    func places() throws {
        let bytes = Array("WEBVTT\n\n00:00.000 --> 00:01.000\nHallo\n".utf8)
        let names = ["a", "a", "say \"a\"\nb", String(repeating: "x", count: 101), "b"]
        let files = try names.map { name in
            ReadSubtitles(
                source: SubtitleSource(source: "/films/a.vtt", language: "de", name: name), original: bytes,
                file: try SubtitleFile(reading: bytes))
        }
        let row = RenditionRecord(
            name: "subtitles-de", position: 4, kind: .subtitles, required: false, title: "b", listings: [],
            hasPlaylist: true, container: .vtt, duration: 8, segments: 2)
        let rows = AddedSubtitles.all(files, beside: [row], of: 8, Selection()).map(\.row)
        #expect(rows.map(\.position) == [5, 6, 7, 8, 9])
        #expect(rows.map(\.name) == (2...6).map { "subtitles-de-\($0)" })
        let long = String(repeating: "x", count: 100)
        #expect(rows.map(\.title) == ["a", "a 2", "say 'a''b", long, "b 2"])
        #expect(rows.allSatisfy { !$0.required && $0.hasPlaylist && $0.segments == 1 })
        let alone = AddedSubtitles.all(files, beside: [], of: 8, Selection()).map(\.row.position)
        #expect(alone == [0, 1, 2, 3, 4])
    }

    @Test("of a part has the cues of this part; of a stream from some time on, all after it")
    func part() throws {
        let bytes = Array(
            "WEBVTT\n\n00:03.000 --> 00:05.000\nA\n\n00:11.000 --> 00:12.000\nB\n".utf8)
        let file = ReadSubtitles(
            source: SubtitleSource(source: "/films/a.vtt", language: "de"), original: bytes,
            file: try SubtitleFile(reading: bytes))
        var selection = Selection()
        func lines() -> [Bool] {
            let track = AddedSubtitles.all([file], beside: [], of: 6, selection).first?.track ?? []
            let text = String(decoding: track, as: UTF8.self)
            return ["00:01.000 --> 00:00:03.000", "00:09.000 --> 00:00:10.000"].map { text.contains($0) }
        }
        (selection.start, selection.partStart) = (2, 2)
        #expect(lines() == [true, true])
        selection.end = 8
        #expect(lines() == [true, false])
        selection.partStart = nil
        #expect(lines() == [false, false], "the part is not known yet")
    }

    @Test(
        "without a cue takes as long as the asset, and at least a second",
        arguments: [(0.0, 1.0), (7.5, 7.5)])
    func withoutCues(_ duration: Double, _ expected: Double) throws {
        #expect(try added("WEBVTT\n\n", to: duration).row.duration == expected)
    }
}
