import Foundation
import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel
@testable import StoreReading

@Suite("A finding of a checkup", .timeLimit(.minutes(1)))
struct StoreCheckupFindingTests {
    /// The detail of a check, and whether it is fine.
    private func finding(
        _ check: String, _ fixture: StoreFixture, space: (free: UInt64, total: UInt64)? = nil
    ) -> StoreCheckup.Finding? {
        var conditions = EngineConditions()
        conditions.space = { _ in space }
        return StoreCheckup.run(fixture.root, conditions: conditions).first { $0.check == check }
    }

    private func download(_ fixture: StoreFixture, _ count: Int) async throws -> [AssetToken] {
        fixture.origin.serveStream("/v", count: 1)
        var tokens: [AssetToken] = []
        for _ in 0..<count { tokens.append(try await fixture.download("/v/index.m3u8").token) }
        return tokens
    }

    @Test("counts sound assets and those that are not complete yet")
    func counts() async throws {
        try await StoreFixture.run { fixture async throws in
            let judged = "sound, judging by the lengths of their files"
            #expect(StoreCheckup.assets(fixture.root) == nil)
            _ = try await download(fixture, 1)
            #expect(StoreCheckup.assets(fixture.root)?.detail == "the only one is \(judged)")
            _ = try await download(fixture, 1)
            #expect(StoreCheckup.assets(fixture.root)?.detail == "all 2 are \(judged)")
            _ = try await fixture.add("/v/index.m3u8") { $0.isPreload = true }
            let three = StoreCheckup.assets(fixture.root)
            #expect(three?.detail == "2 are \(judged); 1 not complete yet" && three?.isFine == true)
        }
    }

    @Test("names three assets that are not sound, and counts the others")
    func names() async throws {
        try await StoreFixture.run { fixture async throws in
            let tokens = try await download(fixture, 4)
            for token in tokens.prefix(3) { try FileSystem.unlink(fixture.path(token, "video/0.ts")) }
            let three = try #require(StoreCheckup.assets(fixture.root))
            #expect(!three.isFine && three.detail.hasPrefix("3 of 4 not sound: "))
            #expect(tokens.prefix(3).allSatisfy { three.detail.contains("\($0) (damaged)") })
            #expect(!three.detail.contains(" more;") && !three.detail.contains("\(tokens[3])"))
            let oldest = tokens.prefix(3).sorted()
            let first = "\(oldest[0]) (damaged), \(oldest[1]) (damaged), "
            #expect(three.detail.hasPrefix("3 of 4 not sound: \(first)"))
            #expect(three.detail.contains("\(Remedy.lookAtAsset(oldest[0])) shows what is wrong"))
            try FileSystem.unlink(fixture.path(tokens[3], "video/0.ts"))
            let four = try #require(StoreCheckup.assets(fixture.root))
            #expect(four.detail.hasPrefix("4 of 4 not sound: ") && four.detail.contains(" and 1 more; "))
        }
    }

    @Test("lists twenty names, and counts the others")
    func lists() {
        let names = (1...22).map(String.init)
        #expect(StoreCheckup.listed([]) == "")
        #expect(StoreCheckup.listed(["a", "b"]) == "a, b")
        #expect(StoreCheckup.listed(Array(names.prefix(20))) == names.prefix(20).joined(separator: ", "))
        let more = names.prefix(20).joined(separator: ", ")
        #expect(StoreCheckup.listed(Array(names.prefix(21))) == "\(more) and 1 more")
        #expect(StoreCheckup.listed(names) == "\(more) and 2 more")
    }

    @Test("says whether an engine runs, and where its server is")
    func engine() async throws {
        let fixture = try StoreFixture()
        let process = ProcessInfo.processInfo.processIdentifier
        #expect(finding("engine", fixture)?.detail == "process \(process), starting")
        try fixture.store.servers.publish(url: "http://127.0.0.1:1234", port: 1234)
        #expect(finding("engine", fixture)?.detail == "process \(process), http://127.0.0.1:1234")
        await fixture.store.stop()
        #expect(finding("engine", fixture)?.detail == "not running")
    }

    @Test("tells the free space, and the part of it that downloads leave unused")
    func space() async throws {
        try await StoreFixture.run { fixture async throws in
            let unknown = try #require(finding("space", fixture))
            #expect(unknown.isFine && unknown.detail == "unknown")
            let enough = try #require(finding("space", fixture, space: (free: 50 << 30, total: 100 << 30)))
            #expect(enough.isFine && enough.detail.hasSuffix(" of it unused"))
            let little = try #require(finding("space", fixture, space: (free: 5 << 30, total: 100 << 30)))
            #expect(!little.isFine && little.detail.hasSuffix("delete files that you do not need"))
        }
    }

    @Test("finds no fault with a new store: neither settings, nor a key, nor a catalog with assets")
    func new() async throws {
        try await StoreFixture.run { fixture async throws in
            for (check, detail) in [
                ("settings", "none"), ("orphans", "none"), ("store", fixture.root.string),
                ("catalog", "sound"),
            ] {
                let found = try #require(finding(check, fixture))
                #expect(found.isFine && found.detail == detail, "\(check)")
            }
            for check in ["migration", "secrets", "programs", "quota", "assets"] {
                #expect(finding(check, fixture) == nil, "\(check)")
            }
        }
    }

    @Test("names settings that can't be read, and those that others may read")
    func settings() async throws {
        try await StoreFixture.run { fixture async throws in
            let path = fixture.store.paths.settings
            try DurableWrite.write(Array("{}".utf8), to: path)
            let fine = try #require(finding("settings", fixture))
            #expect(fine.isFine && fine.detail == path.string)
            let provider = #"{"name": "a", "hosts": ["h"], "url": "https://k/", "headers": {"X": "s"}}"#
            try DurableWrite.write(Array(#"{"key_providers": [\#(provider)]}"#.utf8), to: path)
            for (mode, isFine) in [(0o644, false), (0o600, true)] as [(mode_t, Bool)] {
                #expect(unsafe chmod(path.string, mode) == 0)
                let found = try #require(finding("settings", fixture))
                #expect(found.isFine == isFine && (found.detail == path.string) == isFine)
            }
            try DurableWrite.write(Array("{".utf8), to: path)
            #expect(finding("settings", fixture)?.isFine == false)
        }
    }

    @Test("says of folders without an asset what pruning does with them")
    func orphans() async throws {
        try await StoreFixture.run { fixture async throws in
            _ = try await download(fixture, 1)
            try fixture.folder.write([1], to: "store/assets/stranger")
            let foreign = try #require(finding("orphans", fixture))
            #expect(!foreign.isFine)
            #expect(foreign.detail == "folders that belong to no asset: assets/stranger")
            try fixture.folder.write([1], to: "store/assets/01ARZ3NDEKTSV4RRFFQ69G5FAV/0.ts")
            let one = try #require(finding("orphans", fixture))
            #expect(one.detail.contains("\(Remedy.prune) deletes those that look like folders of assets"))
            try fixture.folder.write([1], to: "store/assets/01ARZ3NDEKTSV4RRFFQ69G5FAW/0.ts")
            let two = try #require(finding("orphans", fixture))
            #expect(two.detail.contains("lacks more assets (2) than it has, so \(Remedy.prune) keeps them"))
        }
    }

    @Test("says of a folder that is not there that it will be made, or why it can't be made")
    func missing() throws {
        let folder = try TemporaryDirectory()
        let root = FilePath(folder.file("a/b/store"))
        let absent = StoreCheckup.run(root)
        #expect(absent.map(\.check) == ["store"] && absent.first?.isFine == true)
        #expect(absent.first?.detail == "\(root) does not exist yet; the first download makes it")
        let file = try folder.write([1], to: "a")
        let barred = StoreCheckup.run(root)
        #expect(barred.map(\.check) == ["store"] && barred.first?.isFine == false)
        let reason = "\(root) can't be made, as \(file) is not a folder; \(Remedy.otherFolder)"
        #expect(barred.first?.detail == reason)
    }

    @Test("names the folder in which a new one can't be made", .enabled(if: getuid() != 0))
    func unwritable() throws {
        let folder = try TemporaryDirectory()
        let root = FilePath(folder.file("store"))
        #expect(unsafe chmod(folder.path, 0o500) == 0)
        let found = StoreCheckup.run(root)
        #expect(unsafe chmod(folder.path, 0o700) == 0)
        let reason = "\(root) can't be made, as \(folder.path) can't be written; "
        #expect(found.first?.isFine == false && found.first?.detail.hasPrefix(reason) == true)
    }

    @Test("names an assets folder in which nothing can be found", .enabled(if: getuid() != 0))
    func assetsFolder() async throws {
        try await StoreFixture.run { fixture async throws in
            let assets = fixture.store.paths.assets.string
            // Writable and searchable, but not to be listed.
            #expect(unsafe chmod(assets, 0o300) == 0)
            let unlisted = finding("store", fixture)
            #expect(unsafe chmod(assets, 0o600) == 0)
            let unsearchable = finding("store", fixture)
            #expect(unsafe chmod(assets, 0o700) == 0)
            #expect(unlisted?.isFine == true)
            #expect(unsearchable?.isFine == false && unsearchable?.detail.hasPrefix(assets) == true)
        }
    }
}
