internal import HLSPlaylist
internal import SystemPackage

/// Gathers the facts for `Availability.judge`: what the catalog says, and what a look at the files shows.
struct AvailabilityCheck {
    /// How closely to look.
    enum Depth {
        /// At each file's size.
        case files
        /// At the folders' times, and at the files, playlists too, only where a folder changed after the last file was
        /// committed.
        case folders
        /// At nothing but the catalog.
        case catalog
    }

    let paths: StorePaths
    let catalog: Catalog?
    let record: AssetRecord

    /// - Throws: why nobody can look at the files.
    func judge(_ rows: [RenditionRecord], keysMissing: Bool, depth: Depth) throws(StoreError) -> Availability
    {
        let wanted = rows.filter { $0.required && $0.hasPlaylist }
        if depth != .files, record.state == .complete, !wanted.isEmpty,
            wanted.allSatisfy({ $0.isComplete && (depth == .catalog || !wasTouched($0)) })
        {
            let all = TimeRange(start: 0, duration: record.duration)
            let whole = Availability(
                offline: true, fromStartUntil: all.end, ranges: [all], stored: [all], blockedBy: [])
            return keysMissing ? whole.blocked(by: [.keyMissing]) : whole
        }
        var facts: [[UnitFacts]] = []
        for row in wanted { facts.append(try self.facts(row, looking: depth != .catalog)) }
        let playlistsMissing = depth != .catalog && wanted.contains { !hasPlaylist($0) }
        return Availability.judge(facts, keysMissing: keysMissing, playlistsMissing: playlistsMissing)
    }

    /// Whether all of a rendition is stored, with its playlist, as a look at each file shows. What is in another
    /// rendition has no files of its own.
    func isWhole(_ row: RenditionRecord) throws(StoreError) -> Bool {
        guard row.isComplete, row.hasPlaylist else { return row.isComplete }
        let facts = try self.facts(row, looking: true)
        return hasPlaylist(row) && facts.allSatisfy { $0.presence == .stored || $0.presence == .gap }
    }

    private func hasPlaylist(_ row: RenditionRecord) -> Bool {
        ServedMediaPlaylist.isWhole(
            paths.rendition(record.token, row.name).appending(ServedMediaPlaylist.fileName))
    }

    private func wasTouched(_ row: RenditionRecord) -> Bool {
        guard let committed = row.folderTime else { return true }
        let folder = paths.rendition(record.token, row.name)
        // Taking away its permissions leaves its time as it is.
        return FileSystem.folderTime(folder) != committed || !FileSystem.isReadable(folder: folder)
    }

    private func facts(_ row: RenditionRecord, looking: Bool) throws(StoreError) -> [UnitFacts] {
        let folder = try looking ? OpenFolder(paths.rendition(record.token, row.name)) : nil
        var facts: [UnitFacts] = []
        for unit in try catalog?.outlines(of: row.id) ?? [] {
            facts.append(
                UnitFacts(
                    kind: unit.kind, start: unit.start, duration: unit.duration,
                    presence: try presence(unit, row, in: folder, looking: looking)))
        }
        return facts
    }

    private func presence(
        _ unit: UnitOutline, _ row: RenditionRecord, in folder: OpenFolder?, looking: Bool
    ) throws(StoreError) -> UnitFacts.Presence {
        switch unit.state {
        case .missing, .lost: return .missing
        case .gap: return .gap
        case .stored:
            // Nobody gets anything of what was given up.
            guard row.failure == nil else { return .missing }
            guard looking else { return .stored }
            let name = UnitJob.fileName(unit.kind, unit.number, row.container)
            let size = try folder?.size(ofFile: name)
            return size != nil && size == unit.size ? .stored : .damaged
        }
    }
}

extension AssetRecord {
    /// The source without anything secret.
    var displayURL: String { URIReference(sourceURL).redacted }
}

extension KeyRecord {
    /// Where the key is without anything secret.
    var displayPlace: String { url.hasPrefix("data:") ? "data:" : URIReference(url).redacted }
}
