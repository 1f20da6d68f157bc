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
@testable import StoreReading

/// Engines that come and go, and stores that move.
struct EngineLifeTests {
    @Test("a second engine on one store is refused, naming the process that holds it")
    func oneEngine() async throws {
        try await StoreFixture.run { fixture async throws in
            let error = await failure { _ = try OfflineStore(root: fixture.root) }
            #expect(error?.text == "storeInUse(pid: Optional(\(ProcessInfo.processInfo.processIdentifier)))")
            #expect(error?.errorClass == .engine)
            try fixture.store.servers.publish(url: "http://127.0.0.1:1234", port: 1234)
            let reader = try StoreReader(root: fixture.root)
            #expect(reader.engine?.pid == ProcessInfo.processInfo.processIdentifier)
            #expect(reader.engine?.url == "http://127.0.0.1:1234")
            try fixture.store.servers.publish(url: "http://127.0.0.1:1235", port: 1235)
            #expect(reader.engine?.url == "http://127.0.0.1:1235")
            try fixture.store.servers.withdraw(port: 1235)
            #expect(reader.engine?.url == "http://127.0.0.1:1234")
        }
    }

    @Test("the store is free again when its engine is gone")
    func released() async throws {
        let folder = try TemporaryDirectory()
        for _ in 0..<2 {
            let fixture = try StoreFixture(in: folder)
            await fixture.store.stop()
        }
        #expect(try StoreReader(root: FilePath(folder.file("store"))).engine == nil)
    }

    @Test("a search for the engine never prevents one from starting")
    func lookedAt() async throws {
        let folder = try TemporaryDirectory()
        let root = FilePath(folder.file("store"))
        try FileSystem.makeDirectory(root)
        let looker = Task.detached {
            while !Task.isCancelled { _ = StoreLock.holder(StorePaths(root: root).lock) }
        }
        for _ in 0..<500 { try StoreLock(StorePaths(root: root).lock).release() }
        looker.cancel()
        await looker.value
    }

    @Test("an asset that is held is not started by others, only by its release")
    func held() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/held", count: 2)
            fixture.origin.serveStream("/other", count: 2)
            let request = fixture.request("/held/index.m3u8")
            let token = try await fixture.store.intake.add(request, isHeld: true).token
            #expect(try await fixture.download("/other/index.m3u8").state == .complete)
            #expect(try fixture.store.reader.requireAsset(token).state == .queued)
            #expect(!fixture.origin.paths.contains { $0.hasPrefix("/held/s") })
            await fixture.store.intake.release([token])
            await fixture.store.untilSettled(token)
            #expect(try fixture.store.reader.requireAsset(token).state == .complete)
        }
    }

    /// Stops an engine while it waits for the third of four segments.
    private func interrupted(_ folder: TemporaryDirectory, _ origin: OriginServer) async throws -> AssetToken
    {
        origin.serveStream("/v", count: 4)
        origin.fault("/v/s2.ts", .stall(after: 600), times: 1)
        let fixture = try StoreFixture(in: folder, origin: origin) { $0.transfersPerAsset = 1 }
        let token = try await fixture.add("/v/index.m3u8")
        #expect(await origin.waitForRequests(4))
        await fixture.store.stop()
        origin.release()
        return token
    }

    @Test("a restarted engine continues where it was, and fetches only missing units")
    func goesOn() async throws {
        let folder = try TemporaryDirectory()
        let origin = try OriginServer()
        let token = try await interrupted(folder, origin)
        let between = try StoreReader(root: FilePath(folder.file("store")))
        #expect(try between.requireAsset(token).state == .queued)
        origin.forgetRequests()
        let second = try StoreFixture(in: folder, origin: origin)
        await second.store.start()
        await second.store.untilSettled(token)
        let asset = try second.store.reader.requireAsset(token)
        await second.store.stop()
        #expect(asset.state == .complete && asset.availability.offline)
        #expect(Set(origin.mediaPaths) == ["/v/s2.ts", "/v/s3.ts"])
    }

    @Test(
        "downloads that ran when the engine was killed are queued at the next start, and removals are finished"
    )
    func recovery() async throws {
        let folder = try TemporaryDirectory()
        let origin = try OriginServer()
        let token = try await interrupted(folder, origin)
        let doomed = AssetToken("01ARYZ6S410000000000000000") ?? token
        let catalog = try Catalog(writing: StorePaths(root: FilePath(folder.file("store"))).catalog)
        try catalog.assets.apply(.begin, to: token, TransitionDetail(now: Timestamp(milliseconds: 0)))
        let record = AssetRecord(
            token: doomed, name: "x", sourceURL: "x", state: .removing,
            requestedAt: Timestamp(milliseconds: 0))
        try catalog.assets.insert(record)
        catalog.close()
        try folder.write([1], to: "store/assets/\(doomed)/video/0.ts")
        let second = try StoreFixture(in: folder, origin: origin)
        let assets = try second.store.reader.assets()
        #expect(assets.map(\.token) == [token])
        #expect(assets.map(\.state) == [.queued])
        #expect(FileSystem.names(in: second.store.paths.assets) == [token.description])
        await second.store.stop()
    }

    @Test("a store that is moved works at its new place")
    func moved() async throws {
        let folder = try TemporaryDirectory()
        let origin = try OriginServer()
        let token = try await interrupted(folder, origin)
        try FileManager.default.moveItem(atPath: folder.file("store"), toPath: folder.file("moved"))
        let second = try StoreFixture(in: folder, origin: origin, named: "moved")
        await second.store.start()
        await second.store.untilSettled(token)
        let asset = try second.store.reader.requireAsset(token)
        #expect(asset.availability.offline)
        #expect(try second.stored(token, asset.renditions[0].name + "/0.ts") == Media.ts(10))
        await second.store.stop()
    }

    @Test("an asset is removed in the middle of its download, with all its files")
    func removal() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 4)
            fixture.origin.fault("/v/s2.ts", .stall(after: 600), times: 1)
            let token = try await fixture.add("/v/index.m3u8")
            #expect(await fixture.origin.waitForRequests(5))
            try await fixture.store.remove(token)
            #expect(try fixture.isEmpty)
            #expect(try fixture.store.reader.asset(token) == nil)
            try await fixture.store.remove(token)
            let never = try #require(AssetToken("01ARYZ6S410000000000000000"))
            let error = await failure { try await fixture.store.remove(never) }
            #expect(error?.text == #"noSuchAsset("\#(never)")"#)
        }
    }

    @Test("a caller that waits for a queued asset is told when it is removed")
    func removalOfQueued() async throws {
        try await StoreFixture.run {
            $0.maximumDownloads = 1
        } _: { fixture async throws in
            fixture.origin.serveStream("/a", count: 1)
            fixture.origin.serveStream("/b", count: 1)
            fixture.origin.fault("/a/s0.ts", .holdHeader)
            let first = try await fixture.add("/a/index.m3u8")
            let second = try await fixture.add("/b/index.m3u8")
            async let settled: Void = fixture.store.untilSettled(second)
            for _ in 0..<100 { await Task.yield() }
            try await fixture.store.remove(second)
            await settled
            try await fixture.store.remove(first)
            #expect(try fixture.isEmpty)
        }
    }

    @Test("a run that was cancelled before it began does not make an asset complete")
    func cancelledRun() async throws {
        try await StoreFixture.run {
            $0.maximumDownloads = 0
        } _: { fixture async throws in
            fixture.origin.serveStream("/v", count: 2)
            let token = try await fixture.add("/v/index.m3u8")
            let store = fixture.store
            let origin = try Origin(loop: store.parts.loop, access: OriginAccess(), stream: "")
            let run = Task {
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                return await failure {
                    try await AssetDownload(token, origin: origin, meter: ByteMeter(), parts: store.context)
                        .run()
                }
            }
            #expect(await run.value?.text == "stopped(.cancelled)")
        }
    }

    @Test("a store below a file gives an error that names the path")
    func unusablePlace() async throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write([1], to: "file")
        let error = await failure { _ = try OfflineStore(root: FilePath(file).appending("store")) }
        #expect(error?.errorClass == .disk)
        #expect(error?.message.contains(file) == true)
    }

    @Test("a store whose content can't be read does not count as empty")
    func unseen() async throws {
        let folder = try TemporaryDirectory()
        let loop = folder.file("loop")
        try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
        for place in [folder.file(String(repeating: "x", count: 300)), loop] {
            let error = await failure { _ = try StoreReader(root: FilePath(place)) }
            #expect(error?.message.contains(place) == true, "\(place)")
        }
    }

    @Test(
        "a reader refuses a store that is a file, and a checkup says that no store can be made below a file"
    )
    func notFolder() async throws {
        let folder = try TemporaryDirectory()
        let file = FilePath(try folder.write([1], to: "file"))
        let error = await failure { _ = try StoreReader(root: file) }
        #expect(
            error?.message.contains(file.string) == true && error?.message.contains("another folder") == true)
        for place in [file, file.appending("a/store")] {
            let findings = StoreCheckup.run(place)
            #expect(findings.map(\.isFine) == [false])
            #expect(findings.first?.detail.contains("\(file) is not a folder") == true)
        }
        #expect(StoreCheckup.run(FilePath(folder.path).appending("a/b/store")).map(\.isFine) == [true])
    }

    @Test(
        "a store without write permission gives an error with the thing to check", .enabled(if: getuid() != 0)
    )
    func readOnly() async throws {
        let folder = try TemporaryDirectory()
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.path)
        let error = await failure { _ = try OfflineStore(root: FilePath(folder.file("store"))) }
        #expect(error?.message.hasSuffix("check its owner and permissions") == true)
        #expect(StoreCheckup.run(FilePath(folder.file("a/store"))).map(\.isFine) == [false])
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
    }

    @Test(
        "no file that an engine makes is readable by others, even if the folder's permissions would allow it")
    func permissions() async throws {
        let folder = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: folder.file("store"), withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o755])
        let fixture = try StoreFixture(in: folder)
        fixture.origin.serveStream("/v", count: 1)
        _ = try await fixture.download("/v/index.m3u8")
        for file in FileSystem.tree(fixture.root) {
            let mode =
                try FileManager.default.attributesOfItem(atPath: file.string)[.posixPermissions] as? Int
            #expect(mode.map { $0 & 0o077 } == 0, "\(file)")
        }
        await fixture.store.stop()
    }

    @Test("a store that was closed has its whole catalog in one file")
    func oneFile() async throws {
        let folder = try TemporaryDirectory()
        let fixture = try StoreFixture(in: folder)
        fixture.origin.serveStream("/v", count: 1)
        let token = try await fixture.download("/v/index.m3u8").token
        await fixture.store.stop()
        try folder.write(folder.read("store/catalog.db"), to: "copy/catalog.db")
        #expect(try StoreReader(root: FilePath(folder.file("copy"))).assets().map(\.token) == [token])
    }
}
