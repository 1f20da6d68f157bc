extension CatalogSchema {
    /// The origin's versions of playlists (number -1) and of some stored segments; and the drift that was found.
    /// `redirects` of an asset are the addresses to which its source has led, as JSON.
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

/// A different stream at the origin of a partly stored asset. A row of `drift`.
package struct Drift: Sendable, Equatable {
    /// The rendition that shows it.
    package var rendition: String
    /// Whether units of two versions are stored, not only units of the former one.
    package var isMixed: Bool
    package var at: Timestamp
    /// A clause for people.
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
        _ version: Validator, _ part: VersionedPart, ofRendition id: Int64, in session: any SQLSession
    ) throws {
        try session.execute(
            replaceVersion,
            [
                id, part.number, version.etag, version.lastModified,
                version.total.map { Int64(clamping: $0) },
            ])
    }

    private static let replaceVersion = SQLText.replacing(
        in: "origin_version", ["rendition", "number", "etag", "last_modified", "length"], key: 2)

    /// Keeps which version an origin has of a playlist or a segment.
    package func setVersion(
        _ version: Validator, _ part: VersionedPart, ofRendition id: Int64
    ) throws(StoreError) {
        try write(.rendition(id)) { try Self.setVersion(version, part, ofRendition: id, in: $0) }
    }

    /// The version of a part that was seen last.
    package func version(_ part: VersionedPart, ofRendition id: Int64) throws(StoreError) -> Validator? {
        try allVersions(ofRendition: id)[part.number]
    }

    /// The known versions of a rendition's segments, by media sequence number.
    package func versions(ofRendition id: Int64) throws(StoreError) -> [Int: Validator] {
        try allVersions(ofRendition: id).filter { $0.key >= 0 }
    }

    private func allVersions(ofRendition id: Int64) throws(StoreError) -> [Int: Validator] {
        try read { session in
            let versions = try session.rows("SELECT * FROM origin_version WHERE rendition = ?", [id]) { row in
                let length: Int64? = row["length"]
                return (
                    row["number"] as Int,
                    Validator(
                        etag: row["etag"], lastModified: row["last_modified"],
                        total: length.map { UInt64(clamping: $0) })
                )
            }
            return Dictionary(uniqueKeysWithValues: versions)
        }
    }

    /// The drift of an asset; `nil` when its origin has the stored stream, as far as is known.
    package func drift(of token: AssetToken) throws(StoreError) -> Drift? {
        try read { session in
            try session.first("SELECT * FROM drift WHERE asset = ?", [token.description], as: Drift.init)
        }
    }

    /// Assets with stored units of two versions, with the rendition and the reason.
    package func mixtures(of tokens: [AssetToken]) throws(StoreError) -> [AssetToken: Drift] {
        try read { session in try Self.mixtures(of: tokens, session) }
    }

    package static func mixtures(
        of tokens: [AssetToken], _ session: any SQLSession
    ) throws -> [AssetToken: Drift] {
        let list = SQLList(tokens)
        let sql = "SELECT * FROM drift WHERE is_mixed = TRUE AND asset IN (\(list.marks))"
        var found: [AssetToken: Drift] = [:]
        try session.each(sql, list.arguments) { row in
            guard let token = AssetToken(row["asset"] as String) else { return }
            found[token] = Drift(row)
        }
        return found
    }

    /// Stores the drift of an asset; `nil` removes it. A mixture of versions stays noted.
    package func setDrift(_ drift: Drift?, of token: AssetToken) throws(StoreError) {
        let known = try self.drift(of: token)
        guard drift != known, !(drift == nil && known?.isMixed == true) else { return }
        try write(.asset(token)) { session in
            try session.execute("DELETE FROM drift WHERE asset = ?", [token.description])
            guard let drift else { return }
            try session.execute(
                "INSERT INTO drift (asset, rendition, is_mixed, at, detail) VALUES (?, ?, ?, ?, ?)",
                [
                    token.description, drift.rendition, drift.isMixed, drift.at.milliseconds, drift.detail,
                ])
        }
    }

    /// Removes an asset's stream from the catalog, so that another one can be read in its place. The asset's request
    /// waits until the new stream is entered.
    ///
    /// - Parameter request: an `AssetRequest`, sealed by the vault.
    package func forgetStream(of token: AssetToken, request: [UInt8]) throws(StoreError) {
        try write(.asset(token)) { session in
            for table in [
                "rendition", "source_playlist", "content_key", "session_data", "interstitial",
                "interstitial_asset", "drift",
            ] {
                try session.execute("DELETE FROM \(table) WHERE asset = ?", [token.description])
            }
            try session.execute(Self.replaceRequest, [token.description, request])
        }
    }

    private static let replaceRequest = SQLText.replacing(in: "request", ["asset", "sealed"])
}

extension Drift {
    fileprivate init(_ row: any SQLRow) {
        self.init(
            rendition: row["rendition"], isMixed: row["is_mixed"], at: Timestamp(milliseconds: row["at"]),
            detail: row["detail"])
    }
}
