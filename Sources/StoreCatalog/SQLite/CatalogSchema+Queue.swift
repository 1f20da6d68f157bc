extension CatalogSchema {
    /// The sealed requests that are not resolved yet; and the queue in its order, without the assets that wait for
    /// something other than a slot.
    static let queue = """
        CREATE TABLE request (
            asset TEXT PRIMARY KEY REFERENCES asset ON DELETE CASCADE,
            sealed BLOB NOT NULL
        ) WITHOUT ROWID;
        DROP INDEX asset_queue;
        CREATE INDEX asset_turn ON asset (state, reason, priority DESC, token);
        """

    /// The times and rates of assets' downloads; and digests of the addresses that assets were made from, also of
    /// removed ones.
    static let downloadTerms = """
        ALTER TABLE asset ADD COLUMN rate_limit INTEGER;
        ALTER TABLE asset ADD COLUMN schedule TEXT;
        ALTER TABLE asset ADD COLUMN metered_ok INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE address (digest BLOB PRIMARY KEY, asset TEXT NOT NULL) WITHOUT ROWID;
        """

    /// The parts of a request that an asset lacks; and the client's ID of a request, with a digest of the request,
    /// and the request without secrets.
    static let strictRequests = """
        ALTER TABLE asset ADD COLUMN left_out TEXT;
        ALTER TABLE asset ADD COLUMN client_id TEXT;
        ALTER TABLE asset ADD COLUMN client_digest BLOB;
        CREATE UNIQUE INDEX asset_client ON asset (client_id) WHERE client_id IS NOT NULL;
        CREATE TABLE asked (
            asset TEXT PRIMARY KEY REFERENCES asset ON DELETE CASCADE,
            body TEXT NOT NULL
        ) WITHOUT ROWID;
        """

    /// All assets that were made of an address, and not only the newest.
    static let addresses = """
        ALTER TABLE address RENAME TO newest_address;
        CREATE TABLE address (
            digest BLOB NOT NULL,
            asset TEXT NOT NULL,
            PRIMARY KEY (digest, asset)
        ) WITHOUT ROWID;
        INSERT INTO address (digest, asset) SELECT digest, asset FROM newest_address;
        DROP TABLE newest_address;
        """
}
