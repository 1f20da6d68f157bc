extension CatalogSchema {
    /// What was asked for and has not been looked into yet, sealed; and the queue in its order, without those that
    /// wait for something else than a place.
    static let queue = """
        CREATE TABLE request (
            asset TEXT PRIMARY KEY REFERENCES asset ON DELETE CASCADE,
            sealed BLOB NOT NULL
        ) WITHOUT ROWID;
        DROP INDEX asset_queue;
        CREATE INDEX asset_turn ON asset (state, reason, priority DESC, token);
        """

    /// When and how fast assets may be downloaded; and from which addresses, of which only digests are kept, assets
    /// were made, whether or not they are there still.
    static let downloadTerms = """
        ALTER TABLE asset ADD COLUMN rate_limit INTEGER;
        ALTER TABLE asset ADD COLUMN schedule TEXT;
        ALTER TABLE asset ADD COLUMN metered_ok INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE address (digest BLOB PRIMARY KEY, asset TEXT NOT NULL) WITHOUT ROWID;
        """
}
