/// A folder of the store to be deleted: first it is moved out of view, then its files are deleted.
package struct Disposal: Sendable {
    package var id: Int64
    /// Below `assets`.
    package var path: String
    /// Whether it has been moved. Afterwards another folder at `path` is not to be deleted.
    var isMoved: Bool
}

extension StorageTable {
    /// Removes assets from the catalog, in one transaction; removed ones are skipped.
    ///
    /// - Parameter hasFolder: whether an asset has a folder, which is then to be deleted.
    package func discard(
        _ tokens: [AssetToken], at now: Timestamp, hasFolder: (AssetToken) -> Bool
    ) throws(StoreError) -> [Disposal] {
        guard !tokens.isEmpty else { return [] }
        return try write(.assets(tokens)) { session in
            let statement = try session.prepare("DELETE FROM asset WHERE token = ?")
            var disposals: [Disposal] = []
            for token in tokens {
                guard try statement.execute([token.description]) > 0 else { continue }
                session.record(AssetEvent(id: 0, at: now, token: token, kind: .removed, from: .removing))
                guard hasFolder(token) else { continue }
                disposals.append(try Self.insertDisposal(token.description, session))
            }
            return disposals
        }
    }

    /// Marks all units of a cancelled asset's renditions as not stored; their folders are to be deleted. Nothing
    /// happens if the user has resumed the asset. Subtitle files of the user are kept: they can't be fetched again.
    ///
    /// - Parameter hasRest: whether a rendition's folder has, or may have, files without a row.
    package func purge(_ token: AssetToken, hasRest: (String) -> Bool) throws(StoreError) -> [Disposal] {
        try write(.asset(token)) { session in
            let state: String? = try session.value(
                "SELECT state FROM asset WHERE token = ?", [token.description])
            guard state == AssetState.cancelled.rawValue else { return [] }
            // A rest that could not be deleted has its row already.
            let renditions = try session.rows(
                """
                SELECT id, name, stored_segments + stored_initializations > 0 AS stored, EXISTS (
                    SELECT 1 FROM disposal WHERE path = asset || '/' || name AND moved = FALSE) AS noted
                FROM rendition WHERE asset = ? AND source_file IS NULL
                """, [token.description]
            ) { row in
                (
                    id: row["id"] as Int64, name: row["name"] as String, hasStored: row["stored"] as Bool,
                    isNoted: row["noted"] as Bool
                )
            }
            return try renditions.compactMap { row -> Disposal? in
                guard row.hasStored || (!row.isNoted && hasRest(row.name)) else { return nil }
                try Self.forgetUnits(ofRendition: row.id, session)
                return try Self.insertDisposal("\(token)/\(row.name)", session)
            }
        }
    }

    private static func forgetUnits(ofRendition id: Int64, _ session: any SQLSession) throws {
        try session.execute(
            "UPDATE unit SET state = 0, \(UnitTable.forgettingBytes) WHERE rendition = ? AND state = 1", [id])
        try session.execute(
            """
            UPDATE rendition SET stored_segments = 0, stored_initializations = 0, stored_bytes = 0 WHERE id = ?
            """, [id])
    }

    static func insertDisposal(_ path: String, _ session: any SQLSession) throws -> Disposal {
        let id = try session.insert("INSERT INTO disposal (path) VALUES (?)", [path])
        return Disposal(id: id, path: path, isMoved: false)
    }

    /// Notes the folders of renditions that are made before their rows are entered: if the rows are never entered,
    /// the folders are deleted when the store is opened again. The transaction that enters the rows removes the note.
    package func prepare(_ names: [String], of token: AssetToken) throws(StoreError) -> [Disposal] {
        try write(.asset(token)) { session in
            try names.map { try Self.insertDisposal("\(token)/\($0)", session) }
        }
    }

    /// The disposals that are not done yet.
    package func disposals() throws(StoreError) -> [Disposal] {
        try read { session in
            try session.rows("SELECT id, path, moved FROM disposal ORDER BY id") {
                Disposal(id: $0["id"], path: $0["path"], isMoved: $0["moved"])
            }
        }
    }

    /// Those of the folders that were not moved in which a unit has been stored since: they stay.
    func usedDisposals() throws(StoreError) -> Set<Int64> {
        try read { session in
            Set(
                try session.values(
                    """
                    SELECT disposal.id FROM disposal
                    JOIN rendition ON asset = substr(path, 1, 26) AND name = substr(path, 28)
                    WHERE moved = FALSE AND stored_segments + stored_initializations > 0
                    """))
        }
    }

    /// Notes that folders have been moved out of view.
    func setMoved(_ items: [Disposal]) throws(StoreError) {
        try write(.store) { session in
            let statement = try session.prepare("UPDATE disposal SET moved = TRUE WHERE id = ?")
            for item in items { try statement.execute([item.id]) }
        }
    }

    /// Notes that folders were deleted completely.
    package func endDisposal(_ items: [Disposal]) throws(StoreError) {
        try write(.store) { session in try Self.endDisposal(items, session) }
    }

    package static func endDisposal(_ items: [Disposal], _ session: any SQLSession) throws {
        let statement = try session.prepare("DELETE FROM disposal WHERE id = ?")
        for item in items { try statement.execute([item.id]) }
    }

    /// Assets that were cancelled before a time and still have stored media that can be fetched again, or may have
    /// unfinished files, since they were cancelled after the last check.
    package func keptCancelled(before time: Timestamp, lookedAtUntil earlier: Timestamp) throws(StoreError)
        -> [AssetToken]
    {
        try read { session in
            try session.tokens(
                """
                SELECT token FROM asset
                WHERE state = 'cancelled' AND finished_at <= ? AND (finished_at > ? OR EXISTS (
                    SELECT 1 FROM rendition WHERE asset = token AND source_file IS NULL
                        AND stored_segments + stored_initializations > 0))
                """, [time.milliseconds, earlier.milliseconds])
        }
    }
}
