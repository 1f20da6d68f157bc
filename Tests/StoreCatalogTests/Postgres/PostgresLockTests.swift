import TestSupport
import Testing

@testable import StoreCatalog
@testable import StoreModel

@Suite(
    "What a transaction of PostgreSQL locks until it ends",
    .enabled(if: PostgresServer.runs, "PostgreSQL is not installed"), .timeLimit(.minutes(1)))
struct PostgresLockTests {
    private let catalog: Catalog
    /// The same catalog, as another process has it.
    private let other: Catalog

    init() throws {
        let url = try PostgresServer.shared.get().newDatabase()
        catalog = try .postgres(url)
        other = try .postgres(url)
    }

    private func close() {
        catalog.close()
        other.close()
    }

    /// Enters an asset with a rendition.
    private func add(_ number: Int) throws -> (token: AssetToken, rendition: Int64) {
        let record = sampleRecord(number)
        try catalog.assets.insert(record)
        let row = RenditionRecord(
            name: "video", position: 0, kind: .variant, required: true, listings: [], hasPlaylist: true,
            container: .m4s, duration: 0, segments: 0, initializations: 0)
        let id = try catalog.write(.asset(record.token)) { session in
            try RenditionTable.insert(row, of: record.token, session)
        }
        return (record.token, id)
    }

    /// The assets that another process can lock while a transaction runs.
    private func free(during scope: WriteScope) throws -> [AssetToken] {
        try catalog.write(scope) { _ in
            try other.write(.assets([])) { session in
                try session.tokens("SELECT token FROM asset ORDER BY token FOR NO KEY UPDATE SKIP LOCKED")
            }
        }
    }

    /// The modes of the advisory locks that a transaction has.
    private func modes(of scope: WriteScope) throws -> [String] {
        try catalog.write(scope) { session in
            try session.values(
                """
                SELECT mode FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid() ORDER BY mode
                """)
        }
    }

    @Test("are the assets that it names, and no others")
    func assets() throws {
        defer { close() }
        let tokens = try (1...3).map { try add($0).token }
        #expect(try free(during: .assets([])) == tokens)
        #expect(try free(during: .asset(tokens[1])) == [tokens[0], tokens[2]])
        #expect(try free(during: .assets([tokens[2], tokens[0]])) == [tokens[1]])
    }

    @Test("are the assets of the renditions that it names, and no others")
    func renditions() throws {
        defer { close() }
        let added = try (1...3).map { try add($0) }
        let (tokens, ids) = (added.map(\.token), added.map(\.rendition))
        #expect(try free(during: .renditions([])) == tokens)
        #expect(try free(during: .rendition(ids[1])) == [tokens[0], tokens[2]])
        #expect(try free(during: .renditions([ids[2], ids[0], ids[2]])) == [tokens[1]])
    }

    @Test(
        "are up to 64 names one by one, each once, beside a shared lock of all names, and all names for more",
        arguments: [(1, 1, 1), (64, 64, 1), (65, 1, 0)])
    func names(count: Int, single: Int, shared: Int) throws {
        defer { close() }
        let names = (0..<count).map { [UInt8($0)] }
        let expected =
            Array(repeating: "ExclusiveLock", count: single) + Array(repeating: "ShareLock", count: shared)
        #expect(try modes(of: .names(names)) == expected)
        #expect(try modes(of: .names(names + names)) == expected)
    }

    @Test("is the store as a whole with one lock, which assets do not have")
    func store() throws {
        defer { close() }
        let token = try add(1).token
        #expect(try modes(of: .store) == ["ExclusiveLock"])
        #expect(try modes(of: .asset(token)) == [])
    }
}
