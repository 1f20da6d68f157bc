internal import HLSPlaylist
package import SystemPackage

/// What there is to answer a request for a unit with.
package enum UnitAnswer: Sendable {
    /// The file is there and has its size.
    case stored(StoredFile)
    /// It belongs to the asset and is not stored, but may be on its way.
    case absent(AbsentUnit)
    /// It will never exist.
    case unknown
}

/// A complete file of an asset.
package struct StoredFile: Sendable {
    /// Where it is.
    public var path: FilePath
    /// Its length in bytes, as the catalog has it.
    public var size: UInt64
    /// SHA-256 of its bytes, in lower-case hexadecimal digits: a strong validator.
    public var entityTag: String
    /// Its place in the presentation.
    public var mark: PlayMark
    /// The format of its rendition: that of an initialization section, too, whatever its name.
    public var container: ContainerFormat
}

/// The place of a stored segment in its presentation, to tell where a player is.
package struct PlayMark: Sendable {
    let key: UnitKey
    let end: Double
}

/// A part of an asset that is not stored.
package struct AbsentUnit: Sendable {
    /// Where the transfer of the asset stands.
    public var state: AssetState
    /// Why it stands there; `nil` when there is nothing to say.
    public var reason: String?
    /// Why its rendition was given up, which the asset can do without; `nil` when it was not.
    public var failure: String?
    /// The format of its rendition, as in `StoredFile`.
    public var container: ContainerFormat
    let key: UnitKey
    /// Where it grows.
    let path: FilePath
    /// Where it ends, in seconds of the presentation.
    let end: Double
    /// Whether the catalog has it, and the disk has not.
    let isGone: Bool
}

extension StoreReader {
    /// What there is of a unit of a rendition.
    ///
    /// - Parameter counts: whether what is stored is played with it; else `played` says so, once it is.
    package func unit(
        _ token: AssetToken, _ rendition: String, _ name: UnitName, extension suffix: String,
        counts: Bool = true
    ) throws(StoreError) -> UnitAnswer {
        guard let row = try catalog?.rendition(token, rendition) else { return .unknown }
        guard let unit = try catalog?.unit(row.id, name.parts.0, name.parts.1) else { return .unknown }
        let job = UnitJob(unit: unit, rendition: row)
        guard job.fileName.hasSuffix(".\(suffix)"), unit.state != .gap else { return .unknown }
        let key = UnitKey(token: token, place: job.place)
        let path = paths.rendition(token, rendition).appending(job.fileName)
        let end = unit.start + unit.duration
        if unit.state == .stored, let facts = FileSystem.facts(path), facts.isRegular, facts.size == unit.size
        {
            if counts { players.requested(key, end: end) }
            return .stored(
                StoredFile(
                    path: path, size: facts.size, entityTag: Hexadecimal.text(unit.sha256 ?? []),
                    mark: PlayMark(key: key, end: end), container: row.container))
        }
        guard let asset = try catalog?.asset(token) else { return .unknown }
        if unit.state == .stored {
            discoveries.add([AbsentRow(unit, of: row, isGone: FileSystem.isAbsent(path))], of: asset)
        }
        return .absent(
            AbsentUnit(
                state: asset.state, reason: asset.reason, failure: row.failure, container: row.container,
                key: key,
                path: path.removingLastComponent().appending(job.partName), end: end,
                isGone: unit.state == .stored))
    }

    /// A player got a stored segment, or a part of it.
    package func played(_ mark: PlayMark) { players.requested(mark.key, end: mark.end) }

    /// The multivariant playlist of an asset; `nil` when there is no such asset.
    ///
    /// - Parameters:
    ///   - audio: the language that players should take.
    ///   - subtitles: the language that players should show.
    ///   - isAvailableOnly: whether only what is stored is listed.
    ///   - poster: where the poster is served; `nil` when it is not.
    ///   - inFolder: the renditions that a folder has as they came, which are all that is listed there; `nil` for
    ///     players.
    ///   - view: where to begin, how to see what is recorded, and whether segments are to be in the clear.
    package func multivariantPlaylist(
        _ token: AssetToken, audio: String? = nil, subtitles: String? = nil,
        isAvailableOnly: Bool = false, poster: String?, inFolder: Set<String>? = nil,
        view: LiveView = LiveView()
    ) throws(StoreError) -> [UInt8]? {
        guard let catalog, let record = try catalog.asset(token) else { return nil }
        // A variant that was added later would draw players away from what is stored before it is there itself.
        var rows = (try catalog.renditions(of: [token])[token] ?? []).filter { row in
            inFolder?.contains(row.name) ?? (row.kind != .variant || row.required || row.isComplete)
        }
        let source = try catalog.sourcePlaylist(token, "")
        var parsed: MultivariantPlaylist?
        if let source {
            let context = VariableContext(playlistURL: source.url)
            if case .multivariant(let list)? = try? Playlist(parsing: source.body, context: context) {
                parsed = list
            }
        }
        var records = view.isClear ? [] : try catalog.keys(of: token)
        // In a folder, nobody deposits anything in the place of a key.
        if inFolder != nil {
            let opener = try keyOpener()
            records.removeAll { $0.format != nil && !opener.opens($0, of: token) }
        }
        let keys =
            view.isClear
            ? .none : ServedKeys(records, base: URIReference(source?.url ?? ""))
        if parsed == nil { rows = try rows.map { row throws(StoreError) in try measured(row, catalog) } }
        let generated = inFolder != nil ? [] : try generatedSubtitles(rows, catalog)
        let recording = try catalog.recording(of: token)
        let isGrowing = recording?.isOpen == true
        let start = isGrowing ? nil : try start(view, token, rows)
        var served = ServedMultivariantPlaylist(
            rows,
            preferences: .init(audio: audio, subtitles: subtitles, isAvailableOnly: isAvailableOnly),
            generatedSubtitles: generated,
            query: isGrowing ? view.query : view.ofWhole(from: start).query,
            start: isAvailableOnly ? try available(start, token, rows) : start)
        served.keepsStart = recording == nil && TimeCut(record.selection) == nil
        if inFolder == nil && !view.isForClearKey { served.sessionKeys = records.compactMap(\.sessionKey) }
        served.storedData = try catalog.sessionDataNumbers(of: token)
        return served.bytes(
            source: parsed, keys: keys, title: record.name, poster: record.poster == nil ? nil : poster)
    }

    /// Where players begin with what has an end, in seconds of the presentation.
    private func start(
        _ view: LiveView, _ token: AssetToken, _ rows: [RenditionRecord]
    ) throws(StoreError) -> StartPoint? {
        guard let start = view.start else { return nil }
        if case .seconds(let seconds) = start { return StartPoint(timeOffset: seconds) }
        guard let main = rows.first(where: { $0.kind == .variant }),
            let source = try source(of: token, main.name)
        else { return nil }
        let begin = try catalog?.start(ofRendition: main.id) ?? 0
        return start.place(in: source.playlist).map { StartPoint(timeOffset: max(0, $0 + begin)) }
    }

    /// Without a multivariant playlist nobody told the bandwidth, which a variant must have (RFC 8216bis, section
    /// 4.4.6.2): it is that of the segments, once they are there.
    private func measured(_ row: RenditionRecord, _ catalog: Catalog) throws(StoreError) -> RenditionRecord {
        guard row.kind == .variant else { return row }
        let peak = try row.isComplete ? catalog.peakBandwidth(ofRendition: row.id) : nil
        var row = row
        row.listings = ["BANDWIDTH=\(peak ?? row.bandwidth ?? row.kind.usualBandwidth)"]
        return row
    }

    /// The file of a rendition's media playlist; `nil` when there is no such rendition.
    package func mediaPlaylist(_ token: AssetToken, _ rendition: String) throws(StoreError) -> FilePath? {
        guard let row = try catalog?.rendition(token, rendition), row.failure == nil, row.hasPlaylist else {
            return nil
        }
        return paths.rendition(token, rendition).appending(ServedMediaPlaylist.fileName)
    }

    /// Whether the file of a media playlist is there, and nobody has cut it off.
    package func isWhole(playlist path: FilePath) -> Bool { ServedMediaPlaylist.isWhole(path) }

    /// The file of an asset's poster; `nil` when it has none.
    package func poster(_ token: AssetToken) throws(StoreError) -> FilePath? {
        guard let name = try catalog?.asset(token)?.poster else { return nil }
        return paths.asset(token).appending(name)
    }
}
