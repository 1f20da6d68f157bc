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
        try wasThere([token]).contains(token)
    }

    /// The assets among some that have existed. Each query reads a whole table, so it is for many of them.
    package func wasThere(_ tokens: [AssetToken]) throws(StoreError) -> Set<AssetToken> {
        try read { session in
            var found: Set<AssetToken> = []
            for start in stride(from: 0, to: tokens.count, by: Self.most) {
                let list = SQLList(Array(tokens[start..<min(start + Self.most, tokens.count)]))
                for table in ["event WHERE kind = 'removed' AND", "address WHERE"] {
                    found.formUnion(
                        try session.tokens(
                            "SELECT asset FROM \(table) asset IN (\(list.marks))", list.arguments))
                }
            }
            return found
        }
    }

    /// How many assets one query asks for: SQLite takes 32,766 values.
    private static let most = 8192
}
