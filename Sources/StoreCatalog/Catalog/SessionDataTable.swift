internal import FoundationEssentials
package import GRDB
package import HLSPlaylist

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

package struct SessionDataTable: CatalogTable {
    package let catalog: Catalog

    package static func insert(_ data: [SessionDataRecord], of token: AssetToken, _ database: Database) throws
    {
        for item in data {
            try database.execute(
                sql: "INSERT OR REPLACE INTO session_data (asset, number, json, body) VALUES (?, ?, ?, ?)",
                arguments: [token.description, item.number, item.isJSON, Data(item.body)])
        }
    }

    /// One item of an asset's session data.
    package func item(of token: AssetToken, _ number: Int) throws(StoreError) -> SessionDataRecord? {
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
    package func sessionDataNumbers(of token: AssetToken) throws(StoreError) -> Set<Int> {
        try read { database in
            Set(
                try Int.fetchAll(
                    try database.cachedStatement(sql: "SELECT number FROM session_data WHERE asset = ?"),
                    arguments: [token.description]))
        }
    }
}

// MARK: - When the multivariant playlist is replaced

/// The identity of an item of session data, and how it is read (RFC 8216bis, section 4.4.6.4).
package struct SessionDataIdentity: Equatable {
    package var dataID: String
    package var language: String?
    package var format: String
    var hasURI: Bool

    package init(_ item: SessionData) {
        (dataID, language, format) = (item.dataID, item.language, item.format)
        hasURI = item.uri != nil
    }
}

extension SessionDataTable {
    /// The session data that the stored multivariant playlist of an asset lists, in order.
    static func listedSessionData(
        of token: AssetToken, _ database: Database
    ) throws -> [SessionDataIdentity] {
        let row = try Row.fetchOne(
            database, sql: "SELECT url, body FROM source_playlist WHERE asset = ? AND rendition = ''",
            arguments: [token.description])
        guard let row else { return [] }
        let url: String = row["url"]
        let body = [UInt8](row["body"] as Data)
        let context = VariableContext(playlistURL: url)
        guard case .multivariant(let list)? = try? Playlist(parsing: body, context: context) else {
            return []
        }
        return list.sessionData.map(SessionDataIdentity.init)
    }

    /// Deletes the session data in whose places the playlist lists others now. What is not stored is not served.
    static func dropSessionData(
        listedOtherwiseThan former: [SessionDataIdentity], of token: AssetToken, _ database: Database
    ) throws {
        let listed = try listedSessionData(of: token, database)
        guard listed != former else { return }
        let kept = zip(former, listed).map { $0 == $1 }
        let numbers = try Int.fetchAll(
            database, sql: "SELECT number FROM session_data WHERE asset = ?", arguments: [token.description])
        for number in numbers where !kept.indices.contains(number) || !kept[number] {
            try database.execute(
                sql: "DELETE FROM session_data WHERE asset = ? AND number = ?",
                arguments: [token.description, number])
        }
    }
}
