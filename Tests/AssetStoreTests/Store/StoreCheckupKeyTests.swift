import Foundation
import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import AssetStore
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

@Suite("A checkup of the store key", .timeLimit(.minutes(1)))
struct StoreCheckupKeyTests {
    private static let key = Secret.key(OriginResource.pattern(16, seed: 5151))
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    /// A closed store with an encrypted asset.
    private func withAsset(_ body: (FilePath, FilePath, AssetToken) throws -> Void) async throws {
        let fixture = try StoreFixture(in: folder)
        fixture.origin.serve("/k.key", bytes: Self.key)
        fixture.origin.serveStream(
            "/v", count: 1, tags: "#EXT-X-KEY:METHOD=AES-128,URI=\"/k.key\"\n", key: Self.key)
        let token = try await fixture.download("/v/index.m3u8").token
        await fixture.store.stop()
        try body(fixture.root, fixture.store.paths.storeKey, token)
    }

    @Test("finds nothing to check where no store is")
    func none() {
        let finding = StoreCheckup.storeKey(FilePath(folder.path))
        #expect(finding.isFine && finding.detail == "none yet" && finding.check == "store key")
    }

    @Test("counts the content keys that it opens")
    func sound() async throws {
        try await withAsset { root, key, _ in
            let finding = StoreCheckup.storeKey(root)
            #expect(finding.isFine && finding.detail == "\(key), which opens all content keys (1)")
        }
    }

    @Test("finds a key that others may read, that is no key, that is lost, or that is another one")
    func faults() async throws {
        try await withAsset { root, key, token in
            #expect(unsafe chmod(key.string, 0o644) == 0)
            let open = StoreCheckup.storeKey(root)
            #expect(!open.isFine && open.detail == "\(key) can be read by others; `chmod 600 \(key)`")
            try DurableWrite.write([1, 2, 3], to: key)
            let broken = StoreCheckup.storeKey(root)
            #expect(!broken.isFine && broken.detail.hasPrefix("\(key) is not a key: "))
            try DurableWrite.write([UInt8](repeating: 9, count: 32), to: key)
            let other = StoreCheckup.storeKey(root)
            let share = "opens 0 of 1 content keys, not those of \(token); "
            #expect(!other.isFine && other.detail == "\(key) \(share)\(StoreError.vaultAdvice)")
            try FileSystem.unlink(key)
            let lost = StoreCheckup.storeKey(root)
            #expect(!lost.isFine && lost.detail.hasPrefix("\(key) is missing, and the catalog has secrets"))
        }
    }

    @Test("advises to ask for the keys again that it does not open, if it opens others")
    func some() async throws {
        let fixture = try StoreFixture(in: folder)
        fixture.origin.serve("/k.key", bytes: Self.key)
        fixture.origin.serveStream(
            "/v", count: 1, tags: "#EXT-X-KEY:METHOD=AES-128,URI=\"/k.key\"\n", key: Self.key)
        let tokens = [
            try await fixture.download("/v/index.m3u8").token,
            try await fixture.download("/v/index.m3u8").token,
        ]
        try fixture.store.catalog.write(.store) { session in
            try session.execute(
                "UPDATE content_key SET sealed = x'00' WHERE asset = ?", [tokens[1].description])
        }
        await fixture.store.stop()
        let finding = StoreCheckup.storeKey(fixture.root)
        let share = "opens 1 of 2 content keys, not those of \(tokens[1]); "
        #expect(!finding.isFine && finding.detail.contains("\(share)\(Remedy.renewLicense)"))
    }

    @Test("knows that a running server has the key although its file is lost")
    func running() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serve("/k.key", bytes: Self.key)
            fixture.origin.serveStream(
                "/v", count: 1, tags: "#EXT-X-KEY:METHOD=AES-128,URI=\"/k.key\"\n", key: Self.key)
            _ = try await fixture.download("/v/index.m3u8")
            try FileSystem.unlink(fixture.store.paths.storeKey)
            let finding = StoreCheckup.storeKey(fixture.root)
            #expect(finding.isFine && finding.detail.contains("the running server has the key"))
        }
    }
}
