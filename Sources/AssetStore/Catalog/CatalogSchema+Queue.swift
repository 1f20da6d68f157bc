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
}
