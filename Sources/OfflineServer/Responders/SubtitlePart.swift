internal import AssetStore
internal import SidebandSubtitles

/// The part of a subtitle track that a request asks for (`?t=6,10`, as in Media Fragments URI 1.0, section 4.2.1), as each
/// period of a DASH manifest has it.
struct SubtitlePart {
    private let start: Double
    private let end: Double?

    /// The item of the query that names it.
    static let item = "t"

    /// - Returns: `nil` for an item that is not one or two times, and for an end that is not behind the start.
    init?(_ query: QueryItems) {
        guard let text = query[Self.item] else {
            (start, end) = (0, nil)
            return
        }
        let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let times = words.map { PlaybackTime($0)?.time.seconds }
        // A start may be left out where an end is told.
        guard let first = words[0].isEmpty && words.count == 2 ? 0 : times[0], words.count <= 2 else {
            return nil
        }
        (start, end) = (first, words.count == 2 ? times[1] : nil)
        guard words.count == 1 || (end.map { $0 > first } ?? false) else { return nil }
    }

    /// The cues of the part, with times that count from its start. A cue ends with the part at the latest.
    func of(_ track: SubtitleTrack) -> SubtitleTrack {
        guard let end else { return track.part(from: start, length: nil) }
        var part = track.part(from: start, length: end - start)
        let limit = CueTime(seconds: end - start)
        for index in part.cues.indices { part.cues[index].end = min(part.cues[index].end, limit) }
        return part
    }
}
