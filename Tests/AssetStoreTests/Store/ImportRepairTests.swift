import Foundation
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

/// Missing media of an imported asset come from its folder again.
@Suite(.timeLimit(.minutes(2)))
struct ImportRepairTests {
    /// The complete asset that was made of a folder with three segments.
    private func imported(_ fixture: StoreFixture) async throws -> AssetToken {
        for number in 0..<3 {
            try fixture.folder.write(Media.ts(5, seed: UInt64(number)), to: "hls/one \(number).ts")
        }
        let playlist = Playlists.media((0..<3).map { "one%20\($0).ts" })
        try fixture.folder.write(Array(playlist.utf8), to: "hls/index.m3u8")
        return try await fixture.store.imports.add(FilePath(fixture.folder.file("hls"))).token
    }

    /// Changes a byte of segment 0 and deletes segment 2.
    private func damage(_ fixture: StoreFixture, _ token: AssetToken) throws {
        var bytes = try fixture.stored(token, "video/0.ts") ?? []
        bytes[100] ^= 1
        try DurableWrite.write(bytes, to: fixture.path(token, "video/0.ts"))
        try FileSystem.unlink(fixture.path(token, "video/2.ts"))
    }

    @Test(
        "repair copies missing and damaged files, and the asset stays complete", arguments: [true, false])
    func copied(isVerifiedBefore: Bool) async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await imported(fixture)
            try damage(fixture, token)
            if isVerifiedBefore { _ = try await fixture.store.verify(token) }
            try await fixture.store.repair(token)
            #expect(try fixture.store.reader.requireAsset(token).state == .complete)
            #expect(try await fixture.store.verify(token).isSound)
            #expect(try fixture.stored(token, "video/2.ts") == fixture.folder.read("hls/one 2.ts"))
        }
    }

    @Test(
        "a source that is gone or has other bytes is told, and nothing is changed",
        arguments: [true, false], [true, false])
    func sourceGone(isDeleted: Bool, isVerifiedBefore: Bool) async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await imported(fixture)
            try damage(fixture, token)
            if isVerifiedBefore { _ = try await fixture.store.verify(token) }
            let original = try fixture.folder.read("hls/one 2.ts")
            if isDeleted {
                try FileManager.default.removeItem(atPath: fixture.folder.file("hls/one 2.ts"))
            } else {
                try fixture.folder.write(Media.ts(5, seed: 99), to: "hls/one 2.ts")
            }
            let error = await failure { try await fixture.store.repair(token) }
            #expect(error?.errorClass == .usage)
            #expect(error?.message.contains("one 2.ts") == true)
            #expect(try fixture.store.reader.requireAsset(token).state == .complete)
            #expect(FileSystem.facts(fixture.path(token, "video/2.ts")) == nil)
            try fixture.folder.write(original, to: "hls/one 2.ts")
            try await fixture.store.repair(token)
            #expect(try await fixture.store.verify(token).isSound)
        }
    }

    @Test(
        "an evicted import is complete again after repair or resume, without a request to the network",
        arguments: [true, false])
    func evicted(isResumed: Bool) async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await imported(fixture)
            _ = try await fixture.store.prune(freeing: 1, [.leastRecentlyPlayed])
            #expect(try fixture.store.reader.requireAsset(token).state == .cancelled)
            if isResumed {
                let change = try await fixture.store.perform(.resume, on: token)
                #expect(change == AssetChange(token: token, from: .cancelled, to: .complete))
            } else {
                try await fixture.store.repair(token, isReading: false)
            }
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.state == .complete && asset.availability.offline)
        }
    }

    @Test("an evicted asset comes back complete without a network, also if a subtitle file of it is missing")
    func evictedWithSubtitles() async throws {
        try await StoreFixture.run {
            $0.conditions.isOnline = { _ in false }
        } _: { fixture async throws in
            let token = try await imported(fixture)
            let text = "1\n00:00:01,000 --> 00:00:02,000\nHallo\n"
            let path = try fixture.folder.write(Array(text.utf8), to: "given.srt")
            try await fixture.store.tracks.addSubtitles(
                [SubtitleSource(source: path, language: "de")], to: token)
            _ = try await fixture.store.prune(freeing: 1, [.leastRecentlyPlayed])
            try FileSystem.removeTree(fixture.path(token, "subtitles-de"))
            let change = try await fixture.store.perform(.resume, on: token)
            #expect(change == AssetChange(token: token, from: .cancelled, to: .complete))
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.availability.offline)
            #expect(asset.renditions.filter { $0.failure != nil }.map(\.name) == ["subtitles-de"])
            #expect(try !fixture.master(token).contains("subtitles-de"))
        }
    }

    @Test("an asset that is being brought back keeps its media, though it was cancelled long ago")
    func keptMeanwhile() async throws {
        try await StoreFixture.run { fixture async throws in
            let store = fixture.store
            let token = try await imported(fixture)
            try store.catalog.assets.apply(
                .evict, to: token, TransitionDetail(now: Timestamp(milliseconds: 0)))
            // Deleted media could not be fetched again.
            try FileManager.default.removeItem(atPath: fixture.folder.file("hls/one 0.ts"))
            try FileSystem.unlink(fixture.path(token, "video/2.ts"))
            store.onChange { [weak store] _ in _ = try? store?.housekeeper.tidy() }
            let change = try await store.perform(.resume, on: token)
            #expect(change == AssetChange(token: token, from: .cancelled, to: .complete))
            #expect(try await store.verify(token).isSound)
        }
    }

    @Test(
        "an import that is cancelled while its files are copied stays cancelled, and freed files stay freed",
        arguments: [true, false], [AssetState.cancelled, .failed])
    func cancelledMeanwhile(isPurged: Bool, from state: AssetState) async throws {
        try await StoreFixture.run { fixture async throws in
            let store = fixture.store
            let token = try await imported(fixture)
            _ = try await store.prune(freeing: 1, [.leastRecentlyPlayed])
            try store.catalog.write(.store) { session in
                try session.execute("UPDATE asset SET state = ?", [state.rawValue])
            }
            await store.parts.turns.take(token)
            let resumed = Task { try await store.perform(.resume, on: token) }
            try await eventually { store.parts.returning.contains(token) }
            try await store.perform(.cancel, on: token, purge: isPurged)
            store.parts.turns.release(token)
            // The resume may have found out before the catalog had it.
            #expect(try await resumed.value.to != .complete)
            let asset = try store.reader.requireAsset(token)
            #expect(asset.state == .cancelled && (!isPurged || asset.storedBytes == 0))
            let change = try await store.perform(.resume, on: token)
            #expect(change == AssetChange(token: token, from: .cancelled, to: .complete))
        }
    }

    @Test("an asset that loses a unit again while it is brought back stays as it was: no origin is asked")
    func lostMeanwhile() async throws {
        try await StoreFixture.run { fixture async throws in
            let store = fixture.store
            let token = try await imported(fixture)
            _ = try await store.prune(freeing: 1, [.leastRecentlyPlayed])
            // The finding of another check at the time when the last file is copied.
            try store.catalog.write(.store) { session in
                try session.execute(
                    """
                    CREATE TEMP TRIGGER lost AFTER UPDATE OF state ON unit WHEN NEW.number = 2 AND NEW.state = 1
                    BEGIN UPDATE unit SET state = 0 WHERE number = 0; END
                    """)
            }
            let error = await failure { try await store.repair(token, isReading: false) }
            #expect(error?.text.hasPrefix("notWhole") == true)
            #expect(try store.reader.requireAsset(token).state == .cancelled)
        }
    }

    @Test("if the catalog can't record its end, the import stays as it was, and succeeds with the next try")
    func endNotTaken() async throws {
        try await StoreFixture.run { fixture async throws in
            let store = fixture.store
            let token = try await imported(fixture)
            _ = try await store.prune(freeing: 1, [.leastRecentlyPlayed])
            try store.catalog.write(.store) { session in
                try session.execute(
                    """
                    CREATE TEMP TRIGGER full BEFORE UPDATE OF state ON asset WHEN NEW.state = 'downloading'
                    BEGIN SELECT RAISE(ABORT, 'full'); END
                    """)
            }
            let error = await failure { try await store.perform(.resume, on: token) }
            #expect(error != nil)
            #expect(try store.reader.requireAsset(token).state == .cancelled)
            try store.catalog.write(.store) { try $0.execute("DROP TRIGGER full") }
            try await store.repair(token, isReading: false)
            #expect(try store.reader.requireAsset(token).state == .complete)
        }
    }

    @Test("no queued download starts with a resume in a store whose engine is not to start downloads")
    func startsNothing() async throws {
        let (folder, origin) = (try TemporaryDirectory(), try OriginServer())
        origin.serveStream("/v", count: 1)
        origin.fault("/v/index.m3u8", .holdHeader)
        let first = try StoreFixture(in: folder, origin: origin)
        let token = try await imported(first)
        _ = try await first.store.prune(freeing: 1, [.leastRecentlyPlayed])
        let entered = try await first.store.intake.enqueue([first.request("/v/index.m3u8")], isHeld: true)
        let queued = try #require(entered.tokens.first)
        await first.store.stop()
        let second = try StoreFixture(in: folder, origin: origin)
        let outcome = try await second.store.perform(.resume, on: [token], starts: false)
        #expect(outcome.done.map(\.to) == [.complete])
        #expect(try second.store.reader.progress(of: queued)?.state == .queued)
        #expect(origin.requests.isEmpty)
        await second.store.stop()
    }

    @Test("an evicted asset whose folder is gone, too, stays as it was when it is resumed")
    func evictedForGood() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await imported(fixture)
            _ = try await fixture.store.prune(freeing: 1, [.leastRecentlyPlayed])
            try FileManager.default.removeItem(atPath: fixture.folder.file("hls/one 2.ts"))
            let error = await failure { try await fixture.store.perform(.resume, on: token) }
            #expect(error?.errorClass == .usage && error?.message.contains("one 2.ts") == true)
            #expect(error?.text.contains("others: 0") == true)
            try FileManager.default.removeItem(atPath: fixture.folder.file("hls/one 1.ts"))
            let both = await failure { try await fixture.store.perform(.resume, on: token) }
            #expect(both?.text.contains("others: 1") == true)
            #expect(try fixture.store.reader.requireAsset(token).state == .cancelled)
        }
    }

    @Test("a resumed asset whose folder in the store can't be looked into stays as it was; others resume")
    func unreadable() async throws {
        try await StoreFixture.run { fixture async throws in
            let (store, token) = (fixture.store, try await imported(fixture))
            fixture.origin.serveStream("/v", count: 1)
            let other = try await fixture.add("/v/index.m3u8") { $0.isPreload = true }
            try store.catalog.assets.apply(
                .evict, to: token, TransitionDetail(now: store.context.clock.now))
            let (folder, away) = (fixture.path(token, "video"), fixture.path(token, "away"))
            try FileSystem.rename(folder, to: away)
            // A link to itself, which not even root can open.
            try FileManager.default.createSymbolicLink(
                atPath: folder.string, withDestinationPath: folder.string)
            let outcome = try await store.perform(.resume, on: [token, other])
            #expect(outcome.done.map(\.token) == [other])
            #expect(outcome.refused.map(\.token) == [token])
            #expect(outcome.refused.first?.error.isOfFiles == true)
            #expect(try store.reader.requireProgress(of: token).state == .cancelled)
            try FileSystem.unlink(folder)
            try FileSystem.rename(away, to: folder)
            try await store.repair(token, isReading: false)
            let asset = try store.reader.requireAsset(token)
            #expect(asset.state == .complete && asset.availability.offline)
        }
    }

    @Test("adding tracks to it is refused with the reason")
    func tracks() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await imported(fixture)
            let error = await failure { _ = try await fixture.store.addTracks(.everything, to: token) }
            #expect(error?.text == #"imported(wanted: "given tracks")"#)
            #expect(try fixture.store.reader.requireAsset(token).state == .complete)
        }
    }
}
