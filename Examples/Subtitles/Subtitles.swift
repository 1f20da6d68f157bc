import Foundation
import SidebandSubtitles

/// Merges WebVTT segments into one track, prints it as SubRip, and shows the cues that are visible at a moment.
///
///     Subtitles SECONDS SEGMENT.vtt…
@main
struct Subtitles {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count >= 2, let moment = Double(arguments[0]) else {
            print("usage: Subtitles SECONDS SEGMENT.vtt…")
            exit(64)
        }
        let segments = try arguments.dropFirst().map { try Data(contentsOf: URL(filePath: $0)) }
        let track = try merge(segments)
        print(String(decoding: SubtitleFormat.srt.bytes(of: track), as: UTF8.self))
        print(picture(of: track, at: moment))
    }

    // snippet: subtitles
    /// One track of segments of six seconds each. A cue in several segments becomes one cue.
    static func merge(_ segments: [Data]) throws -> SubtitleTrack {
        var merger = SegmentMerger()
        for (number, segment) in segments.enumerated() {
            try merger.add(Array(segment), at: SegmentPlace(start: Double(number) * 6, duration: 6))
        }
        return merger.merged().track
    }

    /// The rows of a terminal as the WebVTT standard lays them out. `FrameComposer` gives boxes for other screens.
    static func picture(of track: SubtitleTrack, at seconds: Double) -> String {
        let frame = TerminalFrame(columns: 60, usesColor: false)
        return String(
            decoding: frame.bytes(of: [ShownTrack(track)], at: CueTime(seconds: seconds)), as: UTF8.self)
    }
    // end
}
