internal import Locking
internal import PostgresClient
internal import SystemPackage

/// PostgreSQL, to which several processes write at once.
///
/// A transaction is READ COMMITTED and first locks the assets of its scope, in the order of their tokens. It marks
/// itself by a row of `commit_mark`: if the connection is lost during COMMIT, the mark tells whether it was
/// committed. A transaction that conflicted with another one, or whose connection was lost before COMMIT, runs again.
final class PostgresEngine: CatalogEngine {
    let dialect = SQLDialect.postgres
    private let pool: PostgresPool
    private let seal: AddressSeal
    private let address: PostgresAddress
    private let news: PostgresNews
    /// This node's ownership of the store; `nil` if the catalog is not shared.
    private let ownership: StoreOwnership?

    /// Connects to the database, and makes the tables or brings their format up to date.
    ///
    /// - Parameter limits: how many connections there may be, and how long a call waits for the server.
    init(
        _ address: PostgresAddress, limits: PostgresLimits, ownership: StoreOwnership?, seal: AddressSeal,
        hub: EventHub
    ) throws {
        self.address = address
        self.ownership = ownership
        self.seal = seal
        pool = PostgresPool(address, limits)
        try pool.use(until: .now + limits.patience) { connection in
            try Self.refuseUnsafeSettings(connection)
            try PostgresSchema.migrate(connection)
        }
        news = PostgresNews(address, pool: pool, hub: hub)
        news.begin()
    }

    /// Connects to a database whose tables exist, and changes nothing.
    init(reading address: PostgresAddress, limits: PostgresLimits, seal: AddressSeal, hub: EventHub) throws {
        (self.address, self.seal, ownership) = (address, seal, nil)
        pool = PostgresPool(address, limits)
        news = PostgresNews(address, pool: pool, hub: hub)
        try pool.use(until: .now + limits.patience) { try PostgresSchema.check($0) }
    }

    /// Throws `database` if `synchronous_commit` is off, since an acknowledged commit must survive a crash of the
    /// server.
    static func refuseUnsafeSettings(_ connection: PostgresConnection) throws {
        let setting = try connection.execute("SHOW synchronous_commit").text(0, 0) ?? ""
        guard setting != "off" else {
            throw StoreError(.database("synchronous_commit is off, set it to on", path: ""))
        }
    }

    func read<T>(_ body: (any SQLSession) throws -> T) throws -> T {
        try again { connection in
            try connection.script("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            let value = try body(PostgresSession(connection, seal))
            try connection.script("COMMIT")
            return value
        }
    }

    func write<T>(
        _ scope: WriteScope, _ body: (any SQLSession) throws -> T
    ) throws -> (value: T, hasNews: Bool) {
        let mark = PostgresMark()
        // The result of a transaction that may or may not have been committed.
        var unsure: (value: T, hasNews: Bool)?
        let done = try again { connection -> (value: T, hasNews: Bool) in
            switch try mark.begin(connection, for: ownership?.owner) {
            case .new: unsure = nil
            case .done:
                try connection.script("ROLLBACK")
                guard let unsure else {
                    throw StoreError(.database("a mark of a commit came twice", path: ""))
                }
                return unsure
            case .refused: throw StoreError(.storeTakenOver)
            }
            let session = PostgresSession(connection, seal)
            try scope.lock(session)
            let value = try body(session)
            if !session.events.isEmpty { try EventRows.enter(session.events, session) }
            let result = (value: value, hasNews: !session.events.isEmpty)
            unsure = result
            try connection.script("COMMIT")
            return result
        }
        if done.hasNews { news.tell() }
        return done
    }

    /// Runs `body` with a connection. It runs again after a conflict with another transaction, and while the server
    /// can't be reached.
    ///
    /// - Throws: the last error, after 20 conflicts or when the server can't be reached for `limits.patience`.
    private func again<T>(_ body: (PostgresConnection) throws -> T) throws -> T {
        let deadline = MonotonicTime.now + pool.limits.patience
        var conflicts = 0
        while true {
            do {
                return try pool.use(until: deadline) { connection in
                    do {
                        return try body(connection)
                    } catch {
                        if !connection.isLost { _ = try? connection.script("ROLLBACK") }
                        throw error
                    }
                }
            } catch let error as PostgresError {
                if error.isConflict, conflicts < Self.mostConflicts {
                    conflicts += 1
                } else if !error.isOfConnection || MonotonicTime.now >= deadline {
                    throw error
                }
            }
        }
    }

    private static let mostConflicts = 20

    /// Always `nil`: the server checks its pages (`data_checksums`, pg_amcheck).
    func damage() throws -> String? { nil }

    /// Does nothing: PostgreSQL's own vacuum removes deleted rows.
    func forgetErased() -> Bool { false }

    func rewrite() throws {
        throw StoreError(.database("VACUUM FULL is for the administrator", path: address.shown))
    }

    func copy(to path: FilePath) throws {
        throw StoreError(.database("make the copy with pg_dump", path: address.shown))
    }

    func close() {
        news.end()
        pool.close()
    }

    func failure(_ error: any Error) -> StoreError { Self.failure(error, address) }

    static func failure(_ error: any Error, _ address: PostgresAddress) -> StoreError {
        if let error = error as? StoreError {
            guard case .database(let text, path: "") = error.code else { return error }
            return StoreError(.database(text, path: address.shown))
        }
        let text =
            switch error as? PostgresError {
            case .noLibrary(0)?: "libpq is missing, install the package libpq5"
            case .noLibrary(let version)?: "libpq \(version / 10_000) is too old, install libpq5 14 or newer"
            case .unreachable(let text)? where text.contains("no password supplied"):
                "\(denied)it wants a password; \(Self.password)"
            case .unreachable(let text)?: "\(unreachable)\(text)"
            case .denied(let state, let text)?: "\(denied)\(words(text)) (\(state)); \(advice(state))"
            case .lost(let text)?: "\(lost)\(text)"
            case .refused("42P01", _)?: "the database has no store yet; the first node that starts makes one"
            case .refused("42501", let text)?:
                "PostgreSQL refused: \(text) (42501); make the user of the catalog's address the owner of the database"
            case .refused(let state, let text)?:
                "\(waits(state) ? busy : "PostgreSQL refused: ")\(text) (\(state))"
            case nil: "\(error)"
            }
        return StoreError(.database(address.withoutSecrets(text), path: address.shown))
    }

    /// The server's own words in an error of libpq, which begins with the address.
    private static func words(_ text: String) -> String {
        text.split(separator: "FATAL:").last.map { String($0.drop { $0 == " " }) } ?? text
    }

    /// What to do about a connection that the server refuses.
    private static func advice(_ state: String) -> String {
        switch state {
        case "3D000":
            "make this database with `createdb`, or correct its name at the end of the catalog's address"
        case "28P01":
            "correct the user in the catalog's address, or its password; \(password)"
        default:
            "make this user with `createuser`, correct it in the catalog's address, or let it in with a line in pg_hba.conf"
        }
    }

    private static let password =
        "libpq reads it from the file that PGPASSFILE names, from ~/.pgpass or from PGPASSWORD"

    /// Whether a statement was refused because of a lock or a temporary lack of resources: lock timeouts (class 55),
    /// conflicts (40), resources (53), and interventions such as a statement timeout or a shutdown (57).
    private static func waits(_ state: String) -> Bool {
        ["55", "40", "53", "57"].contains { state.hasPrefix($0) }
    }

    static let busy = "PostgreSQL is busy: "
    static let unreachable = "PostgreSQL can't be reached: "
    static let denied = "PostgreSQL refuses the connection: "
    static let lost = "the connection to PostgreSQL was lost: "

    /// The time of the server.
    func time() throws -> Timestamp {
        try again { connection in
            let row = try connection.execute(
                "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)")
            return Timestamp(milliseconds: row.integer(0, 0) ?? 0)
        }
    }

    /// The last time at which the event log was read; `nil` before the first time.
    var lastLook: MonotonicTime? { news.lastLook }
}
