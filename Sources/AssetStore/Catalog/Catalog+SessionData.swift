internal import FoundationEssentials
internal import GRDB

extension CatalogSchema {
    static let sessionData = """
        CREATE TABLE session_data (
            asset TEXT NOT NULL REFERENCES asset ON DELETE CASCADE,
            number INTEGER NOT NULL,
            json INTEGER NOT NULL,
            body BLOB NOT NULL,
            PRIMARY KEY (asset, number)
        ) WITHOUT ROWID;
        """
}

extension Catalog {
    static func insert(_ data: [SessionDataRecord], of token: AssetToken, _ database: Database) throws {
        for item in data {
            try database.execute(
                sql: "INSERT OR REPLACE INTO session_data (asset, number, json, body) VALUES (?, ?, ?, ?)",
                arguments: [token.description, item.number, item.isJSON, Data(item.body)])
        }
    }

    /// One item of an asset's session data.
    func sessionData(of token: AssetToken, _ number: Int) throws(StoreError) -> SessionDataRecord? {
        try read { database in
            try Row.fetchOne(
                database, sql: "SELECT json, body FROM session_data WHERE asset = ? AND number = ?",
                arguments: [token.description, number]
            ).map { row in
                SessionDataRecord(number: number, isJSON: row["json"], body: [UInt8](row["body"] as Data))
            }
        }
    }

    /// The numbers of the session data that are stored of an asset.
    func sessionDataNumbers(of token: AssetToken) throws(StoreError) -> Set<Int> {
        try read { database in
            Set(
                try Int.fetchAll(
                    try database.cachedStatement(sql: "SELECT number FROM session_data WHERE asset = ?"),
                    arguments: [token.description]))
        }
    }
}
