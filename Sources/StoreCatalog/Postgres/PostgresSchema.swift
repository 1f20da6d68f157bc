internal import PostgresClient

/// The tables of the catalog in PostgreSQL, as migrations. A released migration is never changed.
///
/// The tables are those of SQLite (`CatalogSchema`), with PostgreSQL's types. Texts are compared byte by byte
/// (`COLLATE "C"`), as in SQLite.
enum PostgresSchema {
    /// The names and statements of all migrations, in the order in which they were released.
    private static let migrations: [(name: String, sql: String)] = [
        ("1", functions + assets + renditions + licenses + recordings + viewing + store),
        ("2", sharing),
    ]

    /// Makes or migrates the tables. One process at a time does so.
    static func migrate(_ connection: PostgresConnection) throws {
        try connection.script("BEGIN ISOLATION LEVEL READ COMMITTED")
        do {
            _ = try connection.execute(
                "SELECT pg_advisory_xact_lock(?)", [.text("\(WriteScope.migrationLock)")])
            try connection.script(
                """
                CREATE TABLE IF NOT EXISTS migration (name text PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())
                """)
            let rows = try connection.execute("SELECT name FROM migration")
            let done = Set((0..<rows.count).compactMap { rows.text($0, 0) })
            guard done.isSubset(of: migrations.map(\.name)) else { throw StoreError(.storeTooNew) }
            for (name, sql) in migrations where !done.contains(name) {
                try connection.script(sql.replacing(" TEXT", with: " text COLLATE \"C\""))
                _ = try connection.execute("INSERT INTO migration (name) VALUES (?)", [.text(name)])
            }
            try connection.script("COMMIT")
        } catch {
            if !connection.isLost { _ = try? connection.script("ROLLBACK") }
            throw error
        }
    }

    /// Throws `storeTooNew` unless the tables have this version's format.
    static func check(_ connection: PostgresConnection) throws {
        guard try format(connection) == .current else { throw StoreError(.storeTooNew) }
    }

    /// The format of tables that exist.
    static func format(_ connection: PostgresConnection) throws -> DatabaseFacts.Format {
        let rows = try connection.execute("SELECT name FROM migration")
        let done = Set((0..<rows.count).compactMap { rows.text($0, 0) })
        let known = Set(migrations.map(\.name))
        return done == known ? .current : done.isSubset(of: known) ? .older : .newer
    }

    /// The names of all tables but that of the migrations.
    static let tables = Set(
        migrations.flatMap { $0.sql.matches(of: /CREATE TABLE (\w+)/).map { String($0.1) } })

    /// The functions of SQLite that the statements use. NULL gives NULL.
    private static let functions = """
        CREATE FUNCTION max(bigint, bigint) RETURNS bigint IMMUTABLE STRICT PARALLEL SAFE LANGUAGE sql
            AS 'SELECT greatest($1, $2)';
        CREATE FUNCTION min(bigint, bigint) RETURNS bigint IMMUTABLE STRICT PARALLEL SAFE LANGUAGE sql
            AS 'SELECT least($1, $2)';
        CREATE FUNCTION max(double precision, double precision) RETURNS double precision
            IMMUTABLE STRICT PARALLEL SAFE LANGUAGE sql AS 'SELECT greatest($1, $2)';
        CREATE FUNCTION json_each(text) RETURNS TABLE (value text) IMMUTABLE STRICT PARALLEL SAFE LANGUAGE sql
            AS 'SELECT jsonb_array_elements_text($1::jsonb)';
        CREATE FUNCTION instr(text, text) RETURNS integer IMMUTABLE STRICT PARALLEL SAFE LANGUAGE sql
            AS 'SELECT strpos($1, $2)';

        """

    private static let assets = """
        CREATE TABLE asset (
            token TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            source_url TEXT NOT NULL,
            state TEXT NOT NULL,
            reason TEXT,
            priority bigint NOT NULL DEFAULT 0,
            selection TEXT NOT NULL,
            access bytea,
            meta TEXT NOT NULL DEFAULT '{}',
            duration double precision NOT NULL DEFAULT 0,
            poster TEXT,
            requested_at bigint NOT NULL,
            started_at bigint,
            finished_at bigint,
            error TEXT,
            pinned boolean NOT NULL DEFAULT FALSE,
            last_played_at bigint,
            played_until double precision NOT NULL DEFAULT 0,
            rate_limit bigint,
            schedule TEXT,
            metered_ok boolean NOT NULL DEFAULT FALSE,
            lost TEXT,
            health TEXT,
            state_at bigint,
            left_out TEXT,
            client_id TEXT,
            client_digest bytea,
            redirects TEXT,
            tags TEXT,
            position double precision,
            watched boolean NOT NULL DEFAULT FALSE,
            position_at bigint
        );
        CREATE INDEX asset_state ON asset (state, token);
        CREATE INDEX asset_turn ON asset (state, reason, priority DESC, token);
        CREATE UNIQUE INDEX asset_client ON asset (client_id) WHERE client_id IS NOT NULL;
        CREATE TABLE request (
            asset TEXT PRIMARY KEY REFERENCES asset ON DELETE CASCADE,
            sealed bytea NOT NULL
        );
        CREATE TABLE asked (
            asset TEXT PRIMARY KEY REFERENCES asset ON DELETE CASCADE,
            body TEXT NOT NULL
        );
        CREATE TABLE address (digest bytea NOT NULL, asset TEXT NOT NULL, PRIMARY KEY (digest, asset));
        CREATE INDEX address_asset ON address (asset);
        CREATE TABLE source_playlist (
            asset TEXT NOT NULL REFERENCES asset ON DELETE CASCADE,
            rendition TEXT NOT NULL,
            url TEXT NOT NULL,
            body bytea NOT NULL,
            PRIMARY KEY (asset, rendition)
        );
        CREATE TABLE session_data (
            asset TEXT NOT NULL REFERENCES asset ON DELETE CASCADE,
            number bigint NOT NULL,
            json boolean NOT NULL,
            body bytea NOT NULL,
            PRIMARY KEY (asset, number)
        );
        CREATE TABLE interstitial (
            asset TEXT NOT NULL REFERENCES asset ON DELETE CASCADE,
            number bigint NOT NULL,
            address TEXT NOT NULL,
            child TEXT,
            list bytea,
            PRIMARY KEY (asset, number)
        );
        CREATE TABLE interstitial_asset (
            asset TEXT NOT NULL REFERENCES asset ON DELETE CASCADE,
            child TEXT NOT NULL,
            PRIMARY KEY (asset, child)
        );
        CREATE TABLE drift (
            asset TEXT PRIMARY KEY REFERENCES asset ON DELETE CASCADE,
            rendition TEXT NOT NULL,
            is_mixed boolean NOT NULL,
            at bigint NOT NULL,
            detail TEXT NOT NULL
        );

        """

    private static let renditions = """
        CREATE TABLE rendition (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            asset TEXT NOT NULL REFERENCES asset ON DELETE CASCADE,
            name TEXT NOT NULL,
            position bigint NOT NULL,
            kind TEXT NOT NULL,
            required boolean NOT NULL,
            language TEXT,
            title TEXT,
            bandwidth bigint,
            resolution TEXT,
            codecs TEXT,
            listings TEXT NOT NULL,
            has_playlist boolean NOT NULL,
            extension TEXT NOT NULL,
            duration double precision NOT NULL,
            segments bigint NOT NULL,
            stored_segments bigint NOT NULL DEFAULT 0,
            initializations bigint NOT NULL DEFAULT 0,
            stored_initializations bigint NOT NULL DEFAULT 0,
            stored_bytes bigint NOT NULL DEFAULT 0,
            expected_bytes bigint,
            failure TEXT,
            folder_time bigint,
            source_file TEXT,
            likely_bytes bigint,
            disguise TEXT,
            UNIQUE (asset, name)
        );
        CREATE TABLE unit (
            rendition bigint NOT NULL REFERENCES rendition ON DELETE CASCADE,
            kind bigint NOT NULL,
            number bigint NOT NULL,
            start double precision NOT NULL,
            duration double precision NOT NULL,
            url TEXT NOT NULL,
            range_offset bigint,
            range_length bigint,
            encrypted bigint NOT NULL DEFAULT 0,
            state bigint NOT NULL DEFAULT 0,
            size bigint,
            sha256 bytea,
            finding bigint,
            object TEXT,
            PRIMARY KEY (rendition, kind, number)
        );
        CREATE TABLE media_place (id bigint PRIMARY KEY CHECK (id = 1), place TEXT NOT NULL);
        CREATE INDEX unit_finding ON unit (rendition, kind, number) WHERE finding >= 100;
        CREATE TABLE origin_version (
            rendition bigint NOT NULL REFERENCES rendition ON DELETE CASCADE,
            number bigint NOT NULL,
            etag TEXT,
            last_modified TEXT,
            length bigint,
            PRIMARY KEY (rendition, number)
        );
        CREATE TABLE sample_index (
            rendition bigint NOT NULL REFERENCES rendition ON DELETE CASCADE,
            number bigint NOT NULL,
            revision bytea NOT NULL,
            data bytea NOT NULL,
            PRIMARY KEY (rendition, number)
        );

        """
}
