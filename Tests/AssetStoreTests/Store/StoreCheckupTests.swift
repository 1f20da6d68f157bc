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

@Suite("A checkup of a store", .timeLimit(.minutes(2)))
struct StoreCheckupTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private var root: FilePath { FilePath(folder.file("store")) }

    /// The failed checks of a checkup, with enough space by default.
    private func wrong(
        free: UInt64 = 1 << 40, of total: UInt64 = 1 << 41
    ) -> [StoreCheckup.Finding] {
        var conditions = EngineConditions()
        conditions.space = { _ in (free, total) }
        return StoreCheckup.run(root, conditions: conditions).filter { !$0.isFine }
    }

    /// Makes a store with one asset and without an engine.
    private func make(_ origin: OriginServer) async throws -> Asset {
        origin.serveStream("/v", count: 1)
        let fixture = try StoreFixture(in: folder, origin: origin)
        let asset = try await fixture.download("/v/index.m3u8")
        await fixture.store.stop()
        return asset
    }

    @Test(
        "wants more room than downloads leave free",
        arguments: [
            (1_073_741_824, 17_179_869_184, false), (1_073_741_825, 17_179_869_184, true),
            (100_000_001, 17_179_869_184, false), (2_000_000_000, 40_000_000_000, false),
            (2_000_000_001, 40_000_000_000, true),
        ])
    func space(free: UInt64, total: UInt64, isFine: Bool) throws {
        try FileSystem.makeDirectory(root)
        #expect(wrong(free: free, of: total).map(\.check) == (isFine ? [] : ["space"]))
    }

    @Test("names assets with files that are gone or cut off, and is content when they are there again")
    func assets() async throws {
        let asset = try await make(try OriginServer())
        #expect(wrong().isEmpty)
        let file = folder.file("store/\(asset.storePath)/\(asset.renditions[0].name)/0.ts")
        let bytes = try Data(contentsOf: URL(filePath: file))
        for damage in [nil, bytes.prefix(100)] as [Data?] {
            try? FileManager.default.removeItem(atPath: file)
            try damage?.write(to: URL(filePath: file))
            let found = wrong()
            #expect(found.map(\.check) == ["assets"])
            #expect(found.first?.detail.hasPrefix("1 of 1 not sound: \(asset.token) (damaged); ") == true)
            #expect(found.first?.detail.contains("`repair(_:)` fetches") == true)
        }
        try bytes.write(to: URL(filePath: file))
        #expect(wrong().isEmpty)
    }

    @Test(
        "gives the advice about an unreadable catalog once, and says that it is unknown which keys the store key opens"
    )
    func damagedCatalog() async throws {
        _ = try await make(try OriginServer())
        let file = try FileHandle(forUpdating: URL(filePath: folder.file("store/catalog.db")))
        try file.seek(toOffset: 4096)
        try file.write(contentsOf: Data((0..<80_000).map { UInt8(truncatingIfNeeded: $0 &* 181 &+ 7) }))
        try file.close()
        let found = wrong()
        #expect(found.map(\.check) == ["catalog", "store key"])
        let advice = try #require(found.first?.detail)
        #expect(
            advice.contains("restore catalog.db from a backup") && advice.contains("`importAsset(from:)`"))
        #expect(found.last?.detail.contains("the catalog can't be read, so") == true)
        #expect(StoreCheckup.run(root).allSatisfy { !$0.detail.contains("check the disk") })
    }

    @Test("says of a folder on a read-only file system that the file system is the obstacle, not its owner")
    func readOnly() {
        let sentence = StoreCheckup.unwritable("/media/store", .readOnlyFileSystem)
        #expect(sentence.hasPrefix("/media/store can't be written: its file system is read-only; "))
        #expect(!sentence.contains("owner"))
        #expect(StoreCheckup.unwritable("/media/store", .permissionDenied).contains("owner and permissions"))
    }

    @Test("reports failed assets and missing keys, with the advice")
    func advice() async throws {
        let origin = try OriginServer()
        origin.serveStream("/sealed", count: 1, tags: "#EXT-X-KEY:METHOD=AES-128,URI=\"/gone.key\"\n")
        origin.serveStream("/failing", count: 1)
        origin.fault("/failing/s0.ts", .status(404))
        let fixture = try StoreFixture(in: folder, origin: origin)
        let sealed = try await fixture.download("/sealed/index.m3u8") { $0.allowsMissingKeys = true }
        await fixture.store.stop()
        let text = try #require(wrong().first?.detail)
        #expect(text.hasPrefix("1 of 1 not sound: \(sealed.token) (key missing); "))
        #expect(text.hasSuffix(", `renewLicense(of:)` asks for its keys again"))
        let second = try StoreFixture(in: folder, origin: origin)
        let failed = try await second.download("/failing/index.m3u8")
        await second.store.stop()
        let both = try #require(wrong().first?.detail)
        #expect(failed.state == .failed && both.hasPrefix("2 of 2 not sound: "))
        #expect(both.contains("\(failed.token) (failed)"))
    }

    @Test("says that a license has expired, not that the asset is incomplete")
    func expired() async throws {
        let origin = try OriginServer()
        let key = OriginResource.pattern(16, seed: 31)
        origin.serve("/v.key", bytes: key)
        origin.serveStream("/v", count: 1, tags: "#EXT-X-KEY:METHOD=AES-128,URI=\"/v.key\"\n", key: key)
        let fixture = try StoreFixture(in: folder, origin: origin)
        let asset = try await fixture.download("/v/index.m3u8") { $0.license = LicenseTerms(rental: 1) }
        await fixture.store.stop()
        while try StoreReader(root: root).requireAsset(asset.token).license.state != .expired {
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(wrong().first?.detail.contains("\(asset.token) (license expired)") == true)
    }

    @Test("advises to resume an asset whose playlist could not be read")
    func unread() async throws {
        let origin = try OriginServer()
        let fixture = try StoreFixture(in: folder, origin: origin)
        let token = try #require(
            try await fixture.store.intake.enqueue([fixture.request("/none.m3u8")]).tokens.first)
        await fixture.store.untilSettled(token)
        let asset = try fixture.store.reader.requireAsset(token)
        await fixture.store.stop()
        #expect(asset.state == .failed && asset.health.problems.isEmpty)
        #expect(wrong().first?.detail.hasSuffix(", `perform(.resume, on:)` tries it again") == true)
    }

    @Test("does not call a paused asset complete, and finds no fault with it")
    func unfinished() async throws {
        let origin = try OriginServer()
        origin.serveStream("/v", count: 1)
        let fixture = try StoreFixture(in: folder, origin: origin)
        _ = try await fixture.add("/v/index.m3u8") { $0.isPreload = true }
        await fixture.store.stop()
        let finding = StoreCheckup.run(root).first { $0.check == "assets" }
        #expect(finding?.isFine == true && finding?.detail == "none is complete yet")
    }

    @Test("advises no repair for media that no repair can bring")
    func gap() async throws {
        let origin = try OriginServer()
        origin.serveStream("/v", count: 2)
        let list = Playlists.media(["s0.ts", "s1.ts"]).replacing("s0.ts", with: "#EXT-X-GAP\ns0.ts")
        origin.serve("/v/index.m3u8", text: list)
        let fixture = try StoreFixture(in: folder, origin: origin)
        let asset = try await fixture.download("/v/index.m3u8")
        await fixture.store.stop()
        #expect(asset.health.problems.map(\.kind) == [.gap])
        let finding = StoreCheckup.run(root).first { $0.check == "assets" }
        #expect(finding?.isFine == true && finding?.detail.contains("repair") == false)
        #expect(finding?.detail.hasPrefix("1 of 1 not sound: ") == true)
    }

    @Test("finds a quota that is used up, unless something may be evicted")
    func quota() async throws {
        let bytes = try await make(try OriginServer()).storedBytes
        let cases: [(Int64, String, Bool)] = [
            (bytes, "none", false), (bytes, "all", true), (bytes + 1, "none", true),
        ]
        for (quota, evict, isFine) in cases {
            let settings = #"{"storage": {"quota": \#(quota), "evict": "\#(evict)"}}"#
            try folder.write(Array(settings.utf8), to: "store/config.json")
            #expect(wrong().map(\.check) == (isFine ? [] : ["quota"]))
        }
    }

    @Test(
        "names the folders of a lost catalog; an engine warns, and pruning leaves them",
        arguments: [true, false])
    func lostCatalog(isEmpty: Bool) async throws {
        let origin = try OriginServer()
        let asset = try await make(origin)
        for suffix in ["", "-wal", "-shm"] { try FileSystem.unlink(root.appending("catalog.db\(suffix)")) }
        if isEmpty { try folder.write([], to: "store/catalog.db") }
        #expect(wrong().map(\.check) == ["catalog", "orphans"])
        #expect(wrong().first?.detail.contains("restore catalog.db") == true)
        #expect(wrong().last?.detail.contains("assets/\(asset.token)") == true)
        let fixture = try StoreFixture(in: folder, origin: origin)
        #expect(fixture.log.text.contains("so that a new one was made"))
        #expect(try await fixture.store.prune().orphans.isEmpty)
        #expect(try fixture.stored(asset.token, "\(asset.renditions[0].name)/0.ts") != nil)
        await fixture.store.stop()
        #expect(wrong().map(\.check) == ["orphans"])
        #expect(wrong().first?.detail.contains("`prune()` keeps them") == true)
    }

    @Test("keeps the folders of a lost catalog while they are more than the assets of the new one")
    func replacedCatalog() async throws {
        let origin = try OriginServer()
        var lost: [Asset] = []
        let first = try StoreFixture(in: folder, origin: origin)
        for name in ["/u", "/v", "/w"] {
            origin.serveStream(name, count: 1)
            lost.append(try await first.download("\(name)/index.m3u8"))
        }
        await first.store.stop()
        for suffix in ["", "-wal", "-shm"] { try FileSystem.unlink(root.appending("catalog.db\(suffix)")) }
        let fixture = try StoreFixture(in: folder, origin: origin)
        for (name, isKept) in [("/u", true), ("/v", true), ("/w", false)] {
            _ = try await fixture.download("\(name)/index.m3u8")
            #expect(try await fixture.store.prune().orphans.isEmpty == isKept, "\(name)")
            for asset in lost {
                let file = try fixture.stored(asset.token, "\(asset.renditions[0].name)/0.ts")
                #expect((file != nil) == isKept, "\(name)")
            }
        }
        await fixture.store.stop()
    }

    @Test("says nothing about a new store, and an engine logs no warning")
    func new() async throws {
        let fixture = try StoreFixture(in: folder)
        #expect(wrong().isEmpty)
        #expect(!fixture.log.text.contains("catalog.db"))
        await fixture.store.stop()
    }

    @Test(
        "finds that assets is a file, or a link that leads nowhere, as an engine does",
        arguments: [true, false])
    func noFolder(isLink: Bool) async throws {
        let place = folder.file("store/assets")
        try FileSystem.makeDirectory(root)
        if isLink {
            try FileManager.default.createSymbolicLink(
                atPath: place, withDestinationPath: folder.file("nowhere"))
        } else {
            try folder.write([1], to: "store/assets")
        }
        #expect(wrong().map(\.check) == ["store"])
        #expect(wrong().first?.detail.contains(place) == true)
        #expect(await failure { _ = try StoreFixture(in: folder) }?.errorClass == .disk)
    }
}
