internal import GRDB

/// The tables of the catalog, as migrations. A migration that was released is never changed; a fixture of
/// each old format stays in the tests and must still open.
enum CatalogSchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { database in try database.execute(sql: version1) }
        migrator.registerMigration("engine control") { database in
            try database.execute(sql: engineControl)
        }
        // When the rendition's folder last changed as a file of it was committed, in nanoseconds since 1970.
        migrator.registerMigration("folder-time") { database in
            try database.execute(sql: "ALTER TABLE rendition ADD COLUMN folder_time INTEGER")
        }
        migrator.registerMigration("licenses") { database in try database.execute(sql: licenses) }
        migrator.registerMigration("hooks") { database in
            try database.execute(
                sql: "CREATE TABLE cursor (name TEXT PRIMARY KEY, event INTEGER NOT NULL) WITHOUT ROWID")
        }
        migrator.registerMigration("subtitle files") { database in
            try database.execute(sql: "ALTER TABLE rendition ADD COLUMN source_file TEXT")
        }
        migrator.registerMigration("key formats") { database in try database.execute(sql: keyFormats) }
        migrator.registerMigration("storage") { database in try database.execute(sql: storage) }
        migrator.registerMigration("recordings") { database in try database.execute(sql: recordings) }
        migrator.registerMigration("key providers") { database in try database.execute(sql: keyProviders) }
        migrator.registerMigration("session data") { database in try database.execute(sql: sessionData) }
        migrator.registerMigration("queue") { database in try database.execute(sql: queue) }
        migrator.registerMigration("download terms") { database in
            try database.execute(sql: downloadTerms)
        }
        migrator.registerMigration("interstitials") { database in
            try database.execute(sql: interstitials)
        }
        migrator.registerMigration("license ends") { database in try database.execute(sql: licenseEnds) }
        migrator.registerMigration("license floors") { database in
            try database.execute(sql: licenseFloors)
        }
        migrator.registerMigration("host holds") { database in try database.execute(sql: hostHolds) }
        migrator.registerMigration("addresses") { database in try database.execute(sql: addresses) }
        migrator.registerMigration("told bandwidths") { database in
            try database.execute(sql: toldBandwidths)
        }
        migrator.registerMigration("foreign licenses") { database in
            try database.execute(sql: foreignLicenses)
        }
        return migrator
    }

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

    /// Where no multivariant playlist told a bandwidth and the segments did not either, older versions entered this one.
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
