import Foundation
import Locking
package import StoreCatalog
import TestSupport
package import Testing

/// The engine of the catalogs of tests: SQLite, or, with `CATALOG=postgres` in the environment, PostgreSQL, where each store has a
/// database of its own.
package enum TestCatalog {
    package static let isPostgres = ProcessInfo.processInfo.environment["CATALOG"] == "postgres"

    /// Databases, by the folders of their stores: a store that is opened again has the one it had.
    private static let urls = Lock<[String: String]>([:])

    /// The database of a store; `nil` when its catalog is a file.
    package static func address(for root: String) throws -> PostgresAddress? {
        guard isPostgres else { return nil }
        if let url = urls.withLock({ $0[root] }) { return PostgresAddress(url) }
        let url = try PostgresServer.shared.get().newDatabase()
        urls.withLock { $0[root] = url }
        return PostgresAddress(url)
    }
}

extension Trait where Self == ConditionTrait {
    /// A test of what only SQLite has: its file and log, its triggers, processes that look into the file.
    package static var ofSQLite: Self { .enabled(if: !TestCatalog.isPostgres, "it is about SQLite's file") }
}
