/// Writes what a track says, without times and markup: for reading and searching.
public struct PlainTextWriter: Sendable {
    /// A writer.
    public init() {}

    /// The lines of all cues by time, in UTF-8. A line that a cue repeats from the cue before, as rolling
    /// captions do, is written once.
    public func bytes(of track: SubtitleTrack) -> [UInt8] {
        var sorted = track
        sorted.sortCues()
        var bytes: [UInt8] = []
        var before: [String] = []
        for cue in sorted.cues {
            let lines = cue.content.flattened(keeping: []).linesWithText.map(String.init)
            for line in lines where !before.contains(line) {
                bytes += line.utf8
                bytes.append(.lineFeed)
            }
            before = lines
        }
        return bytes
    }
}
