package struct StorageTable: CatalogTable {
    package let catalog: Catalog

    /// Notes when assets were played and how far, in one transaction.
    package func setPlayed(_ plays: [(token: AssetToken, at: Timestamp, end: Double)]) throws(StoreError) {
        try write(.assets(plays.map(\.token))) { session in
            let statement = try session.prepare(
                """
                UPDATE asset SET last_played_at = max(coalesce(last_played_at, 0), ?),
                    played_until = max(played_until, ?) WHERE token = ?
                """)
            for play in plays {
                try statement.execute([play.at.milliseconds, play.end, play.token.description])
            }
        }
    }

    /// Assets that have stored media and are not being downloaded, from which the storage policy chooses. Their bytes
    /// are those that eviction frees.
    ///
    /// - Parameters:
    ///   - now: the trusted time, which decides about the end of licenses.
    ///   - tokens: the assets to choose from; `nil` for all.
    package func evictionCandidates(
        at now: Timestamp, of tokens: [AssetToken]? = nil
    ) throws(StoreError) -> [EvictionCandidate] {
        try read { session in
            let list = tokens.map { SQLList($0) }
            var found: [EvictionCandidate] = []
            try session.each(
                """
                SELECT token, name, state, pinned, priority, duration, played_until,
                    coalesce(last_played_at, finished_at, requested_at) AS used,
                    (SELECT CAST(sum(stored_bytes) AS BIGINT) FROM rendition
                        WHERE asset = token AND source_file IS NULL) AS bytes,
                    EXISTS (SELECT 1 FROM license WHERE asset = token AND (revoked_at IS NOT NULL
                        OR max(?1, coalesce(clock_floor, 0)) >=
                            min(coalesce(expires_at, ?2), coalesce(play_expires_at, ?2)))) AS expired
                FROM asset WHERE state IN ('complete', 'cancelled', 'failed', 'paused')
                \(list.map { "AND token IN (\($0.marks))" } ?? "")
                """, [now.milliseconds, Int64.max] + (list?.arguments ?? [])
            ) { row in
                guard let token = AssetToken(row["token"] as String),
                    let state = AssetState(rawValue: row["state"])
                else { return }
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
    ///
    /// - Parameter limit: the most assets to return.
    package func storageShares(limit: Int = .max) throws(StoreError) -> [StorageUse.Share] {
        try read { session in
            try session.rows(
                """
                SELECT token, asset.name, pinned, last_played_at, CAST(coalesce(sum(stored_bytes), 0) AS BIGINT) AS bytes
                FROM asset LEFT JOIN rendition ON asset = token GROUP BY token ORDER BY bytes DESC, token
                LIMIT ?
                """, [Int64(limit)]
            ) { row in
                AssetToken(row["token"] as String).map {
                    StorageUse.Share(
                        token: $0, name: row["name"], bytes: row["bytes"], isPinned: row["pinned"],
                        lastPlayedAt: (row["last_played_at"] as Int64?).map(Timestamp.init))
                }
            }.compactMap(\.self)
        }
    }

    /// Bytes of media on disk, by the kind of their renditions.
    package func storedBytesByKind() throws(StoreError) -> [RenditionKind: Int64] {
        try read { session in
            let sums = try session.rows(
                "SELECT kind, CAST(sum(stored_bytes) AS BIGINT) FROM rendition GROUP BY kind"
            ) { row in RenditionKind(rawValue: row[0]).map { ($0, row[1] as Int64) } }
            return Dictionary(uniqueKeysWithValues: sums.compactMap(\.self))
        }
    }

    /// The names of an asset's renditions, and whether more may be about to come; `nil` when there is no such asset.
    package func renditionNames(of token: AssetToken) throws(StoreError) -> (
        names: Set<String>, isBeingEntered: Bool
    )? {
        try read { session in
            let state: String? = try session.value(
                "SELECT state FROM asset WHERE token = ?", [token.description])
            guard let state else { return nil }
            return (
                names: Set(
                    try session.values("SELECT name FROM rendition WHERE asset = ?", [token.description])),
                isBeingEntered: state == AssetState.resolving.rawValue
            )
        }
    }

    /// Whether there is any asset.
    package func hasAssets() throws(StoreError) -> Bool {
        try read { try $0.hasRow("SELECT 1 FROM asset LIMIT 1") }
    }

    /// The number of assets.
    package func assetCount() throws(StoreError) -> Int {
        try read { try $0.first("SELECT COUNT(*) FROM asset") { $0[0] as Int } ?? 0 }
    }

    /// Enters a file or folder below `assets` that is to be deleted.
    package func addDisposal(_ path: String) throws(StoreError) -> Disposal {
        try write(.store) { try Self.insertDisposal(path, $0) }
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
