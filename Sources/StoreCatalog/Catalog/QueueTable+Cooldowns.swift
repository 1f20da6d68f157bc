/// The cooldown of a host: its end, and the status of the answer that began it.
package struct HostCooldownRecord: Equatable, Sendable {
    package var host: String
    package var until: Timestamp
    package var status: Int

    package init(host: String, until: Timestamp, status: Int) {
        self.host = host
        self.until = until
        self.status = status
    }
}

extension CatalogSchema {
    /// There are few hosts, and ended cooldowns are deleted when the next one is entered.
    static let hostHolds = """
        CREATE TABLE host_hold (
            host TEXT PRIMARY KEY,
            until INTEGER NOT NULL,
            status INTEGER NOT NULL
        ) WITHOUT ROWID;
        """
}

extension QueueTable {
    /// Replaces the cooldown of a host.
    package func keep(_ cooldown: HostCooldownRecord, now: Timestamp) throws(StoreError) {
        try write(.store) { session in
            try session.execute("DELETE FROM host_hold WHERE until <= ?", [now.milliseconds])
            try session.execute(Self.replace, [cooldown.host, cooldown.until.milliseconds, cooldown.status])
        }
    }

    private static let replace = SQLText.replacing(in: "host_hold", ["host", "until", "status"])

    /// The hosts that are still to be left alone.
    package func cooldowns(after now: Timestamp) throws(StoreError) -> [HostCooldownRecord] {
        try read { session in
            try session.rows("SELECT host, until, status FROM host_hold WHERE until > ?", [now.milliseconds])
            { row in
                HostCooldownRecord(
                    host: row["host"], until: Timestamp(milliseconds: row["until"]), status: row["status"])
            }
        }
    }
}
