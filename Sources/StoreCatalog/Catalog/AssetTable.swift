internal import FoundationEssentials
package import GRDB

package struct AssetTable: CatalogTable {
    package let catalog: Catalog

    package func insert(_ asset: AssetRecord) throws(StoreError) {
        try write { database in try Self.insert(asset, database) }
    }

    package static func insert(_ asset: AssetRecord, _ database: Database) throws {
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO asset (token, name, source_url, state, reason, priority, selection, access,
                    meta, duration, poster, requested_at, rate_limit, schedule, metered_ok, left_out,
                    client_id, client_digest, tags)
                VALUES (?, ?, sealed_address(?), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        try statement.execute(arguments: [
            asset.token.description, asset.name, asset.sourceURL, asset.state.rawValue, asset.reason,
            asset.priority, try JSONText.encode(asset.selection), asset.access.map { Data($0) },
            asset.meta.isEmpty ? "{}" : try JSONText.encode(asset.meta), asset.duration, asset.poster,
            asset.requestedAt.milliseconds, asset.rateLimit.map { Int64(clamping: $0) },
            asset.schedule?.description, asset.isMeteredOK, try JSONText.encode(orNull: asset.leftOut),
            asset.clientID, asset.clientDigest.map { Data($0) },
            asset.tags.isEmpty ? nil : try JSONText.encode(asset.tags),
        ])
        if let asked = asset.asked {
            try database.cachedStatement(sql: "INSERT INTO asked (asset, body) VALUES (?, ?)")
                .execute(arguments: [asset.token.description, asked])
        }
        guard let address = asset.address else { return }
        try database.cachedStatement(sql: "INSERT OR IGNORE INTO address (digest, asset) VALUES (?, ?)")
            .execute(arguments: [Data(address), asset.token.description])
    }

    /// Changes what users may change of an asset at any time; what is `nil` stays.
    package func edit(_ token: AssetToken, _ edit: AssetEdit, at now: Timestamp) throws(StoreError) {
        try write { database in
            try database.execute(
                sql: """
                    UPDATE asset SET name = coalesce(?, name), priority = coalesce(?, priority),
                        meta = coalesce(?, meta), pinned = coalesce(?, pinned),
                        rate_limit = coalesce(?, rate_limit), schedule = coalesce(?, schedule),
                        metered_ok = coalesce(?, metered_ok), tags = coalesce(?, tags)
                    WHERE token = ?
                    """,
                arguments: [
                    edit.name, edit.priority, try edit.meta.map(JSONText.encode), edit.isPinned,
                    edit.rateLimit.map { Int64(clamping: $0) }, edit.schedule?.description, edit.isMeteredOK,
                    try edit.tags.map(JSONText.encode), token.description,
                ])
            guard database.changesCount > 0 else { throw StoreError(.noSuchAsset(token.description)) }
            try catalog.events.record(AssetEvent(id: 0, at: now, token: token, kind: .changed), database)
        }
    }

    package func asset(_ token: AssetToken) throws(StoreError) -> AssetRecord? {
        try read { database in
            try Row.fetchOne(
                database, sql: "SELECT * FROM asset WHERE token = ?", arguments: [token.description]
            )
            .map(assetRecord)
        }
    }

    private func assetRecord(_ row: Row) throws -> AssetRecord {
        var record = try AssetRecord(row)
        record.sourceURL = catalog.opened(record.sourceURL)
        return record
    }

    /// Assets from the newest to the oldest.
    ///
    /// - Parameters:
    ///   - states: only these; all when empty.
    ///   - before: only older ones than this.
    ///   - since: only those with an event after this one.
    ///   - expiring: only those whose license ends in this time.
    ///   - limit: how many at most.
    package func page(
        states: [AssetState], before: AssetToken?, since: Int64? = nil, expiring: Range<Timestamp>? = nil,
        limit: Int
    ) throws(StoreError) -> [AssetRecord] {
        try read { database in
            let marks = states.map { _ in "?" }.joined(separator: ",")
            let recent = since.map { "AND token IN (SELECT asset FROM event WHERE id > \($0))" } ?? ""
            let ending = expiring.map { "AND token IN (\(LicenseTable.ending($0)))" } ?? ""
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT * FROM asset WHERE token < ? \(states.isEmpty ? "" : "AND state IN (\(marks))")
                        \(recent) \(ending)
                    ORDER BY token DESC LIMIT ?
                    """,
                arguments: StatementArguments(
                    [before?.description ?? "~"] + states.map(\.rawValue) + [limit]
                        as [any DatabaseValueConvertible]))
            return try rows.map(assetRecord)
        }
    }

    /// Bytes that assets are known to want still (`ExpectedSize.knownNeed`).
    package func missingBytes(of tokens: [AssetToken]) throws(StoreError) -> UInt64 {
        try missingBytes(ofEach: tokens).values.reduce(0, +)
    }

    /// The bytes that each of several assets lacks; an asset whose bytes are not known is left out.
    ///
    /// - Parameter share: the share of what measured sizes make likely that counts.
    package func missingBytes(
        ofEach tokens: [AssetToken], share: Double = ExpectedSize.certainShare
    ) throws(StoreError) -> [AssetToken: UInt64] {
        try catalog.renditions.all(of: tokens).mapValues { rows -> UInt64 in
            rows.filter { $0.hasPlaylist && $0.failure == nil }
                .reduce(0) { sum, row in sum + ExpectedSize.knownNeed(row, share: share) }
        }
    }

    /// How many assets are in each state.
    package func countsByState() throws(StoreError) -> [AssetState: Int] {
        try read { database in
            let rows = try Row.fetchAll(database, sql: "SELECT state, count(*) FROM asset GROUP BY state")
            return Dictionary(
                uniqueKeysWithValues: rows.compactMap { row in
                    AssetState(rawValue: row[0]).map { ($0, row[1]) }
                })
        }
    }

    /// Bytes of media on disk.
    package func storedBytes() throws(StoreError) -> Int64 {
        try read { database in
            try Int64.fetchOne(database, sql: "SELECT coalesce(sum(stored_bytes), 0) FROM rendition") ?? 0
        }
    }

    package func delete(_ token: AssetToken) throws(StoreError) {
        try write { database in
            try database.execute(sql: "DELETE FROM asset WHERE token = ?", arguments: [token.description])
        }
    }
}

extension AssetRecord {
    package init(_ row: Row) throws {
        let token: String = row["token"]
        let state: String = row["state"]
        guard let token = AssetToken(token), let state = AssetState(rawValue: state) else {
            throw StoreError(.storeTooNew)
        }
        self.init(
            token: token, name: row["name"], sourceURL: row["source_url"], state: state,
            reason: row["reason"],
            priority: row["priority"], rateLimit: (row["rate_limit"] as Int64?).map { UInt64(clamping: $0) },
            schedule: (row["schedule"] as String?).flatMap(Schedule.init), isMeteredOK: row["metered_ok"],
            selection: try JSONText.decode(Selection.self, row["selection"]),
            access: (row["access"] as Data?).map { [UInt8]($0) },
            meta: try JSONText.decode([String: String].self, row["meta"]), duration: row["duration"],
            poster: row["poster"], requestedAt: Timestamp(milliseconds: row["requested_at"]),
            startedAt: (row["started_at"] as Int64?).map(Timestamp.init),
            finishedAt: (row["finished_at"] as Int64?).map(Timestamp.init),
            error: try (row["error"] as String?).map { try JSONText.decode(AssetFailure.self, $0) },
            isPinned: row["pinned"], lastPlayedAt: (row["last_played_at"] as Int64?).map(Timestamp.init),
            redirects: try (row["redirects"] as String?).map { try JSONText.decode([String].self, $0) } ?? [],
            lost: try (row["lost"] as String?).map { try JSONText.decode([LostStream].self, $0) } ?? [],
            stateAt: (row["state_at"] as Int64?).map(Timestamp.init),
            leftOut: try (row["left_out"] as String?).map { try JSONText.decode([LeftOut].self, $0) } ?? [],
            clientID: row["client_id"])
        tags = try (row["tags"] as String?).map { try JSONText.decode([String].self, $0) } ?? []
        (position.seconds, position.isWatched) = (row["position"], row["watched"])
        position.toldAt = (row["position_at"] as Int64?).map(Timestamp.init)
    }
}
