extension AssetTable {
    /// The request of an asset, without secrets; `nil` for an asset that an older version entered.
    package func asked(of token: AssetToken) throws(StoreError) -> AssetRequest? {
        try read { session in
            try session.first("SELECT body FROM asked WHERE asset = ?", [token.description]) { row in
                try JSONText.decode(AssetRequest.self, row[0])
            }
        }
    }

    /// The asset of a client's request with this ID.
    ///
    /// - Throws: `clientIDTaken` if that request was a different one.
    package func asset(ofClient id: String, _ digest: [UInt8]) throws(StoreError) -> AssetToken? {
        try read { session in try Self.asset(ofClient: id, digest, session) }
    }

    package static func asset(ofClient id: String, _ digest: [UInt8], _ session: any SQLSession) throws
        -> AssetToken?
    {
        let known = try session.first("SELECT token, client_digest FROM asset WHERE client_id = ?", [id]) {
            row in
            (token: AssetToken(row[0] as String), digest: row[1] as [UInt8]?)
        }
        guard let known, let token = known.token else { return nil }
        guard known.digest == digest else { throw StoreError(.clientIDTaken(id, token)) }
        return token
    }

    /// Assets that were removed after an event, the last one first.
    package func removed(since event: Int64) throws(StoreError) -> [AssetToken] {
        try read { session in
            try session.tokens(
                """
                SELECT asset FROM event WHERE id > ? AND kind = 'removed'
                    AND asset NOT IN (SELECT token FROM asset)
                GROUP BY asset ORDER BY max(id) DESC
                """, [event])
        }
    }

    /// Whether an asset with this token has existed.
    package func wasThere(_ token: AssetToken) throws(StoreError) -> Bool {
        try read { session in
            try session.value(
                """
                SELECT EXISTS (SELECT 1 FROM event WHERE asset = ?1 AND kind = 'removed')
                    OR EXISTS (SELECT 1 FROM address WHERE asset = ?1)
                """, [token.description]) as Bool? ?? false
        }
    }
}
