extension CatalogSchema {
    /// A key with a format is an opaque blob of a key system; one with an identifier was given by the user.
    static let keyFormats = """
        ALTER TABLE content_key ADD COLUMN format TEXT;
        ALTER TABLE content_key ADD COLUMN identifier BLOB;
        ALTER TABLE content_key ADD COLUMN content_type TEXT;
        """

    /// Keys that a provider gives, and when it is to be asked again.
    static let keyProviders = """
        ALTER TABLE content_key ADD COLUMN system TEXT;
        ALTER TABLE content_key ADD COLUMN renew_at INTEGER;
        ALTER TABLE content_key ADD COLUMN method TEXT;
        CREATE INDEX content_key_renewal ON content_key (renew_at) WHERE renew_at IS NOT NULL;
        """

    /// Licenses by when they end.
    static let licenseEnds = """
        CREATE INDEX license_expiry ON license (expires_at) WHERE expires_at IS NOT NULL;
        CREATE INDEX license_play_expiry ON license (play_expires_at) WHERE play_expires_at IS NOT NULL;
        """

    /// Licenses that are ahead of the clock.
    static let licenseFloors = """
        CREATE INDEX license_floor ON license (clock_floor) WHERE clock_floor IS NOT NULL;
        """

    /// Licenses that another store has granted. Among older ones, licenses of imported folders with a lower limit of
    /// time count as such.
    static let foreignLicenses = """
        ALTER TABLE license ADD COLUMN is_foreign INTEGER NOT NULL DEFAULT 0;
        UPDATE license SET is_foreign = 1
            WHERE clock_floor IS NOT NULL
                AND asset IN (SELECT token FROM asset WHERE source_url GLOB 'file:*');
        """

    /// Gives downloads from before licenses a purchase at the time of their request.
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
