/// The data that all nodes of a store need: common secrets, and files that exist only once, such as users' pictures
/// and subtitle files. Only PostgreSQL has these tables.
package struct SharedTable: CatalogTable {
    package let catalog: Catalog

    /// A value that all nodes know.
    package func value(_ name: String) throws(StoreError) -> [UInt8]? {
        try read { session in
            try session.value("SELECT value FROM store_secret WHERE name = ?", [name]) as [UInt8]?
        }
    }

    /// Sets a value unless there is one.
    ///
    /// - Returns: the value that all nodes know from now on.
    package func settle(_ name: String, _ value: [UInt8]) throws(StoreError) -> [UInt8] {
        try write(.store) { session in
            try session.execute(
                "INSERT INTO store_secret (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING", [name, value])
            return try session.value("SELECT value FROM store_secret WHERE name = ?", [name]) ?? value
        }
    }

    /// Keeps a file of an asset's folder.
    ///
    /// - Parameter path: its path in that folder.
    package func keep(_ body: [UInt8], at path: String, of token: AssetToken) throws(StoreError) {
        try write(.asset(token)) { session in
            try session.execute(
                """
                INSERT INTO kept_file (asset, path, body) VALUES (?, ?, ?)
                ON CONFLICT (asset, path) DO UPDATE SET body = excluded.body
                """, [token.description, path, body])
        }
    }

    /// Forgets a file of an asset's folder.
    package func forget(_ path: String, of token: AssetToken) throws(StoreError) {
        try write(.asset(token)) { session in
            try session.execute(
                "DELETE FROM kept_file WHERE asset = ? AND path = ?", [token.description, path])
        }
    }

    /// The files that are kept of an asset, by their paths in its folder.
    package func files(of token: AssetToken) throws(StoreError) -> [(path: String, body: [UInt8])] {
        try read { session in
            try session.rows("SELECT path, body FROM kept_file WHERE asset = ?", [token.description]) {
                (path: $0[0], body: $0[1])
            }
        }
    }
}

extension Catalog {
    /// The data that all nodes of a store need.
    package var shared: SharedTable { SharedTable(catalog: self) }
}
