/// Renditions that are added to an asset later, with their keys and playlists.
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
    /// Whether the asset was cancelled when they were requested.
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
    /// Enters renditions to be fetched for an asset, in one transaction.
    ///
    /// - Parameter folders: their folders, which exist already.
    /// - Throws: `noSuchAsset`, or `wrongState` if its state forbids this, or if it was cancelled in the meantime.
    package func extend(
        _ token: AssetToken, _ added: AddedTracks, in folders: [Disposal], at now: Timestamp
    ) throws(StoreError) {
        try write(.asset(token)) { session in
            try StorageTable.endDisposal(folders, session)
            let change = try catalog.assets.apply(
                .extend, to: token, TransitionDetail(reason: .slot, now: now), in: session)
            guard change.from != .cancelled || added.isOfCancelled else {
                throw StoreError(.wrongState(.cancelled, wanted: AssetAction.extend.participle))
            }
            try Self.insert(added.renditions, of: token, session)
            for source in added.sources { try Self.insert(source, of: token, session) }
            for key in added.keys { try Self.insert(key, of: token, session) }
            if !added.keys.isEmpty { try LicenseTable.ensureLicense(of: token, at: now, session) }
            for item in added.listings {
                try session.execute(
                    "UPDATE rendition SET listings = ? WHERE id = ?",
                    [try session.seal.sealed(listings: item.listings), item.rendition])
            }
            try HealthTable.insert(added.lost, of: token, session)
            for id in added.retried {
                try session.execute("UPDATE rendition SET failure = NULL WHERE id = ?", [id])
            }
            try session.execute(
                "UPDATE asset SET selection = ?, left_out = ? WHERE token = ?",
                [
                    try JSONText.encode(added.selection), try JSONText.encode(orNull: added.leftOut),
                    token.description,
                ])
            session.record(AssetEvent(id: 0, at: now, token: token, kind: .changed, reason: "tracks"))
        }
    }

    /// Notes the requested items that an asset lacks.
    package func setLeftOut(_ items: [LeftOut], of token: AssetToken, at now: Timestamp) throws(StoreError) {
        try write(.asset(token)) { session in
            try session.execute(
                "UPDATE asset SET left_out = ? WHERE token = ?",
                [try JSONText.encode(orNull: items), token.description])
            session.record(AssetEvent(id: 0, at: now, token: token, kind: .changed, reason: "tracks"))
        }
    }

    private static func insert(
        _ renditions: [PlannedRendition], of token: AssetToken, _ session: any SQLSession
    ) throws {
        let last: Int? = try session.value(
            "SELECT max(position) FROM rendition WHERE asset = ?", [token.description])
        for (offset, planned) in renditions.enumerated() {
            let record = planned.record(at: (last ?? -1) + 1 + offset)
            try insert(planned.units, of: try insert(record, of: token, session), session)
        }
    }

    static func insert(_ source: SourcePlaylist, of token: AssetToken, _ session: any SQLSession) throws {
        try session.execute(
            replaceSource,
            [
                token.description, source.rendition, try session.seal.sealed(address: source.url),
                try session.seal.sealed(playlist: source.body),
            ])
    }

    private static let replaceSource = SQLText.replacing(
        in: "source_playlist", ["asset", "rendition", "url", "body"], key: 2)

    /// Removes renditions from an asset; their folders are to be deleted.
    ///
    /// - Parameter keys: the names of the keys that are no longer needed.
    package func shrink(
        _ token: AssetToken, by removal: TrackRemoval, forgetting keys: [String], at now: Timestamp
    ) throws(StoreError) -> [Disposal] {
        try write(.asset(token)) { session in
            for id in removal.promoted {
                try session.execute("UPDATE rendition SET required = TRUE WHERE id = ?", [id])
            }
            for id in keys {
                try session.execute(
                    "DELETE FROM content_key WHERE asset = ? AND id = ?", [token.description, id])
            }
            let disposals = try removal.removed.map { try Self.remove($0, of: token, session) }
            session.record(AssetEvent(id: 0, at: now, token: token, kind: .changed, reason: "tracks"))
            try catalog.health.noteHealth(of: token, at: now, session)
            return disposals.compactMap(\.self)
        }
    }

    private static func remove(
        _ row: RenditionRecord, of token: AssetToken, _ session: any SQLSession
    ) throws -> Disposal? {
        guard try session.execute("DELETE FROM rendition WHERE id = ?", [row.id]) > 0 else { return nil }
        try session.execute(
            "DELETE FROM source_playlist WHERE asset = ? AND rendition = ?", [token.description, row.name])
        return row.hasPlaylist ? try StorageTable.insertDisposal("\(token)/\(row.name)", session) : nil
    }
}
