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

    package static func insert(_ data: [SessionDataRecord], of token: AssetToken, _ session: any SQLSession)
        throws
    {
        for item in data {
            try session.execute(replace, [token.description, item.number, item.isJSON, item.body])
        }
    }

    private static let replace = SQLText.replacing(
        in: "session_data", ["asset", "number", "json", "body"], key: 2)

    /// One item of an asset's session data.
    package func item(of token: AssetToken, _ number: Int) throws(StoreError) -> SessionDataRecord? {
        try read { session in
            try session.first(
                "SELECT json, body FROM session_data WHERE asset = ? AND number = ?",
                [token.description, number]
            ) { row in
                SessionDataRecord(number: number, isJSON: row["json"], body: row["body"] as [UInt8])
            }
        }
    }

    /// The numbers of the session data that are stored of an asset.
    package func sessionDataNumbers(of token: AssetToken) throws(StoreError) -> Set<Int> {
        try read { session in
            Set(try session.values("SELECT number FROM session_data WHERE asset = ?", [token.description]))
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
    /// The session data that the multivariant playlist of an asset lists, in order; those with a VALUE, too.
    package func listed(of token: AssetToken) throws(StoreError) -> [SessionDataIdentity] {
        try read { session in try Self.listedSessionData(of: token, session) }
    }

    /// The session data that the stored multivariant playlist of an asset lists, in order.
    static func listedSessionData(
        of token: AssetToken, _ session: any SQLSession
    ) throws -> [SessionDataIdentity] {
        try session.first(
            "SELECT url, body FROM source_playlist WHERE asset = ? AND rendition = ''", [token.description]
        ) { row in
            let context = VariableContext(playlistURL: row[0])
            guard case .multivariant(let list)? = try? Playlist(parsing: row[1] as [UInt8], context: context)
            else {
                return []
            }
            return list.sessionData.map(SessionDataIdentity.init)
        } ?? []
    }

    /// Deletes the session data whose positions in the playlist have other data now. Session data that are not stored
    /// are not served.
    static func dropSessionData(
        listedOtherwiseThan former: [SessionDataIdentity], of token: AssetToken, _ session: any SQLSession
    ) throws {
        let kept = zip(former, try listedSessionData(of: token, session)).map { $0 == $1 }
        let numbers: [Int] = try session.values(
            "SELECT number FROM session_data WHERE asset = ?", [token.description])
        for number in numbers where !kept.indices.contains(number) || !kept[number] {
            try session.execute(
                "DELETE FROM session_data WHERE asset = ? AND number = ?", [token.description, number])
        }
    }
}
