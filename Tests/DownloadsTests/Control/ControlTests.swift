import Foundation
import GRDB
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

/// Pause, resume, cancel, remove and priorities, while downloads run.
@Suite(.timeLimit(.minutes(2)))
struct ControlTests {
    /// A download that waits for its third of four segments.
    private func held(_ fixture: StoreFixture, _ path: String = "/v", requests: Int = 5) async throws
        -> AssetToken
    {
        fixture.origin.serveStream(path, count: 4)
        fixture.origin.fault("\(path)/s2.ts", .stall(after: 600), times: 1)
        let token = try await fixture.add("\(path)/index.m3u8")
        #expect(await fixture.origin.waitForRequests(requests))
        return token
    }

    private func state(_ fixture: StoreFixture, _ token: AssetToken) throws -> AssetState? {
        try fixture.store.reader.progress(of: token)?.state
    }

    @Test("a paused asset has no transfer and keeps its media; resume fetches the rest and nothing twice")
    func pauseAndResume() async throws {
        try await StoreFixture.run {
            $0.transfersPerAsset = 1
        } _: { fixture async throws in
            let token = try await held(fixture, requests: 4)
            try await fixture.store.perform(.pause, on: token)
            let paused = try #require(try fixture.store.reader.asset(token))
            #expect(paused.state == .paused && paused.reason == "user")
            #expect(paused.renditions[0].storedSegments == 2)
            try await fixture.store.perform(.pause, on: token)
            fixture.origin.forgetRequests()
            try await fixture.store.perform(.resume, on: token)
            await fixture.store.untilSettled(token)
            #expect(try state(fixture, token) == .complete)
            #expect(Set(fixture.origin.mediaPaths) == ["/v/s2.ts", "/v/s3.ts"])
        }
    }

    @Test("a pause outlives the engine: the next one does not go on by itself")
    func pauseStays() async throws {
        let folder = try TemporaryDirectory()
        let origin = try OriginServer()
        let first = try StoreFixture(in: folder, origin: origin)
        let token = try await held(first)
        try await first.store.perform(.pause, on: token)
        await first.store.stop()
        let second = try StoreFixture(in: folder, origin: origin)
        await second.store.start()
        #expect(try state(second, token) == .paused)
        try await second.store.perform(.resume, on: token)
        await second.store.untilSettled(token)
        #expect(try state(second, token) == .complete)
        await second.store.stop()
    }

    @Test("actions that do not fit the state are refused with the reason, and change nothing")
    func refusals() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            let token = try await fixture.download("/v/index.m3u8").token
            let error = await failure { try await fixture.store.perform(.cancel, on: token) }
            #expect(error?.text == #"wrongState(.complete, wanted: "cancelled")"#)
            #expect(error?.message.contains("`remove(_:)` deletes it") == true)
            try await fixture.store.perform(.pause, on: token)
            try await fixture.store.perform(.resume, on: token)
            #expect(try state(fixture, token) == .complete)
            let gone = AssetToken("01ARYZ6S410000000000000000") ?? token
            let outcome = try await fixture.store.perform(.remove, on: [gone, token])
            #expect(outcome.done.map(\.token) == [token])
            #expect(outcome.refused.map(\.token) == [gone])
        }
    }

    @Test("cancel keeps stored media for a resume; purge deletes them, and the rows agree")
    func cancel() async throws {
        try await StoreFixture.run {
            $0.transfersPerAsset = 1
        } _: { fixture async throws in
            let token = try await held(fixture, requests: 4)
            try await fixture.store.perform(.cancel, on: token)
            let kept = try #require(try fixture.store.reader.asset(token))
            #expect(kept.state == .cancelled && kept.renditions[0].storedSegments == 2)
            let name = kept.renditions[0].name
            #expect(try fixture.stored(token, "\(name)/0.ts") == Media.ts(10))
            try await fixture.store.perform(.cancel, on: token, purge: true)
            let purged = try #require(try fixture.store.reader.asset(token))
            #expect(purged.state == .cancelled && purged.storedBytes == 0)
            #expect(try fixture.stored(token, "\(name)/0.ts") == nil)
            #expect(try fixture.stored(token, "\(name)/media.m3u8") != nil)
            try await fixture.store.perform(.resume, on: token)
            await fixture.store.untilSettled(token)
            #expect(try fixture.store.reader.requireAsset(token).availability.offline)
        }
    }

    @Test("an asset that is resumed after it was cancelled is not purged, and loses nothing")
    func wantedAgain() async throws {
        try await StoreFixture.run {
            $0.transfersPerAsset = 1
        } _: { fixture async throws in
            let token = try await held(fixture, requests: 4)
            try await fixture.store.perform(.cancel, on: token)
            fixture.origin.fault("/v/s3.ts", .holdHeader, times: 1)
            try await fixture.store.perform(.resume, on: token)
            try await eventually { !fixture.origin.requests(for: "/v/s3.ts").isEmpty }
            try fixture.store.roles.remover.purge(token)
            fixture.origin.release()
            await fixture.store.untilSettled(token)
            #expect(try state(fixture, token) == .complete)
            #expect(try fixture.units(token, "video").map(\.state) == Array(repeating: .stored, count: 4))
            #expect(try await fixture.store.verify(token).isSound)
        }
    }

    @Test("the media of a cancelled asset are deleted after a day")
    func cancelledIsFreed() async throws {
        let clock = SettableClock()
        try await StoreFixture.run {
            $0.clock = clock
            $0.transfersPerAsset = 1
        } _: { fixture async throws in
            let token = try await held(fixture, requests: 4)
            try await fixture.store.perform(.cancel, on: token)
            clock.advance(hours: 23)
            try fixture.store.housekeeper.tidy()
            #expect(try fixture.store.reader.asset(token)?.storedBytes != 0)
            clock.advance(hours: 2)
            try fixture.store.housekeeper.tidy()
            #expect(try fixture.store.reader.asset(token)?.storedBytes == 0)
            #expect(try state(fixture, token) == .cancelled)
        }
    }

    /// A download that was cancelled after the beginning of a segment, and the file with it.
    private func begun(_ fixture: StoreFixture) async throws -> (token: AssetToken, part: FilePath) {
        fixture.origin.serveStream("/v", count: 2)
        fixture.origin.fault("/v/s0.ts", .stall(after: 600), times: 1)
        let token = try await fixture.add("/v/index.m3u8")
        let part = fixture.path(token, "video/.0.ts.part")
        try await eventually { FileSystem.facts(part)?.size ?? 0 > 0 }
        try await fixture.store.perform(.cancel, on: token)
        #expect(FileSystem.names(in: part.removingLastComponent()).contains(".0.ts.part.head"))
        #expect(try fixture.store.reader.requireAsset(token).storedBytes == 0)
        return (token, part)
    }

    @Test("the beginning of a segment is kept for a resume, too; purge deletes it")
    func purgedBeginning() async throws {
        try await StoreFixture.run {
            $0.transfersPerAsset = 1
        } _: { fixture async throws in
            let (token, part) = try await begun(fixture)
            try await fixture.store.perform(.cancel, on: token, purge: true)
            #expect(FileSystem.names(in: part.removingLastComponent()) == ["media.m3u8"])
            try await fixture.store.perform(.resume, on: token)
            await fixture.store.untilSettled(token)
            #expect(try state(fixture, token) == .complete)
        }
    }

    @Test("a second purge makes missing playlists again, even if nothing is left to delete")
    func purgedAgain() async throws {
        try await StoreFixture.run {
            $0.transfersPerAsset = 1
        } _: { fixture async throws in
            let token = try await held(fixture, requests: 4)
            let folder = fixture.path(token, "video")
            for _ in 0..<2 {
                try await fixture.store.perform(.cancel, on: token, purge: true)
                #expect(FileSystem.names(in: folder) == ["media.m3u8"])
                try FileSystem.removeTree(folder)
            }
        }
    }

    @Test("a whole segment that was never entered is deleted, too")
    func unentered() async throws {
        try await StoreFixture.run {
            $0.transfersPerAsset = 1
        } _: { fixture async throws in
            let (token, part) = try await begun(fixture)
            let folder = part.removingLastComponent()
            // The state of an engine that is killed after the move and before its note.
            try FileSystem.rename(part, to: folder.appending("0.ts"))
            try FileSystem.unlink(folder.appending(".0.ts.part.head"))
            try await fixture.store.perform(.cancel, on: token, purge: true)
            #expect(FileSystem.names(in: folder) == ["media.m3u8"])
        }
    }

    @Test("an unfinished file that can't be deleted is reported, and noted once for the next engine")
    func stuckBeginning() async throws {
        try await StoreFixture.run {
            $0.transfersPerAsset = 1
        } _: { fixture async throws in
            let (token, part) = try await begun(fixture)
            let (store, deep) = (fixture.store, part.removingLastComponent().appending("deep"))
            let folder = try DeepFolder(at: deep, in: fixture.folder)
            // Folders can't be moved out of view, either.
            try FileSystem.removeTree(store.paths.disposal)
            try DurableWrite.write([], to: store.paths.disposal)
            #expect(await failure { try await store.perform(.cancel, on: token, purge: true) } != nil)
            for _ in 0..<2 {
                #expect(try store.catalog.storage.disposals().map(\.path) == ["\(token)/video"])
                try store.roles.remover.purge(token)
            }
            try folder.takeApart(at: deep)
        }
    }

    @Test("the beginning of a segment of a cancelled asset is freed after a day, which is looked for once")
    func beginningIsFreed() async throws {
        let clock = SettableClock()
        try await StoreFixture.run {
            $0.clock = clock
            $0.transfersPerAsset = 1
        } _: { fixture async throws in
            let (_, part) = try await begun(fixture)
            clock.advance(hours: 23)
            try fixture.store.housekeeper.tidy()
            #expect(FileSystem.facts(part) != nil)
            clock.advance(hours: 2)
            try fixture.store.housekeeper.tidy()
            #expect(FileSystem.names(in: part.removingLastComponent()) == ["media.m3u8"])
            try DurableWrite.write([1], to: part)
            clock.advance(hours: 2)
            try fixture.store.housekeeper.tidy()
            #expect(FileSystem.facts(part) != nil)
        }
    }

    @Test("after a clock that was ahead, unfinished files are deleted after their day, too")
    func clockAhead() async throws {
        let clock = SettableClock()
        try await StoreFixture.run {
            $0.clock = clock
            $0.transfersPerAsset = 1
        } _: { fixture async throws in
            _ = try await begun(fixture)
            clock.advance(hours: 1000)
            try fixture.store.housekeeper.tidy()
            clock.advance(hours: -1000)
            let (_, part) = try await begun(fixture)
            clock.advance(hours: 25)
            try fixture.store.housekeeper.tidy()
            #expect(FileSystem.names(in: part.removingLastComponent()) == ["media.m3u8"])
        }
    }

    @Test("an asset that is resumed during the daily deletion stays")
    func broughtBackMeanwhile() async throws {
        let clock = SettableClock()
        try await StoreFixture.run {
            $0.clock = clock
            $0.transfersPerAsset = 1
        } _: { fixture async throws in
            var tokens: [AssetToken] = []
            for (path, requests) in [("/a", 4), ("/b", 8)] {
                tokens.append(try await held(fixture, path, requests: requests))
                try await fixture.store.perform(.cancel, on: tokens[tokens.count - 1])
            }
            clock.advance(hours: 25)
            // The first removal resumes the other asset.
            let (returning, all) = (fixture.store.parts.returning, tokens)
            let begin = DatabaseFunction("bring_back", argumentCount: 1) { values in
                let path = String.fromDatabaseValue(values[0]) ?? ""
                for token in all where !path.hasPrefix("\(token)") {
                    _ = returning.begin(token, from: .cancelled)
                }
                return nil
            }
            try fixture.store.catalog.write(.store) { session in
                try #require(session as? SQLiteSession).database.add(function: begin)
                try session.execute(
                    """
                    CREATE TEMP TRIGGER other AFTER INSERT ON disposal
                    BEGIN SELECT bring_back(NEW.path); END
                    """)
            }
            try fixture.store.housekeeper.tidy()
            let left = try tokens.filter { try fixture.store.reader.requireAsset($0).storedBytes != 0 }
            #expect(left.count == 1 && fixture.store.parts.returning.contains(left[0]))
        }
    }

    /// A store that tidies up all the time, and its clock.
    private func tidying(_ body: (StoreFixture, SettableClock) async throws -> Void) async throws {
        let clock = SettableClock()
        try await StoreFixture.run {
            $0.clock = clock
            $0.transfersPerAsset = 1
            $0.conditions.tidyInterval = 0.02
        } _: { fixture async throws in
            try await body(fixture, clock)
        }
    }

    @Test("media that were kept long enough are deleted automatically")
    func freedByItself() async throws {
        try await tidying { fixture, clock in
            await fixture.store.start()
            let token = try await held(fixture, requests: 4)
            try await fixture.store.perform(.cancel, on: token)
            clock.advance(hours: 25)
            while try fixture.store.reader.asset(token)?.storedBytes != 0 {
                try await Task.sleep(for: .milliseconds(5))
            }
        }
    }

    @Test("files that can't be deleted for now do not prevent other deletions, nor the engine's start")
    func notFreed() async throws {
        try await tidying { fixture, clock in
            var tokens: [AssetToken] = []
            for (path, requests) in [("/a", 4), ("/b", 8)] {
                tokens.append(try await held(fixture, path, requests: requests))
                try await fixture.store.perform(.cancel, on: tokens[tokens.count - 1])
            }
            tokens.sort()
            let (stuck, free) = (tokens[0], tokens[1])
            clock.advance(hours: 25)
            try fixture.store.catalog.write(.store) { session in
                try session.execute(
                    """
                    CREATE TEMP TRIGGER full BEFORE INSERT ON disposal WHEN NEW.path LIKE '\(stuck)%'
                    BEGIN SELECT RAISE(ABORT, 'full'); END
                    """)
            }
            await fixture.store.start()
            #expect(try fixture.store.reader.asset(free)?.storedBytes == 0)
            #expect(try fixture.store.reader.asset(stuck)?.storedBytes != 0)
            try fixture.store.catalog.write(.store) { try $0.execute("DROP TRIGGER full") }
            // Work that begins last at a start is repeated from time to time.
            try await eventually { try fixture.store.reader.asset(stuck)?.storedBytes == 0 }
        }
    }

    @Test("raising the priority of a queued asset starts it before the others")
    func raisedPriority() async throws {
        try await StoreFixture.run {
            $0.maximumDownloads = 1
        } _: { fixture async throws in
            let running = try await held(fixture)
            var waiting: [AssetToken] = []
            for name in ["a", "b"] {
                fixture.origin.serveStream("/\(name)", count: 1)
                waiting.append(try await fixture.add("/\(name)/index.m3u8"))
            }
            var edit = AssetEdit()
            (edit.priority, edit.name, edit.meta) = (1, "new", ["k": "v"])
            try await fixture.store.edit(waiting[1], edit)
            fixture.origin.release()
            for token in [running] + waiting { await fixture.store.untilSettled(token) }
            let asset = try fixture.store.reader.requireAsset(waiting[1])
            #expect(asset.state == .complete && asset.name == "new" && asset.meta == ["k": "v"])
            #expect(fixture.origin.paths.suffix(2) == ["/b/s0.ts", "/a/s0.ts"])
        }
    }

    @Test("a caller that waits for an asset is told when it is paused")
    func waiters() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await held(fixture)
            async let settled: Void = fixture.store.untilSettled(token)
            let outcome = try await fixture.store.perform(
                .pause, on: fixture.store.reader.tokens(for: .pause))
            #expect(outcome.done == [AssetChange(token: token, from: .downloading, to: .paused)])
            await settled
            #expect(try state(fixture, token) == .paused)
        }
    }
}

/// A clock that a test sets.
final class SettableClock: WallClock {
    private let time = Lock(Int64(1_700_000_000_000))
    var now: Timestamp { Timestamp(milliseconds: time.withLock { $0 }) }
    func advance(hours: Int64) { time.withLock { $0 += hours * 3_600_000 } }
}
