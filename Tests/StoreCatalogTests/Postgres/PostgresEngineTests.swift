import Foundation
import ModelTestSupport
import TestSupport
import Testing

@testable import StoreCatalog
@testable import StoreModel

@Suite(
    "The engine of a catalog in PostgreSQL",
    .enabled(if: PostgresServer.runs, "PostgreSQL is not installed"), .timeLimit(.minutes(1)))
struct PostgresEngineTests {
    private let url: String
    /// What a call of a closed engine fails with.
    private let closing = StoreError(.stopped(.closing)).text

    init() throws { url = try PostgresServer.shared.get().newDatabase() }

    /// Runs a transaction in which the server refuses a statement so many times; how often it runs, and its error.
    private func run(refused times: Int, _ state: String) throws -> (runs: Int, error: StoreError?) {
        let catalog = try Catalog.postgres(url)
        defer { catalog.close() }
        var runs = 0
        do throws(StoreError) {
            try catalog.write(.store) { session in
                runs += 1
                guard runs <= times else { return }
                try session.script(
                    "DO $$ BEGIN RAISE EXCEPTION 'in the way' USING ERRCODE = '\(state)'; END $$")
            }
            return (runs, nil)
        } catch {
            return (runs, error)
        }
    }

    @Test("runs a transaction again after each of 20 conflicts", arguments: ["40001", "40P01"])
    func conflicts(state: String) throws {
        let outcome = try run(refused: 20, state)
        #expect(outcome.runs == 21 && outcome.error == nil)
    }

    @Test("gives a transaction up at the conflict after these, with an error that is temporary")
    func tooMany() throws {
        let outcome = try run(refused: 21, "40001")
        #expect(outcome.runs == 21)
        #expect(outcome.error.map(StoreNode.isTemporary) == true)
    }

    @Test(
        "runs a transaction once that is refused for another reason, be it temporary or not",
        arguments: [("55P03", true), ("22012", false)])
    func refused(state: String, isTemporary: Bool) throws {
        let outcome = try run(refused: 1, state)
        #expect(outcome.runs == 1)
        #expect(outcome.error.map(StoreNode.isTemporary) == isTemporary)
    }

    /// An engine with a single connection.
    private func makeEngine() throws -> PostgresEngine {
        var limits = PostgresLimits()
        limits.connections = 1
        return try PostgresEngine(
            PostgresAddress(url), limits: limits, ownership: nil, seal: AddressSeal(), hub: EventHub())
    }

    @Test("refuses calls once it is closed")
    func closed() throws {
        let engine = try makeEngine()
        #expect(try engine.read { try $0.hasRow("SELECT 1") })
        engine.close()
        #expect(refusal { try engine.read { _ in } } == closing)
    }

    @Test("closes a connection that is in use when its call ends, and makes none for later calls")
    func inUse() async throws {
        let catalog = try Catalog.postgres(url)
        let engine = try makeEngine()
        defer {
            engine.close()
            catalog.close()
        }
        let process = try engine.read { session -> Int? in
            engine.close()
            #expect(refusal { try engine.read { _ in } } == closing)
            return try session.value("SELECT pg_backend_pid()")
        }
        #expect(process != nil)
        try await eventually {
            try catalog.read { session in
                try !session.hasRow("SELECT 1 FROM pg_stat_activity WHERE pid = ?", [process])
            }
        }
    }

    @Test("tells other processes of the first commit with events, and of later ones")
    func told() async throws {
        let writer = try Catalog.postgres(url) { $0.connections = 1 }
        let watcher = try Catalog.postgres(url)
        defer {
            writer.close()
            watcher.close()
        }
        let record = sampleRecord(1)
        try writer.assets.insert(record)
        for number in 1...2 {
            try writer.events.record(.changed, record.token, at: moment(Int64(number)))
            // The server shows the last statement of each connection.
            try await eventually {
                try watcher.read { session in
                    try session.hasRow(
                        """
                        SELECT 1 FROM pg_stat_activity
                        WHERE datname = current_database() AND query LIKE 'NOTIFY %'
                        """)
                }
            }
        }
    }

    @Test("tells other processes once of commits that come close together")
    func toldOnce() async throws {
        let port = try #require(URL(string: url)?.port)
        let relay = try CuttingRelay(to: UInt16(port))
        let address = PostgresAddress(url.replacing(":\(port)/", with: ":\(relay.port)/"))
        let pool = PostgresPool(address, PostgresLimits())
        defer { pool.close() }
        let news = PostgresNews(address, pool: pool, hub: EventHub())
        for _ in 0..<100 { news.tell() }
        try await eventually { relay.count(of: "NOTIFY ") > 0 }
        // Time for the others, which must not come.
        try await Task.sleep(for: .milliseconds(300))
        // On a slow machine the first commits may be told of before the last ones have come.
        #expect(relay.count(of: "NOTIFY ") < 50)
    }
}
