package struct EventLog: CatalogTable {
    package let catalog: Catalog

    /// Writes an event that no change of state has made.
    package func record(
        _ kind: AssetEvent.Kind, _ token: AssetToken, reason: String? = nil, at now: Timestamp,
        failure: AssetFailure? = nil
    ) throws(StoreError) {
        try write(.asset(token)) { session in
            session.record(
                AssetEvent(id: 0, at: now, token: token, kind: kind, reason: reason, failure: failure))
        }
    }

    /// Events after one, in order; events that are no longer in the log are left out.
    package func all(after id: Int64, limit: Int) throws(StoreError) -> [AssetEvent] {
        try read { session in
            try session.rows(
                "SELECT * FROM event WHERE id > ? ORDER BY id LIMIT ?", [id, limit], as: AssetEvent.init)
        }
    }

    /// The newest event's place; 0 before the first one.
    package func lastEvent() throws(StoreError) -> Int64 {
        try read { try $0.value(Self.counter($0.dialect)) ?? 0 }
    }

    /// The query for the newest event's place.
    static func counter(_ dialect: SQLDialect) -> String {
        switch dialect {
        case .sqlite: "SELECT seq FROM sqlite_sequence WHERE name = 'event'"
        case .postgres: "SELECT value FROM event_counter"
        }
    }

    /// The oldest event in the log; `nil` without any.
    package func firstEvent() throws(StoreError) -> Int64? {
        try read { session in try session.value("SELECT min(id) FROM event") as Int64? }
    }

    /// How far a reader of the log has come; `nil` when it has not begun.
    package func cursor(_ name: String) throws(StoreError) -> Int64? {
        try read { session in
            try session.value("SELECT event FROM cursor WHERE name = ?", [name]) as Int64?
        }
    }

    /// Notes how far a reader of the log has come.
    package func setCursor(_ name: String, _ event: Int64) throws(StoreError) {
        try write(.store) { try $0.execute(Self.replaceCursor, [name, event]) }
    }

    private static let replaceCursor = SQLText.replacing(in: "cursor", ["name", "event"])

    /// How far readers of the log have come whose names begin so.
    package func cursors(named prefix: String) throws(StoreError) -> [String: Int64] {
        try read { session in
            let cursors = try session.rows(
                "SELECT name, event FROM cursor WHERE substr(name, 1, length(?1)) = ?1", [prefix]
            ) { ($0[0] as String, $0[1] as Int64) }
            return Dictionary(uniqueKeysWithValues: cursors)
        }
    }

    /// Forgets how far readers of the log have come: they begin anew.
    package func forgetCursors(_ names: [String]) throws(StoreError) {
        guard !names.isEmpty else { return }
        try write(.store) { session in
            for name in names {
                try session.execute("DELETE FROM cursor WHERE name = ?", [name])
            }
        }
    }

    /// Forgets events that are older than that.
    package func forgetEvents(before time: Timestamp) throws(StoreError) {
        try write(.store) { session in
            try session.execute("DELETE FROM event WHERE at < ?", [time.milliseconds])
        }
    }
}

extension AssetEvent {
    fileprivate init(_ row: any SQLRow) throws {
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
