internal import HLSPlaylist

/// Everything that the catalog says of one asset.
struct AssetFacts: Sendable {
    var record: AssetRecord
    var rows: [RenditionRecord]
    var license: LicenseStatus
    /// Content keys that are not there, or can't be unsealed.
    var missingKeys: Int
    var recording: Recording?
    var notable: [NotableUnit]
    /// Segments of two versions of the stream; without a rendition: the origin has a different stream now.
    var mixture: Drift?
    /// The facts that do not come from the asset's rows: the engine, the cooldowns of hosts, the free space.
    var surroundings: StoreReader.Surroundings
}

extension StoreReader {
    /// Makes the asset object from the facts.
    ///
    /// - Parameter isListed: whether it is one of a list: then unreadable files are an obstacle in the object, not an
    ///   error.
    func asset(
        _ facts: AssetFacts, in catalog: Catalog, depth: AvailabilityCheck.Depth, isListed: Bool
    ) throws(StoreError) -> Asset {
        let (record, license) = (facts.record, facts.license)
        let surroundings = facts.surroundings
        let waitsUntil = surroundings.isWorkedOn ? record.wait(for: surroundings.cooldowns) : nil
        let (state, reason) = record.shown(in: surroundings, waitsUntil: waitsUntil)
        let look = try look(at: facts, depth: depth, isListed: isListed)
        let facts = try facts.without(look.discovered, in: catalog)
        discoveries.add(look.discovered, of: record)
        if !look.brokenPlaylists.isEmpty { discoveries.addPlaylists(of: record, isPlayed: false) }
        var asset = Asset(
            token: record.token, name: record.name, sourceURL: record.displayURL, state: state,
            reason: reason, waitsUntil: waitsUntil, priority: record.priority, isPinned: record.isPinned,
            lastPlayedAt: try lastPlay(of: record.token, known: record.lastPlayedAt),
            rateLimit: record.rateLimit == 0 ? nil : record.rateLimit, schedule: record.schedule,
            isMeteredOK: record.isMeteredOK, duration: record.duration,
            availability: look.availability.judged(by: license),
            health: Health.judge(try healthFacts(facts, look, in: catalog)), requestedAt: record.requestedAt,
            startedAt: record.startedAt, finishedAt: record.finishedAt,
            renditions: facts.rows.map(AssetRendition.init), license: license, poster: record.poster,
            storePath: StorePaths.relativeAssetPath(record.token), meta: record.meta, failure: record.error,
            recording: facts.recording, redirects: record.redirects,
            lost: record.lost.lacking(beside: facts.rows, hasPoster: record.poster != nil),
            stateSince: record.stateAt ?? record.requestedAt, room: record.room(in: surroundings),
            leftOut: record.leftOut, clientID: record.clientID)
        (asset.tags, asset.position) = (record.tags, record.position)
        asset.mediaPlace = surroundings.mediaPlace
        return asset
    }

    private func look(
        at facts: AssetFacts, depth: AvailabilityCheck.Depth, isListed: Bool
    ) throws(StoreError) -> AvailabilityCheck.Result {
        let check = AvailabilityCheck(
            paths: paths, catalog: catalog, record: facts.record, known: facts.notable)
        let keysMissing = facts.license.state == .missing
        do throws(StoreError) {
            return try check.judge(facts.rows, keysMissing: keysMissing, depth: depth)
        } catch {
            guard isListed, error.isOfFiles else { throw error }
            var known = try check.judge(facts.rows, keysMissing: keysMissing, depth: .catalog)
            known.availability = known.availability.blocked(by: [.unreadable])
            return known
        }
    }

    /// The largest number of missing segments of a rendition whose addresses are compared.
    private static let mostCompared = 200

    /// The segment that a download failed for, by its address as errors show it.
    private func failedUnit(
        at url: String, of rows: [RenditionRecord], in catalog: Catalog
    ) throws(StoreError) -> NotableUnit? {
        for row in rows where (1...Self.mostCompared).contains(row.segments - row.storedSegments) {
            for unit in try catalog.units.all(of: row.id, states: [.missing, .lost])
            where unit.kind == .segment && URIReference(unit.url).redacted == url {
                return NotableUnit(
                    rendition: row.name, kind: unit.kind, number: unit.number, start: unit.start,
                    duration: unit.duration, finding: .gone)
            }
        }
        return nil
    }

    private func healthFacts(
        _ facts: AssetFacts, _ look: AvailabilityCheck.Result, in catalog: Catalog
    ) throws(StoreError) -> HealthFacts {
        var health = HealthFacts(facts.record.state, facts.rows)
        health.lost = facts.record.lost.lacking(beside: facts.rows)
        health.units = look.notable
        health.brokenPlaylists = look.brokenPlaylists
        health.gaps = facts.recording?.gaps
        health.drifted = facts.mixture.map { ($0.rendition, $0.detail) }
        health.isImported = facts.record.folder != nil
        health.failure = facts.record.error
        if facts.record.state == .failed, let url = facts.record.error?.url {
            health.failedUnit = try failedUnit(at: url, of: facts.rows, in: catalog)
        }
        let isRevoked = facts.license.state == .revoked
        health.missingKeys = max(facts.missingKeys, isRevoked ? 1 : 0)
        health.isExpired = facts.license.state == .expired
        if health.missingKeys > 0 {
            let keys = try catalog.renditions.keys(of: facts.record.token)
            health.hasKeySource = keys.contains(where: \.isFetched)
        }
        return health
    }
}

extension AssetFacts {
    /// The facts without units whose files were just found missing or damaged, before the catalog has that.
    fileprivate func without(
        _ discovered: [AbsentRow], in catalog: Catalog
    ) throws(StoreError) -> AssetFacts {
        var facts = self
        for (index, row) in rows.enumerated() {
            let absent = discovered.filter { $0.rendition == row.id }
            guard !absent.isEmpty else { continue }
            let units = try catalog.units.outlines(of: row.id)
            let gone = Set(absent.map { UnitID(rendition: row.name, kind: $0.kind, number: $0.number) })
            for unit in units where unit.state == .stored {
                let id = UnitID(rendition: row.name, kind: unit.kind, number: unit.number)
                guard gone.contains(id) else { continue }
                facts.rows[index].storedBytes -= Int64(clamping: unit.size ?? 0)
                switch unit.kind {
                case .segment: facts.rows[index].storedSegments -= 1
                case .initialization: facts.rows[index].storedInitializations -= 1
                }
            }
        }
        return facts
    }
}
