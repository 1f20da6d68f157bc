package import HLSPlaylist

/// Requests only the new part of a playlist, if its origin supports delta updates (RFC 8216bis, section 6.2.5.1), and
/// joins it with the earlier part. Pure: time is passed in.
package struct DeltaUpdates: Sendable {
    /// The whole playlist after the last load, and the time at which the load began.
    private var last: (playlist: MediaPlaylist, time: Double)?
    private var isRefused = false

    /// A rendition of which nothing is loaded yet.
    package init() {}

    /// The address of an update; `nil` when the whole playlist is to be loaded: the last one is older than half the
    /// skip boundary (section 6.3.7), or the origin announces no updates.
    package func address(_ url: String, now: Double) -> String? {
        guard !isRefused, let last, let boundary = last.playlist.serverControl?.canSkipUntil,
            now - last.time <= boundary / 2
        else { return nil }
        return "\(url)\(url.contains("?") ? "&" : "?")_HLS_skip=YES"
    }

    /// Takes a loaded playlist.
    ///
    /// - Parameter time: the start of the load.
    /// - Returns: the whole playlist; `nil` if the whole must be loaded.
    package mutating func take(
        _ loaded: MediaPlaylist, _ context: VariableContext, at time: Double
    ) -> MediaPlaylist? {
        let whole = loaded.skip == nil ? loaded : last?.playlist.updated(by: loaded, context: context)
        last = whole.map { ($0, time) }
        return whole
    }

    /// Notes that the origin refused a delta update.
    package mutating func refused() { (last, isRefused) = (nil, true) }
}
