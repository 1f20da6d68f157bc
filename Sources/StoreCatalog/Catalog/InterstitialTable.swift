internal import FoundationEssentials
package import GRDB

extension CatalogSchema {
    /// The stored places of an asset's interstitials, and the assets that were made for them.
    static let interstitials = """
        CREATE TABLE interstitial (
            asset TEXT NOT NULL REFERENCES asset ON DELETE CASCADE,
            number INTEGER NOT NULL,
            address TEXT NOT NULL,
            child TEXT,
            list BLOB,
            PRIMARY KEY (asset, number)
        ) WITHOUT ROWID;
        CREATE TABLE interstitial_asset (
            asset TEXT NOT NULL REFERENCES asset ON DELETE CASCADE,
            child TEXT NOT NULL,
            PRIMARY KEY (asset, child)
        ) WITHOUT ROWID;
        """
}

package struct InterstitialTable: CatalogTable {
    package let catalog: Catalog

    package static func insert(
        _ records: [InterstitialRecord], assets: [AssetToken], of token: AssetToken, _ database: Database
    ) throws {
        for record in records {
            try database.execute(
                sql: """
                    INSERT OR REPLACE INTO interstitial (asset, number, address, child, list)
                    VALUES (?, ?, sealed_address(?), ?, ?)
                    """,
                arguments: [
                    token.description, record.number, record.address, record.asset?.description,
                    record.list.map { Data($0) },
                ])
        }
        for asset in assets {
            try database.execute(
                sql: "INSERT OR REPLACE INTO interstitial_asset (asset, child) VALUES (?, ?)",
                arguments: [token.description, asset.description])
        }
    }

    /// Has the assets that were made for interstitials wait for their turns, or for a `resume`, with what names them.
    package func admit(
        _ assets: [AssetToken], as next: AssetState, at now: Timestamp, _ database: Database
    ) throws {
        for token in assets {
            let state = try String.fetchOne(
                database, sql: "SELECT state FROM asset WHERE token = ?", arguments: [token.description])
            guard state == AssetState.resolving.rawValue else { continue }
            let change = AssetChange(token: token, from: .resolving, to: next)
            try catalog.assets.write(
                change, TransitionDetail(reason: RenditionTable.reasons[next], now: now), database)
        }
    }

    /// The stored interstitials of an asset, without those whose asset was removed.
    package func all(of token: AssetToken) throws(StoreError) -> [InterstitialRecord] {
        try read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT * FROM interstitial WHERE asset = ?
                        AND (child IS NULL OR EXISTS (SELECT 1 FROM asset WHERE token = child))
                    ORDER BY number
                    """)
            return try Row.fetchAll(statement, arguments: [token.description]).map { row in
                InterstitialRecord(
                    number: row["number"], address: catalog.opened(row["address"]),
                    asset: (row["child"] as String?).flatMap { AssetToken($0) },
                    list: (row["list"] as Data?).map { [UInt8]($0) })
            }
        }
    }

    /// The assets that were made for the interstitials of others.
    package func interstitialAssets(of tokens: [AssetToken]) throws(StoreError) -> [AssetToken] {
        try read { database in
            guard try Row.fetchOne(database, sql: "SELECT 1 FROM interstitial_asset LIMIT 1") != nil else {
                return []
            }
            let statement = try database.cachedStatement(
                sql: "SELECT child FROM interstitial_asset WHERE asset = ?")
            return try tokens.flatMap { token in
                try String.fetchAll(statement, arguments: [token.description]).compactMap { AssetToken($0) }
            }
        }
    }

    /// Enters interstitials that came up while an asset is recorded: its playlists name them from now on.
    package func add(
        _ records: [InterstitialRecord], assets: [AssetToken], to token: AssetToken, at now: Timestamp
    ) throws(StoreError) {
        try write { database in
            try Self.insert(records, assets: assets, of: token, database)
            try admit(assets, as: .queued, at: now, database)
            try database.execute(
                sql: "UPDATE recorded_rendition SET pieces = pieces + 1 WHERE asset = ?",
                arguments: [token.description])
        }
    }
}
