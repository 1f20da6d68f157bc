import Dispatch
import Foundation
import Locking
import ModelTestSupport
import TestSupport
import Testing

@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel
@testable import StorePlanning

@Suite(
    "Nodes of a store", .enabled(if: PostgresServer.runs, "PostgreSQL is not installed"),
    .timeLimit(.minutes(2)))
struct StoreNodeTests {
    private let server: PostgresServer
    private let url: String
    private let one: StoreNode
    private let two: StoreNode

    init() throws {
        server = try PostgresServer.shared.get()
        url = try server.newDatabase()
        one = StoreNode(PostgresAddress(url), at: "http://one")
        two = StoreNode(PostgresAddress(url), at: "http://two")
        try one.prepare()
    }

    private func claimed(_ node: StoreNode) throws -> StoreOwnership? {
        guard case .own(let ownership) = try node.look() else { return nil }
        return ownership
    }

    /// Ends the life of a node, as ten seconds without a word of it do.
    private func kill(_ node: StoreNode) throws {
        try server.sql(
            "UPDATE node SET lease_until = clock_timestamp() - interval '1 second' WHERE id = '\(node.id)'",
            in: url)
    }

    private func catalog(_ ownership: StoreOwnership?) throws -> Catalog {
        try Catalog(postgres: PostgresAddress(url), ownership: ownership)
    }

    private func add(_ number: Int, to catalog: Catalog) throws -> AssetToken {
        let asset = NewAsset(record: sampleRecord(number), request: [1])
        return try catalog.queue.enqueue([asset]).tokens[0]
    }

    @Test("have a database whose facts a check-up reads, before its tables are made and after")
    func facts() throws {
        let made = try DatabaseFacts.read(PostgresAddress(url))
        #expect(made.version >= DatabaseFacts.oldestVersion && !made.isReadOnly)
        #expect(made.format == .current && made.note == nil)
        let empty = try DatabaseFacts.read(PostgresAddress(server.newDatabase()))
        #expect(empty.format == .none && empty.key == nil && empty.note == nil && !empty.isReadOnly)
    }

    @Test("are those of one database: one that was restored from a backup of another has none, and is free")
    func restored() throws {
        let ownership = try #require(try claimed(one))
        try two.prepare()
        guard case .other(let owner?) = try two.look() else { throw CancellationError() }
        #expect(owner.id == one.id)
        try server.sql("UPDATE store_secret SET value = 'other' WHERE name = 'database'", in: url)
        let three = StoreNode(PostgresAddress(url), at: "http://three")
        try three.prepare()
        #expect(try three.others().isEmpty)
        #expect(try claimed(three)?.owner.epoch == ownership.owner.epoch + 1)
        #expect(try one.renew(ownership) == false)
        // From now on it is a database of its own.
        try two.prepare()
        guard case .other(let other?) = try two.look() else { throw CancellationError() }
        #expect(other.id == three.id)
    }

    @Test("know their database by its number, and that of the server where both know that")
    func names() {
        let name = DatabaseName(database: "5", server: "7")
        let others = [DatabaseName(database: "6", server: "7"), DatabaseName(database: "5", server: "8")]
        for other in others { #expect(other.isOther(than: name) && name.isOther(than: other)) }
        let unknown = DatabaseName(database: "5", server: nil)
        #expect(!unknown.isOther(than: name) && !name.isOther(than: unknown) && !name.isOther(than: name))
        for name in [name, unknown] { #expect(DatabaseName(name.bytes) == name) }
    }

    @Test("have a database of which a check-up sees the store's key and the columns with another collation")
    func columns() throws {
        do {
            let catalog = try catalog(nil)
            defer { catalog.close() }
            _ = try catalog.shared.settle("store-key", [7, 8])
        }
        let made = try DatabaseFacts.read(PostgresAddress(url))
        #expect(made.key == [7, 8] && made.collated.isEmpty)
        try server.sql("ALTER TABLE asset ALTER COLUMN name TYPE text COLLATE \"default\"", in: url)
        // A table that is not the store's.
        try server.sql("CREATE TABLE guest (name text COLLATE \"default\")", in: url)
        #expect(try DatabaseFacts.read(PostgresAddress(url)).collated == ["asset.name"])
    }

    @Test("have a database whose clock is not ahead because its answer takes a while")
    func slowClock() throws {
        let name = url.split(separator: "/").last.map(String.init) ?? ""
        try server.sql(
            """
            CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
                AS 'SELECT pg_sleep(0.05); SELECT pg_catalog.clock_timestamp()'
            """, in: url)
        try server.sql("ALTER DATABASE \(name) SET search_path = public, pg_catalog")
        #expect(try DatabaseFacts.read(PostgresAddress(url)).clockDifference == 0)
    }

    @Test("that all claim it at once leave it to one of them")
    func rush() throws {
        let nodes = (0..<8).map { StoreNode(PostgresAddress(url), at: "http://\($0)") }
        let owners = Lock<[StoreOwnership]>([])
        try atOnce(8) { number in
            for _ in 0..<20 {
                guard case .own(let ownership) = try nodes[number].look() else { continue }
                owners.withLock { $0.append(ownership) }
            }
        }
        #expect(owners.withLock(\.self).map(\.owner.epoch) == [1])
    }

    @Test("take over from a dead node, whose later writes change nothing")
    func takeover() throws {
        let first = try #require(try claimed(one))
        let former = try catalog(first)
        defer { former.close() }
        let kept = try add(1, to: former)
        guard case .other(let active?) = try two.look() else {
            Issue.record("the second node has no active one")
            return
        }
        #expect(active.url == "http://one" && active.role == .active)
        try kill(one)
        // Nobody has written since: what comes late is as good as before.
        let late = try add(2, to: former)
        let second = try #require(try claimed(two))
        #expect(second.owner.epoch == 2)
        let error = #expect(throws: StoreError.self) { try add(3, to: former) }
        #expect(error?.code.name == "store-taken-over")
        #expect(try !one.renew(first) && two.renew(second))
        let now = try catalog(second)
        defer { now.close() }
        _ = try add(4, to: now)
        #expect(try now.assets.asset(kept) != nil && now.assets.asset(late) != nil)
        #expect(try now.read { try $0.value("SELECT count(*) FROM asset") as Int64? } == 3)
        #expect(try now.nodes.all().map(\.role) == [.active, .gone])
    }

    @Test("wait for the end of a transaction that has begun, so that none is cut in two")
    func running() throws {
        let first = try #require(try claimed(one))
        let former = try catalog(first)
        defer { former.close() }
        let token = try add(1, to: former)
        let (begun, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            _ = try? former.write(.asset(token)) { session in
                begun.signal()
                usleep(500_000)
                try session.execute("UPDATE asset SET priority = 7 WHERE token = ?", [token.description])
            }
            ended.signal()
        }
        begun.wait()
        try kill(one)
        let second = try #require(try claimed(two))
        let now = try catalog(second)
        defer { now.close() }
        // It was there before the claim was, or it never will be.
        #expect(try now.assets.asset(token)?.priority == 7)
        ended.wait()
    }

    @Test("that give the store back leave it free at once, and are gone from the list")
    func release() throws {
        let first = try #require(try claimed(one))
        try one.drain()
        guard case .other(let active?) = try two.look() else {
            Issue.record("the second node has no active one")
            return
        }
        #expect(active.role == .draining)
        try one.leave(first)
        let second = try #require(try claimed(two))
        #expect(second.owner.epoch == 2 && second.isHeld)
        let now = try catalog(second)
        defer { now.close() }
        #expect(try now.nodes.all().map(\.url) == ["http://two"])
        // What was given back twice is the other's.
        try one.leave(first)
        #expect(try two.renew(second))
    }

    @Test("are forgotten a day after their last sign of life, also while one of them stays active")
    func forgotten() throws {
        for (id, age) in [("old", "25 hours"), ("young", "23 hours")] {
            try server.sql(
                """
                INSERT INTO node (id, url, lease_until)
                VALUES ('\(id)', 'http://\(id)', clock_timestamp() - interval '\(age)')
                """, in: url)
        }
        let first = try #require(try claimed(one))
        let catalog = try catalog(first)
        defer { catalog.close() }
        #expect(try catalog.nodes.all().map(\.url) == ["http://one", "http://young"])
        try server.sql(
            "UPDATE node SET lease_until = now() - interval '25 hours' WHERE id = 'young'", in: url)
        #expect(try claimed(two) == nil)
        #expect(try catalog.nodes.all().map(\.url) == ["http://one", "http://two"])
    }

    @Test("write and read nothing when the database has not confirmed their lease for 7 s")
    func fence() throws {
        let first = try #require(try claimed(one))
        let ended = StoreOwnership(
            first.owner, asked: SystemWallClock().uptime - StoreFence.reach, time: first.now)
        let former = try Catalog(postgres: PostgresAddress(url), ownership: ended)
        defer { former.close() }
        let error = #expect(throws: StoreError.self) { try add(1, to: former) }
        #expect(error?.code.name == "store-taken-over")
        #expect(throws: StoreError.self) { try former.assets.tokens(in: [.queued]) }
        ended.renewed(asked: SystemWallClock().uptime, time: first.now)
        _ = try add(1, to: former)
    }

    @Test("wait for their database as long as a lease lasts, also where a shorter wait is set")
    func patience() throws {
        let ownership = try #require(try claimed(one))
        var limits = PostgresLimits()
        (limits.connections, limits.patience) = (1, .zero)
        let catalog = try Catalog(postgres: PostgresAddress(url), limits, ownership: ownership)
        defer { catalog.close() }
        let (answer, ended) = (Lock<Bool?>(nil), DispatchSemaphore(value: 0))
        // The only connection is in use until this call ends.
        let isEarly = try catalog.read { _ in
            Thread.detachNewThread {
                let found = try? catalog.read { try $0.hasRow("SELECT 1") }
                answer.withLock { $0 = found }
                ended.signal()
            }
            return ended.wait(timeout: .now() + .milliseconds(300)) == .success
        }
        if !isEarly { ended.wait() }
        #expect(answer.withLock(\.self) == true)
    }

    @Test("keep media that no other node has until the asset is removed")
    func files() throws {
        let ownership = try #require(try claimed(one))
        let catalog = try catalog(ownership)
        defer { catalog.close() }
        let token = try add(1, to: catalog)
        try catalog.shared.keep([1, 2], at: "poster.png", of: token)
        try catalog.shared.keep([3], at: "poster.png", of: token)
        try catalog.shared.keep([4], at: "subs-en/track.vtt", of: token)
        try catalog.shared.forget("subs-en/track.vtt", of: token)
        let files = try catalog.shared.files(of: token)
        #expect(files.map(\.path) == ["poster.png"] && files.map(\.body) == [[3]])
        try catalog.assets.delete(token)
        #expect(try catalog.shared.files(of: token).isEmpty)
    }

    @Test("agree on a value that two of them set at once")
    func values() throws {
        let catalogs = [try catalog(nil), try catalog(nil)]
        defer { for catalog in catalogs { catalog.close() } }
        let settled = Lock<Set<[UInt8]>>([])
        try atOnce(8) { number in
            let value = try catalogs[number % 2].shared.settle("store-key", [UInt8(number)])
            _ = settled.withLock { $0.insert(value) }
        }
        #expect(settled.withLock(\.count) == 1)
    }

    @Test(
        "never show the password of their database",
        arguments: [
            "postgresql://store:Tr0ub4dor@127.0.0.1:1/films",
            "postgresql://store@127.0.0.1:1/films?password=Tr0ub4dor",
            "postgresql://store:Tr0ub4dor@[::1/films", "postgresql://store:Tr0ub4dor@h/films?nonsense=1",
            "host=127.0.0.1 port=1 password=Tr0ub4dor",
        ])
    func passwords(url: String) throws {
        #expect(PostgresAddress.fault(of: url)?.contains("Tr0ub4dor") != true)
        let error = #expect(throws: StoreError.self) {
            try StoreNode(PostgresAddress(url), at: "http://one").prepare()
        }
        #expect(error?.message.contains("Tr0ub4dor") == false, "\(error?.message ?? "")")
    }
}
