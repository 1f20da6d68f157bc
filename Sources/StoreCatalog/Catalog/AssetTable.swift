internal import Locking

package struct AssetTable: CatalogTable {
    package let catalog: Catalog

    package func insert(_ asset: AssetRecord) throws(StoreError) {
        try write(.asset(asset.token)) { session in try Self.insert(asset, session) }
    }

    package static func insert(_ asset: AssetRecord, _ session: any SQLSession) throws {
        try session.execute(
            """
            INSERT INTO asset (token, name, source_url, state, reason, priority, selection, access,
                meta, duration, poster, requested_at, rate_limit, schedule, metered_ok, left_out,
                client_id, client_digest, tags)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                asset.token.description, asset.name, try session.seal.sealed(address: asset.sourceURL),
                asset.state.rawValue, asset.reason,
                asset.priority, try JSONText.encode(asset.selection), asset.access,
                asset.meta.isEmpty ? "{}" : try JSONText.encode(asset.meta), asset.duration, asset.poster,
                asset.requestedAt.milliseconds, asset.rateLimit.map { Int64(clamping: $0) },
                asset.schedule?.description, asset.isMeteredOK, try JSONText.encode(orNull: asset.leftOut),
                asset.clientID, asset.clientDigest,
                asset.tags.isEmpty ? nil : try JSONText.encode(asset.tags),
            ])
        if let asked = asset.asked {
            try session.execute(
                "INSERT INTO asked (asset, body) VALUES (?, ?)", [asset.token.description, asked])
        }
        guard let address = asset.address else { return }
        try session.execute(addAddress, [address, asset.token.description])
    }

    private static let addAddress = SQLText.adding(to: "address", ["digest", "asset"], key: 2)

    /// Applies a user's changes to an asset; `nil` members stay unchanged.
    package func edit(_ token: AssetToken, _ edit: AssetEdit, at now: Timestamp) throws(StoreError) {
        try write(.asset(token)) { session in try Self.apply(edit, to: token, at: now, session) }
    }

    /// Applies a user's changes to assets in one transaction; returns refusals with their reasons.
    ///
    /// - Parameter holds: whether an asset has these values already. Such an asset does not change.
    package func edit(
        _ tokens: [AssetToken], _ edit: AssetEdit, at now: Timestamp, unless holds: (AssetRecord) -> Bool
    ) throws(StoreError) -> [(token: AssetToken, result: Result<AssetChange, StoreError>)] {
        try write(.assets(tokens)) { session in
            try tokens.map { token in
                guard let record = try self.asset(token, session) else {
                    return (token, .failure(StoreError(.noSuchAsset(token.description))))
                }
                if !holds(record) { try Self.apply(edit, to: token, at: now, session) }
                return (token, .success(AssetChange(token: token, from: record.state, to: record.state)))
            }
        }
    }

    private static func apply(
        _ edit: AssetEdit, to token: AssetToken, at now: Timestamp, _ session: any SQLSession
    ) throws {
        let changed = try session.execute(
            """
            UPDATE asset SET name = coalesce(?, name), priority = coalesce(?, priority),
                meta = coalesce(?, meta), pinned = coalesce(?, pinned),
                rate_limit = coalesce(?, rate_limit), schedule = coalesce(?, schedule),
                metered_ok = coalesce(?, metered_ok), tags = coalesce(?, tags)
            WHERE token = ?
            """,
            [
                edit.name, edit.priority, try edit.meta.map(JSONText.encode), edit.isPinned,
                edit.rateLimit.map { Int64(clamping: $0) }, edit.schedule?.description, edit.isMeteredOK,
                try edit.tags.map(JSONText.encode), token.description,
            ])
        guard changed > 0 else { throw StoreError(.noSuchAsset(token.description)) }
        session.record(AssetEvent(id: 0, at: now, token: token, kind: .changed))
    }

    /// Sets the file name of an asset's poster; `nil` for none.
    package func setPoster(_ file: String?, of token: AssetToken, at now: Timestamp) throws(StoreError) {
        try write(.asset(token)) { session in
            let changed = try session.execute(
                "UPDATE asset SET poster = ? WHERE token = ?", [file, token.description])
            guard changed > 0 else { throw StoreError(.noSuchAsset(token.description)) }
            session.record(AssetEvent(id: 0, at: now, token: token, kind: .changed))
        }
    }

    package func asset(_ token: AssetToken) throws(StoreError) -> AssetRecord? {
        try read { session in try asset(token, session) }
    }

    private func asset(_ token: AssetToken, _ session: any SQLSession) throws -> AssetRecord? {
        try session.first("SELECT * FROM asset WHERE token = ?", [token.description], as: assetRecord)
    }

    private func assetRecord(_ row: any SQLRow) throws -> AssetRecord {
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
        try read { session in
            var (conditions, arguments) = (["token < ?"], SQLArguments([.text(before?.description ?? "~")]))
            if !states.isEmpty {
                let list = SQLList(states.map { .text($0.rawValue) })
                conditions.append("state IN (\(list.marks))")
                arguments += list.arguments
            }
            if let since {
                conditions.append("token IN (SELECT asset FROM event WHERE id > ?)")
                arguments += [since]
            }
            if let expiring {
                conditions.append("token IN (\(LicenseTable.ending))")
                arguments += LicenseTable.ends(in: expiring)
            }
            return try session.rows(
                """
                SELECT * FROM asset WHERE \(conditions.joined(separator: " AND "))
                ORDER BY token DESC LIMIT ?
                """, arguments + [limit], as: assetRecord)
        }
    }

    /// Bytes that assets are known to want still (`ExpectedSize.knownNeed`).
    package func missingBytes(of tokens: [AssetToken]) throws(StoreError) -> UInt64 {
        try missingBytes(ofEach: tokens).values.reduce(0, +)
    }

    /// The number of bytes that each asset lacks; assets with unknown sizes are left out.
    ///
    /// - Parameter share: the share of a measured estimate that counts.
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
        try read { session in
            let counts = try session.rows("SELECT state, count(*) FROM asset GROUP BY state") { row in
                AssetState(rawValue: row[0]).map { ($0, row[1] as Int) }
            }
            return Dictionary(uniqueKeysWithValues: counts.compactMap(\.self))
        }
    }

    /// Bytes of media on disk.
    package func storedBytes() throws(StoreError) -> Int64 {
        try read { session in
            try session.value("SELECT coalesce(sum(stored_bytes), 0) FROM rendition") as Int64? ?? 0
        }
    }

    package func delete(_ token: AssetToken) throws(StoreError) {
        try write(.asset(token)) { session in
            try session.execute("DELETE FROM asset WHERE token = ?", [token.description])
        }
    }
}

extension AssetRecord {
    package init(_ row: any SQLRow) throws {
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
            selection: try Self.selection(row["selection"]), access: row["access"],
            meta: try Self.meta(row["meta"]), duration: row["duration"],
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

    /// The selection that was decoded last: most assets of a list have the same.
    private static let lastSelection = Lock<(text: String, value: Selection)?>(nil)

    private static func selection(_ text: String) throws -> Selection {
        if let last = lastSelection.withLock({ $0 }), last.text == text { return last.value }
        let value = try JSONText.decode(Selection.self, text)
        lastSelection.withLock { $0 = (text, value) }
        return value
    }

    private static func meta(_ text: String) throws -> [String: String] {
        text == "{}" ? [:] : try JSONText.decode([String: String].self, text)
    }
}
