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

@Suite("The downloads of a store", .timeLimit(.minutes(2)))
struct EnginePresenceTests {
    @Test("are listed as queued, and as nothing else, while no engine works on it")
    func noEngine() async throws {
        let fixture = try StoreFixture()
        fixture.origin.serveStream("/v", count: 1)
        let token = try await fixture.download("/v/index.m3u8").token
        try fixture.store.catalog.write(.store) { session in
            try session.execute(
                "UPDATE asset SET state = 'downloading' WHERE token = ?", [token.description])
        }
        await fixture.store.stop()
        let reader = try StoreReader(root: fixture.root)
        func listed(_ states: [AssetState]) throws -> [AssetToken] {
            try reader.assets(states: states).map(\.token)
        }
        #expect(try listed([]) == [token])
        #expect(try listed([.queued]) == [token])
        #expect(try listed([.downloading, .resolving]) == [])
        #expect(try listed([.complete, .paused]) == [])
        let asset = try reader.requireProgress(of: token)
        #expect(asset.state == .queued && asset.reason == Asset.reasonOfNoEngine)
        fixture.expectNoKeys()
    }

    @Test("have the limit that keeps them waiting while they wait for room")
    func room() async throws {
        try await StoreFixture.run {
            var policy = StoragePolicy()
            policy.quota = 10_000
            $0.storage = policy
            $0.transfersPerAsset = 1
            $0.conditions.interval = 0.02
        } _: { fixture async throws in
            let size = fixture.origin.serveStream("/v", count: 8).joined().count
            #expect(size > 10_000)
            let token = try await fixture.add("/v/index.m3u8")
            try await fixture.untilWaiting(token, for: "disk")
            let room = try #require(try fixture.store.reader.requireProgress(of: token).room)
            #expect(room.limit == .quota && room.size == 10_000 && room.needed > room.free)
        }
    }

    @Test(
        "of a shared store wait for an engine while none of its nodes is active",
        .enabled(if: PostgresServer.runs), .ofSQLite)
    func node() throws {
        let folder = try TemporaryDirectory()
        let root = FilePath(folder.file("store"))
        let address = PostgresAddress(try PostgresServer.shared.get().newDatabase())
        let node = StoreNode(address, at: "http://films-1.example:8090")
        try node.prepare()
        guard case .own(let ownership) = try node.look() else {
            Issue.record("the store has an owner")
            return
        }
        let catalog = try Catalog(postgres: address, ownership: ownership)
        let now = Timestamp(milliseconds: 1)
        let record = AssetRecord(
            token: AssetToken(at: now), name: "x", sourceURL: "https://host/x", state: .queued,
            reason: "slot", requestedAt: now)
        _ = try catalog.queue.enqueue([NewAsset(record: record, request: [1])])
        catalog.close()
        try NodeFolder(StorePaths(root: root)).begin(address)
        let reader = try StoreReader(root: root)
        defer { reader.catalog?.close() }
        #expect(try reader.requireProgress(of: record.token).reason == "slot")
        try node.leave(ownership)
        #expect(try reader.requireProgress(of: record.token).reason == Asset.reasonOfNoEngine)
    }
}
