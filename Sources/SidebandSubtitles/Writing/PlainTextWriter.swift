internal import ASCII

/// Writes the text of a track, without times and markup, for reading and searching.
public struct PlainTextWriter: Sendable {
    /// A writer.
    public init() {}

    /// The lines of all cues by time, in UTF-8. A line that a cue repeats from the cue before, as rolling
    /// captions do, is written once.
    public func bytes(of track: SubtitleTrack) -> [UInt8] { OutputPieces.joined { write(track, to: $0) } }

    /// Writes the track in pieces of about 64 KiB, each passed to a function.
    ///
    /// - Throws: the function's error.
    public func write<Failure: Error>(
        _ track: SubtitleTrack, to receive: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        var sorted = track
        sorted.sortCues()
        var before: [String] = []
        try OutputPieces.write(sorted.cues, to: receive) { cue, bytes in
            let lines = cue.content.flattened(keeping: []).linesWithText.map(String.init)
            for line in lines where !before.contains(line) {
                bytes += line.utf8
                bytes.append(.lineFeed)
            }
            before = lines
        }
    }
}
