import Dispatch
import Foundation
import Locking
import ModelTestSupport
import TestSupport
import Testing

@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

/// A row of an asset that is as it comes.
func sampleRecord(_ number: Int, named name: String = "x") -> AssetRecord {
    AssetRecord(
        token: AssetToken(at: Timestamp(milliseconds: Int64(number)), random: { UInt64(number) }), name: name,
        sourceURL: "https://host/x", state: .queued, requestedAt: Timestamp(milliseconds: Int64(number)))
}

extension Catalog {
    /// The catalog of a database of a test's own.
    static func postgres(_ url: String, _ limit: (inout PostgresLimits) -> Void = { _ in }) throws -> Catalog
    {
        var limits = PostgresLimits()
        limit(&limits)
        return try Catalog(postgres: PostgresAddress(url), limits)
    }
}

/// Runs `body` so many times at once, each on a thread of its own, and throws the first error.
func atOnce(_ count: Int, _ body: @Sendable (Int) throws -> Void) throws {
    let failure = Lock<(any Error)?>(nil)
    DispatchQueue.concurrentPerform(iterations: count) { number in
        do { try body(number) } catch { failure.withLock { $0 = $0 ?? error } }
    }
    if let error = failure.withLock(\.self) { throw error }
}

@Suite(
    "A catalog that several processes share",
    .enabled(if: PostgresServer.runs, "PostgreSQL is not installed"),
    .timeLimit(.minutes(3)))
struct SharedCatalogTests {
    private let url: String

    init() throws { url = try PostgresServer.shared.get().newDatabase() }

    @Test("numbers the events of all writers in one order without gaps, in which every follower sees them")
    func events() throws {
        let catalogs = try (0..<4).map { _ in try Catalog.postgres(url) }
        defer { for catalog in catalogs { catalog.close() } }
        let records = (0..<4).map { sampleRecord($0 + 1) }
        for record in records { try catalogs[0].assets.insert(record) }
        let count = Int64(4 * 50 * 2)
        try atOnce(5) { number in
            guard number < 4 else {
                // The follower, who must never see an event before the ones that come before it.
                var last: Int64 = 0
                while last < count {
                    for event in try catalogs[3].events.all(after: last, limit: 1000) {
                        #expect(event.id == last + 1)
                        last = event.id
                    }
                }
                return
            }
            for _ in 0..<50 {
                try catalogs[number].write(.asset(records[number].token)) { session in
                    for kind in [AssetEvent.Kind.changed, .damaged] {
                        session.record(
                            AssetEvent(
                                id: 0, at: Timestamp(milliseconds: 0), token: records[number].token,
                                kind: kind)
                        )
                    }
                }
            }
        }
        #expect(try catalogs[1].events.lastEvent() == count)
    }

    @Test("makes changes of the same asset one after the other")
    func turns() throws {
        let catalogs = try (0..<2).map { _ in try Catalog.postgres(url) }
        defer { for catalog in catalogs { catalog.close() } }
        let record = sampleRecord(1)
        try catalogs[0].assets.insert(record)
        try atOnce(4) { number in
            for _ in 0..<25 {
                try catalogs[number % 2].write(.asset(record.token)) { session in
                    let token: SQLArguments = [record.token.description]
                    let priority: Int =
                        try session.value("SELECT priority FROM asset WHERE token = ?", token) ?? 0
                    try session.execute(
                        "UPDATE asset SET priority = ? WHERE token = ?", [priority + 1] + token)
                }
            }
        }
        #expect(try catalogs[1].assets.asset(record.token)?.priority == 100)
    }

    @Test("repeats a transaction that collided with another one")
    func deadlock() throws {
        let catalog = try Catalog.postgres(url)
        defer { catalog.close() }
        let records = [sampleRecord(1), sampleRecord(2)]
        for record in records { try catalog.assets.insert(record) }
        let raise = "UPDATE asset SET priority = priority + 1 WHERE token = ?"
        // Scopes that do not tell what is changed, in opposite orders.
        try atOnce(2) { number in
            for _ in 0..<20 {
                try catalog.write(.assets([])) { session in
                    for record in number == 0 ? records : records.reversed() {
                        try session.execute(raise, [record.token.description])
                    }
                }
            }
        }
        for record in records { #expect(try catalog.assets.asset(record.token)?.priority == 40) }
    }

    @Test("adds an asset once when a client sends the request twice at the same time")
    func sameName() throws {
        let catalogs = try (0..<4).map { _ in try Catalog.postgres(url) }
        defer { for catalog in catalogs { catalog.close() } }
        let tokens = Lock<Set<AssetToken>>([])
        try atOnce(4) { number in
            for name in 0..<10 {
                var record = sampleRecord(100 * number + name + 1)
                (record.clientID, record.clientDigest) = ("client \(name)", [1])
                let entered = try catalogs[number].queue.enqueue([NewAsset(record: record, request: [1])])
                tokens.withLock { $0.formUnion(entered.tokens) }
            }
        }
        #expect(tokens.withLock(\.count) == 10)
        #expect(try catalogs[0].assets.countsByState() == [.queued: 10])
    }

    @Test(
        "wakes followers in another process, also without a notification",
        arguments: [true, false])
    func following(isNotified: Bool) async throws {
        let server = try PostgresServer.shared.get()
        let follower = try Catalog.postgres(url)
        let writer = try Catalog.postgres(url)
        defer {
            follower.close()
            writer.close()
        }
        let record = sampleRecord(1)
        try writer.assets.insert(record)
        var updates = AssetUpdates(catalog: follower, since: 0).makeAsyncIterator()
        if isNotified {
            try writer.events.record(.changed, record.token, at: Timestamp(milliseconds: 1))
        } else {
            let insert = "INSERT INTO event (id, at, asset, kind) VALUES (1, 1, '\(record.token)', 'changed')"
            try server.sql("BEGIN; UPDATE event_counter SET value = 1; \(insert); COMMIT", in: url)
        }
        guard case .event(let event)? = try await updates.next() else {
            Issue.record("no event")
            return
        }
        #expect(event.id == 1 && event.token == record.token)
    }

    /// Waits until a catalog has looked for events of others once more, from the beginning to the end.
    private func lookAgain(_ catalog: Catalog) async throws {
        for _ in 0..<2 {
            let last = catalog.lastLook
            try await eventually { catalog.lastLook != last }
        }
    }

    @Test("wakes no followers while nothing happens")
    func quiet() async throws {
        let catalog = try Catalog.postgres(url)
        defer { catalog.close() }
        // The first look wakes them in any case.
        try await lookAgain(catalog)
        var signals = catalog.hub.follow().makeAsyncIterator()
        try await lookAgain(catalog)
        catalog.close()
        #expect(await signals.next() == nil)
    }

    @Test("is not changed by a process that has opened it for reading only")
    func readOnly() throws {
        let writer = try Catalog.postgres(url)
        defer { writer.close() }
        let record = sampleRecord(1)
        try writer.assets.insert(record)
        let reader = try Catalog(reading: PostgresAddress(url))
        defer { reader.close() }
        #expect(try reader.assets.asset(record.token)?.token == record.token)
        #expect(refusal { try reader.assets.delete(record.token) } == StoreError(.stopped(.closing)).text)
        #expect(try writer.assets.asset(record.token) != nil)
    }

    @Test("has no more connections than it may, and prepares each statement once")
    func connections() throws {
        let catalog = try Catalog.postgres(url) { $0.connections = 3 }
        defer { catalog.close() }
        let record = sampleRecord(1)
        try catalog.assets.insert(record)
        try atOnce(8) { _ in
            for _ in 0..<20 { _ = try catalog.assets.asset(record.token) }
        }
        let (count, prepared) = try catalog.read { session in
            (
                try session.value(
                    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()") as Int?,
                try session.value(
                    "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE 'SELECT * FROM asset%'")
                    as Int?
            )
        }
        // One more listens.
        #expect(count ?? 99 <= 4)
        #expect(prepared == 1)
    }

    @Test("uses the clock of the server")
    func time() throws {
        let catalog = try Catalog.postgres(url)
        defer { catalog.close() }
        let (before, after) = (try catalog.time(), try catalog.time())
        #expect(before <= after && abs(before.milliseconds - SystemWallClock().now.milliseconds) < 60_000)
    }
}
