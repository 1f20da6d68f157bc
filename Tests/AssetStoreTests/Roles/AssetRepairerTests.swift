import Locking
import ModelTestSupport
import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

@Suite("The repairer of assets", .timeLimit(.minutes(1)))
struct AssetRepairerTests {
    /// The complete asset that was made of a folder with three segments. No one watches its files.
    private func imported(_ fixture: StoreFixture) async throws -> AssetToken {
        for number in 0..<3 {
            try fixture.folder.write(Media.ts(5, seed: UInt64(number)), to: "hls/\(number).ts")
        }
        let playlist = Playlists.media((0..<3).map { "\($0).ts" })
        try fixture.folder.write(Array(playlist.utf8), to: "hls/index.m3u8")
        let token = try await fixture.store.imports.add(FilePath(fixture.folder.file("hls"))).token
        fixture.store.parts.tamperWatch.leave(token)
        return token
    }

    private func state(_ fixture: StoreFixture, _ token: AssetToken) throws -> AssetState? {
        try fixture.store.catalog.assets.asset(token)?.state
    }

    @Test("says whether there was something to repair", arguments: [true, false])
    func result(isReading: Bool) async throws {
        try await StoreFixture.run { fixture async throws in
            let store = fixture.store
            let token = try await imported(fixture)
            func repair() async throws -> Bool { try await store.repair(token, isReading: isReading) }
            #expect(try await !repair())
            try FileSystem.unlink(fixture.path(token, "video/media.m3u8"))
            #expect(try await repair())
            #expect(try await !repair())
            try FileSystem.unlink(fixture.path(token, "video/1.ts"))
            #expect(try await repair())
            #expect(try fixture.stored(token, "video/1.ts") == Media.ts(5, seed: 1))
            #expect(try await !repair())
            #expect(try state(fixture, token) == .complete)
        }
    }

    @Test("compares the bytes of files only if it is to read them")
    func reading() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await imported(fixture)
            let path = fixture.path(token, "video/1.ts")
            var bytes = Media.ts(5, seed: 1)
            bytes[100] ^= 1
            try DurableWrite.write(bytes, to: path)
            #expect(try await !fixture.store.repair(token, isReading: false))
            #expect(try DurableWrite.read(path) == bytes)
            #expect(try await fixture.store.repair(token, isReading: true))
            #expect(try DurableWrite.read(path) == Media.ts(5, seed: 1))
        }
    }

    @Test("leaves an asset alone whose state a user changes meanwhile: something was to be repaired")
    func changedMeanwhile() async throws {
        try await StoreFixture.run { fixture async throws in
            let (catalog, token) = (fixture.store.catalog, try await imported(fixture))
            try FileSystem.unlink(fixture.path(token, "video/1.ts"))
            // The first notice tells of the missing file.
            fixture.store.onChange { _ in
                _ = try? catalog.assets.apply(
                    .evict, to: token, TransitionDetail(now: Timestamp(milliseconds: 1)))
            }
            #expect(try await fixture.store.repair(token, isReading: false))
            #expect(try state(fixture, token) == .cancelled)
            #expect(FileSystem.isAbsent(fixture.path(token, "video/1.ts")))
        }
    }

    @Test("tells nobody of a verification that finds all as it was, but of one that finds damage")
    func notices() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await imported(fixture)
            let told = Lock<Set<AssetToken>>([])
            fixture.store.onChange { tokens in told.withLock { $0.formUnion(tokens) } }
            let sound = try await fixture.store.verify(token)
            #expect(sound.isSound && sound.returned == [] && sound.health == .sound)
            #expect(told.withLock(\.self) == [])
            try FileSystem.unlink(fixture.path(token, "video/1.ts"))
            #expect(try await fixture.store.verify(token).missing == ["video/1.ts"])
            #expect(told.withLock(\.self) == [token])
            told.withLock { $0 = [] }
            try DurableWrite.write(Media.ts(5, seed: 1), to: fixture.path(token, "video/1.ts"))
            #expect(try await fixture.store.verify(token).returned == ["video/1.ts"])
            #expect(told.withLock(\.self) == [token])
        }
    }

    @Test("has nothing to do for an asset that is queued, and refuses one that is unknown or being read")
    func states() async throws {
        try await StoreFixture.run {
            $0.maximumDownloads = 0
        } _: { fixture async throws in
            let store = fixture.store
            fixture.origin.serveStream("/v", count: 1)
            let queued = try await fixture.add("/v/index.m3u8")
            #expect(try await store.repair(queued))
            #expect(try state(fixture, queued) == .queued)
            let paused = try await fixture.add("/v/index.m3u8") { $0.isPreload = true }
            #expect(try await store.repair(paused))
            #expect(try state(fixture, paused) == .queued)
            let never = try #require(AssetToken("01ARYZ6S410000000000000000"))
            let wanted = #"noSuchAsset("\#(never)")"#
            #expect(await failure { try await store.repair(never) }?.text == wanted)
            #expect(await failure { _ = try await store.verify(never) }?.text == wanted)
            try store.catalog.assets.insert(
                AssetRecord(
                    token: never, name: "x", sourceURL: "x", state: .resolving,
                    requestedAt: Timestamp(milliseconds: 0)))
            let resolving = await failure { try await store.repair(never) }
            #expect(resolving?.code.name == "wrong-state")
        }
    }

    @Test("has resumes copy the files of imported assets that lack some, and of no other ones")
    func lackingImports() async throws {
        try await StoreFixture.run { fixture async throws in
            let (store, catalog) = (fixture.store, fixture.store.catalog)
            let token = try await imported(fixture)
            func lacking() throws -> [AssetToken] {
                try store.repairer.lackingImports(among: [token]).map(\.token)
            }
            #expect(try lacking() == [])
            try FileSystem.unlink(fixture.path(token, "video/1.ts"))
            // A complete asset is not resumed.
            #expect(try lacking() == [])
            try catalog.assets.apply(.evict, to: token, TransitionDetail(now: Timestamp(milliseconds: 1)))
            #expect(try lacking() == [token])
            try DurableWrite.write(Media.ts(5, seed: 1), to: fixture.path(token, "video/1.ts"))
            #expect(try lacking() == [])
            let row = try #require(try catalog.renditions.rendition(token, "video"))
            try catalog.units.markAbsent([(row.id, .segment, 2)], as: .missing)
            #expect(try lacking() == [token])
        }
    }
}
