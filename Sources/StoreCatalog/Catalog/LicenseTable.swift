package struct LicenseTable: CatalogTable {
    package let catalog: Catalog

    static let licenseQuery = """
        SELECT *, (SELECT high_water FROM trusted_clock) AS high_water FROM license
        """

    package func license(of token: AssetToken) throws(StoreError) -> License? {
        try read { try Self.license(of: token, $0) }
    }

    static func license(of token: AssetToken, _ session: any SQLSession) throws -> License? {
        try session.first("\(licenseQuery) WHERE asset = ?", [token.description], as: License.init)
    }

    /// The licenses of several assets. Assets that need no license are left out.
    package func all(of tokens: [AssetToken]) throws(StoreError) -> [AssetToken: License] {
        try read { session in
            let list = SQLList(tokens)
            var found: [AssetToken: License] = [:]
            try session.each("\(Self.licenseQuery) WHERE asset IN (\(list.marks))", list.arguments) { row in
                guard let token = AssetToken(row["asset"] as String) else { return }
                found[token] = License(row)
            }
            return found
        }
    }

    /// The query of the assets whose licenses are valid and end in a time (`ends`): both ends of one have an index.
    static let ending = """
        SELECT asset FROM license WHERE expires_at <= ? AND \(isValid)
        UNION ALL SELECT asset FROM license WHERE play_expires_at <= ? AND \(isValid)
        """

    private static let isValid = """
        revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)
            AND (play_expires_at IS NULL OR play_expires_at > ?)
        """

    /// The parameters of `ending`.
    static func ends(in time: Range<Timestamp>) -> SQLArguments {
        let (now, end) = (time.lowerBound.milliseconds, time.upperBound.milliseconds)
        return [end, now, now, end, now, now]
    }

    /// Enters the first license of an asset.
    package func insert(_ license: License, of token: AssetToken) throws(StoreError) {
        try write(.asset(token)) { session in
            try Self.upsert(license, of: token, session)
            try Self.log(.requested, of: token, at: license.requestedAt, count: 1, session)
        }
    }

    /// Changes a license and enters the reason in the asset's history.
    ///
    /// - Parameter keys: keys to store with it; others stay unchanged.
    package func changeLicense(
        of token: AssetToken, _ event: LicenseEvent.Kind, at now: Timestamp, keys: [KeyRecord] = [],
        _ change: (License) -> License
    ) throws(StoreError) {
        try write(.asset(token)) { session in
            guard let license = try Self.license(of: token, session) else {
                throw StoreError(.notEncrypted(token))
            }
            // A license that was revoked in the meantime stays revoked.
            if event == .keysRenewed, license.revokedAt != nil { return }
            try Self.upsert(change(license), of: token, session)
            for key in keys {
                try session.execute(
                    """
                    UPDATE content_key SET sealed = ?, digest = ?, format = ?, content_type = ?, renew_at = ?
                        WHERE asset = ? AND id = ?
                    """,
                    [
                        key.sealed, key.digest, key.format, key.contentType,
                        key.renewAt?.milliseconds, token.description, key.id,
                    ])
            }
            try Self.log(event, of: token, at: now, count: 1, session)
            try catalog.health.noteHealth(of: token, at: now, session)
        }
    }

    private static func upsert(_ license: License, of token: AssetToken, _ session: any SQLSession) throws {
        try session.execute(
            replace,
            [
                token.description, license.terms.rental, license.terms.playWindow,
                license.requestedAt.milliseconds, license.expiresAt?.milliseconds,
                license.firstPlayedAt?.milliseconds, license.playExpiresAt?.milliseconds,
                license.revokedAt?.milliseconds, license.floor?.milliseconds, license.isForeign,
                license.lastPlayedAt?.milliseconds, license.keysHandedOut,
            ])
    }

    private static let replace = SQLText.replacing(
        in: "license",
        [
            "asset", "rental", "play_window", "requested_at", "expires_at", "first_played_at",
            "play_expires_at",
            "revoked_at", "clock_floor", "is_foreign", "last_played_at", "keys_handed_out",
        ])

    /// Enters a key that the user added, or a blob that was deposited. An asset without a license gets one. After a
    /// revocation, the key makes a new license on the old terms, if the owner of the keys grants the license.
    package func setKey(_ key: KeyRecord, of token: AssetToken, at now: Timestamp) throws(StoreError) {
        try write(.asset(token)) { session in
            try RenditionTable.insert(key, of: token, session)
            try Self.ensureLicense(of: token, at: now, session)
            try catalog.health.noteHealth(of: token, at: now, session)
            guard let revoked = try Self.license(of: token, session), revoked.revokedAt != nil,
                try Self.isGrantedHere(token, session)
            else { return }
            try Self.upsert(revoked.renewed(revoked.terms, at: now), of: token, session)
            try Self.log(.renewed, of: token, at: now, count: 1, session)
        }
    }

    /// Whether the user who has an asset's keys grants its license.
    package func isGrantedHere(_ token: AssetToken) throws(StoreError) -> Bool {
        try read { session in try Self.isGrantedHere(token, session) }
    }

    /// Whether no key was fetched (as in `KeyRecord.isFetched`), and the license is not a limited one of another
    /// store.
    private static func isGrantedHere(_ token: AssetToken, _ session: any SQLSession) throws -> Bool {
        try session.value(
            """
            SELECT NOT EXISTS (SELECT 1 FROM content_key WHERE asset = ?1 AND identifier IS NULL
                    AND (format IS NULL OR format = ?2 OR system IS NOT NULL))
                AND NOT EXISTS (SELECT 1 FROM license WHERE asset = ?1 AND is_foreign = TRUE
                    AND (rental IS NOT NULL OR play_window IS NOT NULL))
            """, [token.description, KeyRecord.identity]) ?? false
    }

    /// Gives an asset with a new key a license: the present one, or a purchase.
    static func ensureLicense(of token: AssetToken, at now: Timestamp, _ session: any SQLSession) throws {
        try session.execute(add, [token.description, now.milliseconds])
        try log(.keyAdded, of: token, at: now, count: 1, session)
    }

    private static let add = SQLText.adding(to: "license", ["asset", "requested_at"])

    /// Postpones the renewal of the keys of an asset that are due.
    ///
    /// - Parameters:
    ///   - time: the next renewal of keys that are stored.
    ///   - missing: the next try for keys that were never stored.
    package func postponeRenewals(
        of token: AssetToken, at now: Timestamp, to time: Timestamp, missing: Timestamp
    ) throws(StoreError) {
        try write(.asset(token)) { session in
            try session.execute(
                """
                UPDATE content_key SET renew_at = CASE WHEN sealed IS NULL THEN CAST(? AS BIGINT)
                        ELSE CAST(? AS BIGINT) END
                    WHERE asset = ? AND renew_at <= ?
                """,
                [
                    missing.milliseconds, time.milliseconds, token.description, now.milliseconds,
                ])
        }
    }

    /// The assets with a renewal date and this date, the earliest first. Revoked licenses are not renewed
    /// automatically.
    package func renewals(limit: Int) throws(StoreError) -> [(token: AssetToken, at: Timestamp)] {
        try read { session in
            try session.rows(
                """
                SELECT asset, min(renew_at) AS at FROM content_key
                    WHERE renew_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM license
                        WHERE license.asset = content_key.asset AND revoked_at IS NOT NULL)
                    GROUP BY asset ORDER BY at LIMIT ?
                """, [limit]
            ) { row in
                AssetToken(row["asset"] as String).map { ($0, Timestamp(milliseconds: row["at"])) }
            }.compactMap(\.self)
        }
    }

    /// Enters the first play of an asset, unless it is entered; returns the license.
    package func setFirstPlay(of token: AssetToken, at now: Timestamp) throws(StoreError) -> License? {
        try write(.asset(token)) { session in
            guard let license = try Self.license(of: token, session) else { return nil }
            guard license.firstPlayedAt == nil else { return license }
            let played = license.played(at: now)
            try Self.upsert(played, of: token, session)
            try Self.log(.played, of: token, at: now, count: 1, session)
            return played
        }
    }

    /// Adds handed-out keys to the counters and to the history.
    package func addHandouts(_ handouts: [AssetToken: Handouts]) throws(StoreError) {
        try write(.assets(Array(handouts.keys))) { session in
            for (token, handouts) in handouts {
                let changed = try session.execute(
                    """
                    UPDATE license SET keys_handed_out = keys_handed_out + ?, last_played_at = ? WHERE asset = ?
                    """, [handouts.count, handouts.last.milliseconds, token.description])
                guard changed > 0 else { continue }
                try Self.log(.keyHandedOut, of: token, at: handouts.last, count: handouts.count, session)
            }
        }
    }

    private static func log(
        _ kind: LicenseEvent.Kind, of token: AssetToken, at now: Timestamp, count: Int64,
        _ session: any SQLSession
    ) throws {
        try session.execute(
            "INSERT INTO license_event (asset, at, kind, count) VALUES (?, ?, ?, ?)",
            [token.description, now.milliseconds, kind.rawValue, count])
        try session.execute(
            """
            DELETE FROM license_event WHERE asset = ?1 AND id <= (SELECT id FROM license_event
                WHERE asset = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)
            """, [token.description, LicenseEvent.kept])
    }

    /// The events of an asset's license, the latest first.
    package func licenseEvents(of token: AssetToken) throws(StoreError) -> [LicenseEvent] {
        try read { session in
            try session.rows(
                "SELECT * FROM license_event WHERE asset = ? ORDER BY id DESC", [token.description],
                as: LicenseEvent.init
            ).compactMap(\.self)
        }
    }

    /// The latest moment that was seen; `nil` in a new store.
    package func highWater() throws(StoreError) -> Timestamp? {
        try read { try $0.value("SELECT high_water FROM trusted_clock") as Int64? }
            .map(Timestamp.init)
    }

    /// Moves the mark on. Licenses that are ahead of it go on as far.
    package func setHighWater(_ mark: Timestamp) throws(StoreError) {
        try write(.store) { session in
            try session.execute(
                """
                UPDATE license SET clock_floor = clock_floor
                        + max(0, ?1 - coalesce((SELECT high_water FROM trusted_clock), ?1))
                    WHERE clock_floor > ?1
                """, [mark.milliseconds])
            try session.execute(Self.replaceClock, [1, mark.milliseconds])
        }
    }

    /// Takes the mark back to `now`; for every license that there is, `floor` stays the least.
    package func restartClock(at now: Timestamp, floor: Timestamp) throws(StoreError) {
        try write(.store) { session in
            try session.execute(
                "UPDATE license SET clock_floor = max(coalesce(clock_floor, ?1), ?1)", [floor.milliseconds])
            try session.execute(Self.replaceClock, [1, now.milliseconds])
        }
    }

    private static let replaceClock = SQLText.replacing(in: "trusted_clock", ["id", "high_water"])

    /// Whether any license can run out.
    package func hasLimitedLicenses() throws(StoreError) -> Bool {
        try read { session in
            try session.value(
                """
                SELECT EXISTS (SELECT 1 FROM license
                    WHERE revoked_at IS NULL AND (expires_at IS NOT NULL OR play_window IS NOT NULL))
                """) ?? false
        }
    }
}

extension License {
    package init(_ row: any SQLRow) {
        func time(_ name: String) -> Timestamp? { (row[.named(name)] as Int64?).map(Timestamp.init) }
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
    package init?(_ row: any SQLRow) {
        guard let kind = Kind(rawValue: row["kind"]) else { return nil }
        self.init(kind: kind, at: Timestamp(milliseconds: row["at"]), count: row["count"])
    }
}
