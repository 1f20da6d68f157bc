internal import HLSPlaylist

extension PlaylistSource {
    /// The media playlist with the stored segments of a rendition; `nil` if there is no such rendition.
    ///
    /// - Parameter view: whether its segments are in the clear, and the start time. If nothing is stored there,
    ///   playback begins with the next stored segment.
    package func availableMediaPlaylist(
        _ token: AssetToken, _ rendition: String, view: LiveView = LiveView()
    ) throws(StoreError) -> [UInt8]? {
        guard let catalog, let asset = try reader.asset(token),
            var served = try served(token, rendition, view: view)
        else { return nil }
        let presentation = try presentation(of: served.row, asset, catalog)
        let source = served.playlist.source
        served.playlist.start = view.start
            .flatMap { asset.fromBeginning($0).place(in: source, beginning: presentation.start) }
            .flatMap { presentation.start(at: $0, in: source) }
        return served.playlist.bytes(of: presentation)
    }

    /// The media playlist of a subtitle track in segments that match the video's, for the stretches whose media are
    /// stored; `nil` without a video.
    package func availablePlaylist(
        of track: AssetSubtitles, _ token: AssetToken
    ) throws(StoreError) -> [UInt8]? {
        let rows = try catalog?.renditions.all(of: [token])[token] ?? []
        guard let catalog, let main = SubtitleMaker.main(of: rows), let asset = try reader.asset(token),
            let source = try catalog.renditions.mediaPlaylist(token, main.name)
        else { return nil }
        let places = try presentation(of: main, asset, catalog).places(in: source.playlist)
        return track.timeline?.subtitlePlaylist(of: places, missing: track.missing)
    }

    /// The start point in the playlist of stored segments, for a start point in the presentation. Both refer to the
    /// main rendition.
    func available(
        _ start: StartPoint?, of token: AssetToken, rows: [RenditionRecord]
    ) throws(StoreError) -> StartPoint? {
        guard let start, let catalog, let asset = try reader.asset(token),
            let main = SubtitleMaker.main(of: rows),
            let source = try catalog.renditions.mediaPlaylist(token, main.name)
        else { return nil }
        let presentation = try presentation(of: main, asset, catalog)
        return presentation.start(
            at: asset.place(start.timeOffset) - presentation.start, in: source.playlist)
    }

    private func presentation(
        of row: RenditionRecord, _ asset: Asset, _ catalog: Catalog
    ) throws(StoreError) -> StoredPresentation {
        let outlines = try catalog.units.outlines(of: row.id)
        let stored = outlines.lazy.filter { $0.kind == .segment && $0.state == .stored }.map(\.number)
        return StoredPresentation(
            ranges: asset.availability.stored, stored: Set(stored),
            start: try catalog.units.start(ofRendition: row.id))
    }
}

extension Asset {
    /// Seconds from the beginning of the presentation. A negative number counts from its end.
    fileprivate func place(_ seconds: Double) -> Double { seconds < 0 ? max(0, duration + seconds) : seconds }

    /// The start in seconds from the beginning of the presentation, also if it was given from the end.
    fileprivate func fromBeginning(_ start: LiveView.Start) -> LiveView.Start {
        if case .seconds(let seconds) = start { .seconds(place(seconds)) } else { start }
    }
}
