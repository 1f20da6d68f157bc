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

/// The limits of a store.
@Suite(.timeLimit(.minutes(5)))
struct StorageLimitTests {
    /// A store with three assets of one stream, whose size is that of a quota's third.
    private func withAssets(
        quota count: UInt64, evict: Set<EvictionClass>,
        _ body: (StoreFixture, [AssetToken], Int64) async throws -> Void
    ) async throws {
        let size = UInt64(Media.ts(10).count + Media.ts(11).count)
        try await StoreFixture.run {
            var policy = StoragePolicy()
            (policy.quota, policy.evict) = (size * count, evict)
            $0.storage = policy
            $0.conditions.interval = 0.02
        } _: { fixture async throws in
            publish(fixture.origin)
            var tokens: [AssetToken] = []
            for _ in 0..<count { tokens.append(try await fixture.download("/master.m3u8").token) }
            try await body(fixture, tokens, Int64(size))
        }
    }

    /// A stream that tells its sizes.
    private func publish(_ origin: OriginServer) {
        let media = origin.serveStream("/v", count: 2)
        var offset = 0
        var lines: [String] = []
        for bytes in media {
            lines.append("#EXTINF:4,\n#EXT-X-BYTERANGE:\(bytes.count)@\(offset)\nall.ts")
            offset += bytes.count
        }
        origin.serve("/v/all.ts", bytes: Array(media.joined()))
        let body = lines.joined(separator: "\n")
        origin.serve(
            "/v/index.m3u8",
            text: "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:4\n\(body)\n#EXT-X-ENDLIST\n")
        origin.serve(
            "/master.m3u8", text: Playlists.master(Playlists.variant("v/index.m3u8", 100_000)))
    }

    private func state(_ fixture: StoreFixture, _ token: AssetToken) throws -> AssetState? {
        try fixture.store.reader.progress(of: token)?.state
    }

    @Test("a download that does not fit in the quota waits, without any request, until there is room")
    func admission() async throws {
        try await withAssets(quota: 2, evict: []) { fixture, tokens, _ in
            fixture.origin.forgetRequests()
            let token = try await fixture.add("/master.m3u8")
            try await fixture.untilWaiting(token, for: "disk")
            #expect(try state(fixture, token) == .queued)
            #expect(fixture.origin.requests(for: "/v/all.ts").isEmpty)
            for kept in tokens { #expect(try state(fixture, kept) == .complete) }
            try await fixture.store.remove(tokens[0])
            await fixture.store.untilSettled(token)
            #expect(try state(fixture, token) == .complete)
        }
    }

    @Test("if the policy permits it, the least recently played asset is evicted; it can be fetched again")
    func eviction() async throws {
        try await withAssets(quota: 2, evict: [.leastRecentlyPlayed]) { fixture, tokens, size in
            try fixture.store.catalog.storage.setPlayed([(tokens[0], Timestamp(milliseconds: 1 << 50), 1)])
            let token = try await fixture.download("/master.m3u8").token
            #expect(try state(fixture, token) == .complete)
            #expect(try state(fixture, tokens[0]) == .complete)
            let evicted = try fixture.store.reader.requireAsset(tokens[1])
            #expect(evicted.state == .cancelled && evicted.reason == "evicted")
            #expect(evicted.storedBytes == 0 && !evicted.availability.offline)
            #expect(try fixture.store.catalog.assets.storedBytes() == 2 * size)
            try await fixture.store.perform(.resume, on: tokens[1])
            await fixture.store.untilSettled(tokens[1])
            #expect(try fixture.store.reader.requireAsset(tokens[1]).availability.offline)
        }
    }

    @Test("assets that can't be evicted are no obstacle while others can: these make room instead")
    func stuck() async throws {
        try await withAssets(quota: 2, evict: [.leastRecentlyPlayed]) { fixture, tokens, size in
            let catalog = fixture.store.catalog
            try catalog.storage.setPlayed([(tokens[1], Timestamp(milliseconds: 1 << 50), 1)])
            try catalog.write(.store) { session in
                try session.execute(
                    """
                    CREATE TEMP TRIGGER full BEFORE UPDATE OF state ON asset
                    WHEN NEW.token = '\(tokens[0])' AND NEW.state = 'cancelled'
                    BEGIN SELECT RAISE(ABORT, 'full'); END
                    """)
            }
            let token = try await fixture.download("/master.m3u8").token
            #expect(try state(fixture, token) == .complete)
            #expect(try state(fixture, tokens[0]) == .complete)
            #expect(try state(fixture, tokens[1]) == .cancelled)
            #expect(try catalog.assets.storedBytes() == 2 * size)
            // Without another asset to evict, a download waits.
            _ = try fixture.store.control.pin([token], true)
            await fixture.store.untilDisposed()
            let other = try await fixture.add("/master.m3u8")
            try await eventually { fixture.log.text.contains("cannot start downloads") }
            #expect(try state(fixture, other) == .queued)
            try catalog.write(.store) { try $0.execute("DROP TRIGGER full") }
            await fixture.store.untilSettled(other)
            #expect(try state(fixture, other) == .complete)
            #expect(try state(fixture, tokens[0]) == .cancelled)
        }
    }

    @Test("if files of evicted assets can't be deleted, no more is evicted than makes room")
    func undeletable() async throws {
        try await withAssets(quota: 2, evict: [.leastRecentlyPlayed]) { fixture, tokens, _ in
            let paths = fixture.store.paths
            try fixture.store.catalog.storage.setPlayed([(tokens[1], Timestamp(milliseconds: 1 << 50), 1)])
            let places = tokens.map { paths.rendition($0, "video").appending("deep") }
            let spares = [try TemporaryDirectory(), try TemporaryDirectory()]
            let folders = try zip(places, spares).map { try DeepFolder(at: $0, in: $1) }
            // Folders can't be moved out of view, either.
            try FileSystem.removeTree(paths.disposal)
            try DurableWrite.write([], to: paths.disposal)
            let token = try await fixture.download("/master.m3u8").token
            #expect(try state(fixture, token) == .complete)
            #expect(try state(fixture, tokens[0]) == .cancelled)
            #expect(try state(fixture, tokens[1]) == .complete)
            for (folder, place) in zip(folders, places) { try folder.takeApart(at: place) }
        }
    }

    /// A store whose policy lets two assets go, the first one first, and the bytes that are free.
    private func withTwo(
        _ body: (StoreFixture, [AssetToken], Lock<UInt64>) async throws -> Void
    ) async throws {
        let free = Lock(UInt64(50) << 30)
        try await StoreFixture.run {
            $0.conditions.space = { _ in (free.withLock { $0 }, 100 << 30) }
            var policy = StoragePolicy()
            policy.evict = [.leastRecentlyPlayed]
            $0.storage = policy
        } _: { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            var tokens: [AssetToken] = []
            for _ in 0..<2 { tokens.append(try await fixture.download("/v/index.m3u8").token) }
            try fixture.store.catalog.storage.setPlayed([(tokens[1], Timestamp(milliseconds: 1 << 50), 1)])
            try await body(fixture, tokens, free)
        }
    }

    @Test("if files of evicted assets are out of view and can't be deleted, no more is evicted for now")
    func undeletableLater() async throws {
        try await withTwo { fixture, tokens, free in
            let (store, paths) = (fixture.store, fixture.store.paths)
            let deep = try DeepFolder(at: fixture.path(tokens[0], "video/deep"), in: fixture.folder)
            // Exactly the space that is to stay free.
            free.withLock { $0 = 5 << 30 }
            for _ in 0..<2 {
                #expect(try !store.parts.keeper.makesRoom(for: 1))
                await store.untilDisposed()
            }
            #expect(try state(fixture, tokens[0]) == .cancelled)
            #expect(try state(fixture, tokens[1]) == .complete)
            let place = try #require(FileSystem.names(in: paths.disposal).first)
            try deep.takeApart(at: paths.disposal.appending(place).appending("deep"))
        }
    }

    @Test("old files that can't be deleted do not prevent evictions, however often they are tried")
    func undeletableBefore() async throws {
        try await withTwo { fixture, tokens, free in
            let (store, paths) = (fixture.store, fixture.store.paths)
            let deep = try DeepFolder(at: paths.assets.appending("deep"), in: fixture.folder)
            let item = try store.catalog.storage.addDisposal("deep")
            try store.parts.disposer.dispose([item])
            await store.untilDisposed()
            // Exactly the space that is to stay free.
            free.withLock { $0 = 5 << 30 }
            for token in tokens {
                #expect(try state(fixture, token) == .complete)
                #expect(try !store.parts.keeper.makesRoom(for: 1))
                #expect(try state(fixture, token) == .cancelled)
                await store.untilDisposed()
                try store.housekeeper.tidy()
                await store.untilDisposed()
            }
            try deep.takeApart(at: paths.disposal.appending("\(item.id)"))
        }
    }

    @Test("pruning evicts nothing in place of files that could not be deleted before, and can be now")
    func deletableAgain() async throws {
        let place = Lock<FilePath?>(nil)
        try await StoreFixture.run {
            // Less than the space that is to stay free, while the folder exists.
            $0.conditions.space = { _ in
                let isThere = place.withLock(\.self).map { !FileSystem.isAbsent($0) } ?? false
                return (isThere ? 4 << 30 : 50 << 30, 100 << 30)
            }
        } _: { fixture async throws in
            let store = fixture.store
            fixture.origin.serveStream("/v", count: 1)
            let token = try await fixture.download("/v/index.m3u8").token
            let deep = try DeepFolder(at: store.paths.assets.appending("deep"), in: fixture.folder)
            let item = try store.catalog.storage.addDisposal("deep")
            try store.parts.disposer.dispose([item])
            await store.untilDisposed()
            let path = store.paths.disposal.appending("\(item.id)")
            place.withLock { $0 = path }
            try deep.takeApart(at: path)
            let report = try await store.prune(freeing: 0, [.leastRecentlyPlayed])
            #expect(report.evicted.isEmpty && report.isEnough)
            #expect(FileSystem.isAbsent(path))
            #expect(try state(fixture, token) == .complete)
        }
    }

    @Test("pinned assets stay: the next one waits")
    func pinned() async throws {
        try await withAssets(quota: 1, evict: [.leastRecentlyPlayed]) { fixture, tokens, _ in
            #expect(try fixture.store.control.pin(tokens, true).done.map(\.token) == tokens)
            #expect(try fixture.store.reader.requireAsset(tokens[0]).isPinned)
            let token = try await fixture.add("/master.m3u8")
            try await fixture.untilWaiting(token, for: "disk")
            #expect(try state(fixture, tokens[0]) == .complete)
            _ = try fixture.store.control.pin(tokens, false)
            await fixture.store.untilSettled(token)
            #expect(try state(fixture, token) == .complete)
        }
    }

    @Test("pruning reports what it would evict, and then evicts it; orphans are deleted, foreign files stay")
    func prune() async throws {
        try await withAssets(quota: 3, evict: [.watched]) { fixture, tokens, size in
            let (store, paths) = (fixture.store, fixture.store.paths)
            let lost = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
            try FileSystem.makeDirectory(paths.assets.appending(lost))
            try DurableWrite.write([1, 2, 3], to: paths.assets.appending(lost).appending("0.ts"))
            try FileSystem.makeDirectory(paths.assets.appending("stranger"))
            try FileSystem.makeDirectory(paths.rendition(tokens[2], "gone"))
            try DurableWrite.write([1], to: paths.rendition(tokens[2], "gone").appending("media.m3u8"))
            store.reader.players.log.note(tokens[1], end: 8, now: SteadyClock.seconds - 100)
            let plan = try await store.prune(freeing: 10, isDryRun: true)
            #expect(plan.evicted.map(\.token) == [tokens[1]] && plan.isEnough)
            #expect(plan.evicted.map(\.evictionClass) == [.watched])
            #expect(plan.orphans.map(\.kind) == [.asset, .rendition])
            #expect(try state(fixture, tokens[1]) == .complete)
            #expect(try await store.prune(freeing: 10).bytes == plan.bytes)
            #expect(try state(fixture, tokens[1]) == .cancelled)
            #expect(try store.reader.orphans.all().map(\.kind) == [.foreign])
            #expect(try await store.prune().bytes == 0)
            #expect(try store.housekeeper.storage().kinds == [.variant: 2 * size])
        }
    }

    @Test("an asset that is wanted again while others are pruned stays, and the others go")
    func wantedAgain() async throws {
        try await withAssets(quota: 3, evict: [.leastRecentlyPlayed]) { fixture, tokens, size in
            let catalog = fixture.store.catalog
            let wanted = Lock<AssetToken?>(nil)
            // The first eviction starts a repair of another asset.
            fixture.store.onChange { changed in
                let other = tokens.first { !changed.contains($0) }
                guard let other, wanted.withLock({ $0 }) == nil else { return }
                wanted.withLock { $0 = other }
                _ = try? catalog.assets.apply(
                    .repair, to: other, TransitionDetail(reason: .slot, now: Timestamp(milliseconds: 0)))
            }
            let report = try await fixture.store.prune(freeing: UInt64(3 * size))
            let chosen = wanted.withLock { $0 }
            let kept = try #require(chosen)
            #expect(report.evicted.count == 2 && !report.evicted.contains { $0.token == kept })
            #expect(report.bytes == 2 * size && !report.isEnough)
            await fixture.store.untilSettled(kept)
            #expect(try state(fixture, kept) == .complete)
            #expect(try fixture.store.catalog.assets.storedBytes() == size)
        }
    }

    @Test(
        "an orphan that has got an owner since the list was made is recognized when it is checked alone")
    func takenInMeanwhile() async throws {
        try await StoreFixture.run { fixture async throws in
            let (store, folder) = (fixture.store, fixture.folder)
            fixture.origin.serveStream("/v", count: 1)
            let whole = try await fixture.download("/v/index.m3u8").token
            let token = try #require(AssetToken("01ARZ3NDEKTSV4RRFFQ69G5FAV"))
            try folder.write([1], to: "store/assets/\(token)/video/media.m3u8")
            try folder.write([1], to: "store/assets/\(whole)/other/media.m3u8")
            let orphans = try store.reader.orphans.all()
            #expect(orphans.map(\.kind) == [.asset, .rendition])
            #expect(try orphans.map { try store.reader.orphans.isOrphan($0) } == [true, true])
            try store.catalog.assets.insert(
                AssetRecord(
                    token: token, name: "x", sourceURL: "x", state: .queued,
                    requestedAt: Timestamp(milliseconds: 0)))
            try FileSystem.removeTree(fixture.path(whole, "other"))
            #expect(try orphans.map { try store.reader.orphans.isOrphan($0) } == [false, false])
        }
    }

    @Test("pruning while a stream is being entered deletes none of its files")
    func pruneBesideEntry() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try #require(AssetToken("01ARZ3NDEKTSV4RRFFQ69G5FAV"))
            // The state after its folders are written, before its rows are.
            try fixture.store.catalog.assets.insert(
                AssetRecord(
                    token: token, name: "x", sourceURL: "x", state: .resolving,
                    requestedAt: Timestamp(milliseconds: 0)))
            let playlist = Array("#EXTM3U\n".utf8)
            try fixture.folder.write(playlist, to: "store/assets/\(token)/video/media.m3u8")
            let report = try await fixture.store.prune()
            #expect(report.orphans.isEmpty)
            #expect(try fixture.stored(token, "video/media.m3u8") == playlist)
            #expect(try fixture.store.catalog.storage.disposals().isEmpty)
        }
    }

    @Test("a play is reported at once, and written once for many requests, with its furthest place")
    func lastPlayed() async throws {
        try await withAssets(quota: 2, evict: []) { fixture, tokens, _ in
            for number in 0..<2 {
                _ = try fixture.store.reader.media.unit(
                    tokens[0], "video", named: .segment(number), extension: "ts")
            }
            #expect(try fixture.store.reader.requireAsset(tokens[0]).lastPlayedAt != nil)
            #expect(try fixture.store.catalog.assets.asset(tokens[0])?.lastPlayedAt == nil)
            let shares = try fixture.store.housekeeper.storage().assets
            #expect(shares.filter { $0.lastPlayedAt != nil }.map(\.token) == [tokens[0]])
            try fixture.store.housekeeper.flushPlays()
            #expect(try fixture.store.catalog.assets.asset(tokens[0])?.lastPlayedAt != nil)
            #expect(try fixture.store.reader.requireAsset(tokens[0]).lastPlayedAt != nil)
            #expect(try fixture.store.reader.requireAsset(tokens[1]).lastPlayedAt == nil)
            let watched = try fixture.store.catalog.storage.evictionCandidates(at: Timestamp(milliseconds: 0))
            #expect(watched.filter(\.isWatched).map(\.token) == [tokens[0]])
        }
    }
}
