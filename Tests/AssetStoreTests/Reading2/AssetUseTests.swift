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
@testable import StorePlanning
@testable import StoreReading

@Suite("An asset as its reader shows it", .timeLimit(.minutes(2)))
struct AssetUseTests {
    @Test("has the rate limit that was asked for, and none when that is lifted")
    func rateLimit() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            let asset = try await fixture.download("/v/index.m3u8") { $0.access.rateLimit = 1 << 30 }
            #expect(asset.rateLimit == 1 << 30)
            var edit = AssetEdit()
            edit.rateLimit = 0
            try await fixture.store.edit(asset.token, edit)
            #expect(try fixture.store.reader.requireAsset(asset.token).rateLimit == nil)
        }
    }

    @Test("was played last when a player last asked for a segment, however long ago")
    func lastPlay() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            let token = try await fixture.download("/v/index.m3u8").token
            let reader = try StoreReader(root: fixture.root)
            #expect(try reader.requireAsset(token).lastPlayedAt == nil)
            reader.players.log.note(token, end: 4, now: SteadyClock.seconds - 3600)
            let played = try #require(try reader.requireAsset(token).lastPlayedAt)
            let now = SystemWallClock().now
            #expect(played < now.adding(seconds: -3000) && played > now.adding(seconds: -4200))
        }
    }

    @Test("was played last at the later of two times, that of this process and that of the catalog")
    func laterPlay() throws {
        let folder = try TemporaryDirectory()
        let reader = try StoreReader(root: FilePath(folder.file("store")))
        let token = AssetToken(at: Timestamp(milliseconds: 1))
        let (early, late) = (Timestamp(milliseconds: 1), Timestamp.latest)
        #expect(try reader.lastPlay(of: token, known: early) == early)
        reader.players.log.note(token, end: 4, now: SteadyClock.seconds)
        let played = try #require(try reader.lastPlay(of: token, known: early))
        #expect(played > early && played < late)
        #expect(try reader.lastPlay(of: token, known: late) == late)
    }
}
