internal import ASCII

/// Writes a track as SubRip (`.srt`).
///
/// SubRip supports bold, italic and underline; other markup, and the places of cues, are lost. Cues without text are
/// left out.
public struct SubRipWriter: Sendable {
    /// A writer.
    public init() {}

    /// The track as SubRip text in UTF-8 with CRLF line ends, cues numbered from 1 by time.
    public func bytes(of track: SubtitleTrack) -> [UInt8] { OutputPieces.joined { write(track, to: $0) } }

    /// Writes the track in pieces of about 64 KiB, each passed to a function.
    ///
    /// - Throws: the function's error.
    public func write<Failure: Error>(
        _ track: SubtitleTrack, to receive: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        var sorted = track
        sorted.sortCues()
        var number = 0
        try OutputPieces.write(sorted.cues, to: receive) { cue, bytes in
            let lines = cue.content.flattened(keeping: [.bold, .italic, .underline]).linesWithText
            if lines.isEmpty { return }
            number += 1
            bytes += "\(number)\r\n".utf8
            SubRipWriter.appendTimes(cue, to: &bytes)
            for line in lines {
                bytes += line.utf8
                bytes += "\r\n".utf8
            }
            bytes += "\r\n".utf8
        }
    }

    private static func appendTimes(_ cue: Cue, to bytes: inout [UInt8]) {
        let start = max(cue.start, CueTime(milliseconds: 0))
        start.append(to: &bytes, fraction: .comma)
        bytes += " --> ".utf8
        max(start, cue.end.ofWrittenEnd).append(to: &bytes, fraction: .comma)
        bytes += "\r\n".utf8
    }
}
