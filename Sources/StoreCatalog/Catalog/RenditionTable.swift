package struct RenditionTable: CatalogTable {
    package let catalog: Catalog

    /// Enters the renditions of an asset, whose folder exists, in one transaction: afterwards it can be served.
    package func commitPlan(
        _ plan: DownloadPlan, for token: AssetToken, in paths: StorePaths, keys: [KeyRecord],
        state: AssetState, at now: Timestamp
    ) throws(StoreError) {
        Trace.pass(.plan, "\(token)")
        try write(.assets([token] + plan.interstitialAssets)) { session in
            try Self.insert(plan, keys, of: token, paths: paths, session: session)
            try catalog.interstitials.admit(plan.interstitialAssets, as: state, at: now, session)
            try session.execute(
                "UPDATE asset SET duration = ?, redirects = ?, state = ?, reason = ? WHERE token = ?",
                [
                    plan.duration, try JSONText.encode(plan.redirects), state.rawValue,
                    Self.reasons[state]?.rawValue,
                    token.description,
                ])
            session.record(
                AssetEvent(
                    id: 0, at: now, token: token, kind: .added, from: nil, state: state,
                    reason: Self.reasons[state]?.rawValue))
        }
    }

    /// Enters the renditions of a queued asset after it was resolved, and ends its request, in one transaction.
    /// Changes that the user has made in the meantime stand.
    ///
    /// - Parameter title: a better name, used if the asset still has its first one.
    /// - Throws: `noSuchAsset` if it was removed.
    package func commitPlan(
        _ plan: DownloadPlan, resolving asset: AssetRecord, in paths: StorePaths, keys: [KeyRecord],
        isPreload: Bool, title: (first: String, better: String)? = nil, at now: Timestamp
    ) throws(StoreError) {
        let token = asset.token
        Trace.pass(.plan, "\(token)")
        try write(.assets([token] + plan.interstitialAssets)) { session in
            let changed = try session.execute(
                """
                UPDATE asset SET duration = ?, poster = ?, access = ?, selection = ?, left_out = ?, redirects = ?,
                    name = CASE WHEN name = ? THEN ? ELSE name END
                WHERE token = ?
                """,
                [
                    plan.duration, asset.poster, asset.access,
                    try JSONText.encode(asset.selection), try JSONText.encode(orNull: plan.leftOut),
                    try JSONText.encode(plan.redirects), title?.first, title?.better, token.description,
                ])
            guard changed > 0 else { throw StoreError(.noSuchAsset(token.description)) }
            try Self.insert(plan, keys, of: token, paths: paths, session: session)
            try session.execute("DELETE FROM request WHERE asset = ?", [token.description])
            let next: AssetState = isPreload ? .paused : .queued
            let state: String? = try session.value(
                "SELECT state FROM asset WHERE token = ?", [token.description])
            // If the asset was paused or cancelled, the assets of its interstitials wait for a `resume`, too.
            let isHeld = state == AssetState.paused.rawValue || state == AssetState.cancelled.rawValue
            try catalog.interstitials.admit(
                plan.interstitialAssets, as: isHeld ? .paused : next, at: now, session)
            guard state == AssetState.resolving.rawValue else {
                return session.record(AssetEvent(id: 0, at: now, token: token, kind: .changed))
            }
            let change = AssetChange(token: token, from: .resolving, to: next)
            try catalog.assets.write(
                change, TransitionDetail(reason: Self.reasons[next], now: now), in: session)
        }
    }

    private static func insert(
        _ plan: DownloadPlan, _ keys: [KeyRecord], of token: AssetToken, paths: StorePaths,
        session: any SQLSession
    ) throws {
        for (position, planned) in plan.renditions.enumerated() {
            let id = try insert(planned.record(at: position), of: token, session)
            try insert(planned.units, of: id, session)
        }
        for item in plan.subtitles { try insert(item, of: token, paths, session: session) }
        for source in plan.sources { try insert(source, of: token, session) }
        for key in keys { try insert(key, of: token, session) }
        try HealthTable.insert(plan.lost, of: token, session)
        try SessionDataTable.insert(plan.sessionData, of: token, session)
        try InterstitialTable.insert(plan.interstitials, assets: plan.interstitialAssets, of: token, session)
        if let recording = plan.recording { try RecordingTable.insert(recording, of: token, session) }
    }

    /// Why a new asset stands where it does.
    package static let reasons: [AssetState: StateReason] = [.queued: .slot, .paused: .preloaded]

    /// - Parameter replacing: whether it replaces a present one; otherwise the present one stays.
    package static func insert(
        _ key: KeyRecord, of token: AssetToken, _ session: any SQLSession, replacing: Bool = true
    ) throws {
        try session.execute(
            replacing ? replaceKey : addKey,
            [
                token.description, key.id, try session.seal.sealed(address: key.url), key.sealed,
                key.digest, key.format, key.identifier,
                key.contentType, key.system, key.method, key.renewAt?.milliseconds,
            ])
    }

    private static let keyColumns = [
        "asset", "id", "url", "sealed", "digest", "format", "identifier", "content_type", "system", "method",
        "renew_at",
    ]
    private static let replaceKey = SQLText.replacing(in: "content_key", keyColumns, key: 2)
    private static let addKey = SQLText.adding(to: "content_key", keyColumns, key: 2)

    /// Enters renditions made of subtitle files, whose tracks are durable, in one transaction.
    package func insert(
        _ added: [AddedSubtitles], in folders: [Disposal], of token: AssetToken, _ paths: StorePaths
    ) throws(StoreError) {
        try write(.asset(token)) { session in
            try StorageTable.endDisposal(folders, session)
            for item in added { try Self.insert(item, of: token, paths, session: session) }
        }
    }

    private static func insert(
        _ item: AddedSubtitles, of token: AssetToken, _ paths: StorePaths, session: any SQLSession
    ) throws {
        let id = try insert(item.row, of: token, session)
        let unit = UnitRecord(kind: .segment, number: 0, start: 0, duration: item.row.duration, url: "")
        try insert([unit], of: id, session)
        let folder = paths.rendition(token, item.row.name)
        try UnitTable.markStored([AddedSubtitles.unit(item.track, of: id, in: folder)], session)
        try session.execute(
            "INSERT INTO source_playlist (asset, rendition, url, body) VALUES (?, ?, '', ?)",
            [token.description, item.row.name, item.playlist])
    }

    package static func insert(_ row: RenditionRecord, of token: AssetToken, _ session: any SQLSession) throws
        -> Int64
    {
        try session.insert(
            """
            INSERT INTO rendition (asset, name, position, kind, required, language, title, bandwidth, resolution,
                codecs, listings, has_playlist, extension, duration, segments, initializations, expected_bytes,
                likely_bytes, source_file)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                token.description, row.name, row.position, row.kind.rawValue, row.required, row.language,
                row.title,
                row.bandwidth, row.resolution, row.codecs, try session.seal.sealed(listings: row.listings),
                row.hasPlaylist, row.container.rawValue, row.duration, row.segments, row.initializations,
                row.expectedBytes, row.likelyBytes, row.sourceFile,
            ])
    }

    package static func insert(_ units: [UnitRecord], of rendition: Int64, _ session: any SQLSession) throws {
        let statement = try session.prepare(
            """
            INSERT INTO unit (rendition, kind, number, start, duration, url, range_offset, range_length,
                encrypted, state, finding)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        for unit in units {
            try statement.execute([
                rendition, unit.kind.rawValue, unit.number, unit.start, unit.duration,
                try session.seal.sealed(address: unit.url),
                unit.range.map { Int64(clamping: $0.offset) }, unit.range.map { Int64(clamping: $0.length) },
                unit.encryption.rawValue, unit.state.rawValue,
                unit.state == .gap ? UnitFinding.gap.rawValue : nil,
            ])
        }
    }

    private func rendition(_ row: any SQLRow) throws -> RenditionRecord {
        var record = try RenditionRecord(row)
        record.listings = record.listings.map { catalog.opened($0) }
        return record
    }

    /// The renditions of several assets, each list in its order.
    package func all(of tokens: [AssetToken]) throws(StoreError) -> [AssetToken: [RenditionRecord]] {
        try read { session in
            var found: [AssetToken: [RenditionRecord]] = [:]
            let list = SQLList(tokens)
            try session.each(
                "SELECT * FROM rendition WHERE asset IN (\(list.marks)) ORDER BY asset, position",
                list.arguments
            ) { row in
                guard let token = AssetToken(row["asset"] as String) else { return }
                found[token, default: []].append(try rendition(row))
            }
            return found
        }
    }

    package func rendition(_ token: AssetToken, _ name: String) throws(StoreError) -> RenditionRecord? {
        try read { session in
            try session.first(
                "SELECT * FROM rendition WHERE asset = ? AND name = ?", [token.description, name],
                as: rendition)
        }
    }

    /// Lets the renditions of an asset be tried again that were given up.
    package func forgive(_ token: AssetToken) throws(StoreError) {
        try write(.asset(token)) { session in try Self.forgive(token, session) }
    }

    package static func forgive(_ token: AssetToken, _ session: any SQLSession) throws {
        try session.execute(
            "UPDATE rendition SET failure = NULL WHERE asset = ? AND failure IS NOT NULL", [token.description]
        )
    }

    /// Records that a rendition was lost; `nil` takes it back.
    package func setFailure(_ failure: String?, ofRendition id: Int64) throws(StoreError) {
        try write(.rendition(id)) { session in
            try session.execute("UPDATE rendition SET failure = ? WHERE id = ?", [failure, id])
        }
    }

    /// The playlist an asset was made from, with all that was recorded; of the multivariant one when `rendition` is empty.
    package func sourcePlaylist(_ token: AssetToken, _ rendition: String) throws(StoreError)
        -> SourcePlaylist?
    {
        try read { session in
            let source = try session.first(
                "SELECT url, body FROM source_playlist WHERE asset = ? AND rendition = ?",
                [token.description, rendition]
            ) {
                SourcePlaylist(rendition: rendition, url: catalog.opened($0[0]), body: $0[1])
            }
            guard var source else { return nil }
            source.body += try RecordingTable.recordedPieces(of: rendition, token, session)
            source.body = catalog.opened(playlist: source.body)
            return source
        }
    }

    package func keys(of token: AssetToken) throws(StoreError) -> [KeyRecord] {
        try read { session in
            try session.rows("SELECT * FROM content_key WHERE asset = ? ORDER BY id", [token.description]) {
                KeyRecord(
                    id: $0["id"], url: catalog.opened($0["url"]),
                    sealed: $0["sealed"],
                    digest: $0["digest"], format: $0["format"],
                    identifier: $0["identifier"],
                    contentType: $0["content_type"], system: $0["system"], method: $0["method"],
                    renewAt: ($0["renew_at"] as Int64?).map(Timestamp.init))
            }
        }
    }
}

extension RenditionRecord {
    package init(_ row: any SQLRow) throws {
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
