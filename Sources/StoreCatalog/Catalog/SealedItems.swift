package import SystemPackage

/// An item that is sealed with the store key.
package struct SealedItem: Sendable {
    /// The asset that it belongs to.
    package var token: AssetToken
    /// The sealed bytes; empty for a content key that is not stored.
    package var bytes: [UInt8]
    /// The purpose for which `KeyVault` sealed it.
    package var purpose: String
    /// Whether it is the data of a key system, which an asset may do without.
    package var isBlob = false
    /// The key identifier (KID) that the media have for a content key that was given by it.
    var identifier: [UInt8]?
}

package struct SealedItems: CatalogTable {
    package let catalog: Catalog

    /// Whether content keys or waiting requests are sealed with the store key, or digests of content keys were made
    /// with it, with which later keys are compared. Other uses of the key do not prevent work: without the digest of
    /// its address an asset is added once more, and an asset with header fields can be downloaded anew.
    package func needsStoreKey() throws(StoreError) -> Bool {
        try read { session in
            try session.value(
                """
                SELECT EXISTS (SELECT 1 FROM content_key WHERE sealed IS NOT NULL OR digest IS NOT NULL)
                    OR EXISTS (SELECT 1 FROM request)
                """) ?? false
        }
    }

    /// Sealed items on which to try a store key, the newest and the oldest: an earlier version made a new key when
    /// one was lost, so that it may open only later items. Empty if nothing is sealed.
    func sealedSamples() throws(StoreError) -> [SealedItem] {
        let lists = [Self.storedKeys, Self.waitingRequests].map { "\($0) ORDER BY asset" }
        let ends = lists.flatMap { ["\($0) DESC LIMIT 1", "\($0) LIMIT 1"] }
        let query = ends.enumerated().map { "SELECT * FROM (\($1)) AS end\($0)" }.joined(
            separator: " UNION ALL ")
        return try read { session in try Self.sealedItems(session, query) }
    }

    /// All content keys that are stored.
    package func sealedKeys() throws(StoreError) -> [SealedItem] {
        try read { session in try Self.sealedItems(session, "\(Self.storedKeys) ORDER BY asset") }
    }

    /// The content keys of some assets, including those that are not stored.
    func contentKeys(of tokens: [AssetToken]) throws(StoreError) -> [SealedItem] {
        try read { session in try Self.contentKeys(of: tokens, session) }
    }

    static func contentKeys(
        of tokens: [AssetToken], _ session: any SQLSession
    ) throws -> [SealedItem] {
        let list = SQLList(tokens)
        return try sealedItems(
            session,
            "SELECT asset, id, sealed, format, identifier FROM content_key WHERE asset IN (\(list.marks))",
            arguments: list.arguments)
    }

    private static let storedKeys =
        "SELECT asset, id, sealed, format FROM content_key WHERE sealed IS NOT NULL"
    private static let waitingRequests =
        "SELECT asset, NULL AS id, sealed, NULL AS format FROM request"

    private static func sealedItems(
        _ session: any SQLSession, _ query: String, arguments: SQLArguments = []
    ) throws -> [SealedItem] {
        try session.rows(query, arguments) { row -> SealedItem? in
            guard let token = AssetToken(row["asset"] as String) else { return nil }
            let id: String? = row["id"]
            let format: String? = row["format"]
            return SealedItem(
                token: token, bytes: row["sealed"] ?? [],
                purpose: id.map { KeyVault.purpose(ofKey: $0, token) }
                    ?? KeyVault.purpose(ofRequestFor: token), isBlob: format != nil,
                identifier: (row["identifier"] as [UInt8]?).flatMap {
                    $0 == id.map { Array($0.utf8) } ? nil : $0
                })
        }.compactMap(\.self)
    }
}

// MARK: - When the store's key is lost

extension SealedItems {
    /// All requests that wait to be looked into.
    package func sealedRequests() throws(StoreError) -> [SealedItem] {
        try read { session in try Self.sealedItems(session, Self.waitingRequests) }
    }

    /// Removes content keys that can't be opened.
    ///
    /// - Parameter andDigests: whether to remove the digests of wiped keys, too.
    package func giveUp(_ keys: [SealedItem], andDigests: Bool) throws(StoreError) {
        try write(.assets(keys.map(\.token))) { session in
            for item in keys {
                try session.execute(
                    "UPDATE content_key SET sealed = NULL, digest = NULL WHERE asset = ? AND sealed = ?",
                    [item.token.description, item.bytes])
            }
            guard andDigests else { return }
            try session.execute("UPDATE content_key SET digest = NULL WHERE sealed IS NULL")
        }
    }

    /// How many content keys were wiped, and are known by their digests.
    package func digestsOfWiped() throws(StoreError) -> Int {
        try read { session in
            try session.value("SELECT count(*) FROM content_key WHERE sealed IS NULL AND digest IS NOT NULL")
                ?? 0
        }
    }

    /// Makes a durable copy of all of it, for its owner alone.
    package func copy(to path: FilePath) throws(StoreError) {
        let growing = FilePath("\(path).tmp")
        try DurableWrite.write([], to: growing)
        do throws(StoreError) {
            try catalog.copy(to: growing)
            try FileSystem.syncFile(growing)
            try FileSystem.rename(growing, to: path)
            try FileSystem.syncDirectory(path.parent)
        } catch {
            try? FileSystem.unlink(growing)
            throw error
        }
    }
}
