internal import GRDB
internal import Locking
internal import SystemPackage

/// SQLite in WAL mode: one writer, many readers, one file. Transactions follow one another, so their scope does not
/// matter.
final class SQLiteEngine: CatalogEngine {
    private let reader: any DatabaseReader
    private let writer: DatabasePool?
    private let seal: AddressSeal
    private let path: FilePath

    /// Opens the file for the engine, making it or bringing its format up to date.
    init(writing path: FilePath, _ seal: AddressSeal) throws {
        let log = try Self.beginLog(of: path, seal)
        defer { try? log?.close() }
        let pool = try DatabasePool(
            path: path.string, configuration: Self.configuration(readonly: false, seal))
        // This must come now: as the pool was opened, it set NORMAL, which loses commits when the power fails.
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        guard try pool.read(CatalogSchema.migrator.hasBeenSuperseded) == false else {
            throw StoreError(.storeTooNew)
        }
        try CatalogSchema.migrator.migrate(pool)
        (reader, writer) = (pool, pool)
        (self.path, self.seal) = (path, seal)
    }

    /// Opens the file for looking only; `nil` when there is no catalog in it yet.
    init?(reading path: FilePath, _ seal: AddressSeal) throws {
        let queue = try DatabaseQueue(
            path: path.string, configuration: Self.configuration(readonly: true, seal))
        // An engine may be making it just now.
        guard try queue.read({ try $0.tableExists("grdb_migrations") }) else { return nil }
        guard try queue.read(CatalogSchema.migrator.hasBeenSuperseded) == false else {
            throw StoreError(.storeTooNew)
        }
        guard try queue.read(CatalogSchema.migrator.hasCompletedMigrations) else { return nil }
        (reader, writer) = (queue, nil)
        (self.path, self.seal) = (path, seal)
    }

    /// Writes to an empty log, and flushes it. GRDB does so as it opens a pool, without flushing: if the next flush
    /// fails, a damaged log would be copied into the database.
    ///
    /// - Returns: a connection that keeps the log from being copied until the pool is open, too; `nil` if there is a
    ///   log already.
    private static func beginLog(of path: FilePath, _ seal: AddressSeal) throws -> DatabaseQueue? {
        guard FileSystem.facts(WriteAheadLog.path(of: path))?.size ?? 0 == 0 else { return nil }
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

    func read<T>(_ body: (any SQLSession) throws -> T) throws -> T {
        try reader.read { try body(SQLiteSession($0, seal)) }
    }

    func write<T>(
        _ scope: WriteScope, _ body: (any SQLSession) throws -> T
    ) throws -> (value: T, hasNews: Bool) {
        guard let writer else { throw StoreError(.stopped(.closing)) }
        return try writer.write { database in
            let session = SQLiteSession(database, seal)
            let value = try body(session)
            guard !session.events.isEmpty else { return (value, false) }
            try EventRows.enter(session.events, session)
            return (value, true)
        }
    }

    func time() -> Timestamp { SystemWallClock().now }

    /// No other process writes.
    var lastLook: MonotonicTime? { .now }

    func damage() throws -> String? {
        let verdict = try reader.read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") }
        return verdict == "ok" ? nil : verdict ?? "no answer"
    }

    /// Until then the log holds overwritten content, and newer versions of pages. On a full file system the log keeps
    /// its space instead.
    func forgetErased() -> Bool {
        guard let writer else { return false }
        let log = WriteAheadLog.path(of: path)
        let isRoomy = FileSystem.freeSpace(at: log) ?? 0 > UInt64(2 * WriteAheadLog.reserve)
        _ = try? writer.writeWithoutTransaction { try $0.checkpoint(isRoomy ? .truncate : .passive) }
        FileSystem.keepRoom(for: log, WriteAheadLog.reserve)
        return FileSystem.facts(log)?.size ?? 0 == 0
    }

    func rewrite() throws { try writeApart { try $0.execute(sql: "VACUUM") } }

    func copy(to path: FilePath) throws {
        try writeApart { try $0.execute(sql: "VACUUM INTO ?", arguments: [path.string]) }
    }

    private func writeApart(_ body: (Database) throws -> Void) throws {
        guard let writer else { throw StoreError(.stopped(.closing)) }
        try writer.writeWithoutTransaction(body)
    }

    /// All of it is then in one file.
    func close() {
        _ = try? writer?.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try? reader.close()
    }

    func failure(_ error: any Error) -> StoreError { Self.failure(error, path) }

    static func failure(_ error: any Error, _ path: FilePath) -> StoreError {
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

    /// The reason for which the database can't be opened or written, which SQLite does not tell; `nil` without one.
    /// Its files are not opened for that: closing them would release the process's locks on them.
    private static func obstacle(to path: FilePath) -> StoreError? {
        let files = [path, WriteAheadLog.path(of: path), FilePath(path.string + "-shm")]
        for file in files where FileSystem.isThere(file) {
            if FileSystem.isDirectory(file) { return .system(.open, file, reason: .isDirectory) }
            if let reason = FileSystem.refusal(of: file, forFolder: false) {
                return .system(.open, file, reason: reason)
            }
        }
        let folder = path.parent
        guard let reason = FileSystem.refusal(of: folder, forFolder: true) else {
            return FileSystem.isAtFileLimit ? StoreError(.tooManyFiles(path.string)) : nil
        }
        return .system(.write, folder, reason: reason)
    }
}
