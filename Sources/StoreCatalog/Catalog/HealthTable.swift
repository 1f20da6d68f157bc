internal import Locking

package struct HealthTable: CatalogTable {
    package let catalog: Catalog

    /// The units of assets that should be reported, in the order of renditions and numbers. Assets without any are
    /// left out.
    package func notableUnits(of tokens: [AssetToken]) throws(StoreError) -> [AssetToken: [NotableUnit]] {
        try read { session in try Self.notableUnits(of: tokens, session) }
    }

    private static func notableUnits(
        of tokens: [AssetToken], _ session: any SQLSession
    ) throws -> [AssetToken: [NotableUnit]] {
        let list = SQLList(tokens)
        // The index of notable units is small, so the search costs almost nothing.
        let index = session.dialect == .sqlite ? "INDEXED BY unit_finding" : ""
        var found: [AssetToken: [NotableUnit]] = [:]
        try session.each(
            """
            SELECT asset, name, unit.kind, number, start, unit.duration, finding
            FROM rendition JOIN unit \(index) ON rendition = rendition.id AND finding >= 100
            WHERE asset IN (\(list.marks)) ORDER BY asset, position, unit.kind, number
            """, list.arguments
        ) { row in
            guard let token = AssetToken(row[0] as String), let finding = UnitFinding(rawValue: row[6]) else {
                return
            }
            found[token, default: []].append(
                NotableUnit(
                    rendition: row[1], kind: UnitKind(rawValue: row[2]) ?? .segment, number: row[3],
                    start: row[4], duration: row[5], finding: finding))
        }
        return found
    }

    /// Reports the health of a complete asset if it has changed since the last report: writes an event in the running
    /// transaction.
    package func noteHealth(of token: AssetToken, at now: Timestamp, _ session: any SQLSession) throws {
        let known = try session.first("SELECT state, health FROM asset WHERE token = ?", [token.description])
        {
            (state: $0[0] as String, health: $0[1] as String?)
        }
        guard let known, AssetState(rawValue: known.state) == .complete else { return }
        let level = Health.judge(try healthFacts(of: token, at: now, session)).level
        guard known.health != level.rawValue else { return }
        let isNews = known.health != nil || level != .sound
        try session.execute(
            "UPDATE asset SET health = ? WHERE token = ?", [level.rawValue, token.description])
        guard isNews else { return }
        session.record(AssetEvent(id: 0, at: now, token: token, kind: .health, reason: level.rawValue))
    }

    /// The facts for the judgment of health, except those that only files show.
    private func healthFacts(
        of token: AssetToken, at now: Timestamp, _ session: any SQLSession
    ) throws -> HealthFacts {
        let renditions = try session.rows(
            "SELECT * FROM rendition WHERE asset = ?", [token.description], as: RenditionRecord.init)
        var facts = HealthFacts(.complete, renditions)
        facts.lost = try Self.lost(of: token, session).lacking(beside: renditions)
        facts.units = try Self.notableUnits(of: [token], session)[token] ?? []
        facts.gaps = try RecordingTable.all(of: [token], session)[token]?.gaps
        facts.drifted = try Self.mixtures(of: [token], session)[token].map { ($0.rendition, $0.detail) }
        let opener = catalog.keyOpener.withLock(\.self)
        facts.missingKeys =
            opener.lacking(try SealedItems.contentKeys(of: [token], session), in: catalog)[token] ?? 0
        let license = try LicenseTable.license(of: token, session)
        if license?.revokedAt != nil { facts.missingKeys = max(facts.missingKeys, 1) }
        facts.isExpired = license?.verdict(at: max(now, license?.floorReadAt ?? now)) == .expired
        return facts
    }

    /// Tells of the health of complete assets whose licenses have expired since it was told last.
    package func noteEndedLicenses(at now: Timestamp) throws(StoreError) {
        let ended = try read { session in
            try session.tokens(
                """
                SELECT token FROM asset WHERE state = 'complete' AND health = 'sound' AND token IN (
                    SELECT asset FROM license WHERE expires_at <= ?1
                    UNION ALL SELECT asset FROM license WHERE play_expires_at <= ?1
                    UNION ALL SELECT asset FROM license WHERE clock_floor > ?1
                        AND (expires_at IS NOT NULL OR play_expires_at IS NOT NULL))
                """, [now.milliseconds])
        }
        guard !ended.isEmpty else { return }
        try write(.assets(ended)) { session in
            for token in ended { try noteHealth(of: token, at: now, session) }
        }
    }

    /// Takes the result of a look at a stored unit.
    package func setFinding(
        _ finding: UnitFinding, of units: [AbsentRow], _ token: AssetToken,
        at now: Timestamp
    ) throws(StoreError) {
        guard !units.isEmpty else { return }
        try write(.asset(token)) { session in
            let statement = try session.prepare(
                """
                UPDATE unit SET finding = ? WHERE rendition = ? AND kind = ? AND number = ? AND state = 1
                """)
            for unit in units {
                try statement.execute([
                    finding.rawValue, unit.rendition, unit.kind.rawValue, unit.number,
                ])
            }
            try noteHealth(of: token, at: now, session)
        }
    }

    /// Reports the health of a complete asset if it has changed since the last report.
    package func noteHealth(of token: AssetToken, at now: Timestamp) throws(StoreError) {
        try write(.asset(token)) { session in try noteHealth(of: token, at: now, session) }
    }

    /// The oldest complete asset whose health was never told: an older version has stored it.
    package func firstWithoutHealth() throws(StoreError) -> AssetToken? {
        try read { session in
            try session.value(
                """
                SELECT token FROM asset WHERE state = 'complete' AND health IS NULL ORDER BY token LIMIT 1
                """) as String?
        }.flatMap { AssetToken($0) }
    }

    /// Treats the health of an asset as reported until the asset changes.
    package func skipHealth(of token: AssetToken) throws(StoreError) {
        try write(.asset(token)) { session in
            try session.execute(
                "UPDATE asset SET health = 'unknown' WHERE token = ? AND health IS NULL", [token.description])
        }
    }

    /// How many complete assets were told to be of each health.
    package func countsByHealth() throws(StoreError) -> [Health.Level: Int] {
        try read { session in
            let rows = try session.rows(
                """
                SELECT health, count(*) FROM asset WHERE state = 'complete' AND health IS NOT NULL
                    GROUP BY health
                """
            ) { row in Health.Level(rawValue: row[0]).map { ($0, row[1] as Int) } }
            return Dictionary(rows.compactMap(\.self)) { $1 }
        }
    }
}
