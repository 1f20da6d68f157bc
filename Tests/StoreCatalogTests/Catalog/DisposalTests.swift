import Foundation
import ModelTestSupport
import SidebandSubtitles
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

/// Deleting what is removed, in peace and after a crash.
@Suite(.timeLimit(.minutes(2)))
struct DisposalTests {
    @Test("a removed asset's files are gone in the end, and nothing is left to do")
    func files() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 4)
            let token = try await fixture.download("/v/index.m3u8").token
            try await fixture.store.remove(token)
            #expect(try fixture.isEmpty)
            await fixture.store.untilDisposed()
            #expect(FileSystem.names(in: fixture.store.paths.disposal) == [])
            #expect(try fixture.store.catalog.storage.disposals().isEmpty)
            try await eventually { fixture.store.parts.disposer.isIdle }
        }
    }

    @Test("an open file can be read to its end after the asset is removed")
    func reader() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            let asset = try await fixture.download("/v/index.m3u8")
            let name = asset.renditions[0].name
            let file = try FileDescriptor.open(fixture.path(asset.token, "\(name)/0.ts"), .readOnly)
            try await fixture.store.remove(asset.token)
            await fixture.store.untilDisposed()
            var bytes = [UInt8](repeating: 0, count: 188 * 10)
            let count = try file.closeAfter {
                try unsafe bytes.withUnsafeMutableBytes { try unsafe file.read(into: $0) }
            }
            #expect(count == bytes.count && bytes == Media.ts(10))
        }
    }

    @Test("folders of tracks whose rows a crash prevents are deleted, those of tracks that were entered stay")
    func tracks() async throws {
        let folder = try TemporaryDirectory()
        let origin = try OriginServer()
        let first = try StoreFixture(in: folder, origin: origin)
        origin.serveStream("/v", count: 2)
        origin.serve("/film.srt", text: "1\n00:00:00,000 --> 00:00:01,000\nWelt\n")
        let token = try await first.download("/v/index.m3u8").token
        let file = SubtitleSource(source: origin.url("/film.srt"), language: "de")
        try await first.store.tracks.addSubtitles([file], to: token)
        #expect(try first.store.catalog.storage.disposals().isEmpty)
        _ = try first.store.catalog.storage.prepare(["subtitles-fr"], of: token)
        let begun = first.path(token, "subtitles-fr")
        try FileSystem.makeDirectory(begun)
        try DurableWrite.write([1, 2, 3], to: begun.appending("source.srt"))
        await first.store.stop()
        let second = try StoreFixture(in: folder, origin: origin)
        await second.store.untilDisposed()
        #expect(try second.store.catalog.storage.disposals().isEmpty && FileSystem.facts(begun) == nil)
        #expect(try second.store.reader.captions.subtitles(token, "de")?.track.cues.count == 1)
        await second.store.stop()
    }

    @Test(
        "the folder of a track that could not be written and can't be deleted now is deleted by the next engine",
        .enabled(if: Immutability.isPossible))
    func refusedTrack() async throws {
        let first = try StoreFixture()
        first.origin.serveStream("/v", count: 2)
        first.origin.serve("/film.srt", text: "1\n00:00:00,000 --> 00:00:01,000\nWelt\n")
        let token = try await first.download("/v/index.m3u8").token
        let folder = first.path(token, "subtitles-de")
        try FileSystem.makeDirectory(folder)
        #expect(Immutability.set(true, folder))
        defer { Immutability.set(false, folder) }
        let file = SubtitleSource(source: first.origin.url("/film.srt"), language: "de")
        await #expect(throws: StoreError.self) {
            try await first.store.tracks.addSubtitles([file], to: token)
        }
        #expect(try first.store.catalog.storage.disposals().map(\.path) == ["\(token)/subtitles-de"])
        try await reopened(first, after: { Immutability.set(false, folder) }) { second async throws in
            #expect(try FileSystem.isAbsent(folder) && second.store.catalog.storage.disposals().isEmpty)
        }
    }

    /// An engine's store as a crash leaves it, and what the next engine makes of it.
    private func afterCrash(_ break: (StoreFixture, AssetToken, Disposal) throws -> Void) async throws {
        let folder = try TemporaryDirectory()
        let origin = try OriginServer()
        let first = try StoreFixture(in: folder, origin: origin)
        origin.serveStream("/v", count: 2)
        let token = try await first.download("/v/index.m3u8").token
        try first.store.catalog.assets.apply(
            .remove, to: token, TransitionDetail(now: Timestamp(milliseconds: 0)))
        let items = try first.store.catalog.storage.discard([token], at: Timestamp(milliseconds: 0)) { _ in
            true
        }
        try `break`(first, token, #require(items.first))
        await first.store.stop()
        let second = try StoreFixture(in: folder, origin: origin)
        await second.store.untilDisposed()
        #expect(try second.store.catalog.storage.disposals().isEmpty)
        #expect(FileSystem.names(in: second.store.paths.disposal) == [])
        await second.store.stop()
    }

    @Test("a crash before the folder was moved: the next engine moves and deletes it")
    func beforeMove() async throws {
        try await afterCrash { fixture, token, _ in
            #expect(FileSystem.isDirectory(fixture.store.paths.asset(token)))
        }
    }

    @Test("a crash after the move and before its note: the same")
    func afterMove() async throws {
        try await afterCrash { fixture, token, item in
            try FileSystem.makeDirectory(fixture.store.paths.disposal)
            try FileSystem.rename(
                fixture.store.paths.asset(token), to: fixture.store.paths.disposal.appending("\(item.id)"))
        }
    }

    /// Opens the store of another fixture again, after `change`; `body` looks at what is there then.
    private func reopened(
        _ first: StoreFixture, after change: () throws -> Void = {},
        _ body: (StoreFixture) async throws -> Void
    ) async throws {
        await first.store.stop()
        try change()
        let second = try StoreFixture(in: first.folder, origin: first.origin)
        await second.store.untilDisposed()
        try await body(second)
        await second.store.stop()
    }

    @Test("a folder that can't be moved is deleted in place; media that are fetched again survive a restart")
    func inPlace() async throws {
        let first = try StoreFixture()
        first.origin.serveStream("/v", count: 2)
        let token = try await first.download("/v/index.m3u8").token
        // Where folders are moved to lies a file.
        let obstacle = first.store.paths.disposal
        try FileSystem.removeTree(obstacle)
        try DurableWrite.write([], to: obstacle)
        try first.store.catalog.assets.apply(
            .evict, to: token, TransitionDetail(now: Timestamp(milliseconds: 0)))
        try first.store.roles.remover.purge(token)
        #expect(FileSystem.names(in: first.path(token, "video")) == ["media.m3u8"])
        #expect(try first.store.catalog.storage.disposals().isEmpty)
        try await first.store.perform(.resume, on: token)
        await first.store.untilSettled(token)
        try await reopened(first, after: { try FileSystem.unlink(obstacle) }) { second in
            let report = try await second.store.verify(token)
            #expect(report.isSound)
            #expect(try second.store.reader.requireAsset(token).availability.offline)
        }
    }

    @Test(
        "playlists that were deleted with freed media or a folder are made again when the asset is complete",
        arguments: [true, false])
    func playlists(isFreed: Bool) async throws {
        let first = try StoreFixture()
        first.origin.serveStream("/v", count: 2)
        let token = try await first.download("/v/index.m3u8").token
        let (catalog, now) = (first.store.catalog, Timestamp(milliseconds: 0))
        try catalog.assets.apply(.evict, to: token, TransitionDetail(now: now))
        // As an engine leaves it that is killed in the middle of it.
        if isFreed { _ = try catalog.storage.purge(token) { _ in false } }
        let folder = first.path(token, "video")
        try await reopened(first, after: { if !isFreed { try FileSystem.removeTree(folder) } }) { second in
            try await second.store.perform(.resume, on: token)
            await second.store.untilSettled(token)
            #expect(try second.stored(token, "video/media.m3u8") != nil)
            let asset = try second.store.reader.requireAsset(token)
            #expect(asset.state == .complete && asset.availability.offline)
        }
    }

    @Test("playlists that can't be made again keep nothing from being freed")
    func unmadePlaylists() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 2)
            fixture.origin.serveSubtitles("/s", count: 1)
            fixture.origin.fault("/s/s0.vtt", .status(400))
            fixture.origin.serve(
                "/m.m3u8",
                text: Playlists.master(
                    Playlists.rendition("SUBTITLES", "s", "en", "s/index.m3u8"),
                    Playlists.variant("v/index.m3u8", 900_000, #"SUBTITLES="s""#)))
            for _ in 0..<2 {
                let token = try await fixture.download("/m.m3u8").token
                // Where a playlist is to be lies a folder.
                let path = fixture.path(token, "subtitles-en/media.m3u8")
                try FileSystem.removeTree(path)
                try FileSystem.makeDirectory(path)
            }
            let report = try await fixture.store.prune(freeing: .max / 2, [.leastRecentlyPlayed])
            #expect(report.evicted.count == 2)
            #expect(try fixture.store.catalog.assets.storedBytes() == 0)
            #expect(fixture.log.text.contains("playlists could not be made again"))
        }
    }

    @Test("the next engine deletes moved folders without a row, and nothing else there")
    func forgotten() async throws {
        let first = try StoreFixture()
        let other = try first.folder.write([1], to: "store/removed/notes/0.ts")
        try first.folder.write([1], to: "store/removed/700/video/0.ts")
        try await reopened(first) { second in
            #expect(FileSystem.names(in: second.store.paths.disposal) == ["notes"])
            #expect(FileSystem.facts(FilePath(other)) != nil)
        }
    }

    @Test("a folder that an engine could not move stays if new media are stored in it")
    func storedAgain() async throws {
        let first = try StoreFixture()
        first.origin.serveStream("/v", count: 2)
        let token = try await first.download("/v/index.m3u8").token
        _ = try first.store.catalog.storage.addDisposal("\(token)/video")
        try await reopened(first) { second in
            let report = try await second.store.verify(token)
            #expect(report.isSound)
            #expect(try second.store.catalog.storage.disposals().isEmpty)
        }
    }

    @Test(
        "a folder that can be neither moved nor deleted does not keep a store from opening; the next engine tries it"
    )
    func stuck() async throws {
        let first = try StoreFixture()
        // No system call moves or deletes a folder by this name.
        _ = try first.store.catalog.storage.addDisposal(".")
        try await reopened(first) { second in
            #expect(second.log.text.contains("cannot delete removed files"))
            #expect(try second.store.catalog.storage.disposals().map(\.path) == ["."])
            second.origin.serveStream("/v", count: 1)
            let asset = try await second.download("/v/index.m3u8")
            #expect(asset.state == .complete)
        }
    }

    @Test("a folder that can't be deleted keeps no other one on the disk, and goes as soon as it can be")
    func undeletable() async throws {
        try await StoreFixture.run { fixture async throws in
            let (store, paths) = (fixture.store, fixture.store.paths)
            let deep = try DeepFolder(at: paths.assets.appending("deep"), in: fixture.folder)
            try fixture.folder.write([1], to: "store/assets/other/0.ts")
            let items = try ["deep", "other"].map { try store.catalog.storage.addDisposal($0) }
            try store.parts.disposer.dispose(items)
            await store.untilDisposed()
            let name = "\(items[0].id)"
            #expect(FileSystem.names(in: paths.disposal) == [name])
            #expect(try store.catalog.storage.disposals().map(\.path) == ["deep"])
            #expect(fixture.log.text.contains("cannot delete removed files"))
            try deep.takeApart(at: paths.disposal.appending(name))
            try store.housekeeper.tidy()
            await store.untilDisposed()
            #expect(FileSystem.names(in: paths.disposal) == [])
            #expect(try store.catalog.storage.disposals().isEmpty)
        }
    }

    /// Does something while the catalog can't note that folders were moved.
    private func whileUnnoted(_ store: OfflineStore, _ body: () async throws -> Void) async throws {
        try store.catalog.write(.store) { session in
            try session.execute(
                """
                CREATE TEMP TRIGGER full BEFORE UPDATE ON disposal
                BEGIN SELECT RAISE(ABORT, 'full'); END
                """)
        }
        try await body()
        try store.catalog.write(.store) { try $0.execute("DROP TRIGGER full") }
    }

    @Test("a moved folder that could not be recorded is deleted as soon as possible", .ofSQLite)
    func unnoted() async throws {
        try await StoreFixture.run { fixture async throws in
            let (store, paths) = (fixture.store, fixture.store.paths)
            fixture.origin.serveStream("/v", count: 2)
            let token = try await fixture.download("/v/index.m3u8").token
            try await whileUnnoted(store) { () async throws in
                #expect(await failure { try await store.remove(token) } != nil)
                await store.untilDisposed()
                #expect(try fixture.isEmpty && FileSystem.names(in: paths.disposal).count == 1)
            }
            try store.housekeeper.tidy()
            await store.untilDisposed()
            #expect(FileSystem.names(in: paths.disposal) == [])
            #expect(try store.catalog.storage.disposals().isEmpty)
        }
    }

    /// Does something while nobody can get at what is in a folder.
    private func whileUnreachable(_ path: FilePath, _ body: () async throws -> Void) async throws {
        let elsewhere = path.removingLastComponent().appending("elsewhere")
        try FileSystem.rename(path, to: elsewhere)
        try FileManager.default.createSymbolicLink(atPath: path.string, withDestinationPath: path.string)
        try await body()
        try FileSystem.unlink(path)
        try FileSystem.rename(elsewhere, to: path)
    }

    @Test("a folder that can't be reached when its asset is removed is deleted later")
    func unreachable() async throws {
        try await StoreFixture.run { fixture async throws in
            let (store, paths) = (fixture.store, fixture.store.paths)
            fixture.origin.serveStream("/v", count: 2)
            let token = try await fixture.download("/v/index.m3u8").token
            try await whileUnreachable(paths.assets) {
                #expect(await failure { try await store.remove(token) } != nil)
            }
            #expect(try store.catalog.storage.disposals().map(\.path) == [token.description])
            try store.housekeeper.tidy()
            await store.untilDisposed()
            #expect(try fixture.isEmpty)
            #expect(try store.catalog.storage.disposals().isEmpty)
        }
    }

    @Test("left-over files of an existing asset stay, since they may be stored again")
    func storedMeanwhile() async throws {
        try await StoreFixture.run { fixture async throws in
            let store = fixture.store
            fixture.origin.serveStream("/v", count: 2)
            let token = try await fixture.download("/v/index.m3u8").token
            let item = try store.catalog.storage.addDisposal("\(token)/video")
            try await whileUnreachable(store.paths.asset(token)) {
                #expect(await failure { try store.parts.disposer.dispose([item]) } != nil)
            }
            try store.housekeeper.tidy()
            await store.untilDisposed()
            let report = try await store.verify(token)
            #expect(report.isSound)
        }
    }

    @Test("a folder stays while it is unknown whether the old folder of the same name was moved", .ofSQLite)
    func unclear() async throws {
        let first = try StoreFixture()
        let (store, paths) = (first.store, first.store.paths)
        first.origin.serveStream("/v", count: 2)
        let token = try await first.download("/v/index.m3u8").token
        try await whileUnnoted(store) {
            try store.catalog.assets.apply(
                .evict, to: token, TransitionDetail(now: Timestamp(milliseconds: 0)))
            #expect(await failure { try store.roles.remover.purge(token) } != nil)
        }
        // As of a resume.
        let part = try first.folder.write([1], to: "store/assets/\(token)/video/.0.ts.part")
        try await whileUnreachable(paths.disposal) {
            try await reopened(first) { second in
                #expect(!FileSystem.isAbsent(FilePath(part)))
                #expect(try second.store.catalog.storage.disposals().count == 1)
                try second.store.housekeeper.tidy()
                await second.store.untilDisposed()
                #expect(!FileSystem.isAbsent(FilePath(part)))
            }
        }
        let third = try StoreFixture(in: first.folder, origin: first.origin)
        await third.store.untilDisposed()
        #expect(FileSystem.names(in: paths.disposal) == [])
        #expect(try third.store.catalog.storage.disposals().isEmpty)
        #expect(!FileSystem.isAbsent(FilePath(part)))
        await third.store.stop()
    }

    @Test("a folder that is found after the move was recorded is a new one, and stays")
    func newFolder() async throws {
        try await StoreFixture.run { fixture async throws in
            let disposer = fixture.store.parts.disposer
            let item = Disposal(id: 7, path: "other", isMoved: true)
            try fixture.folder.write([1], to: "store/assets/other/0.ts")
            try disposer.dispose([item])
            await disposer.untilDone()
            #expect(try fixture.folder.read("store/assets/other/0.ts") == [1])
        }
    }
}
