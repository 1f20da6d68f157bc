internal import FoundationEssentials
internal import GRDB

/// Renditions that an asset gets later, with what they need.
package struct AddedTracks: Sendable {
    package var renditions: [PlannedRendition]
    package var sources: [SourcePlaylist]
    package var keys: [KeyRecord]
    /// All tags that list renditions that it has already.
    package var listings: [(rendition: Int64, listings: [String])]
    /// Renditions that were given up and are to be tried again.
    package var retried: [Int64]
    /// The selection of the asset from now on.
    package var selection: Selection
    /// Whether the asset was cancelled when they were asked for.
    package var isOfCancelled: Bool
    /// The streams among them that could not be read.
    package var lost: [LostStream] = []
    /// All that was asked for and is not in the asset then.
    package var leftOut: [LeftOut]

    package init(
        renditions: [PlannedRendition], sources: [SourcePlaylist], keys: [KeyRecord],
        listings: [(rendition: Int64, listings: [String])], retried: [Int64], selection: Selection,
        isOfCancelled: Bool, lost: [LostStream] = [], leftOut: [LeftOut]
    ) {
        self.renditions = renditions
        self.sources = sources
        self.keys = keys
        self.listings = listings
        self.retried = retried
        self.selection = selection
        self.isOfCancelled = isOfCancelled
        self.lost = lost
        self.leftOut = leftOut
    }
}

extension RenditionTable {
    /// Enters renditions of an asset that are to be fetched, in one transaction.
    ///
    /// - Parameter folders: theirs, which were made before.
    /// - Throws: `noSuchAsset`, or `wrongState` when its state forbids that, or when it was cancelled meanwhile.
    package func extend(
        _ token: AssetToken, _ added: AddedTracks, in folders: [Disposal], at now: Timestamp
    ) throws(StoreError) {
        try write { database in
            try StorageTable.endDisposal(folders, database)
            let change = try catalog.assets.apply(
                .extend, to: token, TransitionDetail(reason: .slot, now: now), database)
            guard change.from != .cancelled || added.isOfCancelled else {
                throw StoreError(.wrongState(.cancelled, wanted: AssetAction.extend.participle))
            }
            try Self.insert(added.renditions, of: token, database)
            for source in added.sources { try Self.insert(source, of: token, database) }
            for key in added.keys { try Self.insert(key, of: token, database) }
            if !added.keys.isEmpty { try LicenseTable.ensureLicense(of: token, at: now, database) }
            for item in added.listings {
                try database.execute(
                    sql: "UPDATE rendition SET listings = sealed_listings(?) WHERE id = ?",
                    arguments: [try JSONText.encode(item.listings), item.rendition])
            }
            try HealthTable.insert(added.lost, of: token, database)
            for id in added.retried {
                try database.execute(
                    sql: "UPDATE rendition SET failure = NULL WHERE id = ?", arguments: [id])
            }
            try database.execute(
                sql: "UPDATE asset SET selection = ?, left_out = ? WHERE token = ?",
                arguments: [
                    try JSONText.encode(added.selection), try JSONText.encode(orNull: added.leftOut),
                    token.description,
                ])
            try catalog.events.record(
                AssetEvent(id: 0, at: now, token: token, kind: .changed, reason: "tracks"), database)
        }
    }

    /// Notes what was asked for and is not in an asset.
    package func setLeftOut(_ items: [LeftOut], of token: AssetToken, at now: Timestamp) throws(StoreError) {
        try write { database in
            try database.execute(
                sql: "UPDATE asset SET left_out = ? WHERE token = ?",
                arguments: [try JSONText.encode(orNull: items), token.description])
            try catalog.events.record(
                AssetEvent(id: 0, at: now, token: token, kind: .changed, reason: "tracks"), database)
        }
    }

    private static func insert(
        _ renditions: [PlannedRendition], of token: AssetToken, _ database: Database
    ) throws {
        let last = try Int.fetchOne(
            database, sql: "SELECT max(position) FROM rendition WHERE asset = ?",
            arguments: [token.description])
        for (offset, planned) in renditions.enumerated() {
            let record = planned.record(at: (last ?? -1) + 1 + offset)
            try insert(planned.units, of: try insert(record, of: token, database), database)
        }
    }

    private static func insert(_ source: SourcePlaylist, of token: AssetToken, _ database: Database) throws {
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO source_playlist (asset, rendition, url, body)
                VALUES (?, ?, sealed_address(?), sealed_playlist(?))
                """,
            arguments: [token.description, source.rendition, source.url, Data(source.body)])
    }

    /// Takes renditions out of an asset; their folders are to be deleted.
    ///
    /// - Parameter keys: the names of the keys that nothing needs any more.
    package func shrink(
        _ token: AssetToken, by removal: TrackRemoval, forgetting keys: [String], at now: Timestamp
    ) throws(StoreError) -> [Disposal] {
        try write { database in
            for id in removal.promoted {
                try database.execute(
                    sql: "UPDATE rendition SET required = 1 WHERE id = ?", arguments: [id])
            }
            for id in keys {
                try database.execute(
                    sql: "DELETE FROM content_key WHERE asset = ? AND id = ?",
                    arguments: [token.description, id])
            }
            let disposals = try removal.removed.map { try Self.remove($0, of: token, database) }
            try catalog.events.record(
                AssetEvent(id: 0, at: now, token: token, kind: .changed, reason: "tracks"), database)
            try catalog.health.noteHealth(of: token, at: now, database)
            return disposals.compactMap(\.self)
        }
    }

    private static func remove(
        _ row: RenditionRecord, of token: AssetToken, _ database: Database
    ) throws -> Disposal? {
        try database.execute(sql: "DELETE FROM rendition WHERE id = ?", arguments: [row.id])
        guard database.changesCount > 0 else { return nil }
        try database.execute(
            sql: "DELETE FROM source_playlist WHERE asset = ? AND rendition = ?",
            arguments: [token.description, row.name])
        return row.hasPlaylist ? try StorageTable.insertDisposal("\(token)/\(row.name)", database) : nil
    }
}
