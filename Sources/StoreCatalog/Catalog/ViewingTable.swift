/// Tags, positions and plays of assets.
package struct ViewingTable: CatalogTable {
    package let catalog: Catalog

    /// The assets that have a tag, the oldest first.
    package func tokens(tagged tag: String) throws(StoreError) -> [AssetToken] {
        try read { session in
            try session.tokens(
                """
                SELECT token FROM asset WHERE tags IS NOT NULL
                    AND EXISTS (SELECT 1 FROM json_each(asset.tags) WHERE value = ?) ORDER BY token
                """, [tag])
        }
    }

    /// Stores how far an asset was watched.
    package func setPosition(_ position: PlaybackPosition, of token: AssetToken) throws(StoreError) {
        try write(.asset(token)) { session in
            let changed = try session.execute(
                "UPDATE asset SET position = ?, watched = ?, position_at = ? WHERE token = ?",
                [
                    position.seconds, position.isWatched, position.toldAt?.milliseconds, token.description,
                ])
            guard changed > 0 else { throw StoreError(.noSuchAsset(token.description)) }
        }
    }

    /// Adds plays to the log; a play within five minutes after the asset's last one extends that one.
    package func log(_ plays: [(token: AssetToken, at: Timestamp, end: Double)]) throws(StoreError) {
        try write(.assets(plays.map(\.token))) { session in
            let extend = try session.prepare(
                """
                UPDATE play SET ended_at = max(ended_at, ?2), until = max(until, ?3)
                WHERE id = (SELECT id FROM play WHERE asset = ?1 ORDER BY id DESC LIMIT 1)
                    AND ended_at >= ?4
                """)
            let insert = try session.prepare(
                """
                INSERT INTO play (asset, began_at, ended_at, until)
                SELECT ?1, ?2, ?2, ?3 WHERE EXISTS (SELECT 1 FROM asset WHERE token = ?1)
                """)
            for play in plays {
                let (token, at) = (play.token.description, play.at.milliseconds)
                let changed = try extend.execute([token, at, play.end, at - Self.pause])
                if changed == 0 { try insert.execute([token, at, play.end]) }
            }
        }
    }

    /// The plays of an asset, the latest first.
    package func plays(of token: AssetToken, limit: Int) throws(StoreError) -> [PlayRecord] {
        try read { session in
            try session.rows(
                "SELECT began_at, ended_at, until FROM play WHERE asset = ? ORDER BY id DESC LIMIT ?",
                [token.description, limit]
            ) {
                PlayRecord(
                    beganAt: Timestamp(milliseconds: $0[0]), endedAt: Timestamp(milliseconds: $0[1]),
                    until: $0[2])
            }
        }
    }

    /// The pause in requests for segments after which the next request is another play, in milliseconds.
    private static let pause: Int64 = 5 * 60 * 1000
}

extension Catalog {
    /// Tags, positions and plays.
    package var viewing: ViewingTable { ViewingTable(catalog: self) }
    /// The index of subtitle texts.
    package var cues: CueTable { CueTable(catalog: self) }
}

extension CatalogSchema {
    /// The user's tags of assets, playback positions with their times, and the texts of subtitles.
    static let viewing = """
        ALTER TABLE asset ADD COLUMN tags TEXT;
        ALTER TABLE asset ADD COLUMN position REAL;
        ALTER TABLE asset ADD COLUMN watched INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE asset ADD COLUMN position_at INTEGER;
        CREATE TABLE play (
            id INTEGER PRIMARY KEY,
            asset TEXT NOT NULL REFERENCES asset ON DELETE CASCADE,
            began_at INTEGER NOT NULL,
            ended_at INTEGER NOT NULL,
            until REAL NOT NULL
        );
        CREATE INDEX play_asset ON play (asset, id);
        CREATE TABLE cue_track (
            id INTEGER PRIMARY KEY,
            asset TEXT NOT NULL REFERENCES asset ON DELETE CASCADE,
            rendition TEXT NOT NULL,
            language TEXT,
            first INTEGER NOT NULL,
            last INTEGER NOT NULL,
            UNIQUE (asset, rendition)
        );
        CREATE VIRTUAL TABLE cue USING fts5(text, track UNINDEXED, start UNINDEXED, tokenize = 'trigram');
        CREATE TRIGGER cue_track_deleted AFTER DELETE ON cue_track BEGIN
            DELETE FROM cue WHERE rowid BETWEEN OLD.first AND OLD.last;
        END;
        CREATE TRIGGER rendition_deleted AFTER DELETE ON rendition WHEN OLD.kind = 'subtitles' BEGIN
            DELETE FROM cue_track WHERE asset = OLD.asset AND rendition = OLD.name;
        END;
        CREATE TRIGGER rendition_shrunk AFTER UPDATE OF stored_segments ON rendition
            WHEN NEW.kind = 'subtitles' AND NEW.stored_segments < OLD.stored_segments BEGIN
            DELETE FROM cue_track WHERE asset = OLD.asset AND rendition = OLD.name;
        END;
        """
}
