package import GRDB

/// A folder of the store that is to be deleted: first moved out of view, then deleted in peace.
package struct Disposal: Sendable {
    package var id: Int64
    /// Below `assets`.
    package var path: String
    /// Whether it has been moved. Afterwards there may be another folder at `path`, which is none of our business.
    var isMoved: Bool
}

extension StorageTable {
    /// Takes assets out of the catalog, in one transaction; those that are out already are fine.
    ///
    /// - Parameter hasFolder: whether an asset has a folder, which is then to be deleted.
    package func discard(
        _ tokens: [AssetToken], at now: Timestamp, hasFolder: (AssetToken) -> Bool
    ) throws(StoreError) -> [Disposal] {
        guard !tokens.isEmpty else { return [] }
        return try write { database in
            let statement = try database.cachedStatement(sql: "DELETE FROM asset WHERE token = ?")
            var disposals: [Disposal] = []
            for token in tokens {
                try statement.execute(arguments: [token.description])
                guard database.changesCount > 0 else { continue }
                try catalog.events.record(
                    AssetEvent(id: 0, at: now, token: token, kind: .removed, from: .removing), database)
                guard hasFolder(token) else { continue }
                disposals.append(try Self.insertDisposal(token.description, database))
            }
            return disposals
        }
    }

    /// Takes back that anything of a cancelled asset's renditions is stored; their folders are to be deleted. Of one
    /// that somebody wants again, nothing is, nor are subtitle files that the user gave: nobody could fetch them again.
    ///
    /// - Parameter hasRest: whether a rendition's folder has anything in it that no row knows, or may have.
    package func purge(_ token: AssetToken, hasRest: (String) -> Bool) throws(StoreError) -> [Disposal] {
        try write { database in
            let state = try String.fetchOne(
                database, sql: "SELECT state FROM asset WHERE token = ?", arguments: [token.description])
            guard state == AssetState.cancelled.rawValue else { return [] }
            // A rest that could not be deleted has its row already.
            let renditions = try Row.fetchAll(
                database,
                sql: """
                    SELECT id, name, stored_segments + stored_initializations > 0 AS stored, EXISTS (
                        SELECT 1 FROM disposal WHERE path = asset || '/' || name AND moved = 0) AS noted
                    FROM rendition WHERE asset = ? AND source_file IS NULL
                    """, arguments: [token.description])
            return try renditions.compactMap { row -> Disposal? in
                let (name, hasStored, isNoted): (String, Bool, Bool) = (
                    row["name"], row["stored"], row["noted"]
                )
                guard hasStored || (!isNoted && hasRest(name)) else { return nil }
                try Self.forgetUnits(ofRendition: row["id"], database)
                return try Self.insertDisposal("\(token)/\(name)", database)
            }
        }
    }

    private static func forgetUnits(ofRendition id: Int64, _ database: Database) throws {
        try database.execute(
            sql: "UPDATE unit SET state = 0, \(UnitTable.forgettingBytes) WHERE rendition = ? AND state = 1",
            arguments: [id])
        try database.execute(
            sql: """
                UPDATE rendition SET stored_segments = 0, stored_initializations = 0, stored_bytes = 0 WHERE id = ?
                """, arguments: [id])
    }

    static func insertDisposal(_ path: String, _ database: Database) throws -> Disposal {
        try database.cachedStatement(sql: "INSERT INTO disposal (path) VALUES (?)").execute(arguments: [path])
        return Disposal(id: database.lastInsertedRowID, path: path, isMoved: false)
    }

    /// Notes the folders of renditions that are made before their rows are entered: should that never come, they are
    /// deleted when the store is opened again. Whoever enters the rows takes it back with them.
    package func prepare(_ names: [String], of token: AssetToken) throws(StoreError) -> [Disposal] {
        try write { database in
            try names.map { try Self.insertDisposal("\(token)/\($0)", database) }
        }
    }

    /// The disposals that are not done yet.
    package func disposals() throws(StoreError) -> [Disposal] {
        try read { database in
            try Row.fetchAll(database, sql: "SELECT id, path, moved FROM disposal ORDER BY id").map {
                Disposal(id: $0["id"], path: $0["path"], isMoved: $0["moved"])
            }
        }
    }

    /// Which of the folders that were not moved out of view have something stored in them again: it came after what was
    /// to be deleted, and stays.
    func usedDisposals() throws(StoreError) -> Set<Int64> {
        try read { database in
            let used = try Int64.fetchAll(
                database,
                sql: """
                    SELECT disposal.id FROM disposal
                    JOIN rendition ON asset = substr(path, 1, 26) AND name = substr(path, 28)
                    WHERE moved = 0 AND stored_segments + stored_initializations > 0
                    """)
            return Set(used)
        }
    }

    /// Notes that folders have been moved out of view.
    func setMoved(_ items: [Disposal]) throws(StoreError) {
        try write { database in
            let statement = try database.cachedStatement(sql: "UPDATE disposal SET moved = 1 WHERE id = ?")
            for item in items { try statement.execute(arguments: [item.id]) }
        }
    }

    /// Notes that nothing is left of folders.
    package func endDisposal(_ items: [Disposal]) throws(StoreError) {
        try write { database in try Self.endDisposal(items, database) }
    }

    package static func endDisposal(_ items: [Disposal], _ database: Database) throws {
        let statement = try database.cachedStatement(sql: "DELETE FROM disposal WHERE id = ?")
        for item in items { try statement.execute(arguments: [item.id]) }
    }

    /// Assets that were cancelled before a time and still have something stored that can be fetched again, or may have the
    /// beginning of it, since nobody has looked at those that were cancelled after an earlier time.
    package func keptCancelled(before time: Timestamp, lookedAtUntil earlier: Timestamp) throws(StoreError)
        -> [AssetToken]
    {
        try read { database in
            try String.fetchAll(
                database,
                sql: """
                    SELECT token FROM asset
                    WHERE state = 'cancelled' AND finished_at <= ? AND (finished_at > ? OR EXISTS (
                        SELECT 1 FROM rendition WHERE asset = token AND source_file IS NULL
                            AND stored_segments + stored_initializations > 0))
                    """, arguments: [time.milliseconds, earlier.milliseconds]
            ).compactMap { AssetToken($0) }
        }
    }
}
