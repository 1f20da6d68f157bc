extension PostgresSchema {
    static let licenses = """
        CREATE TABLE content_key (
            asset TEXT NOT NULL REFERENCES asset ON DELETE CASCADE,
            id TEXT NOT NULL,
            url TEXT NOT NULL,
            sealed bytea,
            digest bytea,
            format TEXT,
            identifier bytea,
            content_type TEXT,
            system TEXT,
            renew_at bigint,
            method TEXT,
            PRIMARY KEY (asset, id)
        );
        CREATE INDEX content_key_renewal ON content_key (renew_at) WHERE renew_at IS NOT NULL;
        CREATE TABLE license (
            asset TEXT PRIMARY KEY REFERENCES asset ON DELETE CASCADE,
            rental bigint,
            play_window bigint,
            requested_at bigint NOT NULL,
            expires_at bigint,
            first_played_at bigint,
            play_expires_at bigint,
            revoked_at bigint,
            clock_floor bigint,
            last_played_at bigint,
            keys_handed_out bigint NOT NULL DEFAULT 0,
            is_foreign boolean NOT NULL DEFAULT FALSE
        );
        CREATE INDEX license_expiry ON license (expires_at) WHERE expires_at IS NOT NULL;
        CREATE INDEX license_play_expiry ON license (play_expires_at) WHERE play_expires_at IS NOT NULL;
        CREATE INDEX license_floor ON license (clock_floor) WHERE clock_floor IS NOT NULL;
        CREATE TABLE license_event (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            asset TEXT NOT NULL REFERENCES asset ON DELETE CASCADE,
            at bigint NOT NULL,
            kind TEXT NOT NULL,
            count bigint NOT NULL
        );
        CREATE INDEX license_event_asset ON license_event (asset, id);
        CREATE TABLE trusted_clock (id bigint PRIMARY KEY CHECK (id = 1), high_water bigint NOT NULL);

        """

    static let recordings = """
        CREATE TABLE recording (
            asset TEXT PRIMARY KEY REFERENCES asset ON DELETE CASCADE,
            duration double precision,
            rental bigint,
            play_window bigint,
            ended_at bigint,
            end_reason TEXT
        );
        CREATE TABLE recorded_rendition (
            asset TEXT NOT NULL REFERENCES asset ON DELETE CASCADE,
            rendition TEXT NOT NULL,
            shift bigint NOT NULL,
            discontinuity bigint NOT NULL,
            pieces bigint NOT NULL DEFAULT 0,
            PRIMARY KEY (asset, rendition)
        );
        CREATE TABLE recorded_piece (
            asset TEXT NOT NULL REFERENCES asset ON DELETE CASCADE,
            rendition TEXT NOT NULL,
            number bigint NOT NULL,
            body bytea NOT NULL,
            PRIMARY KEY (asset, rendition, number)
        );
        CREATE TABLE recorded_gap (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            asset TEXT NOT NULL REFERENCES asset ON DELETE CASCADE,
            rendition TEXT NOT NULL,
            number bigint NOT NULL,
            count bigint NOT NULL,
            start double precision NOT NULL,
            duration double precision NOT NULL,
            reason TEXT NOT NULL,
            at bigint NOT NULL
        );
        CREATE INDEX recorded_gap_asset ON recorded_gap (asset, id);

        """

    /// Plays, and the texts of subtitles. `folded` is the text in lower case, for searches.
    static let viewing = """
        CREATE TABLE play (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            asset TEXT NOT NULL REFERENCES asset ON DELETE CASCADE,
            began_at bigint NOT NULL,
            ended_at bigint NOT NULL,
            until double precision NOT NULL
        );
        CREATE INDEX play_asset ON play (asset, id);
        CREATE TABLE cue_track (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            asset TEXT NOT NULL,
            rendition TEXT NOT NULL,
            language TEXT,
            UNIQUE (asset, rendition),
            FOREIGN KEY (asset, rendition) REFERENCES rendition (asset, name) ON DELETE CASCADE
        );
        CREATE TABLE cue (
            track bigint NOT NULL REFERENCES cue_track ON DELETE CASCADE,
            number bigint NOT NULL,
            start double precision NOT NULL,
            text TEXT NOT NULL,
            folded TEXT NOT NULL,
            PRIMARY KEY (track, number)
        );
        CREATE FUNCTION forget_cues() RETURNS trigger LANGUAGE plpgsql AS '
            BEGIN
                DELETE FROM cue_track WHERE asset = OLD.asset AND rendition = OLD.name;
                RETURN NULL;
            END';
        CREATE TRIGGER rendition_shrunk AFTER UPDATE OF stored_segments ON rendition FOR EACH ROW
            WHEN (NEW.kind = 'subtitles' AND NEW.stored_segments < OLD.stored_segments)
            EXECUTE FUNCTION forget_cues();

        """

    /// The store as a whole. Events have the numbers that `event_counter` gives, in the order of commits, without gaps.
    static let store = """
        CREATE TABLE event (
            id bigint PRIMARY KEY,
            at bigint NOT NULL,
            asset TEXT NOT NULL,
            kind TEXT NOT NULL,
            from_state TEXT,
            state TEXT,
            reason TEXT,
            error TEXT
        );
        CREATE INDEX event_asset ON event (asset);
        CREATE TABLE event_counter (id bigint PRIMARY KEY CHECK (id = 1), value bigint NOT NULL);
        INSERT INTO event_counter (id, value) VALUES (1, 0);
        CREATE TABLE cursor (name TEXT PRIMARY KEY, event bigint NOT NULL);
        CREATE TABLE host_hold (host TEXT PRIMARY KEY, until bigint NOT NULL, status bigint NOT NULL);
        CREATE TABLE disposal (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            path TEXT NOT NULL,
            moved boolean NOT NULL DEFAULT FALSE
        );
        CREATE TABLE node (
            id TEXT PRIMARY KEY,
            url TEXT NOT NULL,
            lease_until timestamptz NOT NULL,
            draining boolean NOT NULL DEFAULT FALSE
        );
        CREATE TABLE commit_mark (id bytea PRIMARY KEY, at timestamptz NOT NULL DEFAULT now());
        CREATE INDEX commit_mark_at ON commit_mark (at);
        """

    /// The owner of the store, the secrets that all nodes share, and files that exist only once.
    static let sharing = """
        ALTER TABLE node ADD COLUMN since timestamptz NOT NULL DEFAULT now();
        CREATE TABLE store_owner (id bigint PRIMARY KEY CHECK (id = 1), node TEXT, epoch bigint NOT NULL);
        INSERT INTO store_owner (id, epoch) VALUES (1, 0);
        CREATE TABLE store_secret (name TEXT PRIMARY KEY, value bytea NOT NULL);
        CREATE TABLE kept_file (
            asset TEXT NOT NULL REFERENCES asset ON DELETE CASCADE,
            path TEXT NOT NULL,
            body bytea NOT NULL,
            PRIMARY KEY (asset, path)
        );
        """
}
