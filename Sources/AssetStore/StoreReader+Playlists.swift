internal import HLSPlaylist

extension StoreReader {
    /// A rendition's media playlist for a player that gets its segments in the clear; `nil` when there is none.
    ///
    /// - Parameter view: where it is to begin.
    public func clearMediaPlaylist(
        _ token: AssetToken, _ rendition: String, _ view: LiveView = LiveView()
    ) throws(StoreError) -> [UInt8]? {
        var view = view
        view.isClear = true
        return try wholeMediaPlaylist(token, rendition, view)
    }

    /// A rendition's media playlist for a player that wishes to begin somewhere; `nil` when it does not, or where there
    /// is no such rendition.
    public func startedMediaPlaylist(
        _ token: AssetToken, _ rendition: String, _ view: LiveView
    ) throws(StoreError) -> [UInt8]? {
        guard let start = view.start, start != .live else { return nil }
        return try wholeMediaPlaylist(token, rendition, view)
    }

    /// A rendition's media playlist to its end, from where it is to begin; `nil` when there is no such rendition.
    func wholeMediaPlaylist(
        _ token: AssetToken, _ rendition: String, _ view: LiveView
    ) throws(StoreError) -> [UInt8]? {
        guard var served = try served(token, rendition, view)?.playlist else { return nil }
        served.start = view.start?.place(in: served.source).map { StartPoint(timeOffset: $0) }
        return served.bytes
    }

    /// What players with such a view get of a rendition; `nil` when there is none with a playlist.
    func served(
        _ token: AssetToken, _ rendition: String, _ view: LiveView
    ) throws(StoreError) -> (playlist: ServedMediaPlaylist, row: RenditionRecord)? {
        guard let catalog, let source = try source(of: token, rendition) else { return nil }
        let keys = SampleKeys(paths: paths, token: token).served(
            try catalog.keys(of: token), rendition, source.playlist, base: source.url, view)
        let playlist = ServedMediaPlaylist(
            source.playlist, keys: keys, format: source.row.container,
            query: view.isClear ? Self.clearQuery : "", gaps: try gaps(of: source.row),
            interstitials: try interstitials(
                of: token, base: source.url,
                query: view.isClear ? Self.clearQuery : view.isForClearKey ? "?keys=clearkey" : ""))
        return (playlist, source.row)
    }

    /// What makes an address one of something in the clear.
    private static let clearQuery = "?decrypt=1"
}
