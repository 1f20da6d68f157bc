extension CatalogSchema {
    /// A recording is open until it has an end. The recorded part of a rendition's playlist is its source playlist
    /// with the pieces behind it; `shift` and `discontinuity` are the state of the origin's numbers.
    static let recordings = """
        CREATE TABLE recording (
            asset TEXT PRIMARY KEY REFERENCES asset ON DELETE CASCADE,
            duration REAL,
            rental INTEGER,
            play_window INTEGER,
            ended_at INTEGER,
            end_reason TEXT
        ) WITHOUT ROWID;
        CREATE TABLE recorded_rendition (
            asset TEXT NOT NULL REFERENCES asset ON DELETE CASCADE,
            rendition TEXT NOT NULL,
            shift INTEGER NOT NULL,
            discontinuity INTEGER NOT NULL,
            pieces INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (asset, rendition)
        ) WITHOUT ROWID;
        CREATE TABLE recorded_piece (
            asset TEXT NOT NULL REFERENCES asset ON DELETE CASCADE,
            rendition TEXT NOT NULL,
            number INTEGER NOT NULL,
            body BLOB NOT NULL,
            PRIMARY KEY (asset, rendition, number)
        ) WITHOUT ROWID;
        CREATE TABLE recorded_gap (
            id INTEGER PRIMARY KEY,
            asset TEXT NOT NULL REFERENCES asset ON DELETE CASCADE,
            rendition TEXT NOT NULL,
            number INTEGER NOT NULL,
            count INTEGER NOT NULL,
            start REAL NOT NULL,
            duration REAL NOT NULL,
            reason TEXT NOT NULL,
            at INTEGER NOT NULL
        );
        CREATE INDEX recorded_gap_asset ON recorded_gap (asset, id);
        """
}
