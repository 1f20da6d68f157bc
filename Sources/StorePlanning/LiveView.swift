package import HLSPlaylist

/// A player's view of an unfinished recording.
package struct LiveView: Sendable, Hashable {
    /// The start of playback.
    package enum Start: Sendable, Hashable {
        /// Seconds from the beginning of the presentation, or from the end when negative.
        case seconds(Double)
        /// A date in seconds since 1970, and its text.
        case date(Double, text: String)
        /// The end of the recording so far.
        case live

        /// Reads seconds, a date (ISO 8601) or `live`. A blank in a date is a plus sign that was not encoded in the
        /// query.
        package init?(_ text: String) {
            let dated = text.replacing(" ", with: "+")
            if text == "live" {
                self = .live
            } else if let seconds = Double(text), seconds.isFinite {
                self = .seconds(min(max(seconds, -1e9), 1e9))
            } else if let date = DateTime.seconds(parsing: dated) {
                self = .date(date, text: dated)
            } else {
                return nil
            }
        }
    }

    /// Seconds that can be gone back in, three target durations at least; `nil` shows all of it, from the first second.
    package var window: Double?
    /// `nil` leaves it to the player.
    package var start: Start?
    /// Whether its segments are in the clear.
    package var isClear = false
    /// Whether it supports fragmented MP4 only: other media are converted.
    package var isFragmented = false
    /// Whether its playlists identify the keys of samples by key ID.
    package var isForClearKey = false
    /// The identifiers of the keys that are there, for playlists that name them so.
    package var identifiers: Set<[UInt8]> = []

    /// Reads a player's query.
    ///
    /// - Parameters:
    ///   - start: seconds, a date (ISO 8601) or `live`; other texts have no effect.
    ///   - window: the seconds of a sliding window, at least three target durations; other texts show all segments.
    package init(start: String? = nil, window: String? = nil, isClear: Bool = false) {
        self.start = start.flatMap(Start.init)
        let seconds = window.flatMap { Double($0) } ?? 0
        self.window = seconds.isFinite && seconds > 0 ? min(seconds, 1e9) : nil
        self.isClear = isClear
    }

    /// The view of a presentation that has an end, which begins at one place in all of its playlists.
    package func ofWhole(from start: StartPoint?) -> LiveView {
        var view = self
        view.window = nil
        view.start = start.map { Start.seconds($0.timeOffset) }
        return view
    }

    /// The query behind the name of each playlist, so that it is seen in the same way.
    package var query: String {
        var items: [String] = []
        switch start {
        case nil: break
        case .live: items.append("start=live")
        case .seconds(let seconds): items.append("start=\(seconds)")
        case .date(_, let text): items.append("start=\(text.replacing("+", with: "%2B"))")
        }
        if let window { items.append("DVR=\(window)") }
        if isClear { items.append("decrypt=1") }
        if isForClearKey { items.append("keys=clearkey") }
        if isFragmented { items.append("container=fmp4") }
        return items.isEmpty ? "" : "?" + items.joined(separator: "&")
    }
}
