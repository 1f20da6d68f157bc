import ModelTestSupport
import Testing

@testable import StoreCatalog
@testable import StoreModel

@Suite("The queue in the catalog")
struct QueueTableTests {
    private let fixture: TableFixture
    private var queue: QueueTable { fixture.catalog.queue }

    init() throws { fixture = try TableFixture() }

    private func new(_ number: Int, address: [UInt8]? = nil, client: String? = nil) -> NewAsset {
        var record = sampleRecord(number)
        (record.address, record.clientID, record.clientDigest) = (address, client, client == nil ? nil : [1])
        record.reason = "slot"
        return NewAsset(record: record, request: [UInt8(number)])
    }

    @Test(
        "adds streams of a list up to a number: present ones count, and removed ones are not added again"
    )
    func next() throws {
        let entered = try queue.enqueue([new(1, address: [1]), new(2, address: [2])]).tokens
        try fixture.apply(.cancel, to: entered[1])
        let list = [
            new(3, address: [1]), new(4, address: [2]), new(5, address: [3]), new(6, address: [4]),
        ]
        let outcome = try queue.enqueue(list, next: 2)
        #expect(outcome.ready == 2 && outcome.tokens == [list[2].record.token])
        #expect(try queue.enqueue(list, next: 0).tokens == [])
    }

    @Test("adds streams of a list whose addresses are not known, since none of them can be found again")
    func nextWithoutAddress() throws {
        _ = try queue.enqueue([new(1)])
        let list = [new(2), new(3), new(4)]
        let outcome = try queue.enqueue(list, next: 2)
        #expect(outcome.ready == 2 && outcome.tokens == list.prefix(2).map(\.record.token))
        #expect(outcome.existing.isEmpty)
    }

    @Test("finds the newest asset of the same address, and earlier requests of a client")
    func known() throws {
        let first = try queue.enqueue([new(1, address: [1], client: "c"), new(2, address: [1])]).tokens
        let again = try queue.enqueue([new(3, address: [1]), new(4, address: [9], client: "c")])
        #expect(again.existing == [again.tokens[0]: first[1]])
        #expect(again.tokens[1] == first[0] && again.repeated == [first[0]] && again.ready == 1)
        #expect(try queue.asset(ofAddress: [1]) == again.tokens[0])
        try fixture.apply(.remove, to: again.tokens[0])
        #expect(try queue.asset(ofAddress: [1]) == first[1] && queue.asset(ofAddress: [8]) == nil)
    }

    @Test("has the request of an asset until its playlists were read")
    func request() throws {
        let token = try queue.enqueue([new(7)]).tokens[0]
        #expect(try queue.request(of: token) == [7] && queue.isUnresolved(token))
        #expect(try fixture.events(of: token) == ["added queued slot"])
        let other = try fixture.add(8)
        #expect(try queue.request(of: other) == nil && !queue.isUnresolved(other))
    }

    @Test("has the turns of those that wait for a place only: the highest priority first, then the oldest")
    func turns() throws {
        let old = try fixture.add(1, .queued, reason: "slot")
        let urgent = try fixture.add(2, .queued, reason: "slot") { $0.priority = 5 }
        let young = try queue.enqueue([new(3)]).tokens[0]
        try fixture.add(4, .queued, reason: "network")
        try fixture.add(5, .paused, reason: "slot")
        let entries = try queue.entries(limit: 10)
        #expect(
            entries.map(\.token) == [urgent, old, young]
                && entries.map(\.isUnresolved) == [false, false, true])
        #expect(try queue.entries(limit: 1).map(\.token) == [urgent])
        #expect(entries.shuffled().sorted(by: <).map(\.token) == entries.map(\.token))
    }

    @Test("lists assets with the same reason of waiting from the oldest on, up to a limit")
    func waiting() throws {
        let tokens = try (1...3).map { try fixture.add($0, .queued, reason: "origin") }
        try fixture.add(4, .queued, reason: "disk")
        #expect(try queue.waiting(for: .origin, limit: 2) == Array(tokens.prefix(2)))
        #expect(try queue.waiting(for: .origin, after: tokens[0], limit: 5) == Array(tokens.suffix(2)))
        let origins = try queue.waitingForOrigin(after: tokens[1], limit: 5)
        #expect(origins.map(\.token) == [tokens[2]] && origins.map(\.url) == ["https://host/x"])
    }

    @Test("knows for which times assets wait, the engine's and their own")
    func schedules() throws {
        let night = Schedule("01:00-06:00")
        let own = try fixture.add(1, .queued, reason: "schedule") { $0.schedule = night }
        let others = try (2...3).map { try fixture.add($0, .queued, reason: "schedule") }
        try fixture.add(4, .paused) { $0.schedule = Schedule("02:00-03:00") }
        let schedules = try queue.waitingSchedules()
        #expect(schedules.count == 2 && schedules.contains(night) && schedules.contains(nil))
        #expect(try queue.waiting(forScheduled: night) == [own])
        #expect(try queue.waiting(forScheduled: nil) == others)
    }

    @Test(
        "queues assets again that ran or waited when the engine ended, and no imports")
    func interrupted() throws {
        let back = [
            try fixture.add(1, .downloading), try fixture.add(2, .queued, reason: "disk"),
            try fixture.add(3, .queued), try queue.enqueue([new(4)]).tokens[0],
        ]
        try fixture.apply(.resolve, to: back[3])
        let kept = [
            try fixture.add(5, .resolving), try fixture.add(6, .paused), try fixture.add(7, .complete),
        ]
        try queue.requeueInterrupted(at: moment(9))
        for token in back {
            let asset = try fixture.catalog.assets.asset(token)
            #expect(asset?.state == .queued && asset?.reason == "slot")
        }
        #expect(
            try kept.map { try fixture.catalog.assets.asset($0)?.state } == [.resolving, .paused, .complete])
    }

    @Test(
        "takes a fresh address that was asked for only while the asset waits for it, and one of the user's always"
    )
    func readdress() throws {
        let token = try fixture.add(1, .queued, reason: "slot")
        func url(_ url: String, from former: String?) throws -> String? {
            try queue.readdress(token, url: url, former: former, at: moment(1))
            return try fixture.catalog.assets.asset(token)?.sourceURL
        }
        #expect(try url("https://host/y", from: "https://host/x") == "https://host/x")
        #expect(try fixture.events(of: token) == [])
        #expect(try url("https://host/y", from: nil) == "https://host/y")
        try fixture.apply(.yield, to: token, .link)
        #expect(try url("https://host/z", from: "https://host/x") == "https://host/y")
        #expect(try url("https://host/z", from: "https://host/y") == "https://host/z")
    }

    @Test("keeps the hosts with a cooldown, each once, until its end")
    func cooldowns() throws {
        func cooldown(_ host: String, _ until: Int64) -> HostCooldownRecord {
            HostCooldownRecord(host: host, until: moment(until), status: 429)
        }
        try queue.keep(cooldown("a", 10), now: moment(1))
        try queue.keep(cooldown("a", 20), now: moment(1))
        try queue.keep(cooldown("b", 15), now: moment(1))
        #expect(try Set(queue.cooldowns(after: moment(14)).map(\.host)) == ["a", "b"])
        #expect(try queue.cooldowns(after: moment(15)) == [cooldown("a", 20)])
        try queue.keep(cooldown("c", 30), now: moment(20))
        #expect(try queue.cooldowns(after: moment(0)) == [cooldown("c", 30)])
    }
}
