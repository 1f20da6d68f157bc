import Foundation
import Locking
import StoreTestSupport
import TestSupport
import Testing

@testable import AssetStore
@testable import StoreCatalog
@testable import StoreModel

@Suite("The caller of hooks", .timeLimit(.minutes(1)))
struct HookRunnerTests {
    /// How a runner waited, and what it does then.
    private struct Pauses {
        var all: [Double] = []
        var then: @Sendable () throws -> Void = {}
    }

    private let pauses = Lock(Pauses())

    private func runner(_ fixture: StoreFixture, _ hooks: [EngineSettings.Hook]) -> HookRunner {
        HookRunner(
            hooks: hooks, catalog: fixture.store.catalog, loop: fixture.store.parts.loop,
            log: fixture.log.logger
        ) { [pauses] seconds in
            let then = pauses.withLock { pauses in
                pauses.all.append(seconds)
                return pauses.then
            }
            try then()
        }
    }

    /// A hook that adds a line with the event to a file.
    private func hook(_ fixture: StoreFixture, _ file: String, on: [String] = [], then: String = "exit 0")
        -> EngineSettings.Hook
    {
        let path = fixture.folder.file(file)
        let script = "cat >> \(path); echo >> \(path); \(then)"
        return EngineSettings.Hook(on: on, service: ExternalService(command: ["sh", "-c", script]))
    }

    private func lines(_ fixture: StoreFixture, _ file: String) -> [Substring] {
        String(decoding: (try? fixture.folder.read(file)) ?? [], as: UTF8.self).split(separator: "\n")
    }

    /// Writes events into the log.
    private func record(_ fixture: StoreFixture, _ count: Int, _ kind: AssetEvent.Kind = .changed) throws {
        let token = try #require(AssetToken("01ARZ3NDEKTSV4RRFFQ69G5FAV"))
        for _ in 0..<count {
            try fixture.store.catalog.events.record(kind, token, at: Timestamp(milliseconds: 1000))
        }
    }

    private func cursors(_ fixture: StoreFixture) throws -> [Int64] {
        try fixture.store.catalog.events.cursors(named: "hook ").values.sorted()
    }

    /// Runs a runner until it has told an event, or has ended by itself.
    private func run(_ runner: HookRunner, until event: Int64) async throws {
        let hasEnded = Lock(false)
        let task = Task {
            await runner.run()
            hasEnded.withLock { $0 = true }
        }
        try await eventually { runner.hasTold(event) || hasEnded.withLock(\.self) }
        task.cancel()
        await task.value
        #expect(runner.hasTold(event))
    }

    @Test("has a new hook begin after the newest event, a known one where it was, and forgets former ones")
    func begin() async throws {
        try await StoreFixture.run { fixture async throws in
            let (one, two) = (hook(fixture, "one"), hook(fixture, "two"))
            try record(fixture, 3)
            try runner(fixture, [one]).begin()
            #expect(try cursors(fixture) == [3])
            try record(fixture, 2)
            try runner(fixture, [one]).begin()
            #expect(try cursors(fixture) == [3])
            try runner(fixture, [one, two]).begin()
            #expect(try cursors(fixture) == [3, 5])
            try record(fixture, 1)
            try runner(fixture, [two]).begin()
            #expect(try cursors(fixture) == [5])
            try runner(fixture, [one, two]).begin()
            #expect(try cursors(fixture) == [5, 6])
            try runner(fixture, []).begin()
            #expect(try cursors(fixture) == [])
        }
    }

    @Test("has the hooks of an older version's store begin at their one cursor, which is then forgotten")
    func sharedCursor() async throws {
        try await StoreFixture.run { fixture async throws in
            let events = fixture.store.catalog.events
            try record(fixture, 4)
            try events.setCursor("hooks", 2)
            try runner(fixture, [hook(fixture, "one"), hook(fixture, "two")]).begin()
            #expect(try cursors(fixture) == [2, 2])
            #expect(try events.cursor("hooks") == nil)
        }
    }

    @Test(
        "takes the further one of an old cursor of all hooks and the hook's own one",
        arguments: [(Int64(3), Int64(3)), (1, 2), (2, 2)])
    func bothCursors(own: Int64, start: Int64) async throws {
        try await StoreFixture.run { fixture async throws in
            let (events, one) = (fixture.store.catalog.events, hook(fixture, "one"))
            try record(fixture, 4)
            try runner(fixture, [one]).begin()
            let name = try #require(try events.cursors(named: "hook ").keys.first)
            try events.setCursor(name, own)
            try events.setCursor("hooks", 2)
            try runner(fixture, [one]).begin()
            #expect(try cursors(fixture) == [start])
            #expect(try events.cursor("hooks") == nil)
            // A second hook is new: the store has cursors of single hooks already.
            try events.setCursor("hooks", 2)
            try runner(fixture, [one, hook(fixture, "two")]).begin()
            #expect(try cursors(fixture) == [start, 4])
        }
    }

    @Test("calls a hook for each event that it wants after its cursor, and passes the others")
    func wanted() async throws {
        try await StoreFixture.run { fixture async throws in
            let hooks = [
                hook(fixture, "all"), hook(fixture, "removed", on: ["removed"]),
                hook(fixture, "none", on: ["complete"]),
            ]
            try record(fixture, 1)
            let runner = runner(fixture, hooks)
            try runner.begin()
            #expect(runner.hasTold(0) && !runner.hasTold(1))
            try record(fixture, 1, .removed)
            try record(fixture, 1)
            try await run(runner, until: 3)
            #expect(!runner.hasTold(4))
            func ids(_ file: String) -> [String] {
                lines(fixture, file).compactMap { line in
                    line.firstMatch(of: #/"id":(\d+)/#).map { String($0.1) }
                }
            }
            #expect(ids("all") == ["2", "3"] && ids("removed") == ["2"] && ids("none") == [])
            // A cursor moves with the events that concern its hook only.
            #expect(try cursors(fixture) == [1, 2, 3])
            #expect(pauses.withLock(\.all).isEmpty)
            #expect(self.runner(fixture, []).hasTold(9))
        }
    }

    @Test("tries a call that fails three times, with longer and longer waits, and then skips the event")
    func tries() async throws {
        try await StoreFixture.run { fixture async throws in
            let runner = runner(fixture, [hook(fixture, "notes", then: "exit 1")])
            try runner.begin()
            try record(fixture, 1)
            try await run(runner, until: 1)
            #expect(lines(fixture, "notes").count == 3)
            #expect(pauses.withLock(\.all) == [1, 2])
            #expect(try cursors(fixture) == [1])
            #expect(fixture.log.text.contains("a hook failed"))
        }
    }

    /// Has the catalog refuse to write cursors.
    private func refuseCursors(_ fixture: StoreFixture) throws {
        try fixture.store.catalog.write(.store) { session in
            try session.execute(
                """
                CREATE TEMP TRIGGER full BEFORE INSERT ON cursor
                BEGIN SELECT RAISE(ABORT, 'full'); END
                """)
        }
    }

    @Test("waits while a cursor can't be written, and then goes on without a second call", .ofSQLite)
    func rest() async throws {
        try await StoreFixture.run { fixture async throws in
            let runner = runner(fixture, [hook(fixture, "notes")])
            try runner.begin()
            try refuseCursors(fixture)
            let catalog = fixture.store.catalog
            pauses.withLock { pauses in
                pauses.then = { try catalog.write(.store) { _ = try $0.execute("DROP TRIGGER full") } }
            }
            try record(fixture, 1)
            try await run(runner, until: 1)
            #expect(lines(fixture, "notes").count == 1)
            #expect(pauses.withLock(\.all) == [5])
            #expect(try cursors(fixture) == [1])
            #expect(fixture.log.text.contains("hooks wait"))
        }
    }

    @Test("ends when its wait is cut short", .ofSQLite)
    func endsWaiting() async throws {
        try await StoreFixture.run { fixture async throws in
            let runner = runner(fixture, [hook(fixture, "notes")])
            try runner.begin()
            try refuseCursors(fixture)
            pauses.withLock { $0.then = { throw CancellationError() } }
            try record(fixture, 1)
            await runner.run()
            #expect(pauses.withLock(\.all) == [5])
            #expect(lines(fixture, "notes").count == 1)
        }
    }
}
