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
        _ records: [InterstitialRecord], assets: [AssetToken], of token: AssetToken, _ session: any SQLSession
    ) throws {
        for record in records {
            try session.execute(
                replace,
                [
                    token.description, record.number, try session.seal.sealed(address: record.address),
                    record.asset?.description, record.list,
                ])
        }
        for asset in assets {
            try session.execute(addAsset, [token.description, asset.description])
        }
    }

    private static let replace = SQLText.replacing(
        in: "interstitial", ["asset", "number", "address", "child", "list"], key: 2)
    private static let addAsset = SQLText.adding(to: "interstitial_asset", ["asset", "child"], key: 2)

    /// Lets the assets of interstitials wait for their turns, or for a `resume`, like the asset that names them.
    package func admit(
        _ assets: [AssetToken], as next: AssetState, at now: Timestamp, _ session: any SQLSession
    ) throws {
        for token in assets {
            let state: String? = try session.value(
                "SELECT state FROM asset WHERE token = ?", [token.description])
            guard state == AssetState.resolving.rawValue else { continue }
            let change = AssetChange(token: token, from: .resolving, to: next)
            try catalog.assets.write(
                change, TransitionDetail(reason: RenditionTable.reasons[next], now: now), in: session)
        }
    }

    /// The stored interstitials of an asset, without those whose asset was removed.
    package func all(of token: AssetToken) throws(StoreError) -> [InterstitialRecord] {
        try read { session in
            try session.rows(
                """
                SELECT * FROM interstitial WHERE asset = ?
                    AND (child IS NULL OR EXISTS (SELECT 1 FROM asset WHERE token = child))
                ORDER BY number
                """, [token.description]
            ) { row in
                InterstitialRecord(
                    number: row["number"], address: catalog.opened(row["address"]),
                    asset: (row["child"] as String?).flatMap { AssetToken($0) },
                    list: row["list"])
            }
        }
    }

    /// The assets that were made for the interstitials of others.
    package func interstitialAssets(of tokens: [AssetToken]) throws(StoreError) -> [AssetToken] {
        try read { session in
            guard try session.hasRow("SELECT 1 FROM interstitial_asset LIMIT 1") else { return [] }
            return try tokens.flatMap { token in
                try session.tokens(
                    "SELECT child FROM interstitial_asset WHERE asset = ?", [token.description])
            }
        }
    }

    /// Enters interstitials that came up while an asset is recorded: its playlists name them from now on.
    package func add(
        _ records: [InterstitialRecord], assets: [AssetToken], to token: AssetToken, at now: Timestamp
    ) throws(StoreError) {
        try write(.assets([token] + assets)) { session in
            try Self.insert(records, assets: assets, of: token, session)
            try admit(assets, as: .queued, at: now, session)
            try session.execute(
                "UPDATE recorded_rendition SET pieces = pieces + 1 WHERE asset = ?", [token.description])
        }
    }
}
