package import GRDB
internal import Locking

package struct EventLog: CatalogTable {
    package let catalog: Catalog

    /// How many events are kept.
    static let eventLimit: Int64 = 10_000

    func recordState(_ change: AssetChange, _ detail: TransitionDetail, _ database: Database) throws {
        try record(
            AssetEvent(
                id: 0, at: detail.now, token: change.token, kind: .state, from: change.from,
                state: change.to, reason: detail.reason?.rawValue, failure: detail.failure), database)
    }

    /// Writes an event into the log, in the transaction that is running. The oldest one makes room for it.
    package func record(_ event: AssetEvent, _ database: Database) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO event (at, asset, kind, from_state, state, reason, error)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            event.at.milliseconds, event.token.description, event.kind.rawValue, event.from?.rawValue,
            event.state?.rawValue, event.reason, try event.failure.map(JSONText.encode),
        ])
        let last = database.lastInsertedRowID
        try database.cachedStatement(sql: "DELETE FROM event WHERE id <= ?")
            .execute(arguments: [last - Self.eventLimit])
        catalog.hasNews.withLock { $0 = true }
    }

    /// Writes an event that no change of state has made.
    package func record(
        _ kind: AssetEvent.Kind, _ token: AssetToken, reason: String? = nil, at now: Timestamp,
        failure: AssetFailure? = nil
    ) throws(StoreError) {
        try write { database in
            try record(
                AssetEvent(id: 0, at: now, token: token, kind: kind, reason: reason, failure: failure),
                database)
        }
    }

    /// Events after one, in order; those that are not kept any more are left out.
    package func all(after id: Int64, limit: Int) throws(StoreError) -> [AssetEvent] {
        try read { database in
            try Row.fetchAll(
                try database.cachedStatement(sql: "SELECT * FROM event WHERE id > ? ORDER BY id LIMIT ?"),
                arguments: [id, limit]
            ).map(AssetEvent.init)
        }
    }

    /// The newest event's place; 0 before the first one.
    package func lastEvent() throws(StoreError) -> Int64 {
        try read { database in
            try Int64.fetchOne(database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'event'") ?? 0
        }
    }

    /// The oldest event that is kept; `nil` when none is.
    package func firstEvent() throws(StoreError) -> Int64? {
        try read { database in try Int64.fetchOne(database, sql: "SELECT min(id) FROM event") }
    }

    /// How far a reader of the log has come; `nil` when it has not begun.
    package func cursor(_ name: String) throws(StoreError) -> Int64? {
        try read { database in
            try Int64.fetchOne(database, sql: "SELECT event FROM cursor WHERE name = ?", arguments: [name])
        }
    }

    /// Notes how far a reader of the log has come.
    package func setCursor(_ name: String, _ event: Int64) throws(StoreError) {
        try write { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO cursor (name, event) VALUES (?, ?)", arguments: [name, event])
        }
    }

    /// How far readers of the log have come whose names begin so.
    package func cursors(named prefix: String) throws(StoreError) -> [String: Int64] {
        try read { database in
            let rows = try Row.fetchAll(
                database, sql: "SELECT name, event FROM cursor WHERE substr(name, 1, length(?1)) = ?1",
                arguments: [prefix])
            return Dictionary(uniqueKeysWithValues: rows.map { ($0[0] as String, $0[1] as Int64) })
        }
    }

    /// Forgets how far readers of the log have come: they begin anew.
    package func forgetCursors(_ names: [String]) throws(StoreError) {
        guard !names.isEmpty else { return }
        try write { database in
            for name in names {
                try database.execute(sql: "DELETE FROM cursor WHERE name = ?", arguments: [name])
            }
        }
    }

    /// Forgets events that are older than that.
    package func forgetEvents(before time: Timestamp) throws(StoreError) {
        try write { database in
            try database.execute(sql: "DELETE FROM event WHERE at < ?", arguments: [time.milliseconds])
        }
    }
}

extension AssetEvent {
    fileprivate init(_ row: Row) throws {
        guard let token = AssetToken(row["asset"] as String), let kind = Kind(rawValue: row["kind"]) else {
            throw StoreError(.storeTooNew)
        }
        self.init(
            id: row["id"], at: Timestamp(milliseconds: row["at"]), token: token, kind: kind,
            from: (row["from_state"] as String?).flatMap(AssetState.init),
            state: (row["state"] as String?).flatMap(AssetState.init), reason: row["reason"],
            failure: try (row["error"] as String?).map { try JSONText.decode(AssetFailure.self, $0) })
    }
}
