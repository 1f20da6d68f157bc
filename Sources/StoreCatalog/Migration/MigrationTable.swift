/// A file of an asset's folder that exists only once, such as a user's picture or subtitle file.
package struct KeptPath: Sendable, Hashable {
    package var token: AssetToken
    /// The path in the asset's folder.
    package var path: String

    package init(token: AssetToken, path: String) { (self.token, self.path) = (token, path) }
}

/// A rendition that was made from a user's subtitle file.
package struct OwnSubtitles: Sendable {
    package var token: AssetToken
    package var rendition: Int64
    package var name: String
    /// The name of the user's file in the rendition's folder.
    package var file: String
}

/// The queries and statements of a migration, besides the copy of all rows.
package struct MigrationTable: CatalogTable {
    package let catalog: Catalog

    /// All assets, from the oldest to the newest.
    package func tokens() throws(StoreError) -> [AssetToken] {
        try read { try $0.tokens("SELECT token FROM asset ORDER BY token") }
    }

    /// All renditions that were made from users' subtitle files.
    package func ownSubtitles() throws(StoreError) -> [OwnSubtitles] {
        try read { session in
            try session.rows(
                "SELECT asset, id, name, source_file FROM rendition WHERE source_file IS NOT NULL ORDER BY id"
            ) { row in
                AssetToken(row[0] as String).map {
                    OwnSubtitles(token: $0, rendition: row[1], name: row[2], file: row[3])
                }
            }.compactMap(\.self)
        }
    }

    /// The poster files in the assets' folders.
    package func posters() throws(StoreError) -> [KeptPath] {
        try read { session in
            try session.rows("SELECT token, poster FROM asset WHERE poster IS NOT NULL ORDER BY token") {
                row in AssetToken(row[0] as String).map { KeptPath(token: $0, path: row[1]) }
            }.compactMap(\.self)
        }
    }

    /// The number of stored units and their bytes.
    package func stored() throws(StoreError) -> (units: Int, bytes: Int64) {
        try read { session in
            let sums = try session.first(
                """
                SELECT CAST(coalesce(sum(stored_segments + stored_initializations), 0) AS BIGINT),
                    CAST(coalesce(sum(stored_bytes), 0) AS BIGINT) FROM rendition
                """
            ) { (units: $0[0] as Int, bytes: $0[1] as Int64) }
            return sums ?? (units: 0, bytes: 0)
        }
    }

    /// The note of a shared catalog.
    package func note() throws(StoreError) -> MigrationNote? { try read { try MigrationRow.note($0) } }

    /// Writes the note of a shared catalog.
    package func setNote(_ note: MigrationNote) throws(StoreError) {
        try write(.store) { try MigrationRow.write(note, $0) }
    }

    /// Writes the first note of a shared catalog into which a store is to be moved.
    ///
    /// - Throws: `notEmpty` if it has rows of a store.
    package func begin(_ note: MigrationNote, at place: String) throws(StoreError) {
        try write(.store) { session in
            for table in ["asset", "address", "event", "license_event", "cursor", "kept_file"] {
                guard try !session.hasRow("SELECT 1 FROM \(table) LIMIT 1") else {
                    throw StoreError(.notEmpty(place))
                }
            }
            // A store without assets has its secrets.
            guard try !session.hasRow("SELECT 1 FROM store_secret WHERE name = 'api-token'") else {
                throw StoreError(.notEmpty(place))
            }
            try MigrationRow.write(note, session)
        }
    }
}

extension Catalog {
    /// The queries and statements of a migration, besides the copy of all rows.
    package var migration: MigrationTable { MigrationTable(catalog: self) }
}
