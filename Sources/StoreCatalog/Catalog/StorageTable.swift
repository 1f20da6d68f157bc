internal import GRDB

package struct StorageTable: CatalogTable {
    package let catalog: Catalog

    /// Notes when assets were played and how far, in one transaction.
    package func setPlayed(_ plays: [(token: AssetToken, at: Timestamp, end: Double)]) throws(StoreError) {
        try write { database in
            let statement = try database.cachedStatement(
                sql: """
                    UPDATE asset SET last_played_at = max(coalesce(last_played_at, 0), ?),
                        played_until = max(played_until, ?) WHERE token = ?
                    """)
            for play in plays {
                try statement.execute(arguments: [play.at.milliseconds, play.end, play.token.description])
            }
        }
    }

    /// Assets that have something stored and are not on the way, for the storage policy to choose from. Their bytes are
    /// those that eviction frees.
    ///
    /// - Parameter now: the trusted present, by which licenses end.
    package func evictionCandidates(at now: Timestamp) throws(StoreError) -> [EvictionCandidate] {
        try read { database in
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT token, name, state, pinned, priority, duration, played_until,
                        coalesce(last_played_at, finished_at, requested_at) AS used,
                        (SELECT sum(stored_bytes) FROM rendition
                            WHERE asset = token AND source_file IS NULL) AS bytes,
                        EXISTS (SELECT 1 FROM license WHERE asset = token AND (revoked_at IS NOT NULL
                            OR max(?1, coalesce(clock_floor, 0)) >=
                                min(coalesce(expires_at, ?2), coalesce(play_expires_at, ?2)))) AS expired
                    FROM asset WHERE state IN ('complete', 'cancelled', 'failed', 'paused')
                    """, arguments: [now.milliseconds, Int64.max])
            var found: [EvictionCandidate] = []
            while let row = try rows.next() {
                guard let token = AssetToken(row["token"] as String),
                    let state = AssetState(rawValue: row["state"])
                else { continue }
                let (duration, until): (Double, Double) = (row["duration"], row["played_until"])
                found.append(
                    EvictionCandidate(
                        token: token, name: row["name"], bytes: row["bytes"] ?? 0, state: state,
                        isPinned: row["pinned"], isExpired: row["expired"],
                        isWatched: duration > 0 && until >= duration * Self.watchedShare,
                        priority: row["priority"], lastUsed: Timestamp(milliseconds: row["used"])))
            }
            return found
        }
    }

    /// The bytes of each asset, from the largest to the smallest.
    package func storageShares() throws(StoreError) -> [StorageUse.Share] {
        try read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT token, asset.name, pinned, last_played_at, coalesce(sum(stored_bytes), 0) AS bytes
                    FROM asset LEFT JOIN rendition ON asset = token GROUP BY token ORDER BY bytes DESC, token
                    """
            ).compactMap { row in
                AssetToken(row["token"] as String).map {
                    StorageUse.Share(
                        token: $0, name: row["name"], bytes: row["bytes"], isPinned: row["pinned"],
                        lastPlayedAt: (row["last_played_at"] as Int64?).map(Timestamp.init))
                }
            }
        }
    }

    /// Bytes of media on disk, by the kind of their renditions.
    package func storedBytesByKind() throws(StoreError) -> [RenditionKind: Int64] {
        try read { database in
            let rows = try Row.fetchAll(
                database, sql: "SELECT kind, sum(stored_bytes) FROM rendition GROUP BY kind")
            return Dictionary(
                uniqueKeysWithValues: rows.compactMap { row in
                    RenditionKind(rawValue: row[0]).map { ($0, row[1]) }
                })
        }
    }

    /// The names of an asset's renditions, and whether more may be about to come; `nil` when there is no such asset.
    package func renditionNames(of token: AssetToken) throws(StoreError) -> (
        names: Set<String>, isBeingEntered: Bool
    )? {
        try read { database in
            let asset = try database.cachedStatement(sql: "SELECT state FROM asset WHERE token = ?")
            guard let state = try String.fetchOne(asset, arguments: [token.description]) else { return nil }
            let names = try database.cachedStatement(sql: "SELECT name FROM rendition WHERE asset = ?")
            return (
                names: Set(try String.fetchAll(names, arguments: [token.description])),
                isBeingEntered: state == AssetState.resolving.rawValue
            )
        }
    }

    /// Whether there is any asset.
    package func hasAssets() throws(StoreError) -> Bool {
        try read { try Bool.fetchOne($0, sql: "SELECT EXISTS (SELECT 1 FROM asset)") } ?? false
    }

    /// Enters something below `assets` that is to be deleted.
    package func addDisposal(_ path: String) throws(StoreError) -> Disposal {
        try write { try Self.insertDisposal(path, $0) }
    }

    /// How far an asset must have been played to count as watched.
    private static let watchedShare = 0.9
}

extension CatalogSchema {
    /// The times and progress of plays, and the assets that the storage policy must not touch.
    static let storage = """
        ALTER TABLE asset ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE asset ADD COLUMN last_played_at INTEGER;
        ALTER TABLE asset ADD COLUMN played_until REAL NOT NULL DEFAULT 0;
        """
}
