internal import FoundationEssentials
internal import GRDB

/// Something that is sealed with the store's key.
struct SealedItem: Sendable {
    /// The asset that it belongs to.
    var token: AssetToken
    var bytes: [UInt8]
    /// What it was sealed for, as `KeyVault` has it.
    var purpose: String
}

extension Catalog {
    /// Whether content keys or waiting requests are sealed with the store's key, or content keys were digested with it so as
    /// to be compared with what comes later. Nothing else keeps a store closed that could play: without the digest of its
    /// address an asset is made once more, and one that is to be fetched again can be linked anew with its header fields.
    func needsStoreKey() throws(StoreError) -> Bool {
        try read { database in
            try Bool.fetchOne(
                database,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM content_key WHERE sealed IS NOT NULL OR digest IS NOT NULL)
                        OR EXISTS (SELECT 1 FROM request)
                    """)
        } ?? false
    }

    /// Something to try a store's key on, the newest and the oldest of it: an earlier version made a new key where one was lost,
    /// so that it may open only what came later. Empty when nothing is sealed.
    func sealedSamples() throws(StoreError) -> [SealedItem] {
        let keys = "SELECT asset, id, sealed FROM content_key WHERE sealed IS NOT NULL ORDER BY asset"
        let requests = "SELECT asset, NULL AS id, sealed FROM request ORDER BY asset"
        let ends = [keys, requests].flatMap { ["\($0) DESC LIMIT 1", "\($0) LIMIT 1"] }
        let query = ends.map { "SELECT * FROM (\($0))" }.joined(separator: " UNION ALL ")
        return try read { database in try Self.sealedItems(database, query) }
    }

    /// All content keys that are stored.
    func sealedKeys() throws(StoreError) -> [SealedItem] {
        try read { database in
            try Self.sealedItems(
                database, "SELECT asset, id, sealed FROM content_key WHERE sealed IS NOT NULL ORDER BY asset")
        }
    }

    private static func sealedItems(_ database: Database, _ query: String) throws -> [SealedItem] {
        try Row.fetchAll(database, sql: query).compactMap { row -> SealedItem? in
            guard let token = AssetToken(row["asset"] as String) else { return nil }
            let id: String? = row["id"]
            return SealedItem(
                token: token, bytes: [UInt8](row["sealed"] as Data),
                purpose: id.map { KeyVault.purpose(ofKey: $0, token) }
                    ?? KeyVault.purpose(ofRequestFor: token))
        }
    }
}

// MARK: - When the store's key is lost

extension Catalog {
    /// Forgets what can't be opened.
    ///
    /// - Parameter isTrial: whether it is only counted.
    func giveUp(isTrial: Bool, opens: (SealedItem) -> Bool) throws(StoreError) -> LostStoreKey {
        try write { database in
            var lost = LostStoreKey()
            lost.keys = try Self.giveUpKeys(database, isTrial, opens)
            let requests = try Self.sealedItems(database, "SELECT asset, NULL AS id, sealed FROM request")
                .filter { !opens($0) }
            let accesses = try Self.sealedAccesses(database).filter { !opens($0) }
            (lost.requests, lost.accesses) = (requests.count, accesses.count)
            guard !isTrial else { return lost }
            for item in requests {
                try database.execute(
                    sql: "DELETE FROM asset WHERE token = ?", arguments: [item.token.description])
            }
            for item in accesses {
                try database.execute(
                    sql: "UPDATE asset SET access = NULL WHERE token = ?", arguments: [item.token.description]
                )
            }
            return lost
        }
    }

    /// Content keys that can't be opened, and what tells those that were wiped from others, which nothing can be compared
    /// with any more.
    private static func giveUpKeys(
        _ database: Database, _ isTrial: Bool, _ opens: (SealedItem) -> Bool
    ) throws -> Int {
        let items = try sealedItems(
            database, "SELECT asset, id, sealed FROM content_key WHERE sealed IS NOT NULL")
        let lost = items.filter { !opens($0) }
        let hasNone = lost.count == items.count
        guard !isTrial else { return lost.count }
        for item in lost {
            try database.execute(
                sql: "UPDATE content_key SET sealed = NULL, digest = NULL WHERE asset = ? AND sealed = ?",
                arguments: [item.token.description, Data(item.bytes)])
        }
        if hasNone {
            try database.execute(sql: "UPDATE content_key SET digest = NULL WHERE sealed IS NULL")
        }
        return lost.count
    }

    private static func sealedAccesses(_ database: Database) throws -> [SealedItem] {
        try Row.fetchAll(database, sql: "SELECT token, access FROM asset WHERE access IS NOT NULL")
            .compactMap { row -> SealedItem? in
                guard let token = AssetToken(row["token"] as String) else { return nil }
                return SealedItem(
                    token: token, bytes: [UInt8](row["access"] as Data),
                    purpose: KeyVault.purpose(ofAccessFor: token))
            }
    }
}
