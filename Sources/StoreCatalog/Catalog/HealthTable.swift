package import GRDB
internal import Locking

package struct HealthTable: CatalogTable {
    package let catalog: Catalog

    /// The units of assets that a person is to be told of, in the order of renditions and numbers. Assets without any are
    /// left out.
    package func notableUnits(of tokens: [AssetToken]) throws(StoreError) -> [AssetToken: [NotableUnit]] {
        try read { database in try Self.notableUnits(of: tokens, database) }
    }

    private static func notableUnits(
        of tokens: [AssetToken], _ database: Database
    ) throws -> [AssetToken: [NotableUnit]] {
        let marks = tokens.map { _ in "?" }.joined(separator: ",")
        // The index of notable units is small, so that the others cost nothing.
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT asset, name, unit.kind, number, start, unit.duration, finding
                FROM rendition JOIN unit INDEXED BY unit_finding ON rendition = rendition.id AND finding >= 100
                WHERE asset IN (\(marks)) ORDER BY asset, position, unit.kind, number
                """, arguments: StatementArguments(tokens.map(\.description)))
        var found: [AssetToken: [NotableUnit]] = [:]
        while let row = try rows.next() {
            guard let token = AssetToken(row[0] as String), let finding = UnitFinding(rawValue: row[6]) else {
                continue
            }
            found[token, default: []].append(
                NotableUnit(
                    rendition: row[1], kind: UnitKind(rawValue: row[2]) ?? .segment, number: row[3],
                    start: row[4], duration: row[5], finding: finding))
        }
        return found
    }

    /// Tells of the health of a complete asset, if it is another one than was told last: writes an event in the transaction that
    /// is running.
    package func noteHealth(of token: AssetToken, at now: Timestamp, _ database: Database) throws {
        let row = try Row.fetchOne(
            try database.cachedStatement(sql: "SELECT state, health FROM asset WHERE token = ?"),
            arguments: [token.description])
        guard let row, AssetState(rawValue: row[0]) == .complete else { return }
        let level = Health.judge(try healthFacts(of: token, at: now, database)).level
        guard row[1] as String? != level.rawValue else { return }
        let isNews = row[1] as String? != nil || level != .sound
        try database.cachedStatement(sql: "UPDATE asset SET health = ? WHERE token = ?")
            .execute(arguments: [level.rawValue, token.description])
        guard isNews else { return }
        try catalog.events.record(
            AssetEvent(id: 0, at: now, token: token, kind: .health, reason: level.rawValue), database)
    }

    /// The facts by which the asset object is judged, too, but for what only a look at files shows.
    private func healthFacts(
        of token: AssetToken, at now: Timestamp, _ database: Database
    ) throws -> HealthFacts {
        let renditions = try Row.fetchAll(
            try database.cachedStatement(sql: "SELECT * FROM rendition WHERE asset = ?"),
            arguments: [token.description]
        ).map(RenditionRecord.init)
        var facts = HealthFacts(.complete, renditions)
        facts.lost = try Self.lost(of: token, database).lacking(beside: renditions)
        facts.units = try Self.notableUnits(of: [token], database)[token] ?? []
        facts.gaps = try RecordingTable.all(of: [token], database)[token]?.gaps
        facts.drifted = try Self.mixtures(of: [token], database)[token].map { ($0.rendition, $0.detail) }
        let opener = catalog.keyOpener.withLock(\.self)
        facts.missingKeys =
            opener.lacking(try SealedItems.contentKeys(of: [token], database), in: catalog)[token] ?? 0
        let row = try Row.fetchOne(
            try database.cachedStatement(sql: "\(LicenseTable.licenseQuery) WHERE asset = ?"),
            arguments: [token.description])
        let license = row.map(License.init)
        if license?.revokedAt != nil { facts.missingKeys = max(facts.missingKeys, 1) }
        facts.isExpired = license?.verdict(at: max(now, license?.floorReadAt ?? now)) == .expired
        return facts
    }

    /// Tells of the health of complete assets whose licenses have expired since it was told last.
    package func noteEndedLicenses(at now: Timestamp) throws(StoreError) {
        let ended = try read { database in
            try String.fetchAll(
                database,
                sql: """
                    SELECT token FROM asset WHERE state = 'complete' AND health = 'sound' AND token IN (
                        SELECT asset FROM license WHERE expires_at <= ?1
                        UNION ALL SELECT asset FROM license WHERE play_expires_at <= ?1
                        UNION ALL SELECT asset FROM license WHERE clock_floor > ?1
                            AND (expires_at IS NOT NULL OR play_expires_at IS NOT NULL))
                    """, arguments: [now.milliseconds])
        }.compactMap { AssetToken($0) }
        guard !ended.isEmpty else { return }
        try write { database in
            for token in ended { try noteHealth(of: token, at: now, database) }
        }
    }

    /// Takes the result of a look at a stored unit.
    package func setFinding(
        _ finding: UnitFinding, of units: [AbsentRow], _ token: AssetToken,
        at now: Timestamp
    ) throws(StoreError) {
        guard !units.isEmpty else { return }
        try write { database in
            let statement = try database.cachedStatement(
                sql: """
                    UPDATE unit SET finding = ? WHERE rendition = ? AND kind = ? AND number = ? AND state = 1
                    """)
            for unit in units {
                try statement.execute(arguments: [
                    finding.rawValue, unit.rendition, unit.kind.rawValue, unit.number,
                ])
            }
            try noteHealth(of: token, at: now, database)
        }
    }

    /// Tells of the health of a complete asset, if it is another one than was told last.
    package func noteHealth(of token: AssetToken, at now: Timestamp) throws(StoreError) {
        try write { database in try noteHealth(of: token, at: now, database) }
    }

    /// The oldest complete asset whose health was never told: an older version has stored it.
    package func firstWithoutHealth() throws(StoreError) -> AssetToken? {
        try read { database in
            try String.fetchOne(
                database,
                sql: """
                    SELECT token FROM asset WHERE state = 'complete' AND health IS NULL ORDER BY token LIMIT 1
                    """)
        }.flatMap { AssetToken($0) }
    }

    /// Leaves an asset out of those whose health was never told, until something of it changes.
    package func skipHealth(of token: AssetToken) throws(StoreError) {
        try write { database in
            try database.execute(
                sql: "UPDATE asset SET health = 'unknown' WHERE token = ? AND health IS NULL",
                arguments: [token.description])
        }
    }

    /// How many complete assets were told to be of each health.
    package func countsByHealth() throws(StoreError) -> [Health.Level: Int] {
        try read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT health, count(*) FROM asset WHERE state = 'complete' AND health IS NOT NULL
                        GROUP BY health
                    """)
            return Dictionary(
                rows.compactMap { row in Health.Level(rawValue: row[0]).map { ($0, row[1] as Int) } }
            ) { $1 }
        }
    }
}
