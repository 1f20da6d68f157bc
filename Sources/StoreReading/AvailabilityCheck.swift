internal import HLSPlaylist
internal import SystemPackage

/// Gathers the facts for `Availability.judge` from the catalog and the files.
struct AvailabilityCheck {
    /// The depth of a check.
    enum Depth {
        /// Compares the size of each file.
        case files
        /// Compares the modification times of folders and playlists. If one of them changed after the last commit, or
        /// the asset is incomplete, the size of each file is compared, too.
        case folders
        /// Reads only the catalog.
        case catalog
    }

    let paths: StorePaths
    let catalog: Catalog?
    let record: AssetRecord
    /// The units of the asset that the catalog has as notable.
    var known: [NotableUnit] = []

    /// The result of a look at an asset.
    struct Result: Sendable {
        var availability: Availability
        /// In the order of renditions and numbers.
        var notable: [NotableUnit]
        /// Stored units whose files are missing or have another size.
        var discovered: [AbsentRow] = []
        /// The renditions whose playlists are missing or truncated.
        var brokenPlaylists: [String] = []
    }

    /// - Throws: the reason for which the files can't be checked.
    func judge(_ rows: [RenditionRecord], keysMissing: Bool, depth: Depth) throws(StoreError) -> Result {
        let served = rows.filter { $0.hasPlaylist && $0.failure == nil }
        let wanted = rows.filter { $0.required && $0.hasPlaylist }
        if depth != .files, record.state == .complete, !wanted.isEmpty, isClear,
            (wanted + served).allSatisfy({ $0.isComplete && (depth == .catalog || !wasTouched($0)) })
        {
            let all = TimeRange(start: 0, duration: record.duration)
            let whole = Availability(
                offline: true, fromStartUntil: all.end, ranges: [all], stored: [all], blockedBy: [])
            return Result(
                availability: keysMissing ? whole.blocked(by: [.keyMissing]) : whole, notable: known)
        }
        let isLooking = depth != .catalog
        var result = Result(availability: .nothing, notable: [])
        var facts: [[UnitFacts]] = []
        for row in rows where row.hasPlaylist && (row.required || row.failure == nil) {
            let own = try self.facts(row, looking: isLooking)
            note(own, row, in: &result)
            if row.required { facts.append(own) }
        }
        if isLooking {
            let listed = rows.filter { $0.hasPlaylist && ($0.required || $0.failure == nil) }
            result.brokenPlaylists = listed.filter { !hasPlaylist($0) }.map(\.name)
        }
        let playlistsMissing = wanted.contains { result.brokenPlaylists.contains($0.name) }
        result.availability = Availability.judge(
            facts, keysMissing: keysMissing, playlistsMissing: playlistsMissing)
        return result
    }

    /// Whether the catalog knows of no finding that affects playback.
    private var isClear: Bool { known.allSatisfy { $0.finding == .unknown } }

    private func note(_ facts: [UnitFacts], _ row: RenditionRecord, in result: inout Result) {
        for unit in facts {
            guard let finding = unit.notable(of: record.state) else { continue }
            result.notable.append(
                NotableUnit(
                    rendition: row.name, kind: unit.kind, number: unit.number, start: unit.start,
                    duration: unit.duration, finding: finding))
            if case .damaged = unit.presence {
                result.discovered.append(
                    AbsentRow(
                        rendition: row.id, kind: unit.kind, number: unit.number, finding: finding))
            }
        }
    }

    /// Whether all of a rendition is stored, with its playlist; each file is checked. A rendition that shares another
    /// one's media has no files of its own.
    func isWhole(_ row: RenditionRecord) throws(StoreError) -> Bool {
        guard row.isComplete, row.hasPlaylist else { return row.isComplete }
        let facts = try self.facts(row, looking: true)
        return hasPlaylist(row) && facts.allSatisfy { $0.presence == .stored || $0.presence == .gap }
    }

    private func hasPlaylist(_ row: RenditionRecord) -> Bool {
        paths.isOfNode
            || ServedMediaPlaylist.isWhole(
                paths.rendition(record.token, row.name).appending(ServedMediaPlaylist.fileName))
    }

    private func wasTouched(_ row: RenditionRecord) -> Bool {
        guard let committed = row.folderTime else { return true }
        let folder = paths.rendition(record.token, row.name)
        // Readability is checked, too, since a change of permissions does not change the modification time.
        guard FileSystem.folderTime(folder) == committed, FileSystem.isReadable(folder: folder) else {
            return true
        }
        // A write into a file does not change the time of its folder; the store itself replaces the file.
        let playlist = FileSystem.folderTime(folder.appending(ServedMediaPlaylist.fileName))
        return playlist.map { $0.nanoseconds > committed.nanoseconds } ?? true
    }

    private func facts(_ row: RenditionRecord, looking: Bool) throws(StoreError) -> [UnitFacts] {
        let folder = try looking ? OpenFolder(paths.rendition(record.token, row.name)) : nil
        var facts: [UnitFacts] = []
        for unit in try catalog?.units.outlines(of: row.id) ?? [] {
            facts.append(
                UnitFacts(
                    kind: unit.kind, number: unit.number, start: unit.start, duration: unit.duration,
                    presence: try presence(unit, row, in: folder, looking: looking), finding: unit.finding))
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
            // Nothing is served of a rendition that was given up.
            guard row.failure == nil else { return .missing }
            guard looking, !unit.isInBucket, !paths.isOfNode else { return .stored }
            let name = UnitJob.fileName(unit.kind, unit.number, container: row.container)
            let size = try folder?.size(ofFile: name)
            guard let size else {
                let path = paths.rendition(record.token, row.name).appending(name)
                return .damaged(isGone: FileSystem.isAbsent(path))
            }
            return size == unit.size ? .stored : .damaged(isGone: false)
        }
    }
}

extension AssetRecord {
    /// The source without secrets.
    var displayURL: String { URIReference(sourceURL).redacted }
}

extension KeyRecord {
    /// The address of the key, without secrets.
    package var displayPlace: String { url.hasPrefix("data:") ? "data:" : URIReference(url).redacted }
}
