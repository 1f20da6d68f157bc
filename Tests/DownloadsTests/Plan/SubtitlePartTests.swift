import SidebandSubtitles
import Testing

@testable import Downloads

@Suite("A part of a subtitle track")
struct SubtitlePartTests {
    /// A track of cues from one time to another, in milliseconds.
    private func track(_ times: (Int, Int)...) -> SubtitleTrack {
        SubtitleTrack(
            cues: times.map { start, end in
                Cue(start: CueTime(milliseconds: start), end: CueTime(milliseconds: end), text: "\(start)")
            })
    }

    private func times(_ track: SubtitleTrack) -> [[Int]] {
        track.cues.map { [$0.start.milliseconds, $0.end.milliseconds] }
    }

    @Test("is the track as it is if it has the whole stream, with cues that end as it begins")
    func whole() {
        let track = track((0, 0), (-500, -100), (0, 1000), (1500, 3000))
        #expect(track.part(from: 0, length: nil) == track)
    }

    @Test("counts time from its start; cues that ended by then are left out, and those that run begin at 0")
    func start() {
        let track = track((0, 1000), (500, 1001), (1000, 2000), (1500, 3000))
        #expect(times(track.part(from: 1, length: nil)) == [[0, 1], [0, 1000], [500, 2000]])
        #expect(track.part(from: 1, length: nil).cues.map(\.text) == ["500", "1000", "1500"])
        #expect(times(track.part(from: 0.001, length: nil))[0] == [0, 999])
    }

    @Test("has no cue that begins at its end, and has the whole of those that run then")
    func end() {
        let track = track((0, 1000), (1499, 9000), (1500, 3000))
        #expect(times(track.part(from: 0, length: 1.5)) == [[0, 1000], [1499, 9000]])
        #expect(times(track.part(from: 0.5, length: 1)) == [[0, 500], [999, 8500]])
    }
}
