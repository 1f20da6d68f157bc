/// A host that has asked to be left alone, until when, and with which status.
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
    /// Hosts are few, and what is over goes with the next one that comes.
    static let hostHolds = """
        CREATE TABLE host_hold (
            host TEXT PRIMARY KEY,
            until INTEGER NOT NULL,
            status INTEGER NOT NULL
        ) WITHOUT ROWID;
        """
}

extension QueueTable {
    /// Enters a host in place of what is known of it.
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
