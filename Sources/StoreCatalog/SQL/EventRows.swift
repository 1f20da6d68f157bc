/// The rows of the event log.
enum EventRows {
    /// How many events are kept.
    static let eventLimit: Int64 = 10_000

    /// Numbers the events of a transaction and enters them, as its last statements. The oldest ones make room for them.
    static func enter(_ events: [AssetEvent], _ session: any SQLSession) throws {
        let insert = try session.prepare(session.dialect == .sqlite ? adding : counting)
        for event in events {
            try insert.execute([
                event.at.milliseconds, event.token.description, event.kind.rawValue, event.from?.rawValue,
                event.state?.rawValue, event.reason, try event.failure.map(JSONText.encode),
            ])
        }
        try session.execute(
            "DELETE FROM event WHERE id <= (SELECT max(id) FROM event) - ?", [eventLimit])
    }

    /// SQLite has one writer, so that its own numbers are in the order of commits.
    private static let adding = """
        INSERT INTO event (at, asset, kind, from_state, state, reason, error) VALUES (?, ?, ?, ?, ?, ?, ?)
        """

    /// In PostgreSQL, the transaction that has locked the counter's row commits before the next one gets it.
    private static let counting = """
        WITH counter AS (UPDATE event_counter SET value = value + 1 RETURNING value)
        INSERT INTO event (id, at, asset, kind, from_state, state, reason, error)
        SELECT value, ?, ?, ?, ?, ?, ?, ? FROM counter
        """
}
