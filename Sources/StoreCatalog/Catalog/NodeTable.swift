/// The nodes that share a catalog. Only PostgreSQL has this table.
package struct NodeTable: CatalogTable {
    package let catalog: Catalog

    /// All nodes, the owner of the store first; none if the catalog is not shared.
    package func all() throws(StoreError) -> [NodeRecord] {
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
}

extension Catalog {
    /// The nodes that share the catalog.
    package var nodes: NodeTable { NodeTable(catalog: self) }
}
