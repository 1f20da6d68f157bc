import Dispatch
import Foundation
import Locking
import ModelTestSupport
import TestSupport
import Testing

@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

@Suite(
    "A catalog whose server has trouble", .enabled(if: PostgresServer.runs, "PostgreSQL is not installed"),
    .timeLimit(.minutes(3)))
struct ServerTroubleTests {
    private let server: PostgresServer

    init() throws { server = try PostgresServer.shared.get() }

    @Test("is not opened where a commit may be lost that was acknowledged")
    func unsafeCommits() throws {
        let url = try server.newDatabase()
        let name = url.split(separator: "/").last.map(String.init) ?? ""
        try server.sql("ALTER DATABASE \(name) SET synchronous_commit = off")
        let error = #expect(throws: StoreError.self) { try Catalog.postgres(url) }
        #expect(error?.message.contains("synchronous_commit is off, set it to on") == true)
    }

    @Test("is not opened where nothing listens, and tells no password")
    func away() throws {
        let error = #expect(throws: StoreError.self) {
            try Catalog.postgres("postgresql://who:secret@127.0.0.1:1/there") {
                $0.patience = .milliseconds(300)
            }
        }
        #expect(error?.message.contains("postgresql://who@127.0.0.1:1/there") == true)
        #expect(error?.message.contains("can't be reached") == true)
        #expect(error?.message.contains("secret") == false)
    }

    @Test("says that the database or the user does not exist, or that the password is wrong, and what to do")
    func denied() throws {
        let server = try PostgresServer()
        let rules = URL(filePath: "\(server.folder)/data/pg_hba.conf")
        let known = try String(contentsOf: rules, encoding: .utf8)
        try "host all locked all scram-sha-256\n\(known)".write(to: rules, atomically: false, encoding: .utf8)
        try server.sql("CREATE ROLE locked LOGIN PASSWORD 'right'")
        try server.sql("SELECT pg_reload_conf()")
        let url = try server.url()
        for (address, part, remedy) in [
            (try server.url("nothing"), "\"nothing\" does not exist (3D000)", "createdb"),
            (url.replacing("postgres@", with: "nobody@"), "\"nobody\" does not exist (28000)", "createuser"),
            (url.replacing("postgres@", with: "locked:wrong@"), "(28P01)", "PGPASSFILE"),
        ] {
            let error = #expect(throws: StoreError.self) { try Catalog.postgres(address) }
            let message = error?.message ?? ""
            #expect(message.contains(part) && message.contains(remedy), "\(message)")
            #expect(!message.contains("can't be reached") && !message.contains("wrong@"), "\(message)")
            #expect(error.map(StoreNode.isTemporary) == true)
        }
    }

    @Test("is not opened when a newer version has made it")
    func newer() throws {
        let url = try server.newDatabase()
        try Catalog.postgres(url).close()
        try server.sql("INSERT INTO migration (name) VALUES ('of the future')", in: url)
        let error = #expect(throws: StoreError.self) { try Catalog.postgres(url) }
        #expect(error?.text == "storeTooNew")
    }

    @Test("is made once when several processes open it at the same time")
    func migrations() throws {
        let url = try server.newDatabase()
        try atOnce(4) { _ in try Catalog.postgres(url).close() }
        let catalog = try Catalog.postgres(url)
        defer { catalog.close() }
        #expect(try catalog.read { try $0.value("SELECT count(*) FROM migration") as Int? } == 2)
    }

    @Test("refuses a text that PostgreSQL can't keep, and changes nothing")
    func nul() throws {
        let catalog = try Catalog.postgres(try server.newDatabase())
        defer { catalog.close() }
        let error = #expect(throws: StoreError.self) {
            try catalog.assets.insert(sampleRecord(1, named: "a\0b"))
        }
        #expect(error?.message.contains("a text holds NUL") == true)
        #expect(try catalog.storage.hasAssets() == false)
    }

    @Test(
        "runs a transaction once when the connection is lost at COMMIT, before the server gets it and after",
        arguments: CuttingRelay.Moment.allCases)
    func unknownOutcome(moment: CuttingRelay.Moment) throws {
        let url = try server.newDatabase()
        let port = try #require(URL(string: url)?.port)
        let relay = try CuttingRelay(to: UInt16(port))
        let catalog = try Catalog.postgres(url.replacing(":\(port)/", with: ":\(relay.port)/"))
        defer { catalog.close() }
        let record = sampleRecord(1)
        try catalog.assets.insert(record)
        for round in 1...5 {
            relay.cut(moment, at: "COMMIT")
            let returned = try catalog.write(.asset(record.token)) { session in
                session.record(
                    AssetEvent(id: 0, at: Timestamp(milliseconds: 1), token: record.token, kind: .changed))
                try session.execute(
                    "UPDATE asset SET priority = priority + 1 WHERE token = ?", [record.token.description])
                return round
            }
            #expect(returned == round && !relay.isWaiting)
            #expect(try catalog.assets.asset(record.token)?.priority == round)
            #expect(try catalog.events.lastEvent() == Int64(round))
        }
    }

    @Test("has everything that was acknowledged when the server is killed, and goes on once it is back")
    func kills() async throws {
        let server = try PostgresServer()
        let catalogs = try (0..<2).map { _ in try Catalog.postgres(try server.url()) }
        defer { for catalog in catalogs { catalog.close() } }
        let acknowledged = Lock<[AssetToken]>([])
        let isOver = Lock(false)
        let writers = Task.detached {
            try atOnce(4) { number in
                var next = number
                while !isOver.withLock(\.self) {
                    next += 4
                    let record = sampleRecord(next + 1)
                    // While the server is away, calls fail.
                    guard (try? catalogs[number % 2].assets.insert(record)) != nil else { continue }
                    acknowledged.withLock { $0.append(record.token) }
                }
            }
        }
        for _ in 0..<3 {
            try await further(acknowledged)
            try server.kill()
            try server.start()
            let count = acknowledged.withLock(\.count)
            try await eventually { acknowledged.withLock(\.count) > count }
            try await further(acknowledged)
        }
        isOver.withLock { $0 = true }
        try await writers.value
        let stored = Set(try catalogs[0].assets.page(states: [], before: nil, limit: 1_000_000).map(\.token))
        #expect(acknowledged.withLock { $0.filter { !stored.contains($0) } } == [])
    }

    private func further(_ acknowledged: Lock<[AssetToken]>) async throws {
        let count = acknowledged.withLock(\.count)
        try await eventually { acknowledged.withLock { $0.count > count + 20 } }
    }
}
