package import GRDB
package import Locking
package import SystemPackage

/// The database of a store: one writer, many readers (SQLite in WAL mode). Every call blocks for the time of
/// its query, so that none is made on a thread that serves.
package final class Catalog: Sendable {
    package let database: any DatabaseReader
    /// Told when events were written.
    package let hub = EventHub()
    private let writer: (any DatabaseWriter)?
    private let gate = AccessGate()
    /// Whether the database is closed; held while that is done.
    private let closing = Lock(false)
    package let path: FilePath
    /// The seal of addresses.
    package let seal = AddressSeal()
    /// The opener that tells which content keys can be unsealed: the stored one, unless the engine has set another.
    package let keyOpener = Lock(KeyOpener.engine)
    /// The key identifiers (KIDs) in the stored media of an asset.
    package let keyIdentifiers = Lock<@Sendable (AssetToken) -> Set<[UInt8]>>({ _ in [] })
    /// Whether the transaction that is running has written events; only the one writer touches it.
    let hasNews = Lock(false)

    /// Opens the catalog for the engine, making it or bringing its format up to date.
    package init(writing path: FilePath) throws(StoreError) {
        self.path = path
        try FileSystem.makeFile(path)
        do {
            let log = try Self.beginLog(of: path, seal)
            defer { try? log?.close() }
            let pool = try DatabasePool(
                path: path.string, configuration: Self.configuration(readonly: false, seal))
            // Not before: the pool has set it to NORMAL as it was opened, which loses commits when the power fails.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            guard try pool.read(CatalogSchema.migrator.hasBeenSuperseded) == false else {
                throw StoreError(.storeTooNew)
            }
            try CatalogSchema.migrator.migrate(pool)
            database = pool
            writer = pool
        } catch {
            throw Self.wrap(error, path)
        }
    }

    /// Bytes that the engine has kept for the write-ahead log: with them, assets can be paused and removed when the file system
    /// is full.
    package static let reserve = 8 << 20

    /// SQLite's write-ahead log of the database at `path`.
    package static func log(of path: FilePath) -> FilePath { FilePath(path.string + "-wal") }

    /// Writes something to a log that has nothing, and flushes it. GRDB does so as it opens a pool, without flushing: where
    /// the next flush fails, what was lost of it would be taken over into the database.
    ///
    /// - Returns: what keeps the log from being taken over until the pool is open, too; `nil` where there is one already.
    private static func beginLog(of path: FilePath, _ seal: AddressSeal) throws -> DatabaseQueue? {
        guard FileSystem.facts(log(of: path))?.size ?? 0 == 0 else { return nil }
        var configuration = configuration(readonly: false, seal)
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA synchronous = FULL; PRAGMA journal_mode = WAL")
        }
        let queue = try DatabaseQueue(path: path.string, configuration: configuration)
        try queue.write { database in
            try database.execute(sql: "CREATE TABLE begun (id INTEGER PRIMARY KEY); DROP TABLE begun")
        }
        return queue
    }

    /// Opens the catalog for looking only; `nil` when there is none yet.
    package init?(reading path: FilePath) throws(StoreError) {
        self.path = path
        guard !FileSystem.isAbsent(path) else { return nil }
        do {
            let queue = try DatabaseQueue(
                path: path.string, configuration: Self.configuration(readonly: true, seal))
            // An engine may be making it just now.
            guard try queue.read({ try $0.tableExists("grdb_migrations") }) else { return nil }
            guard try queue.read(CatalogSchema.migrator.hasBeenSuperseded) == false else {
                throw StoreError(.storeTooNew)
            }
            guard try queue.read(CatalogSchema.migrator.hasCompletedMigrations) else { return nil }
            database = queue
            writer = nil
        } catch {
            throw Self.wrap(error, path)
        }
    }

    private static func configuration(readonly: Bool, _ seal: AddressSeal) -> Configuration {
        var configuration = Configuration()
        configuration.readonly = readonly
        configuration.busyMode = .timeout(5)
        configuration.maximumReaderCount = 4
        configuration.prepareDatabase { database in
            guard !readonly else { return }
            seal.addFunctions(to: database)
            try database.execute(sql: "PRAGMA secure_delete = ON")
        }
        return configuration
    }

    /// Runs `body` in one transaction that is durable when this returns.
    package func write<T>(_ body: (Database) throws -> T) throws(StoreError) -> T {
        guard let writer else { throw StoreError(.stopped(.closing)) }
        do {
            let (value, isNews) = try gate.pass {
                try writer.write { database in
                    let value = try body(database)
                    return (value, takeNews())
                }
            }
            if isNews { hub.signal() }
            return value
        } catch {
            throw Self.wrap(error, path)
        }
    }

    /// Runs `body` outside of a transaction.
    func writeApart(_ body: (Database) throws -> Void) throws(StoreError) {
        guard let writer else { throw StoreError(.stopped(.closing)) }
        do {
            try gate.pass { try writer.writeWithoutTransaction(body) }
        } catch {
            throw Self.wrap(error, path)
        }
    }

    private func takeNews() -> Bool {
        hasNews.withLock { hasNews in
            defer { hasNews = false }
            return hasNews
        }
    }

    /// Runs `body` on one snapshot of the catalog.
    package func read<T>(_ body: (Database) throws -> T) throws(StoreError) -> T {
        do {
            return try gate.pass { try database.read(body) }
        } catch {
            throw Self.wrap(error, path)
        }
    }

    /// The damage that SQLite finds in the file; `nil` when there is none.
    package func damage() throws(StoreError) -> String? {
        let verdict = try read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") }
        return verdict == "ok" ? nil : verdict ?? "no answer"
    }

    /// Has what was overwritten gone from the files, too: until then the log holds it, and the pages that the log is
    /// newer than. On a file system that is full the log keeps its room instead.
    package func forgetErased() {
        guard let pool = writer as? DatabasePool else { return }
        let log = Self.log(of: FilePath(pool.path))
        let isRoomy = FileSystem.freeSpace(at: log) ?? 0 > UInt64(2 * Self.reserve)
        _ = try? gate.pass {
            try pool.writeWithoutTransaction { try $0.checkpoint(isRoomy ? .truncate : .passive) }
        }
        FileSystem.keepRoom(for: log, Self.reserve)
    }

    /// Closes the database when all calls that have begun are done; later ones fail. All of it is then in one file. A second
    /// call changes nothing, and returns when the first is done: SQLite dies of a checkpoint of what is closed.
    package func close() {
        gate.shut()
        closing.withLock { isClosed in
            guard !isClosed else { return }
            isClosed = true
            if let pool = writer as? DatabasePool {
                _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
            }
            try? database.close()
            hub.finish()
        }
    }

    private static func wrap(_ error: any Error, _ path: FilePath) -> StoreError {
        if let error = error as? StoreError { return error }
        guard let failure = error as? DatabaseError else {
            return StoreError(.database("\(error)", path: path.string))
        }
        let told = StoreError(.database(failure.message ?? "\(failure.resultCode)", path: path.string))
        switch failure.resultCode {
        case .SQLITE_FULL: return StoreError(.diskFull(path.string))
        case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_IOERR:
            return obstacle(to: path) ?? told
        default: return told
        }
    }

    /// Why the database can't be opened or written, which SQLite does not tell; `nil` when nothing is in the way. Its files
    /// are not opened for that: with their closing, the process would lose its locks on them.
    private static func obstacle(to path: FilePath) -> StoreError? {
        let files = [path, Self.log(of: path), FilePath(path.string + "-shm")]
        for file in files where FileSystem.isThere(file) {
            if FileSystem.isDirectory(file) { return .system(.open, file, .isDirectory) }
            if let reason = FileSystem.refusal(of: file, forFolder: false) {
                return .system(.open, file, reason)
            }
        }
        let folder = path.removingLastComponent()
        guard let reason = FileSystem.refusal(of: folder, forFolder: true) else {
            return FileSystem.isAtFileLimit ? StoreError(.tooManyFiles(path.string)) : nil
        }
        return .system(.write, folder, reason)
    }
}
