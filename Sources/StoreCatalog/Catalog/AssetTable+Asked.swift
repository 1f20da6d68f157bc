internal import FoundationEssentials
package import GRDB

extension AssetTable {
    /// The request of an asset, without secrets; `nil` for an asset that an older version entered.
    package func asked(of token: AssetToken) throws(StoreError) -> AssetRequest? {
        try read { database in
            try String.fetchOne(
                database, sql: "SELECT body FROM asked WHERE asset = ?", arguments: [token.description]
            ).map { try JSONText.decode(AssetRequest.self, $0) }
        }
    }

    /// The asset that a client has asked for under a name.
    ///
    /// - Throws: `clientIDTaken` when what it asked for was something else.
    package func asset(ofClient id: String, _ digest: [UInt8]) throws(StoreError) -> AssetToken? {
        try read { database in try Self.asset(ofClient: id, digest, database) }
    }

    package static func asset(ofClient id: String, _ digest: [UInt8], _ database: Database) throws
        -> AssetToken?
    {
        let statement = try database.cachedStatement(
            sql: "SELECT token, client_digest FROM asset WHERE client_id = ?")
        guard let row = try Row.fetchOne(statement, arguments: [id]), let token = AssetToken(row[0] as String)
        else { return nil }
        guard (row[1] as Data?) == Data(digest) else { throw StoreError(.clientIDTaken(id, token)) }
        return token
    }

    /// Assets that were removed after an event, the last one first.
    package func removed(since event: Int64) throws(StoreError) -> [AssetToken] {
        try read { database in
            try String.fetchAll(
                database,
                sql: """
                    SELECT asset FROM event WHERE id > ? AND kind = 'removed'
                        AND asset NOT IN (SELECT token FROM asset)
                    GROUP BY asset ORDER BY max(id) DESC
                    """, arguments: [event]
            ).compactMap { AssetToken($0) }
        }
    }

    /// Whether an asset of this name was there once.
    package func wasThere(_ token: AssetToken) throws(StoreError) -> Bool {
        try read { database in
            try Bool.fetchOne(
                database,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM event WHERE asset = ?1 AND kind = 'removed')
                        OR EXISTS (SELECT 1 FROM address WHERE asset = ?1)
                    """, arguments: [token.description]) ?? false
        }
    }
}
