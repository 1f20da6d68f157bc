internal import HLSPlaylist

/// The playlists that players are served.
package struct PlaylistSource: ReaderRole {
    let reader: StoreReader

    /// A rendition's media playlist for a player that gets its segments in the clear; `nil` without one.
    ///
    /// - Parameter view: the start time.
    package func clearMediaPlaylist(
        _ token: AssetToken, _ rendition: String, view: LiveView = LiveView()
    ) throws(StoreError) -> [UInt8]? {
        var view = view
        view.isClear = true
        return try wholeMediaPlaylist(token, rendition, view: view)
    }

    /// A rendition's media playlist with the start time of the view; `nil` if the view has no start time or begins
    /// live, or if there is no such rendition.
    package func startedMediaPlaylist(
        _ token: AssetToken, _ rendition: String, view: LiveView
    ) throws(StoreError) -> [UInt8]? {
        guard let start = view.start, start != .live else { return nil }
        return try wholeMediaPlaylist(token, rendition, view: view)
    }

    /// A rendition's media playlist, remade because its file is missing or truncated; the file is made again, too.
    /// `nil` if there is no such rendition.
    package func remadeMediaPlaylist(
        _ token: AssetToken, _ rendition: String
    ) throws(StoreError) -> [UInt8]? {
        guard let record = try catalog?.assets.asset(token) else { return nil }
        reader.discoveries.addPlaylists(of: record, isPlayed: true)
        return try wholeMediaPlaylist(token, rendition, view: LiveView())
    }

    /// A rendition's whole media playlist, with the start time of the view as EXT-X-START; `nil` when there is no
    /// such rendition.
    package func wholeMediaPlaylist(
        _ token: AssetToken, _ rendition: String, view: LiveView
    ) throws(StoreError) -> [UInt8]? {
        guard let catalog, var served = try served(token, rendition, view: view) else { return nil }
        let begin = try catalog.units.start(ofRendition: served.row.id)
        served.playlist.start = view.start?.place(in: served.playlist.source, beginning: begin)
            .map { StartPoint(timeOffset: $0) }
        return served.playlist.bytes
    }

    /// The playlist of a rendition for a view, with the rendition's row; `nil` if there is no such rendition or it
    /// has no playlist.
    func served(
        _ token: AssetToken, _ rendition: String, view: LiveView
    ) throws(StoreError) -> (playlist: ServedMediaPlaylist, row: RenditionRecord)? {
        guard let catalog, let source = try reader.source(of: token, rendition) else { return nil }
        let keys = SampleKeys(paths: paths, token: token).served(
            try catalog.renditions.keys(of: token), rendition: rendition, source.playlist, base: source.url,
            view: view)
        let isConverted = view.isFragmented && source.row.container.isConverted
        var playlist = ServedMediaPlaylist(
            source.playlist, keys: keys, format: source.row.container,
            query: isConverted ? Self.fragmentedQuery : view.isClear ? Self.clearQuery : "",
            gaps: try reader.gaps(of: source.row),
            interstitials: try interstitials(
                of: token, base: source.url,
                query: view.isClear ? Self.clearQuery : view.isForClearKey ? "?keys=clearkey" : ""))
        playlist.isConverted = isConverted
        return (playlist, source.row)
    }

    /// Whether the segments of a rendition are converted to fragmented MP4 for players that support nothing else.
    package func isConverted(_ token: AssetToken, _ rendition: String) throws(StoreError) -> Bool {
        try catalog?.renditions.rendition(token, rendition)?.container.isConverted ?? false
    }

    /// A rendition's media playlist for players that support only fragmented MP4; `nil` if there is no such
    /// rendition.
    package func fragmentedMediaPlaylist(
        _ token: AssetToken, _ rendition: String, view: LiveView
    ) throws(StoreError) -> [UInt8]? {
        if let bytes = try growingMediaPlaylist(token, rendition, view: view) { return bytes }
        return try wholeMediaPlaylist(token, rendition, view: view)
    }

    /// The query for media in the clear.
    private static let clearQuery = "?decrypt=1"
    /// The query for media as fragmented MP4 in the clear.
    private static let fragmentedQuery = "?container=fmp4"
}

extension LiveView.Start {
    /// Seconds from the beginning of a rendition's playlist, or from its end when negative; `nil` if the player
    /// chooses the start.
    ///
    /// - Parameter begin: the start of the rendition's first segment, in seconds from the beginning of the
    ///   presentation; 0 or less.
    func place(in playlist: MediaPlaylist, beginning begin: Double) -> Double? {
        // A date is resolved by the playlist's own program date-times.
        guard case .seconds(let seconds) = self, seconds >= 0 else { return place(in: playlist) }
        return seconds - begin
    }
}
