import ModelTestSupport
import StoreTestSupport
import Testing

@testable import StoreCatalog
@testable import StoreModel

@Suite("A follower of a catalog", .timeLimit(.minutes(1)))
struct EventHubTests {
    @Test("is woken, and ends with it; a later one has nothing to follow")
    func follow() async throws {
        let hub = EventHub()
        var signals = hub.follow().makeAsyncIterator()
        #expect(!hub.isEmpty)
        hub.signal()
        #expect(await signals.next()?.isEmpty == true)
        hub.finish()
        #expect(await signals.next() == nil)
        var late = hub.follow().makeAsyncIterator()
        #expect(await late.next() == nil)
    }

    @Test("is no follower any more once it stops")
    func gone() async throws {
        let hub = EventHub()
        do { _ = hub.follow() }
        #expect(hub.isEmpty)
    }

    @Test("gets the last thousand changes of activity since its last one")
    func activities() {
        let (hub, token) = (EventHub(), sampleRecord(1).token)
        #expect(hub.lastActivity == 0 && hub.activities(after: 0).isEmpty)
        hub.add([(token, nil), (token, nil)])
        #expect(hub.activities(after: 1).map(\.number) == [2] && hub.activities(after: 2).isEmpty)
        hub.add(Array(repeating: (token, nil), count: 1024))
        let kept = hub.activities(after: 0)
        #expect(kept.count == 1024 && kept.first?.number == 3 && hub.lastActivity == 1026)
    }

    @Test("has a place in the log under its name, and begins anew when that is forgotten")
    func cursors() throws {
        let fixture = try TableFixture()
        let log = fixture.catalog.events
        for (name, event) in [("hook:a", 1), ("hook:b", 2), ("other", 3), ("hook:a", 4)] {
            try log.setCursor(name, Int64(event))
        }
        #expect(try log.cursor("hook:a") == 4 && log.cursor("none") == nil)
        #expect(try log.cursors(named: "hook:") == ["hook:a": 4, "hook:b": 2])
        try log.forgetCursors(["hook:a"])
        #expect(try log.cursors(named: "hook:") == ["hook:b": 2] && log.cursor("other") == 3)
    }

    @Test("reads the log in order from any event on, without forgotten events")
    func log() throws {
        let fixture = try TableFixture()
        let log = fixture.catalog.events
        #expect(try log.lastEvent() == 0 && log.firstEvent() == nil)
        let token = try fixture.add(1)
        for time in 1...4 { try log.record(.changed, token, reason: "\(time)", at: moment(Int64(time))) }
        let first = try #require(try log.firstEvent())
        #expect(try log.all(after: first, limit: 2).map(\.reason) == ["2", "3"])
        try log.forgetEvents(before: moment(3))
        #expect(try log.firstEvent() == first + 2 && log.lastEvent() == first + 3)
    }
}
