internal import FoundationEssentials
package import GRDB

package struct LicenseTable: CatalogTable {
    package let catalog: Catalog

    static let licenseQuery = """
        SELECT *, (SELECT high_water FROM trusted_clock) AS high_water FROM license
        """

    package func license(of token: AssetToken) throws(StoreError) -> License? {
        try all(of: [token])[token]
    }

    /// The licenses of several assets; those that need none are left out.
    package func all(of tokens: [AssetToken]) throws(StoreError) -> [AssetToken: License] {
        try read { database in
            let marks = tokens.map { _ in "?" }.joined(separator: ",")
            let rows = try Row.fetchCursor(
                database, sql: "\(Self.licenseQuery) WHERE asset IN (\(marks))",
                arguments: StatementArguments(tokens.map(\.description)))
            var found: [AssetToken: License] = [:]
            while let row = try rows.next() {
                guard let token = AssetToken(row["asset"] as String) else { continue }
                found[token] = License(row)
            }
            return found
        }
    }

    /// The query of the assets whose licenses are valid and end in a time: both ends of one have an index.
    static func ending(_ time: Range<Timestamp>) -> String {
        let (now, end) = (time.lowerBound.milliseconds, time.upperBound.milliseconds)
        let isValid = """
            revoked_at IS NULL AND (expires_at IS NULL OR expires_at > \(now))
                AND (play_expires_at IS NULL OR play_expires_at > \(now))
            """
        return """
            SELECT asset FROM license WHERE expires_at <= \(end) AND \(isValid)
            UNION ALL SELECT asset FROM license WHERE play_expires_at <= \(end) AND \(isValid)
            """
    }

    /// Enters the first license of an asset.
    package func insert(_ license: License, of token: AssetToken) throws(StoreError) {
        try write { database in
            try Self.upsert(license, of: token, database)
            try Self.log(.requested, of: token, at: license.requestedAt, count: 1, database)
        }
    }

    /// Changes a license and says why in the asset's history.
    ///
    /// - Parameter keys: to be kept with it; the ones that are not named stay.
    package func changeLicense(
        of token: AssetToken, _ event: LicenseEvent.Kind, at now: Timestamp, keys: [KeyRecord] = [],
        _ change: (License) -> License
    ) throws(StoreError) {
        try write { database in
            let row = try Row.fetchOne(
                database, sql: "\(Self.licenseQuery) WHERE asset = ?", arguments: [token.description])
            guard let license = row.map(License.init) else { throw StoreError(.notEncrypted(token)) }
            // What was revoked meanwhile stays so.
            if event == .keysRenewed, license.revokedAt != nil { return }
            try Self.upsert(change(license), of: token, database)
            for key in keys {
                try database.execute(
                    sql: """
                        UPDATE content_key SET sealed = ?, digest = ?, format = ?, content_type = ?, renew_at = ?
                            WHERE asset = ? AND id = ?
                        """,
                    arguments: [
                        key.sealed.map { Data($0) }, key.digest.map { Data($0) }, key.format, key.contentType,
                        key.renewAt?.milliseconds, token.description, key.id,
                    ])
            }
            try Self.log(event, of: token, at: now, count: 1, database)
            try catalog.health.noteHealth(of: token, at: now, database)
        }
    }

    private static func upsert(_ license: License, of token: AssetToken, _ database: Database) throws {
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO license (asset, rental, play_window, requested_at, expires_at,
                    first_played_at, play_expires_at, revoked_at, clock_floor, is_foreign, last_played_at,
                    keys_handed_out)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                token.description, license.terms.rental, license.terms.playWindow,
                license.requestedAt.milliseconds, license.expiresAt?.milliseconds,
                license.firstPlayedAt?.milliseconds, license.playExpiresAt?.milliseconds,
                license.revokedAt?.milliseconds, license.floor?.milliseconds, license.isForeign,
                license.lastPlayedAt?.milliseconds, license.keysHandedOut,
            ])
    }

    /// Enters a key that was given, or a blob that was deposited; an asset that had none needs a license now. After a
    /// revocation, which has wiped it, a key is a new license on the terms of the one before, where nobody else grants it.
    package func setKey(_ key: KeyRecord, of token: AssetToken, at now: Timestamp) throws(StoreError) {
        try write { database in
            try RenditionTable.insert(key, of: token, database)
            try Self.ensureLicense(of: token, at: now, database)
            try catalog.health.noteHealth(of: token, at: now, database)
            let row = try Row.fetchOne(
                database, sql: "\(Self.licenseQuery) WHERE asset = ? AND revoked_at IS NOT NULL",
                arguments: [token.description])
            guard let revoked = row.map(License.init), try Self.isGrantedHere(token, database) else { return }
            try Self.upsert(revoked.renewed(revoked.terms, at: now), of: token, database)
            try Self.log(.renewed, of: token, at: now, count: 1, database)
        }
    }

    /// Whether the owner of an asset's keys grants its license.
    package func isGrantedHere(_ token: AssetToken) throws(StoreError) -> Bool {
        try read { database in try Self.isGrantedHere(token, database) }
    }

    /// None of the keys was asked for where it is had (like `KeyRecord.isFetched`), and it is none that ends and that another
    /// store has granted.
    private static func isGrantedHere(_ token: AssetToken, _ database: Database) throws -> Bool {
        try Bool.fetchOne(
            database,
            sql: """
                SELECT NOT EXISTS (SELECT 1 FROM content_key WHERE asset = ?1 AND identifier IS NULL
                        AND (format IS NULL OR format = ?2 OR system IS NOT NULL))
                    AND NOT EXISTS (SELECT 1 FROM license WHERE asset = ?1 AND is_foreign
                        AND (rental IS NOT NULL OR play_window IS NOT NULL))
                """, arguments: [token.description, KeyRecord.identity]) ?? false
    }

    /// An asset that got a key has a license: the one it had, else a purchase.
    static func ensureLicense(of token: AssetToken, at now: Timestamp, _ database: Database) throws {
        try database.execute(
            sql: "INSERT OR IGNORE INTO license (asset, requested_at) VALUES (?, ?)",
            arguments: [token.description, now.milliseconds])
        try log(.keyAdded, of: token, at: now, count: 1, database)
    }

    /// Puts off asking for those keys of an asset whose time has come.
    ///
    /// - Parameters:
    ///   - time: when those that it has are asked for again.
    ///   - missing: when those that it never had are.
    package func postponeRenewals(
        of token: AssetToken, at now: Timestamp, to time: Timestamp, missing: Timestamp
    ) throws(StoreError) {
        try write { database in
            try database.execute(
                sql: """
                    UPDATE content_key SET renew_at = CASE WHEN sealed IS NULL THEN ? ELSE ? END
                        WHERE asset = ? AND renew_at <= ?
                    """,
                arguments: [
                    missing.milliseconds, time.milliseconds, token.description, now.milliseconds,
                ])
        }
    }

    /// The assets whose providers are to be asked again for keys, and when, the next ones first. A license that
    /// was revoked is not renewed by itself.
    package func renewals(limit: Int) throws(StoreError) -> [(token: AssetToken, at: Timestamp)] {
        try read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT asset, min(renew_at) AS at FROM content_key
                        WHERE renew_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM license
                            WHERE license.asset = content_key.asset AND revoked_at IS NOT NULL)
                        GROUP BY asset ORDER BY at LIMIT ?
                    """, arguments: [limit]
            ).compactMap { row in
                AssetToken(row["asset"] as String).map { ($0, Timestamp(milliseconds: row["at"])) }
            }
        }
    }

    /// Enters the first play of an asset, unless there was one; returns its license as it is then.
    package func setFirstPlay(of token: AssetToken, at now: Timestamp) throws(StoreError) -> License? {
        try write { database in
            let row = try Row.fetchOne(
                database, sql: "\(Self.licenseQuery) WHERE asset = ?", arguments: [token.description])
            guard let license = row.map(License.init) else { return nil }
            guard license.firstPlayedAt == nil else { return license }
            let played = license.played(at: now)
            try Self.upsert(played, of: token, database)
            try Self.log(.played, of: token, at: now, count: 1, database)
            return played
        }
    }

    /// Adds what was handed out to the counters and to the history.
    package func addHandouts(_ handouts: [AssetToken: Handouts]) throws(StoreError) {
        try write { database in
            for (token, handouts) in handouts {
                try database.execute(
                    sql: """
                        UPDATE license SET keys_handed_out = keys_handed_out + ?, last_played_at = ? WHERE asset = ?
                        """,
                    arguments: [handouts.count, handouts.last.milliseconds, token.description])
                guard database.changesCount > 0 else { continue }
                try Self.log(.keyHandedOut, of: token, at: handouts.last, count: handouts.count, database)
            }
        }
    }

    private static func log(
        _ kind: LicenseEvent.Kind, of token: AssetToken, at now: Timestamp, count: Int64,
        _ database: Database
    ) throws {
        try database.execute(
            sql: "INSERT INTO license_event (asset, at, kind, count) VALUES (?, ?, ?, ?)",
            arguments: [token.description, now.milliseconds, kind.rawValue, count])
        try database.execute(
            sql: """
                DELETE FROM license_event WHERE asset = ?1 AND id <= (SELECT id FROM license_event
                    WHERE asset = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)
                """, arguments: [token.description, LicenseEvent.kept])
    }

    /// The events of an asset's license, the latest first.
    package func licenseEvents(of token: AssetToken) throws(StoreError) -> [LicenseEvent] {
        try read { database in
            try Row.fetchAll(
                database, sql: "SELECT * FROM license_event WHERE asset = ? ORDER BY id DESC",
                arguments: [token.description]
            ).compactMap(LicenseEvent.init)
        }
    }

    /// The latest moment that was seen; `nil` in a new store.
    package func highWater() throws(StoreError) -> Timestamp? {
        try read { try Int64.fetchOne($0, sql: "SELECT high_water FROM trusted_clock") }
            .map(Timestamp.init)
    }

    /// Moves the mark on. Licenses that are ahead of it go on as far.
    package func setHighWater(_ mark: Timestamp) throws(StoreError) {
        try write { database in
            try database.execute(
                sql: """
                    UPDATE license SET clock_floor = clock_floor
                            + max(0, ?1 - coalesce((SELECT high_water FROM trusted_clock), ?1))
                        WHERE clock_floor > ?1
                    """, arguments: [mark.milliseconds])
            try database.execute(
                sql: "INSERT OR REPLACE INTO trusted_clock (id, high_water) VALUES (1, ?)",
                arguments: [mark.milliseconds])
        }
    }

    /// Takes the mark back to `now`; for every license that there is, `floor` stays the least.
    package func restartClock(at now: Timestamp, floor: Timestamp) throws(StoreError) {
        try write { database in
            try database.execute(
                sql: "UPDATE license SET clock_floor = max(coalesce(clock_floor, ?1), ?1)",
                arguments: [floor.milliseconds])
            try database.execute(
                sql: "INSERT OR REPLACE INTO trusted_clock (id, high_water) VALUES (1, ?)",
                arguments: [now.milliseconds])
        }
    }

    /// Whether any license can run out.
    package func hasLimitedLicenses() throws(StoreError) -> Bool {
        try read { database in
            try Bool.fetchOne(
                database,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM license
                        WHERE revoked_at IS NULL AND (expires_at IS NOT NULL OR play_window IS NOT NULL))
                    """)
        } ?? false
    }
}

extension License {
    package init(_ row: Row) {
        func time(_ name: String) -> Timestamp? { (row[name] as Int64?).map(Timestamp.init) }
        self.init(
            LicenseTerms(rental: row["rental"], playWindow: row["play_window"]),
            at: Timestamp(milliseconds: row["requested_at"]))
        (expiresAt, firstPlayedAt, playExpiresAt) = (
            time("expires_at"), time("first_played_at"), time("play_expires_at")
        )
        (revokedAt, lastPlayedAt) = (time("revoked_at"), time("last_played_at"))
        (floor, floorReadAt) = (time("clock_floor"), time("high_water"))
        (keysHandedOut, isForeign) = (row["keys_handed_out"], row["is_foreign"])
    }
}

extension LicenseEvent {
    package init?(_ row: Row) {
        guard let kind = Kind(rawValue: row["kind"]) else { return nil }
        self.init(kind: kind, at: Timestamp(milliseconds: row["at"]), count: row["count"])
    }
}
