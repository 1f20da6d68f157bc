internal import HLSPlaylist
package import SystemPackage

extension PlaylistSource {
    /// The multivariant playlist of an asset; `nil` when there is no such asset.
    ///
    /// - Parameters:
    ///   - audio: the audio language for which the playlist marks a default.
    ///   - subtitles: the subtitle language for which the playlist marks a default.
    ///   - isAvailableOnly: whether to list only stored renditions.
    ///   - poster: the address of the poster; `nil` if it is not served.
    ///   - inFolder: the renditions of an exported folder, the only ones to list; `nil` for players.
    ///   - view: the start time, the view of an unfinished recording, and whether segments are in the clear.
    package func multivariantPlaylist(
        _ token: AssetToken, audio: String? = nil, subtitles: String? = nil,
        isAvailableOnly: Bool = false, poster: String?, inFolder: Set<String>? = nil,
        view: LiveView = LiveView()
    ) throws(StoreError) -> [UInt8]? {
        guard let catalog, let record = try catalog.assets.asset(token) else { return nil }
        // A variant that was added later is not listed before it is stored: players would switch to it from stored
        // media.
        var rows = (try catalog.renditions.all(of: [token])[token] ?? []).filter { row in
            inFolder?.contains(row.name) ?? (row.kind != .variant || row.required || row.isComplete)
        }
        let source = try catalog.renditions.sourcePlaylist(token, "")
        var parsed: MultivariantPlaylist?
        if let source {
            let context = VariableContext(playlistURL: source.url)
            if case .multivariant(let list)? = try? Playlist(parsing: source.body, context: context) {
                parsed = list
            }
        }
        let isClear = view.isClear || view.isFragmented && rows.allSatisfy(\.isMadeIntoFragments)
        var records = isClear ? [] : try catalog.renditions.keys(of: token)
        // In a folder, no client can deposit key data.
        if inFolder != nil {
            let opener = try reader.keyOpener()
            records.removeAll { $0.format != nil && !opener.opens($0, of: token) }
        }
        let keys =
            isClear
            ? .none : ServedKeys(records, base: URIReference(source?.url ?? ""))
        if parsed == nil { rows = try rows.map { row throws(StoreError) in try measured(row, catalog) } }
        let generated = inFolder != nil ? [] : try reader.captions.generatedSubtitles(rows, catalog)
        let recording = try catalog.recordings.recording(of: token)
        let isGrowing = recording?.isOpen == true
        let start = isGrowing ? nil : try start(view, token, rows: rows)
        var served = ServedMultivariantPlaylist(
            rows,
            preferences: .init(audio: audio, subtitles: subtitles, isAvailableOnly: isAvailableOnly),
            generatedSubtitles: generated,
            query: isGrowing ? view.query : view.ofWhole(from: start).query,
            start: isAvailableOnly ? try available(start, of: token, rows: rows) : start)
        served.beginsLater = (record.selection.partStart ?? record.selection.start ?? 0) > 0
        served.keepsStart = recording == nil && TimeCut(record.selection) == nil
        if inFolder == nil && !view.isForClearKey { served.sessionKeys = records.compactMap(\.sessionKey) }
        served.storedData = try catalog.sessionData.sessionDataNumbers(of: token)
        return served.bytes(
            source: parsed, keys: keys, title: record.name, poster: record.poster == nil ? nil : poster)
    }

    /// The start time of a presentation with an end, in seconds.
    private func start(
        _ view: LiveView, _ token: AssetToken, rows: [RenditionRecord]
    ) throws(StoreError) -> StartPoint? {
        guard let start = view.start else { return nil }
        if case .seconds(let seconds) = start { return StartPoint(timeOffset: seconds) }
        guard let main = rows.first(where: { $0.kind == .variant }),
            let source = try reader.source(of: token, main.name)
        else { return nil }
        let begin = try catalog?.units.start(ofRendition: main.id) ?? 0
        return start.place(in: source.playlist).map { StartPoint(timeOffset: max(0, $0 + begin)) }
    }

    /// The row of a stream without a multivariant playlist, with BANDWIDTH, which a variant must have (RFC 8216bis,
    /// section 4.4.6.2). For a complete rendition it is measured from the stored segments; otherwise the row's value
    /// or a usual one is used.
    private func measured(_ row: RenditionRecord, _ catalog: Catalog) throws(StoreError) -> RenditionRecord {
        guard row.kind == .variant else { return row }
        let peak = try row.isComplete ? catalog.units.peakBandwidth(ofRendition: row.id) : nil
        var row = row
        row.listings = ["BANDWIDTH=\(peak ?? row.bandwidth ?? row.kind.usualBandwidth)"]
        return row
    }

    /// The file of a rendition's media playlist; `nil` when there is no such rendition.
    package func mediaPlaylist(_ token: AssetToken, _ rendition: String) throws(StoreError) -> FilePath? {
        guard let row = try catalog?.renditions.rendition(token, rendition), row.failure == nil,
            row.hasPlaylist
        else {
            return nil
        }
        try paths.media?.restore(token)
        return paths.rendition(token, rendition).appending(ServedMediaPlaylist.fileName)
    }

    /// Whether the file of a media playlist exists and was not truncated.
    package func isWhole(playlist path: FilePath) -> Bool { ServedMediaPlaylist.isWhole(path) }
}

extension RenditionRecord {
    /// Whether its segments are converted to fragmented MP4, in the clear, for players that support nothing else.
    /// Renditions without video or audio of their own do not count.
    fileprivate var isMadeIntoFragments: Bool {
        switch kind {
        case .variant, .audio, .video: container.isConverted || !hasPlaylist
        default: true
        }
    }
}
