/// The nodes that share a catalog, and the assets that each of them works on. Only PostgreSQL has these tables; all
/// times are the server's.
package struct LeaseTable: CatalogTable {
    package let catalog: Catalog

    /// The time after its last sign of life for which a node counts as alive.
    package static let life: Duration = .seconds(10)

    private static let end = "now() + make_interval(secs => \(life.components.seconds))"
    private static let living = "SELECT id FROM node WHERE lease_until > now()"

    /// Enters a node, or renews its life and with it all of its leases.
    ///
    /// - Returns: whether it was alive until now. A node that was not has lost its leases, or may have.
    @discardableResult
    package func renew(_ node: String, at url: String) throws(StoreError) -> Bool {
        try write(.assets([])) { session in
            let wasAlive = try session.hasRow("\(Self.living) AND id = ? FOR UPDATE", [node])
            try session.execute(
                """
                INSERT INTO node (id, url, lease_until) VALUES (?, ?, \(Self.end))
                ON CONFLICT (id) DO UPDATE SET url = excluded.url, lease_until = excluded.lease_until
                """, [node, url])
            return wasAlive
        }
    }

    /// Takes over the next assets of the queue that no living node works on.
    package func claim(_ limit: Int, for node: String) throws(StoreError) -> [Lease] {
        try write(.assets([])) { session in
            try session.rows(
                """
                WITH free AS (
                    SELECT token FROM asset WHERE state = 'queued' AND reason = 'slot'
                        AND (owner IS NULL OR owner NOT IN (\(Self.living)))
                    ORDER BY priority DESC, token LIMIT ? FOR NO KEY UPDATE SKIP LOCKED)
                UPDATE asset SET owner = ?, epoch = epoch + 1 FROM free WHERE asset.token = free.token
                RETURNING asset.token, epoch
                """, [limit, node]
            ) { row in
                AssetToken(row[0] as String).map { Lease(token: $0, node: node, epoch: row[1]) }
            }.compactMap(\.self)
        }
    }

    /// Takes over an asset.
    ///
    /// - Returns: `nil` if there is no such asset, or if another living node works on it.
    package func claim(_ token: AssetToken, for node: String) throws(StoreError) -> Lease? {
        try write(.asset(token)) { session in
            let epoch: Int64? = try session.value(
                """
                UPDATE asset SET owner = ?1, epoch = epoch + 1
                WHERE token = ?2 AND (owner IS NULL OR owner = ?1 OR owner NOT IN (\(Self.living)))
                RETURNING epoch
                """, [node, token.description])
            return epoch.map { Lease(token: token, node: node, epoch: $0) }
        }
    }

    /// Releases an asset; if another node has taken it over, nothing changes.
    package func release(_ lease: Lease) throws(StoreError) {
        try write(.asset(lease.token)) { session in
            try session.execute(
                "UPDATE asset SET owner = NULL WHERE token = ? AND owner = ? AND epoch = ?",
                [lease.token.description, lease.node, lease.epoch])
        }
    }

    /// All nodes, the owner of the store first; none if the catalog is not shared.
    package func nodes() throws(StoreError) -> [NodeRecord] {
        try read { session in
            guard session.dialect == .postgres else { return [] }
            let nodes = try session.rows("\(NodeRows.columns) ORDER BY since, node.id") { row in
                NodeRecord(
                    id: row[0], url: row[1],
                    role: NodeRecord.Role(isAlive: row[5], isOwner: row[6], isDraining: row[2]),
                    since: Timestamp(milliseconds: row[3]), leaseUntil: Timestamp(milliseconds: row[4]))
            }
            return nodes.filter { $0.role != .standby && $0.role != .gone }
                + nodes.filter { $0.role == .standby } + nodes.filter { $0.role == .gone }
        }
    }

    /// The living node that works on an asset, and its URL.
    package func owner(of token: AssetToken) throws(StoreError) -> (node: String, url: String)? {
        try read { session in
            try session.first(
                """
                SELECT id, url FROM asset JOIN node ON id = owner WHERE token = ? AND lease_until > now()
                """, [token.description]
            ) { (node: $0[0], url: $0[1]) }
        }
    }
}

extension Catalog {
    /// Nodes, and the assets that each of them works on.
    package var leases: LeaseTable { LeaseTable(catalog: self) }
}
