extension CatalogSchema {
    /// What was downloaded before had no limits: it was purchased with the request.
    static let licenses = """
        CREATE TABLE license (
            asset TEXT PRIMARY KEY REFERENCES asset ON DELETE CASCADE,
            rental INTEGER,
            play_window INTEGER,
            requested_at INTEGER NOT NULL,
            expires_at INTEGER,
            first_played_at INTEGER,
            play_expires_at INTEGER,
            revoked_at INTEGER,
            clock_floor INTEGER,
            last_played_at INTEGER,
            keys_handed_out INTEGER NOT NULL DEFAULT 0
        ) WITHOUT ROWID;
        CREATE TABLE license_event (
            id INTEGER PRIMARY KEY,
            asset TEXT NOT NULL REFERENCES asset ON DELETE CASCADE,
            at INTEGER NOT NULL,
            kind TEXT NOT NULL,
            count INTEGER NOT NULL
        );
        CREATE INDEX license_event_asset ON license_event (asset, id);
        CREATE TABLE trusted_clock (id INTEGER PRIMARY KEY CHECK (id = 1), high_water INTEGER NOT NULL);
        ALTER TABLE content_key ADD COLUMN digest BLOB;
        INSERT INTO license (asset, requested_at)
            SELECT token, requested_at FROM asset WHERE token IN (SELECT asset FROM content_key);
        """
}
