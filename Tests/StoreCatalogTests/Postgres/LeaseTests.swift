import Locking
import ModelTestSupport
import TestSupport
import Testing

@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

@Suite(
    "Leases of assets", .enabled(if: PostgresServer.runs, "PostgreSQL is not installed"),
    .timeLimit(.minutes(2)))
struct LeaseTests {
    private let server: PostgresServer
    private let url: String
    private let first: Catalog
    private let second: Catalog

    init() throws {
        server = try PostgresServer.shared.get()
        url = try server.newDatabase()
        (first, second) = (try .postgres(url), try .postgres(url))
        try first.leases.renew("one", at: "http://one")
        try second.leases.renew("two", at: "http://two")
    }

    private func close() {
        first.close()
        second.close()
    }

    /// Ends the life of a node, as ten seconds without a word of it do.
    private func kill(_ node: String) throws {
        try server.sql(
            "UPDATE node SET lease_until = now() - interval '1 second' WHERE id = '\(node)'", in: url)
    }

    private func raise(_ lease: Lease, in catalog: Catalog) throws {
        try catalog.write(.leased(lease)) { session in
            try session.execute(
                "UPDATE asset SET priority = priority + 1 WHERE token = ?", [lease.token.description])
        }
    }

    private func entered(_ count: Int) throws -> [AssetToken] {
        let records = (1...count).map { number in
            var record = sampleRecord(number)
            record.reason = "slot"
            return record
        }
        return try first.queue.enqueue(records.map { NewAsset(record: $0, request: [1]) }).tokens
    }

    @Test("of the queue go to one node each, though all ask at once")
    func claims() throws {
        defer { close() }
        let tokens = try entered(40)
        let catalogs = [first, second]
        let claimed = Lock<[AssetToken]>([])
        try atOnce(8) { number in
            let node = number % 2 == 0 ? "one" : "two"
            while case let leases = try catalogs[number % 2].leases.claim(3, for: node), !leases.isEmpty {
                claimed.withLock { $0 += leases.map(\.token) }
            }
        }
        #expect(claimed.withLock { $0.sorted() } == tokens)
    }

    @Test("pass to another node when the first is dead, and later writes of the first are refused")
    func takeover() throws {
        defer { close() }
        let token = try entered(1)[0]
        let old = try #require(try first.leases.claim(token, for: "one"))
        try raise(old, in: first)
        #expect(try second.leases.claim(token, for: "two") == nil)
        #expect(try second.leases.owner(of: token)?.url == "http://one")
        try kill("one")
        #expect(try second.leases.owner(of: token) == nil)
        let new = try #require(try second.leases.claim(1, for: "two").first)
        #expect(new.epoch == old.epoch + 1)
        let error = #expect(throws: StoreError.self) { try raise(old, in: first) }
        #expect(error?.code.name == "lease-lost")
        try raise(new, in: second)
        #expect(try first.assets.asset(token)?.priority == 2)
        // It is told so by its own row, too, and gives nothing back that is not its own any more.
        #expect(try first.leases.renew("one", at: "http://one") == false)
        try first.leases.release(old)
        #expect(try first.leases.owner(of: token)?.node == "two")
    }

    @Test("that were given back are anybody's")
    func release() throws {
        defer { close() }
        let token = try entered(1)[0]
        let lease = try #require(try first.leases.claim(token, for: "one"))
        try first.leases.release(lease)
        #expect(throws: StoreError.self) { try raise(lease, in: first) }
        #expect(try second.leases.claim(token, for: "two")?.epoch == lease.epoch + 1)
    }
}
