internal import GRDB

/// The tables of the catalog, as migrations. A migration that was released is never changed; a fixture of
/// each old format stays in the tests and must still open.
package enum CatalogSchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for (name, sql) in migrations {
            migrator.registerMigration(name) { database in try database.execute(sql: sql) }
        }
        return migrator
    }

    /// The names and statements of all migrations, in the order in which they were released.
    private static let migrations: [(name: String, sql: String)] = [
        ("1", version1), ("engine control", engineControl),
        // The time of the rendition's folder after the last commit of a file in it, in nanoseconds since 1970.
        ("folder-time", "ALTER TABLE rendition ADD COLUMN folder_time INTEGER"), ("licenses", licenses),
        ("hooks", "CREATE TABLE cursor (name TEXT PRIMARY KEY, event INTEGER NOT NULL) WITHOUT ROWID"),
        ("subtitle files", "ALTER TABLE rendition ADD COLUMN source_file TEXT"),
        ("key formats", keyFormats), ("storage", storage), ("recordings", recordings),
        ("key providers", keyProviders), ("session data", sessionData), ("queue", queue),
        ("download terms", downloadTerms), ("interstitials", interstitials),
        ("license ends", licenseEnds), ("license floors", licenseFloors), ("host holds", hostHolds),
        ("addresses", addresses), ("told bandwidths", toldBandwidths),
        ("foreign licenses", foreignLicenses), ("findings", findings),
        // The renditions of a stream that could not be read, as JSON.
        ("lost streams", "ALTER TABLE asset ADD COLUMN lost TEXT"),
        ("likely sizes", likelySizes), ("strict requests", strictRequests),
        ("sealed addresses", sealedAddresses), ("drift", drift), ("sample indexes", sampleIndexes),
        ("viewing", viewing),
        // Lost renditions count for the health of an asset, too, which is judged again.
        ("health of lost streams", "UPDATE asset SET health = NULL WHERE lost IS NOT NULL"),
        ("bucket", bucket),
    ]

    private static let engineControl = """
        CREATE TABLE event (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            at INTEGER NOT NULL,
            asset TEXT NOT NULL,
            kind TEXT NOT NULL,
            from_state TEXT,
            state TEXT,
            reason TEXT,
            error TEXT
        );
        CREATE TABLE disposal (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            path TEXT NOT NULL,
            moved INTEGER NOT NULL DEFAULT 0
        );
        """

    /// The objects of units in the bucket of the store's media, and that bucket.
    private static let bucket = """
        ALTER TABLE unit ADD COLUMN object TEXT;
        CREATE TABLE media_place (id INTEGER PRIMARY KEY CHECK (id = 1), place TEXT NOT NULL);
        """

    /// The samples of stored segments, without their bytes. The revision identifies the content from which a
    /// rendition's indexes were made.
    private static let sampleIndexes = """
        CREATE TABLE sample_index (
            rendition INTEGER NOT NULL REFERENCES rendition ON DELETE CASCADE,
            number INTEGER NOT NULL,
            revision BLOB NOT NULL,
            data BLOB NOT NULL,
            PRIMARY KEY (rendition, number)
        );
        """

    /// The sizes that samples make likely, and when assets came into their states.
    private static let likelySizes = """
        ALTER TABLE rendition ADD COLUMN likely_bytes INTEGER;
        ALTER TABLE asset ADD COLUMN state_at INTEGER;
        """

    /// Clears the bandwidth that older versions entered when neither a multivariant playlist nor the segments told
    /// one.
    private static let toldBandwidths = """
        UPDATE rendition SET bandwidth = NULL
        WHERE kind = 'variant' AND bandwidth = 2000000 AND listings = '["BANDWIDTH=2000000"]'
            AND asset NOT IN (SELECT asset FROM source_playlist WHERE source_playlist.rendition = '');
        """

    private static let version1 = """
        CREATE TABLE asset (
            token TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            source_url TEXT NOT NULL,
            state TEXT NOT NULL,
            reason TEXT,
            priority INTEGER NOT NULL DEFAULT 0,
            selection TEXT NOT NULL,
            access BLOB,
            meta TEXT NOT NULL DEFAULT '{}',
            duration REAL NOT NULL DEFAULT 0,
            poster TEXT,
            requested_at INTEGER NOT NULL,
            started_at INTEGER,
            finished_at INTEGER,
            error TEXT
        ) WITHOUT ROWID;
        CREATE INDEX asset_state ON asset (state, token);
        CREATE INDEX asset_queue ON asset (state, priority DESC, token);
        CREATE TABLE rendition (
            id INTEGER PRIMARY KEY,
            asset TEXT NOT NULL REFERENCES asset ON DELETE CASCADE,
            name TEXT NOT NULL,
            position INTEGER NOT NULL,
            kind TEXT NOT NULL,
            required INTEGER NOT NULL,
            language TEXT,
            title TEXT,
            bandwidth INTEGER,
            resolution TEXT,
            codecs TEXT,
            listings TEXT NOT NULL,
            has_playlist INTEGER NOT NULL,
            extension TEXT NOT NULL,
            duration REAL NOT NULL,
            segments INTEGER NOT NULL,
            stored_segments INTEGER NOT NULL DEFAULT 0,
            initializations INTEGER NOT NULL DEFAULT 0,
            stored_initializations INTEGER NOT NULL DEFAULT 0,
            stored_bytes INTEGER NOT NULL DEFAULT 0,
            expected_bytes INTEGER,
            failure TEXT,
            UNIQUE (asset, name)
        );
        CREATE TABLE unit (
            rendition INTEGER NOT NULL REFERENCES rendition ON DELETE CASCADE,
            kind INTEGER NOT NULL,
            number INTEGER NOT NULL,
            start REAL NOT NULL,
            duration REAL NOT NULL,
            url TEXT NOT NULL,
            range_offset INTEGER,
            range_length INTEGER,
            encrypted INTEGER NOT NULL DEFAULT 0,
            state INTEGER NOT NULL DEFAULT 0,
            size INTEGER,
            sha256 BLOB,
            PRIMARY KEY (rendition, kind, number)
        ) WITHOUT ROWID;
        CREATE TABLE source_playlist (
            asset TEXT NOT NULL REFERENCES asset ON DELETE CASCADE,
            rendition TEXT NOT NULL,
            url TEXT NOT NULL,
            body BLOB NOT NULL,
            PRIMARY KEY (asset, rendition)
        ) WITHOUT ROWID;
        CREATE TABLE content_key (
            asset TEXT NOT NULL REFERENCES asset ON DELETE CASCADE,
            id TEXT NOT NULL,
            url TEXT NOT NULL,
            sealed BLOB,
            PRIMARY KEY (asset, id)
        ) WITHOUT ROWID;
        """
}
