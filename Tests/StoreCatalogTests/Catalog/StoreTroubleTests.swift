import Glibc
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
@testable import StoreReading

/// Stores that are short of room, and engines that are taken away in the middle of the work.
struct StoreTroubleTests {
    @Test(
        "room is kept for the catalog, so that assets can be removed when the file system is full", .ofSQLite)
    func reserve() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            #expect(try await fixture.download("/v/index.m3u8").state == .complete)
            var info = stat()
            let log = WriteAheadLog.path(of: fixture.store.paths.catalog)
            try #require(unsafe stat(log.string, &info) == 0)
            #expect(Int(info.st_blocks) * 512 >= WriteAheadLog.reserve)
            #expect(Int(info.st_size) < WriteAheadLog.reserve)
        }
    }

    @Test(
        "the room that is kept is given up for a store that can't be opened without it, and for nothing else")
    func spareRoom() throws {
        let folder = try TemporaryDirectory()
        let path = FilePath(folder.file("spare"))
        SpareRoom.keep(path)
        #expect(FileSystem.facts(path)?.size == 0)
        let busy = StoreError(.storeInUse(pid: nil))
        #expect(throws: StoreError.self) {
            try SpareRoom.using(path) { () throws(StoreError) in throw busy }
        }
        #expect(FileSystem.facts(path) != nil)
        var tries = 0
        let opened = try SpareRoom.using(path) { () throws(StoreError) in
            tries += 1
            if FileSystem.facts(path) != nil { throw StoreError(.diskFull("store")) }
            return tries
        }
        #expect(opened == 2 && FileSystem.facts(path) == nil)
    }

    @Test("the room that is kept stays when a file gets its own without it")
    func roomForBoth() throws {
        let folder = try TemporaryDirectory()
        let path = FilePath(folder.file("spare"))
        SpareRoom.keep(path)
        SpareRoom.give(path, to: FilePath(try folder.write([1], to: "file")), 4096)
        #expect(FileSystem.facts(path) != nil)
    }

    @Test("the folder for removed files is made before the file system is full")
    func disposalFolder() async throws {
        try await StoreFixture.run { #expect(FileSystem.isDirectory($0.store.paths.disposal)) }
    }

    @Test("an asset that was being added when the engine was killed is removed at the next start")
    func halfEntered() async throws {
        let folder = try TemporaryDirectory()
        let token = try #require(AssetToken("01ARYZ6S410000000000000000"))
        let first = try StoreFixture(in: folder)
        let now = Timestamp(milliseconds: 0)
        try first.store.catalog.assets.insert(
            AssetRecord(token: token, name: "x", sourceURL: "x", state: .resolving, requestedAt: now))
        try folder.write([1], to: "store/assets/\(token)/video/media.m3u8")
        await first.store.stop()
        let second = try StoreFixture(in: folder)
        #expect(try second.isEmpty)
        await second.store.stop()
    }

    @Test("of the waiting assets, that of the highest priority is next, then the oldest")
    func priority() async throws {
        try await StoreFixture.run {
            $0.maximumDownloads = 1
        } _: { fixture async throws in
            var tokens: [AssetToken] = []
            for (name, priority) in [("held", 0), ("low", -1), ("middle", 0), ("high", 5)] {
                fixture.origin.serveStream("/\(name)", count: 1)
                if name == "held" { fixture.origin.fault("/held/s0.ts", .holdHeader) }
                tokens.append(try await fixture.add("/\(name)/index.m3u8") { $0.priority = priority })
            }
            #expect(await fixture.origin.waitForRequests(5))
            fixture.origin.release()
            for token in tokens { await fixture.store.untilSettled(token) }
            #expect(
                fixture.origin.paths.filter { $0.hasSuffix(".ts") }
                    == ["/held/s0.ts", "/high/s0.ts", "/middle/s0.ts", "/low/s0.ts"])
        }
    }

    @Test(
        "a wait for a download ends when the engine stops, and the download is queued for the next engine",
        .ofSQLite)
    func stopped() async throws {
        let fixture = try StoreFixture()
        fixture.origin.serveStream("/v", count: 1)
        fixture.origin.fault("/v/s0.ts", .holdHeader)
        let token = try await fixture.add("/v/index.m3u8")
        #expect(await fixture.origin.waitForRequests(2))
        async let settled: Void = fixture.store.untilSettled(token)
        await fixture.store.stop()
        await settled
        #expect(try StoreReader(root: fixture.root).requireAsset(token).state == .queued)
        #expect(FileSystem.names(in: fixture.path(token, "video")) == ["media.m3u8"])
    }

    @Test("the tries for a dead origin end, and its bytes are kept for the next try")
    func lostOrigin() async throws {
        try await StoreFixture.run {
            $0.transfersPerAsset = 1
        } _: { fixture async throws in
            fixture.origin.serveStream("/v", count: 3)
            fixture.origin.fault("/v/s1.ts", .stall(after: 600), times: 1)
            fixture.origin.fault("/v/s1.ts", .truncate(after: 700), times: 1)
            let token = try await fixture.add("/v/index.m3u8")
            #expect(await fixture.origin.waitForRequests(3))
            fixture.origin.stop()
            await fixture.store.untilSettled(token)
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.state == .failed)
            #expect(asset.failure?.errorClass == "network" && asset.failure?.retryable == true)
            #expect(asset.renditions[0].storedSegments == 1 && asset.availability.fromStartUntil == 4)
        }
    }
}
