/// An asset to be entered before its playlists are read.
package struct NewAsset: Sendable {
    package var record: AssetRecord
    /// `AssetRequest` as the vault sealed it.
    package var request: [UInt8]

    package init(record: AssetRecord, request: [UInt8]) {
        self.record = record
        self.request = request
    }
}

/// An asset of the queue, with the facts that decide its position.
package struct QueueEntry: Sendable {
    package var token: AssetToken
    package var priority: Int
    /// Whether its playlists have not been read yet.
    package var isUnresolved: Bool

    package init(token: AssetToken, priority: Int, isUnresolved: Bool) {
        self.token = token
        self.priority = priority
        self.isUnresolved = isUnresolved
    }

    /// Whether one comes before another: the highest priority first, then the oldest.
    package static func < (left: Self, right: Self) -> Bool {
        left.priority != right.priority ? left.priority > right.priority : left.token < right.token
    }
}

/// The outcome of entering a list of requests.
package struct Enqueued: Sendable {
    /// The new assets, in the order of the list, which is that of the queue.
    package var tokens: [AssetToken] = []
    /// How many of the list are in the store or on their way.
    package var ready = 0
    /// For new assets with an address that was used before: the older asset.
    package var existing: [AssetToken: AssetToken] = [:]
    /// Those of `tokens` whose client has sent the same request before, by its client ID.
    package var repeated: Set<AssetToken> = []

    /// Makes an empty result.
    package init() {}
}

package struct QueueTable: CatalogTable {
    package let catalog: Catalog

    /// Enters requests in one transaction.
    ///
    /// - Parameter next: how many of the list are to exist; later ones are not entered, nor are those whose address
    ///   has had an asset. `nil` enters all.
    /// - Returns: the entered assets, and how many of the list exist then.
    package func enqueue(_ assets: [NewAsset], next: Int? = nil) throws(StoreError) -> Enqueued {
        let names = assets.flatMap { asset in
            [asset.record.address, asset.record.clientID.map { Array($0.utf8) }].compactMap(\.self)
        }
        return try write(.names(names)) { session in
            var enqueued = Enqueued()
            for asset in assets where enqueued.ready < next ?? .max {
                let (id, digest) = (asset.record.clientID, asset.record.clientDigest ?? [])
                if let id, let known = try AssetTable.asset(ofClient: id, digest, session) {
                    enqueued.tokens.append(known)
                    enqueued.repeated.insert(known)
                } else if next != nil, let known = try Self.presence(of: asset.record.address, session) {
                    enqueued.ready += known ? 1 : 0
                } else {
                    enqueued.existing[asset.record.token] = try Self.asset(of: asset.record.address, session)
                    try enter(asset, session)
                    enqueued.ready += 1
                    enqueued.tokens.append(asset.record.token)
                }
            }
            return enqueued
        }
    }

    private func enter(_ asset: NewAsset, _ session: any SQLSession) throws {
        let record = asset.record
        try AssetTable.insert(record, session)
        try session.execute(
            "INSERT INTO request (asset, sealed) VALUES (?, ?)", [record.token.description, asset.request])
        session.record(
            AssetEvent(
                id: 0, at: record.requestedAt, token: record.token, kind: .added,
                state: record.state, reason: record.reason))
    }

    /// The newest existing asset with an address, by its digest.
    package func asset(ofAddress digest: [UInt8]) throws(StoreError) -> AssetToken? {
        try read { session in try Self.asset(of: digest, session) }
    }

    private static func asset(of address: [UInt8]?, _ session: any SQLSession) throws -> AssetToken? {
        guard let address else { return nil }
        return try session.tokens(
            """
            SELECT token FROM address JOIN asset ON token = address.asset
            WHERE digest = ? AND state != 'removing' ORDER BY address.asset DESC LIMIT 1
            """, [address]
        ).first
    }

    /// Whether an asset with an address exists or is on its way; `nil` if there never was one.
    private static func presence(of address: [UInt8]?, _ session: any SQLSession) throws -> Bool? {
        guard let address else { return nil }
        return try session.value(
            """
            SELECT max(CASE WHEN EXISTS (SELECT 1 FROM asset WHERE token = address.asset
                AND state NOT IN ('cancelled', 'failed', 'removing')) THEN 1 ELSE 0 END)
            FROM address WHERE digest = ?
            """, [address])
    }

    /// The sealed request of an asset; `nil` once its playlists have been read.
    package func request(of token: AssetToken) throws(StoreError) -> [UInt8]? {
        try read { session in
            try session.value("SELECT sealed FROM request WHERE asset = ?", [token.description])
        }
    }

    /// Whether the playlists of an asset have not been read yet.
    package func isUnresolved(_ token: AssetToken) throws(StoreError) -> Bool {
        try read { session in try Self.isUnresolved(token, session) }
    }

    package static func isUnresolved(_ token: AssetToken, _ session: any SQLSession) throws -> Bool {
        try session.hasRow("SELECT 1 FROM request WHERE asset = ?", [token.description])
    }

    /// The next assets of the queue: the highest priority first, then the oldest.
    package func entries(limit: Int) throws(StoreError) -> [QueueEntry] {
        try read { session in
            try session.rows(
                """
                SELECT token, priority, EXISTS (SELECT 1 FROM request WHERE asset = token) FROM asset
                WHERE state = 'queued' AND reason = 'slot' ORDER BY priority DESC, token LIMIT ?
                """, [limit]
            ) { row in
                AssetToken(row[0] as String).map {
                    QueueEntry(token: $0, priority: row[1], isUnresolved: row[2])
                }
            }.compactMap(\.self)
        }
    }

    /// Queued assets that wait for something other than a slot, the oldest first.
    ///
    /// - Parameter other: returns only assets that are newer than this one.
    package func waiting(for reason: WaitReason, after other: AssetToken? = nil, limit: Int)
        throws(StoreError)
        -> [AssetToken]
    {
        try read { session in
            try session.tokens(
                """
                SELECT token FROM asset WHERE state = 'queued' AND reason = ? AND token > ?
                ORDER BY token LIMIT ?
                """, [reason.rawValue, other?.description ?? "", limit])
        }
    }

    /// The assets that wait for their origin, with its address, behind another asset in the order.
    package func waitingForOrigin(
        after other: AssetToken?, limit: Int
    ) throws(StoreError) -> [(token: AssetToken, url: String)] {
        try read { session in
            try session.rows(
                """
                SELECT token, source_url FROM asset WHERE state = 'queued' AND reason = 'origin' AND token > ?
                ORDER BY token LIMIT ?
                """, [other?.description ?? "", limit]
            ) { row in
                AssetToken(row[0] as String).map { ($0, catalog.opened(row[1])) }
            }.compactMap(\.self)
        }
    }

    /// The schedules of the assets that wait for their time; `nil` for the engine's schedule.
    package func waitingSchedules() throws(StoreError) -> [Schedule?] {
        try read { session in
            try session.rows(
                "SELECT DISTINCT schedule FROM asset WHERE state = 'queued' AND reason = 'schedule'"
            ) { ($0[0] as String?).flatMap(Schedule.init) }
        }
    }

    /// The assets that wait for the same times.
    package func waiting(forScheduled schedule: Schedule?) throws(StoreError) -> [AssetToken] {
        try read { session in
            try session.tokens(
                """
                SELECT token FROM asset WHERE state = 'queued' AND reason = 'schedule'
                    AND schedule IS NOT DISTINCT FROM ?
                """, [schedule?.description])
        }
    }

    /// Queues again the assets that were running when the engine ended, or that waited for conditions which may have
    /// changed since.
    package func requeueInterrupted(at now: Timestamp) throws(StoreError) {
        let interrupted = try read { session in
            try session.tokens(
                """
                SELECT token FROM asset WHERE state = 'downloading'
                UNION ALL SELECT token FROM asset WHERE state = 'queued' AND reason IS DISTINCT FROM 'slot'
                UNION ALL SELECT token FROM asset JOIN request ON asset = token WHERE state = 'resolving'
                """)
        }
        _ = try catalog.assets.apply(.yield, to: interrupted, TransitionDetail(reason: .slot, now: now))
    }

    /// Takes a fresh address for an asset whose playlists have not been read yet.
    ///
    /// - Parameter former: see `FreshLink`.
    package func readdress(
        _ token: AssetToken, url: String, former: String?, at now: Timestamp
    ) throws(StoreError) {
        try write(.asset(token)) { session in
            guard try AddressTable.isWanted(from: former, token, session) else { return }
            try session.execute(
                "UPDATE asset SET source_url = ? WHERE token = ?",
                [try session.seal.sealed(address: url), token.description])
            session.record(AssetEvent(id: 0, at: now, token: token, kind: .changed))
        }
    }
}
