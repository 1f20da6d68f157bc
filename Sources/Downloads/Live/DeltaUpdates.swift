package import HLSPlaylist

/// Asks for what is new of a playlist alone, where its origin knows how (delta updates, RFC 8216bis, section 6.2.5.1),
/// and puts it together with what was there. Pure: time is passed in.
package struct DeltaUpdates: Sendable {
    /// The last load, put together, and when it began.
    private var last: (playlist: MediaPlaylist, time: Double)?
    private var isRefused = false

    /// The address of an update; `nil` when the whole playlist is to be loaded: the last one is older than half the
    /// skip boundary (section 6.3.7), or the origin announces no updates.
    package func address(_ url: String, now: Double) -> String? {
        guard !isRefused, let last, let boundary = last.playlist.serverControl?.canSkipUntil,
            now - last.time <= boundary / 2
        else { return nil }
        return "\(url)\(url.contains("?") ? "&" : "?")_HLS_skip=YES"
    }

    /// Takes what was loaded.
    ///
    /// - Parameter time: when the load began.
    /// - Returns: the whole playlist; `nil` when the whole has to be loaded.
    package mutating func take(
        _ loaded: MediaPlaylist, _ context: VariableContext, at time: Double
    ) -> MediaPlaylist? {
        let whole = loaded.skip == nil ? loaded : last?.playlist.updated(by: loaded, context: context)
        last = whole.map { ($0, time) }
        return whole
    }

    /// The origin does not know what it was asked for.
    package mutating func refused() { (last, isRefused) = (nil, true) }
}
