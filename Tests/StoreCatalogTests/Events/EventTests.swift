import Foundation
import Locking
import ModelTestSupport
import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import Licensing
@testable import MediaDecryption
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

/// The event log, those who follow it, and the services that are told.
@Suite(.timeLimit(.minutes(2)))
struct EventTests {
    /// What the log says of an asset, in short.
    private func log(_ fixture: StoreFixture, _ token: AssetToken) throws -> [String] {
        try fixture.store.catalog.events.all(after: 0, limit: 1000).filter { $0.token == token }.map {
            "\($0.kind.rawValue) \($0.from?.rawValue ?? "-") \($0.state?.rawValue ?? "-")"
        }
    }

    @Test("everything that happens to an asset is in the log, once and in order")
    func sequence() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            fixture.origin.fault("/v/s0.ts", .stall(after: 100), times: 1)
            let token = try await fixture.add("/v/index.m3u8")
            #expect(await fixture.origin.waitForRequests(2))
            for action in [AssetAction.pause, .pause, .resume] {
                try await fixture.store.perform(action, on: token)
            }
            await fixture.store.untilSettled(token)
            try await fixture.store.remove(token)
            #expect(
                try log(fixture, token) == [
                    "added - queued", "state queued downloading", "state downloading paused",
                    "state paused queued", "state queued downloading", "state downloading complete",
                    "state complete removing", "removed removing -",
                ])
        }
    }

    @Test("a follower from the beginning gets past events, then new ones, and ends with the store")
    func following() async throws {
        let fixture = try StoreFixture()
        fixture.origin.serveStream("/v", count: 2)
        let first = try await fixture.download("/v/index.m3u8").token
        let seen = Lock<[AssetEvent]>([])
        let follower = Task {
            for try await case .event(let event) in fixture.store.updates(since: 0) {
                seen.withLock { $0.append(event) }
            }
        }
        let second = try await fixture.download("/v/index.m3u8").token
        try await eventually {
            seen.withLock { $0.contains { $0.token == second && $0.state == .complete } }
        }
        await fixture.store.stop()
        try await follower.value
        let events = seen.withLock { $0 }
        #expect(events.map(\.id) == events.map(\.id).sorted() && Set(events.map(\.id)).count == events.count)
        for token in [first, second] {
            #expect(events.last { $0.token == token }?.state == .complete)
        }
    }

    @Test(
        "a reader of the log reaches its end when the store closes",
        arguments: [nil, 0] as [Int64?])
    func closed(since: Int64?) async throws {
        let fixture = try StoreFixture()
        var begun = fixture.store.updates(since: since).makeAsyncIterator()
        await fixture.store.stop()
        #expect(try await begun.next() == nil)
        var late = fixture.store.updates(since: since).makeAsyncIterator()
        #expect(try await late.next() == nil)
    }

    @Test("a request for forgotten events gets a gap, then the kept events")
    func gap() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            _ = try await fixture.download("/v/index.m3u8")
            let catalog = fixture.store.catalog
            let last = try catalog.events.lastEvent()
            for since in [1, last - 1, last + 5] {
                try catalog.events.forgetEvents(before: Timestamp(milliseconds: .max))
                var updates = fixture.store.updates(since: since).makeAsyncIterator()
                guard case .gap? = try await updates.next() else {
                    Issue.record("no gap after \(since)")
                    return
                }
                try catalog.events.record(
                    .changed, try fixture.store.reader.assets()[0].token, at: Timestamp(milliseconds: 0))
                guard case .event(let event)? = try await updates.next() else { return }
                #expect(event.id > last)
            }
        }
    }

    @Test("the log has a limit, and its numbers never start over")
    func limit() throws {
        let folder = try TemporaryDirectory()
        let catalog = try Catalog(writing: FilePath(folder.file("catalog.db")))
        let token = try #require(AssetToken("01ARYZ6S410000000000000000"))
        try catalog.write(.store) { session in
            for number in 0..<EventRows.eventLimit + 5 {
                session.record(
                    AssetEvent(
                        id: 0, at: Timestamp(milliseconds: number), token: token, kind: .changed))
            }
        }
        #expect(try catalog.events.firstEvent() == 6)
        try catalog.events.forgetEvents(before: Timestamp(milliseconds: .max))
        #expect(try catalog.events.firstEvent() == nil)
        #expect(try catalog.events.lastEvent() == EventRows.eventLimit + 5)
        catalog.close()
    }

    @Test("progress of a running download goes up, and never above 1")
    func progress() async throws {
        try await StoreFixture.run {
            $0.transfersPerAsset = 1
        } _: { fixture async throws in
            fixture.origin.serveStream("/v", count: 40)
            fixture.origin.fault("*", .delay(milliseconds: 20))
            let follower = Task {
                var values: [Double] = []
                for try await update in fixture.store.updates() {
                    switch update {
                    case .progress(let progress): values.append(progress.progress)
                    case .event(let event) where event.state?.isTerminal == true: return values
                    default: continue
                    }
                }
                return values
            }
            let token = try await fixture.add("/v/index.m3u8")
            await fixture.store.untilSettled(token)
            let values = try await follower.value
            #expect(!values.isEmpty && values == values.sorted() && (values.last ?? 2) <= 1)
        }
    }

    @Test("a command and a server are told of the states they ask for, also of those before a restart")
    func hooks() async throws {
        let folder = try TemporaryDirectory()
        let origin = try OriginServer()
        origin.serve("/hook", text: "ok")
        let notes = folder.file("notes")
        let settings = """
            {"hooks": [{"on": ["complete"], "command": ["sh", "-c", "cat >> \(notes); echo >> \(notes)"]},
                       {"on": ["removed"], "url": "\(origin.url("/hook"))"}]}
            """
        try folder.write(Array(settings.utf8), to: "store/config.json")
        origin.serveStream("/v", count: 1)
        let fixture = try StoreFixture(in: folder, origin: origin)
        await fixture.store.start()
        let token = try await fixture.download("/v/index.m3u8").token
        try await fixture.store.remove(token)
        // Each is told for itself.
        try await eventually {
            !origin.requests(for: "/hook").isEmpty && (try? folder.read("notes"))?.last == UInt8(ascii: "\n")
        }
        let text = String(decoding: try folder.read("notes"), as: UTF8.self)
        #expect(text.split(separator: "\n").count == 1)
        #expect(text.contains(#""state":"complete""#) && text.contains(token.description))
        #expect(origin.requests(for: "/hook").first?.method == "POST")
        await fixture.store.stop()
    }

    @Test("a hook that hangs keeps no other waiting")
    func slowHook() async throws {
        let folder = try TemporaryDirectory()
        let notes = folder.file("notes")
        let settings = """
            {"hooks": [{"command": ["sleep", "1000"]},
                       {"on": ["complete"], "command": ["sh", "-c", "cat >> \(notes)"]}]}
            """
        try folder.write(Array(settings.utf8), to: "store/config.json")
        try folder.write([], to: "notes")
        let fixture = try StoreFixture(in: folder)
        fixture.origin.serveStream("/v", count: 1)
        await fixture.store.start()
        let token = try await fixture.download("/v/index.m3u8").token
        try await eventually {
            String(decoding: try folder.read("notes"), as: UTF8.self).contains(token.description)
        }
        await fixture.store.stop()
    }

    @Test(
        "hooks continue when the catalog can be written again, and send no event twice",
        .ofSQLite)
    func hooksAfterTrouble() async throws {
        let folder = try TemporaryDirectory()
        let notes = folder.file("notes")
        let settings = """
            {"hooks": [{"on": ["complete"], "command": ["sh", "-c", "cat >> \(notes); echo >> \(notes)"]}]}
            """
        try folder.write(Array(settings.utf8), to: "store/config.json")
        try folder.write([], to: "notes")
        let fixture = try StoreFixture(in: folder) {
            $0.pause = { _ in try await Task.sleep(for: .milliseconds(5)) }
        }
        fixture.origin.serveStream("/v", count: 1)
        await fixture.store.start()
        try fixture.store.catalog.write(.store) { session in
            try session.execute(
                """
                CREATE TEMP TRIGGER full BEFORE INSERT ON cursor BEGIN SELECT RAISE(ABORT, 'full'); END
                """)
        }
        var tokens = [try await fixture.download("/v/index.m3u8").token]
        try await eventually { fixture.log.text.contains("hooks wait") }
        try fixture.store.catalog.write(.store) { try $0.execute("DROP TRIGGER full") }
        tokens.append(try await fixture.download("/v/index.m3u8").token)
        let last = tokens[1].description
        try await eventually { String(decoding: try folder.read("notes"), as: UTF8.self).contains(last) }
        let lines = String(decoding: try folder.read("notes"), as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 2 && lines[0].contains(tokens[0].description))
        #expect(fixture.log.text.components(separatedBy: "hooks wait").count == 2)
        await fixture.store.stop()
    }

    @Test("settings that are no JSON are told as such, with the file")
    func badSettings() async throws {
        let folder = try TemporaryDirectory()
        try folder.write(Array("{".utf8), to: "store/config.json")
        let error = await failure { _ = try StoreFixture(in: folder) }
        #expect(error?.message.contains("config.json") == true)
    }
}
