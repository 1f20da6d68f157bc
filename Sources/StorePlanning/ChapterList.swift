internal import Foundation

/// The list of chapters of a stream (session data `com.apple.hls.chapters`): an array of objects with `start-time` and
/// `duration`, in seconds.
package enum ChapterList {
    /// The chapters of a part of the stream, with times that count from the start of the part.
    ///
    /// - Parameters:
    ///   - list: the stream's own list. Other members of a chapter stay.
    ///   - start: the start of the part in the stream, in seconds.
    ///   - length: the length of the part, in seconds; `nil` if the part extends to the stream's end.
    /// - Returns: the list in JSON; `nil` if `list` is no list of chapters.
    package static func part(of list: [UInt8], from start: Double, length: Double?) -> [UInt8]? {
        guard let chapters = (try? JSONSerialization.jsonObject(with: Data(list))) as? [[String: Any]] else {
            return nil
        }
        let timed = chapters.filter { time($0) != nil }.sorted { (time($0) ?? 0) < (time($1) ?? 0) }
        guard !timed.isEmpty else { return nil }
        let limit = length ?? .infinity
        var kept: [[String: Any]] = []
        for (place, chapter) in timed.enumerated() {
            let begin = (time(chapter) ?? 0) - start
            // A chapter without a duration ends where the next one begins.
            let following = timed.dropFirst(place + 1).first.flatMap(time).map { $0 - start }
            let end = (chapter[durationKey] as? Double).map { begin + $0 } ?? following ?? .infinity
            guard end > 0, begin < limit else { continue }
            var moved = chapter
            moved[startKey] = max(0, begin)
            if chapter[durationKey] != nil { moved[durationKey] = min(end, limit) - max(0, begin) }
            kept.append(moved)
        }
        return (try? JSONSerialization.data(withJSONObject: kept, options: [.sortedKeys])).map { Array($0) }
    }

    private static let (startKey, durationKey) = ("start-time", "duration")

    private static func time(_ chapter: [String: Any]) -> Double? {
        (chapter[startKey] as? Double).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    }
}
