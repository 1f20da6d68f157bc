internal import FoundationEssentials
package import GRDB

extension CatalogSchema {
    /// The versions that an origin had of playlists (number -1) and of some stored segments; and where it turned out to have
    /// another stream than the one of which an asset has a part. `redirects` of an asset is where they have led from its source,
    /// as JSON.
    static let drift = """
        CREATE TABLE origin_version (
            rendition INTEGER NOT NULL REFERENCES rendition ON DELETE CASCADE,
            number INTEGER NOT NULL,
            etag TEXT,
            last_modified TEXT,
            length INTEGER,
            PRIMARY KEY (rendition, number)
        ) WITHOUT ROWID;
        CREATE TABLE drift (
            asset TEXT PRIMARY KEY REFERENCES asset ON DELETE CASCADE,
            rendition TEXT NOT NULL,
            is_mixed INTEGER NOT NULL,
            at INTEGER NOT NULL,
            detail TEXT NOT NULL
        ) WITHOUT ROWID;
        ALTER TABLE asset ADD COLUMN redirects TEXT;
        """
}

/// The stream that an origin has in the place of one of which a part is stored. A row of `drift`.
package struct Drift: Sendable, Equatable {
    /// The rendition that shows it.
    package var rendition: String
    /// Whether units of two versions are stored, and not only units of a former one.
    package var isMixed: Bool
    package var at: Timestamp
    /// One clause.
    package var detail: String

    package init(rendition: String, isMixed: Bool, at: Timestamp, detail: String) {
        self.rendition = rendition
        self.isMixed = isMixed
        self.at = at
        self.detail = detail
    }
}

/// The parts of an asset that have versions.
package enum VersionedPart: Sendable {
    case playlist
    case segment(Int)

    fileprivate var number: Int {
        switch self {
        case .playlist: -1
        case .segment(let number): number
        }
    }
}

extension HealthTable {
    package static func setVersion(
        _ version: Validator, _ part: VersionedPart, ofRendition id: Int64, _ database: Database
    ) throws {
        let statement = try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO origin_version (rendition, number, etag, last_modified, length)
                VALUES (?, ?, ?, ?, ?)
                """)
        try statement.execute(arguments: [
            id, part.number, version.etag, version.lastModified, version.total.map { Int64(clamping: $0) },
        ])
    }

    /// Keeps which version an origin has of a playlist or a segment.
    package func setVersion(
        _ version: Validator, _ part: VersionedPart, ofRendition id: Int64
    ) throws(StoreError) {
        try write { try Self.setVersion(version, part, ofRendition: id, $0) }
    }

    /// The version of a part that was seen last.
    package func version(_ part: VersionedPart, ofRendition id: Int64) throws(StoreError) -> Validator? {
        try allVersions(ofRendition: id)[part.number]
    }

    /// The versions of those segments of a rendition of which they are known, by media sequence number.
    package func versions(ofRendition id: Int64) throws(StoreError) -> [Int: Validator] {
        try allVersions(ofRendition: id).filter { $0.key >= 0 }
    }

    private func allVersions(ofRendition id: Int64) throws(StoreError) -> [Int: Validator] {
        try read { database in
            let rows = try Row.fetchAll(
                database, sql: "SELECT * FROM origin_version WHERE rendition = ?", arguments: [id])
            return Dictionary(
                uniqueKeysWithValues: rows.map { row in
                    let length: Int64? = row["length"]
                    return (
                        row["number"] as Int,
                        Validator(
                            etag: row["etag"], lastModified: row["last_modified"],
                            total: length.map { UInt64(clamping: $0) })
                    )
                })
        }
    }

    /// The drift of an asset; `nil` when its origin has the stored stream, as far as is known.
    package func drift(of token: AssetToken) throws(StoreError) -> Drift? {
        try read { database in
            try Row.fetchOne(
                try database.cachedStatement(sql: "SELECT * FROM drift WHERE asset = ?"),
                arguments: [token.description]
            ).map(Drift.init)
        }
    }

    /// Assets of which units of two versions are stored, with the rendition and the reason.
    package func mixtures(of tokens: [AssetToken]) throws(StoreError) -> [AssetToken: Drift] {
        try read { database in try Self.mixtures(of: tokens, database) }
    }

    package static func mixtures(
        of tokens: [AssetToken], _ database: Database
    ) throws -> [AssetToken: Drift] {
        let marks = tokens.map { _ in "?" }.joined(separator: ",")
        let rows = try Row.fetchAll(
            database, sql: "SELECT * FROM drift WHERE is_mixed AND asset IN (\(marks))",
            arguments: StatementArguments(tokens.map(\.description)))
        var found: [AssetToken: Drift] = [:]
        for row in rows {
            guard let token = AssetToken(row["asset"] as String) else { continue }
            found[token] = Drift(row)
        }
        return found
    }

    /// Keeps what was found of an asset; `nil` forgets it. Units that are of two versions stay so.
    package func setDrift(_ drift: Drift?, of token: AssetToken) throws(StoreError) {
        let known = try self.drift(of: token)
        guard drift != known, !(drift == nil && known?.isMixed == true) else { return }
        try write { database in
            try database.execute(sql: "DELETE FROM drift WHERE asset = ?", arguments: [token.description])
            guard let drift else { return }
            try database.execute(
                sql: "INSERT INTO drift (asset, rendition, is_mixed, at, detail) VALUES (?, ?, ?, ?, ?)",
                arguments: [
                    token.description, drift.rendition, drift.isMixed, drift.at.milliseconds, drift.detail,
                ])
        }
    }

    /// Takes everything of an asset's stream out of the catalog, to read another one in its place; what it was asked for
    /// with waits until that is entered.
    ///
    /// - Parameter request: `AssetRequest` as the vault sealed it.
    package func forgetStream(of token: AssetToken, request: [UInt8]) throws(StoreError) {
        try write { database in
            let name = [token.description]
            for table in [
                "rendition", "source_playlist", "content_key", "session_data", "interstitial",
                "interstitial_asset", "drift",
            ] {
                try database.execute(
                    sql: "DELETE FROM \(table) WHERE asset = ?", arguments: StatementArguments(name))
            }
            try database.execute(
                sql: "INSERT OR REPLACE INTO request (asset, sealed) VALUES (?, ?)",
                arguments: [token.description, Data(request)])
        }
    }
}

extension Drift {
    fileprivate init(_ row: Row) {
        self.init(
            rendition: row["rendition"], isMixed: row["is_mixed"], at: Timestamp(milliseconds: row["at"]),
            detail: row["detail"])
    }
}
