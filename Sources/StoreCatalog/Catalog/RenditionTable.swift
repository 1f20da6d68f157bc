internal import FoundationEssentials
package import GRDB

package struct RenditionTable: CatalogTable {
    package let catalog: Catalog

    /// Enters what an asset consists of, whose folder is made, in one transaction: afterwards it can be served.
    package func commitPlan(
        _ plan: DownloadPlan, for token: AssetToken, in paths: StorePaths, keys: [KeyRecord],
        state: AssetState, at now: Timestamp
    ) throws(StoreError) {
        Trace.pass(.plan, "\(token)")
        try write { database in
            try Self.insert(plan, keys, of: token, paths: paths, database: database)
            try catalog.interstitials.admit(plan.interstitialAssets, as: state, at: now, database)
            try database.execute(
                sql: "UPDATE asset SET duration = ?, redirects = ?, state = ?, reason = ? WHERE token = ?",
                arguments: [
                    plan.duration, try JSONText.encode(plan.redirects), state.rawValue,
                    Self.reasons[state]?.rawValue,
                    token.description,
                ])
            try catalog.events.record(
                AssetEvent(
                    id: 0, at: now, token: token, kind: .added, from: nil, state: state,
                    reason: Self.reasons[state]?.rawValue), database)
        }
    }

    /// Enters what an asset consists of that was entered before its playlists were read, and ends its request, all in
    /// one transaction. What somebody has asked for meanwhile stands.
    ///
    /// - Parameter title: a better name than the one that it was given first, if it still has that.
    /// - Throws: `noSuchAsset` when it is gone.
    package func commitPlan(
        _ plan: DownloadPlan, resolving asset: AssetRecord, in paths: StorePaths, keys: [KeyRecord],
        isPreload: Bool, title: (first: String, better: String)? = nil, at now: Timestamp
    ) throws(StoreError) {
        let token = asset.token
        Trace.pass(.plan, "\(token)")
        try write { database in
            try database.execute(
                sql: """
                    UPDATE asset SET duration = ?, poster = ?, access = ?, selection = ?, left_out = ?, redirects = ?,
                        name = CASE WHEN name = ? THEN ? ELSE name END
                    WHERE token = ?
                    """,
                arguments: [
                    plan.duration, asset.poster, asset.access.map { Data($0) },
                    try JSONText.encode(asset.selection), try JSONText.encode(orNull: plan.leftOut),
                    try JSONText.encode(plan.redirects), title?.first, title?.better, token.description,
                ])
            guard database.changesCount > 0 else { throw StoreError(.noSuchAsset(token.description)) }
            try Self.insert(plan, keys, of: token, paths: paths, database: database)
            try database.execute(sql: "DELETE FROM request WHERE asset = ?", arguments: [token.description])
            let next: AssetState = isPreload ? .paused : .queued
            try catalog.interstitials.admit(plan.interstitialAssets, as: next, at: now, database)
            let state = try String.fetchOne(
                database, sql: "SELECT state FROM asset WHERE token = ?", arguments: [token.description])
            guard state == AssetState.resolving.rawValue else {
                return try catalog.events.record(
                    AssetEvent(id: 0, at: now, token: token, kind: .changed), database)
            }
            let change = AssetChange(token: token, from: .resolving, to: next)
            try catalog.assets.write(change, TransitionDetail(reason: Self.reasons[next], now: now), database)
        }
    }

    private static func insert(
        _ plan: DownloadPlan, _ keys: [KeyRecord], of token: AssetToken, paths: StorePaths,
        database: Database
    ) throws {
        for (position, planned) in plan.renditions.enumerated() {
            let id = try insert(planned.record(at: position), of: token, database)
            try insert(planned.units, of: id, database)
        }
        for item in plan.subtitles { try insert(item, of: token, paths, database: database) }
        for source in plan.sources {
            try database.execute(
                sql:
                    """
                    INSERT OR REPLACE INTO source_playlist (asset, rendition, url, body)
                    VALUES (?, ?, sealed_address(?), sealed_playlist(?))
                    """,
                arguments: [token.description, source.rendition, source.url, Data(source.body)])
        }
        for key in keys { try insert(key, of: token, database) }
        try HealthTable.insert(plan.lost, of: token, database)
        try SessionDataTable.insert(plan.sessionData, of: token, database)
        try InterstitialTable.insert(plan.interstitials, assets: plan.interstitialAssets, of: token, database)
        if let recording = plan.recording { try RecordingTable.insert(recording, of: token, database) }
    }

    /// Why a new asset stands where it does.
    package static let reasons: [AssetState: StateReason] = [.queued: .slot, .paused: .preloaded]

    /// - Parameter replacing: whether it takes the place of one that is there; else that one stays.
    package static func insert(
        _ key: KeyRecord, of token: AssetToken, _ database: Database, replacing: Bool = true
    ) throws {
        try database.execute(
            sql: """
                INSERT OR \(replacing ? "REPLACE" : "IGNORE") INTO content_key (asset, id, url, sealed,
                    digest, format, identifier, content_type, system, method, renew_at)
                VALUES (?, ?, sealed_address(?), ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                token.description, key.id, key.url, key.sealed.map { Data($0) },
                key.digest.map { Data($0) }, key.format, key.identifier.map { Data($0) },
                key.contentType, key.system, key.method, key.renewAt?.milliseconds,
            ])
    }

    /// Enters renditions made of subtitle files, whose tracks are durable, in one transaction.
    package func insert(
        _ added: [AddedSubtitles], in folders: [Disposal], of token: AssetToken, _ paths: StorePaths
    ) throws(StoreError) {
        try write { database in
            try StorageTable.endDisposal(folders, database)
            for item in added { try Self.insert(item, of: token, paths, database: database) }
        }
    }

    private static func insert(
        _ item: AddedSubtitles, of token: AssetToken, _ paths: StorePaths, database: Database
    ) throws {
        let id = try insert(item.row, of: token, database)
        let unit = UnitRecord(kind: .segment, number: 0, start: 0, duration: item.row.duration, url: "")
        try insert([unit], of: id, database)
        let folder = paths.rendition(token, item.row.name)
        try UnitTable.markStored([AddedSubtitles.unit(item.track, of: id, in: folder)], database)
        try database.execute(
            sql: "INSERT INTO source_playlist (asset, rendition, url, body) VALUES (?, ?, '', ?)",
            arguments: [token.description, item.row.name, Data(item.playlist)])
    }

    package static func insert(_ row: RenditionRecord, of token: AssetToken, _ database: Database) throws
        -> Int64
    {
        try database.execute(
            sql: """
                INSERT INTO rendition (asset, name, position, kind, required, language, title, bandwidth, resolution,
                    codecs, listings, has_playlist, extension, duration, segments, initializations, expected_bytes,
                    likely_bytes, source_file)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, sealed_listings(?), ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                token.description, row.name, row.position, row.kind.rawValue, row.required, row.language,
                row.title,
                row.bandwidth, row.resolution, row.codecs, try JSONText.encode(row.listings),
                row.hasPlaylist, row.container.rawValue, row.duration, row.segments, row.initializations,
                row.expectedBytes, row.likelyBytes, row.sourceFile,
            ])
        return database.lastInsertedRowID
    }

    package static func insert(_ units: [UnitRecord], of rendition: Int64, _ database: Database) throws {
        // Most addresses hold no secret, and need not be looked at once more.
        let (clear, sealing) = (try insertion("?", database), try insertion("sealed_address(?)", database))
        for unit in units {
            let statement = SecretSpans.mayHave(unit.url.utf8) ? sealing : clear
            try statement.execute(arguments: [
                rendition, unit.kind.rawValue, unit.number, unit.start, unit.duration, unit.url,
                unit.range.map { Int64(clamping: $0.offset) }, unit.range.map { Int64(clamping: $0.length) },
                unit.encryption.rawValue, unit.state.rawValue,
                unit.state == .gap ? UnitFinding.gap.rawValue : nil,
            ])
        }
    }

    private static func insertion(_ address: String, _ database: Database) throws -> Statement {
        try database.makeStatement(
            sql: """
                INSERT INTO unit (rendition, kind, number, start, duration, url, range_offset, range_length,
                    encrypted, state, finding)
                VALUES (?, ?, ?, ?, ?, \(address), ?, ?, ?, ?, ?)
                """)
    }

    private func rendition(_ row: Row) throws -> RenditionRecord {
        var record = try RenditionRecord(row)
        record.listings = record.listings.map { catalog.opened($0) }
        return record
    }

    /// The renditions of several assets, each list in its order.
    package func all(of tokens: [AssetToken]) throws(StoreError) -> [AssetToken: [RenditionRecord]] {
        try read { database in
            var found: [AssetToken: [RenditionRecord]] = [:]
            let marks = tokens.map { _ in "?" }.joined(separator: ",")
            let rows = try Row.fetchCursor(
                database, sql: "SELECT * FROM rendition WHERE asset IN (\(marks)) ORDER BY asset, position",
                arguments: StatementArguments(tokens.map(\.description)))
            while let row = try rows.next() {
                guard let token = AssetToken(row["asset"] as String) else { continue }
                found[token, default: []].append(try rendition(row))
            }
            return found
        }
    }

    package func rendition(_ token: AssetToken, _ name: String) throws(StoreError) -> RenditionRecord? {
        try read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT * FROM rendition WHERE asset = ? AND name = ?")
            return try Row.fetchOne(statement, arguments: [token.description, name]).map(rendition)
        }
    }

    /// Lets the renditions of an asset be tried again that were given up.
    package func forgive(_ token: AssetToken) throws(StoreError) {
        try write { database in try Self.forgive(token, database) }
    }

    package static func forgive(_ token: AssetToken, _ database: Database) throws {
        try database.execute(
            sql: "UPDATE rendition SET failure = NULL WHERE asset = ? AND failure IS NOT NULL",
            arguments: [token.description])
    }

    /// Records that a rendition was lost; `nil` takes it back.
    package func setFailure(_ failure: String?, ofRendition id: Int64) throws(StoreError) {
        try write { database in
            try database.execute(
                sql: "UPDATE rendition SET failure = ? WHERE id = ?", arguments: [failure, id])
        }
    }

    /// The playlist an asset was made from, with all that was recorded; of the multivariant one when `rendition` is empty.
    package func sourcePlaylist(_ token: AssetToken, _ rendition: String) throws(StoreError)
        -> SourcePlaylist?
    {
        try read { database in
            let row = try Row.fetchOne(
                database, sql: "SELECT url, body FROM source_playlist WHERE asset = ? AND rendition = ?",
                arguments: [token.description, rendition])
            guard let row else { return nil }
            let pieces = try RecordingTable.recordedPieces(token, rendition, database)
            return SourcePlaylist(
                rendition: rendition, url: catalog.opened(row["url"]),
                body: catalog.opened(playlist: [UInt8](row["body"] as Data) + pieces))
        }
    }

    package func keys(of token: AssetToken) throws(StoreError) -> [KeyRecord] {
        try read { database in
            try Row.fetchAll(
                database, sql: "SELECT * FROM content_key WHERE asset = ? ORDER BY id",
                arguments: [token.description]
            ).map {
                KeyRecord(
                    id: $0["id"], url: catalog.opened($0["url"]),
                    sealed: ($0["sealed"] as Data?).map { [UInt8]($0) },
                    digest: ($0["digest"] as Data?).map { [UInt8]($0) }, format: $0["format"],
                    identifier: ($0["identifier"] as Data?).map { [UInt8]($0) },
                    contentType: $0["content_type"], system: $0["system"], method: $0["method"],
                    renewAt: ($0["renew_at"] as Int64?).map(Timestamp.init))
            }
        }
    }
}

extension RenditionRecord {
    package init(_ row: Row) throws {
        guard let kind = RenditionKind(rawValue: row["kind"]),
            let container = ContainerFormat(rawValue: row["extension"])
        else { throw StoreError(.storeTooNew) }
        self.init(
            id: row["id"], name: row["name"], position: row["position"], kind: kind,
            required: row["required"],
            language: row["language"], title: row["title"], bandwidth: row["bandwidth"],
            resolution: row["resolution"], codecs: row["codecs"],
            listings: try JSONText.decode([String].self, row["listings"]), hasPlaylist: row["has_playlist"],
            container: container,
            duration: row["duration"], segments: row["segments"], storedSegments: row["stored_segments"],
            initializations: row["initializations"], storedInitializations: row["stored_initializations"],
            storedBytes: row["stored_bytes"], expectedBytes: row["expected_bytes"],
            likelyBytes: row["likely_bytes"], failure: row["failure"],
            folderTime: (row["folder_time"] as Int64?).map(FolderTime.init),
            sourceFile: row["source_file"], disguise: row["disguise"])
    }
}
