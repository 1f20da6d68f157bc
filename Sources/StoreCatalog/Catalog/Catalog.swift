package import Locking
package import SystemPackage

/// The database of a store. Every call blocks for the time of its query, so threads that serve connections never call
/// it.
package final class Catalog: Sendable {
    /// Told when events were written.
    package let hub = EventHub()
    private let engine: any CatalogEngine
    private let isWritable: Bool
    /// This node's ownership of the store; `nil` if the store is not shared.
    package let ownership: StoreOwnership?
    private let gate = AccessGate()
    /// Whether the database is closed; the lock is held while it is being closed.
    private let closing = Lock(false)
    package let path: FilePath
    /// The seal of addresses.
    package let seal = AddressSeal()
    /// The opener that tells which content keys can be unsealed: the stored one, unless the engine has set another.
    package let keyOpener = Lock(KeyOpener.engine)
    /// The key identifiers (KIDs) in the stored media of an asset.
    package let keyIdentifiers = Lock<@Sendable (AssetToken) -> Set<[UInt8]>>({ _ in [] })

    /// Opens the catalog for the engine, making it or bringing its format up to date.
    package init(writing path: FilePath) throws(StoreError) {
        self.path = path
        ownership = nil
        isWritable = true
        try FileSystem.makeFile(path)
        do {
            engine = try SQLiteEngine(writing: path, seal)
        } catch {
            throw SQLiteEngine.failure(error, path)
        }
    }

    /// Opens the catalog for reading only; `nil` if there is none yet.
    package init?(reading path: FilePath) throws(StoreError) {
        self.path = path
        ownership = nil
        isWritable = false
        guard !FileSystem.isAbsent(path) else { return nil }
        do {
            guard let engine = try SQLiteEngine(reading: path, seal) else { return nil }
            self.engine = engine
        } catch {
            throw SQLiteEngine.failure(error, path)
        }
    }

    /// Opens the catalog in a PostgreSQL database, and makes or migrates its tables. Other processes may use it at
    /// the same time.
    ///
    /// - Parameter ownership: this node's ownership of the store: writes after its end are refused. `nil` if only one
    ///   process writes.
    /// - Throws: `database` if the server can't be reached, or if its settings may lose acknowledged commits.
    package init(
        postgres address: PostgresAddress, _ limits: PostgresLimits = PostgresLimits(),
        ownership: StoreOwnership? = nil
    ) throws(StoreError) {
        path = FilePath(address.shown)
        self.ownership = ownership
        isWritable = true
        var limits = limits
        // An outage that is shorter than the lease must not make downloads fail: calls wait until the node has lost it.
        if ownership != nil { limits.patience = max(limits.patience, .seconds(8)) }
        do {
            engine = try PostgresEngine(address, limits: limits, ownership: ownership, seal: seal, hub: hub)
        } catch {
            throw PostgresEngine.failure(error, address)
        }
    }

    /// Opens the catalog in a PostgreSQL database for reading only.
    ///
    /// - Throws: `database` if the server can't be reached; `storeTooNew` also for a catalog of an older version.
    package init(reading address: PostgresAddress) throws(StoreError) {
        path = FilePath(address.shown)
        ownership = nil
        isWritable = false
        do {
            engine = try PostgresEngine(reading: address, limits: PostgresLimits(), seal: seal, hub: hub)
        } catch {
            throw PostgresEngine.failure(error, address)
        }
    }

    /// Runs `body` in one transaction that is durable when this returns.
    ///
    /// - Parameter scope: the rows that it changes.
    @discardableResult
    package func write<T>(
        _ scope: WriteScope, _ body: (any SQLSession) throws -> T
    ) throws(StoreError) -> T {
        guard isWritable else { throw StoreError(.stopped(.closing)) }
        let (value, hasNews) = try pass { try engine.write(scope, body) }
        if hasNews { hub.signal() }
        return value
    }

    /// Runs `body` on one snapshot of the catalog.
    package func read<T>(_ body: (any SQLSession) throws -> T) throws(StoreError) -> T {
        try pass { try engine.read(body) }
    }

    /// The time of the database: that of the server, where several processes use it.
    package func time() throws(StoreError) -> Timestamp { try pass { try engine.time() } }

    /// The moment when events of others were last looked for; `nil` before the first look. Until then caches are right.
    package var lastLook: MonotonicTime? { engine.lastLook }

    /// The damage that the database's own check finds; `nil` without any.
    package func damage() throws(StoreError) -> String? { try pass { try engine.damage() } }

    /// Erases overwritten content from the files, too.
    ///
    /// - Returns: whether nothing of it is left.
    @discardableResult
    package func forgetErased() -> Bool { (try? pass { engine.forgetErased() }) ?? false }

    /// Rewrites all rows, so that no bytes of former ones are left.
    func rewrite() throws(StoreError) { try pass { try engine.rewrite() } }

    /// Makes a copy of the whole catalog in a file.
    func copy(to path: FilePath) throws(StoreError) { try pass { try engine.copy(to: path) } }

    /// The error as the store tells it.
    func failure(_ error: any Error) -> StoreError { engine.failure(error) }

    /// Whether this process may act for the store, because no other node may.
    package var isAllowed: Bool { ownership?.isHeld ?? true }

    private func pass<T>(_ body: () throws -> T) throws(StoreError) -> T {
        guard isAllowed else { throw StoreError(.storeTakenOver) }
        do {
            return try gate.pass(body)
        } catch {
            throw engine.failure(error)
        }
    }

    /// Closes the database when all running calls are done; later calls fail. A second call returns when the first is
    /// done.
    package func close() {
        gate.shut()
        closing.withLock { isClosed in
            guard !isClosed else { return }
            isClosed = true
            engine.close()
            hub.finish()
        }
    }
}
