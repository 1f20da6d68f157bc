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

@Suite("A store whose key is lost", .timeLimit(.minutes(2)))
struct LostStoreKeyTests {
    /// What may become of a store's key.
    enum Loss: CaseIterable, Sendable {
        case removed, foreign, short
    }

    private let folder: TemporaryDirectory
    private let origin: OriginServer

    init() throws {
        folder = try TemporaryDirectory()
        origin = try OriginServer()
        Licensed.serve(on: origin)
    }

    private var root: FilePath { FilePath(folder.file("store")) }
    private var file: FilePath { StorePaths(root: root).storeKey }

    /// Makes a store with an encrypted asset, at which nobody works then.
    private func make() async throws -> AssetToken {
        let fixture = try StoreFixture(in: folder, origin: origin)
        let asset = try await fixture.download("/master.m3u8")
        await fixture.store.stop()
        #expect(asset.state == .complete && asset.availability.offline)
        return asset.token
    }

    /// Takes the key away.
    ///
    /// - Returns: its bytes.
    private func lose(_ loss: Loss) throws -> [UInt8] {
        let key = try folder.read("store/store.key")
        switch loss {
        case .removed: try FileSystem.unlink(file)
        case .foreign: try DurableWrite.write(OriginResource.pattern(32, seed: 4), to: file)
        case .short: try DurableWrite.write([1, 2, 3], to: file)
        }
        return key
    }

    private var wrong: [StoreCheckup.Finding] { StoreCheckup.run(root).filter { !$0.isFine } }

    @Test("is opened by no engine and gets no new one, until the right one is back", arguments: Loss.allCases)
    func refused(_ loss: Loss) async throws {
        let token = try await make()
        let key = try lose(loss)
        let left = try DurableWrite.read(file)
        let error = await failure { _ = try StoreFixture(in: folder, origin: origin) }
        #expect(error?.text == "vault")
        #expect(error?.message.contains("restore the file store.key") == true)
        #expect(await failure { _ = try StoreReader(root: root).publicKey() }?.text == "vault")
        #expect(try DurableWrite.read(file) == left)
        try DurableWrite.write(key, to: file)
        let fixture = try StoreFixture(in: folder, origin: origin)
        #expect(try fixture.contentKey(token, "k0") == Licensed.key)
        await fixture.store.stop()
    }

    @Test(
        "opens again when the sealed items are given up; unencrypted media stay",
        arguments: Loss.allCases)
    func givenUp(_ loss: Loss) async throws {
        let token = try await make()
        let key = try lose(loss)
        let found = try LostStoreKey.giveUp(in: root, isTrial: true)
        #expect(found.keys == 1 && found.requests == 0)
        #expect(await failure { _ = try StoreFixture(in: folder, origin: origin) }?.text == "vault")
        #expect(try LostStoreKey.giveUp(in: root, isTrial: false) == found)
        #expect(try Catalog(reading: root.appending("catalog.db.given-up"))?.sealed.sealedKeys().count == 1)
        let fixture = try StoreFixture(in: folder, origin: origin)
        #expect(try fixture.store.reader.requireAsset(token).availability.blockedBy == [.keyMissing])
        #expect(try folder.read("store/store.key") != key)
        #expect(try await fixture.download("/master.m3u8").availability.offline)
        #expect(
            await failure { _ = try LostStoreKey.giveUp(in: root, isTrial: false) }?.text.hasPrefix(
                "storeInUse") == true)
        await fixture.store.stop()
        #expect(try LostStoreKey.giveUp(in: root, isTrial: false) == LostStoreKey())
    }

    @Test("and is no key, is set aside where nothing was sealed with it")
    func unusable() async throws {
        let fixture = try StoreFixture(in: folder, origin: origin)
        await fixture.store.stop()
        _ = try lose(.short)
        #expect(await failure { _ = try StoreFixture(in: folder, origin: origin) }?.text == "vault")
        #expect(try LostStoreKey.giveUp(in: root, isTrial: false) == LostStoreKey())
        await (try StoreFixture(in: folder, origin: origin)).store.stop()
        #expect(try folder.read("store/store.key.given-up") == [1, 2, 3])
    }

    @Test("before it has a catalog has nothing to give up, and gets none by that", arguments: [true, false])
    func noCatalog(isTrial: Bool) throws {
        try FileSystem.makeDirectory(root)
        #expect(try LostStoreKey.giveUp(in: root, isTrial: isTrial) == LostStoreKey())
        #expect(FileSystem.names(in: root).isEmpty)
    }

    @Test("or only seems to be is not given up")
    func sound() async throws {
        let token = try await make()
        #expect(try LostStoreKey.giveUp(in: root, isTrial: false) == LostStoreKey())
        let fixture = try StoreFixture(in: folder, origin: origin)
        try fixture.store.licenses.revoke(token)
        await fixture.store.stop()
        #expect(try LostStoreKey.giveUp(in: root, isTrial: false) == LostStoreKey())
        #expect(
            try Catalog(reading: StorePaths(root: root).catalog)?.renditions.keys(of: token).first?.digest
                != nil)
        #expect(!FileSystem.isThere(root.appending("catalog.db.given-up")))
        _ = try lose(.removed)
        let found = try LostStoreKey.giveUp(in: root, isTrial: false)
        #expect(found.keys == 0 && found.digests == 1)
        #expect(
            try Catalog(reading: StorePaths(root: root).catalog)?.renditions.keys(of: token).first?.digest
                == nil)
        #expect(FileSystem.isThere(root.appending("catalog.db.given-up")))
    }

    @Test("plays nothing that is encrypted, until the right one is back", arguments: Loss.allCases)
    func playable(_ loss: Loss) async throws {
        let token = try await make()
        let reader = try StoreReader(root: root)
        let key = try lose(loss)
        for asset in try [reader.requireAsset(token)] + reader.assets() {
            #expect(asset.availability.blockedBy == [.keyMissing])
            #expect(!asset.availability.offline && asset.license.state == .missing)
        }
        let target = FilePath(folder.file("exported"))
        let error = await failure { _ = try reader.exporter.export(token, to: target, withKeys: false) }
        #expect(error?.text == "vault")
        try DurableWrite.write(key, to: file)
        for asset in try [reader.requireAsset(token)] + reader.assets() {
            #expect(asset.availability.offline && asset.license.state == .valid)
        }
    }

    @Test("plays on while an engine works that has the key")
    func running() async throws {
        try await Licensed.run(LicenseTerms()) { asset async throws in
            let root = asset.fixture.root
            try FileSystem.unlink(StorePaths(root: root).storeKey)
            #expect(try asset.key() == "key")
            #expect(try StoreReader(root: root).requireAsset(asset.token).availability.offline)
        }
    }

    @Test("gets a new key if nothing was sealed with it")
    func unneeded() async throws {
        origin.serveStream("/plain", count: 1)
        var fixture = try StoreFixture(in: folder, origin: origin)
        let token = try await fixture.download("/plain/index.m3u8").token
        await fixture.store.stop()
        try FileSystem.unlink(file)
        #expect(try StoreReader(root: root).requireAsset(token).availability.offline)
        fixture = try StoreFixture(in: folder, origin: origin)
        #expect(try fixture.store.reader.requireAsset(token).availability.offline)
        #expect(try await fixture.download("/master.m3u8").availability.offline)
        await fixture.store.stop()
        #expect(try folder.read("store/store.key").count == 32)
    }

    @Test("is reported by a checkup, with an advice", arguments: Loss.allCases)
    func checkup(_ loss: Loss) async throws {
        _ = try await make()
        #expect(!wrong.contains { $0.check == "store key" })
        _ = try lose(loss)
        let finding = try #require(wrong.first { $0.check == "store key" })
        #expect(finding.detail.contains(file.string) && finding.detail.contains("restore the file store.key"))
    }

    @Test("or can be read by others is reported by a checkup, with an advice")
    func exposed() async throws {
        _ = try await make()
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.string)
        let finding = try #require(wrong.first { $0.check == "store key" })
        #expect(finding.detail.contains("chmod 600"))
    }

    /// Runs a test with an asset whose key was sealed with another store's key, and one that came later.
    private func withTwoKeys(_ body: (Licensed, _ later: AssetToken) async throws -> Void) async throws {
        try await Licensed.run(LicenseTerms()) { asset async throws in
            let later = try await asset.fixture.download("/master.m3u8").token
            try asset.fixture.store.catalog.write(.store) { session in
                try session.execute(
                    "UPDATE content_key SET sealed = x'00', digest = x'00' WHERE asset = ?",
                    [asset.token.description])
            }
            try await asset.restart()
            try await body(asset, later)
        }
    }

    @Test("and got a new key from an earlier version works for later assets; a checkup names the others")
    func twoKeys() async throws {
        try await withTwoKeys { asset, later async throws in
            #expect(try asset.key(of: later) == "key")
            let findings = StoreCheckup.run(asset.fixture.root).filter { !$0.isFine }
            let finding = try #require(findings.first { $0.check == "store key" })
            #expect(finding.detail.contains("opens 1 of 2 content keys"))
            #expect(finding.detail.contains(asset.token.description))
            #expect(!finding.detail.contains(later.description))
            #expect(finding.detail.contains("`renewLicense(of:)`") && !finding.detail.contains("made anew"))
        }
    }

    @Test("plays only assets that the new key has sealed, through any reader")
    func playableInPart() async throws {
        try await withTwoKeys { asset, later async throws in
            let store = asset.fixture.store
            for reader in [store.reader, try StoreReader(root: asset.fixture.root)] {
                let named = try [reader.requireAsset(asset.token), reader.requireProgress(of: later)]
                for found in try named + reader.assets() {
                    let blockedBy: [Availability.Obstacle] = found.token == later ? [] : [.keyMissing]
                    #expect(found.availability.blockedBy == blockedBy)
                    #expect(found.availability.offline == blockedBy.isEmpty)
                }
                let target = FilePath(asset.fixture.folder.file("exported"))
                let error = await failure {
                    _ = try reader.exporter.export(asset.token, to: target, withKeys: false)
                }
                #expect(error?.text == "key(.missing)")
            }
            #expect(try asset.key() == "missing")
            let outlines = try [asset.token, later].map { try store.reader.keyOutlines(of: $0) }
            #expect(outlines.map { $0.map(\.isStored) } == [[true], [true]])
            #expect(outlines.map { $0.map(\.isUsable) } == [[false], [true]])
            #expect(try await store.verify(asset.token).closedKeys == ["keys/k0.key"])
            #expect(try await store.verify(later).isSound)
        }
    }

    @Test("is kept while it opens anything: digests of wiped keys still need it")
    func partOfIt() async throws {
        try await withTwoKeys { asset, _ async throws in
            let wiped = try await asset.fixture.download("/master.m3u8").token
            try asset.fixture.store.licenses.revoke(wiped)
            let found = try LostStoreKey.giveUp(in: asset.fixture.root, isTrial: true)
            #expect(found.keys == 1 && found.digests == 0)
        }
    }

    @Test("loses the requests that it does not open, except those of assets with a key that opens")
    func waitingRequests() async throws {
        try await withTwoKeys { asset, later async throws in
            let fixture = asset.fixture
            fixture.origin.serveStream("/plain", count: 1)
            let plain = try await fixture.download("/plain/index.m3u8").token
            await fixture.store.stop()
            let paths = StorePaths(root: fixture.root)
            let vault = try #require(try KeyVault.existing(paths.storeKey))
            let open = try vault.sealed(fixture.request("/plain/index.m3u8"), plain)
            let catalog = try Catalog(writing: paths.catalog)
            let requests: [(AssetToken, [UInt8])] = [(asset.token, [0]), (later, [0]), (plain, open)]
            try catalog.write(.store) { session in
                for (token, sealed) in requests {
                    try session.execute(
                        "INSERT INTO request (asset, sealed) VALUES (?, ?)", [token.description, sealed])
                }
            }
            catalog.close()
            let found = try LostStoreKey.giveUp(in: fixture.root, isTrial: true)
            #expect(found.keys == 1 && found.requests == 1)
            #expect(try LostStoreKey.giveUp(in: fixture.root, isTrial: false) == found)
            let left = try #require(try Catalog(reading: paths.catalog))
            let kept = try left.sealed.sealedRequests().map(\.token)
            left.close()
            #expect(Set(kept) == [later, plain])
        }
    }

    @Test(
        "gets a key that it does not open from its provider again, also after it was revoked",
        arguments: [true, false])
    func renewed(_ revokes: Bool) async throws {
        try await withTwoKeys { asset, _ async throws in
            let store = asset.fixture.store
            if revokes { try store.licenses.revoke(asset.token) }
            try await store.renewLicense(of: asset.token)
            #expect(try asset.key() == "key")
            #expect(try asset.asset().availability.offline)
            #expect(try await store.verify(asset.token).isSound)
        }
    }

    @Test(
        "plays on while an engine has the key from elsewhere, and another key in its file opens nothing")
    func engineHasIt() async throws {
        try await Licensed.run(LicenseTerms()) { asset async throws in
            let paths = StorePaths(root: asset.fixture.root)
            try DurableWrite.write(OriginResource.pattern(32, seed: 4), to: paths.storeKey)
            let reader = try StoreReader(root: asset.fixture.root)
            #expect(try reader.requireAsset(asset.token).availability.offline)
            #expect(try reader.assets().allSatisfy(\.availability.offline))
        }
    }
}
