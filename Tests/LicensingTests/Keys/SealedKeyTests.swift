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

@Suite("Keys that are sealed for another store", .timeLimit(.minutes(2)))
struct SealedKeyTests {
    /// Exports an asset for a second store and imports it there.
    private func moved(
        _ terms: LicenseTerms, _ body: (Licensed, StoreFixture, AssetToken, String) async throws -> Void
    )
        async throws
    {
        try await Licensed.run(terms) { asset async throws in
            let clock = asset.clock
            let second = try StoreFixture(in: asset.fixture.folder, named: "second") { $0.clock = clock }
            let folder = asset.fixture.folder.file("exported")
            let key = try second.store.reader.publicKey()
            try asset.fixture.store.reader.exporter.export(
                asset.token, to: FilePath(folder), withKeys: false, keysFor: key)
            let result: Result<Void, any Error>
            do {
                let token = try await second.store.imports.add(FilePath(folder)).token
                result = .success(try await body(asset, second, token, folder))
            } catch { result = .failure(error) }
            await second.store.stop()
            second.expectNoKeys()
            try result.get()
        }
    }

    @Test("open there, and lie nowhere as they are")
    func opened() async throws {
        try await moved(LicenseTerms()) { asset, second, token, folder async throws in
            #expect(try second.contentKey(token, "k0") == Licensed.key)
            #expect(Secret.traces(in: asset.fixture.folder.path) == [])
            #expect(try second.store.reader.requireAsset(token).availability.offline)
            #expect(!FileManager.default.fileExists(atPath: folder + "/keys"))
        }
    }

    @Test("keep their terms: the license ends there when it ends here")
    func terms() async throws {
        try await moved(LicenseTerms(rental: 60)) { asset, second, token, _ async throws in
            asset.clock.pass(59_999)
            #expect(try second.contentKey(token, "k0") == Licensed.key)
            asset.clock.pass(1)
            #expect(try second.contentKey(token, "k0") == nil)
            #expect(try second.store.reader.requireAsset(token).license.state == .expired)
        }
    }

    /// A stream of one fragment that is encrypted for a key system, by `scheme`.
    private func serveFragment(on origin: OriginServer, _ identifier: [UInt8], scheme: String) {
        let entry = ProtectedMovie.entry(ProtectedMovie.protection(scheme, identifier))
        origin.serve("/init.mp4", bytes: ProtectedMovie.initialization([[entry]]))
        origin.serve(
            "/1.m4s", bytes: ProtectedMovie.box("moof", []) + ProtectedMovie.box("mdat", [1, 2, 3]))
        let tags = """
            #EXT-X-KEY:METHOD=SAMPLE-AES-CTR,URI="skd://x",KEYFORMAT="com.example"
            #EXT-X-MAP:URI="init.mp4"

            """
        origin.serve("/index.m3u8", text: Playlists.media(["1.m4s"], tags: tags))
    }

    @Test("open there also where they were given, and playlists name them for the fragments that they open")
    func given() async throws {
        try await StoreFixture.run { fixture async throws in
            let identifier = [UInt8](32..<48)
            serveFragment(on: fixture.origin, identifier, scheme: "cenc")
            let token = try await fixture.download("/index.m3u8") { $0.allowsMissingKeys = true }.token
            try fixture.store.licenses.addKey(Licensed.key, identifier: identifier, to: token)
            let second = try StoreFixture(in: fixture.folder, named: "second")
            let folder = FilePath(fixture.folder.file("exported"))
            try fixture.store.reader.exporter.export(
                token, to: folder, withKeys: false, keysFor: try second.store.reader.publicKey())
            let playlist = try DurableWrite.read(folder.pushing(FilePath("video/media.m3u8"))) ?? []
            #expect(String(decoding: playlist, as: UTF8.self).contains("../keys/id-"))
            let copy = try await second.store.imports.add(folder).token
            #expect(try second.store.reader.requireAsset(copy).availability.offline)
            #expect(try second.contentKey(copy, "k0") == Licensed.key)
            await second.store.stop()
            second.expectNoKeys()
        }
    }

    @Test("never begin earlier there than in the store that sealed them, even if the clock there is behind")
    func earlierThere() async throws {
        try await Licensed.run(LicenseTerms(rental: 3600)) { asset async throws in
            asset.clock.pass(.seconds(3590))
            let clock = ManualClock(1_600_000_000)
            let second = try StoreFixture(in: asset.fixture.folder, named: "second") { $0.clock = clock }
            let folder = FilePath(asset.fixture.folder.file("exported"))
            try asset.fixture.store.reader.exporter.export(
                asset.token, to: folder, withKeys: false, keysFor: try second.store.reader.publicKey())
            let token = try await second.store.imports.add(folder).token
            clock.pass(9999)
            #expect(try second.contentKey(token, "k0") == Licensed.key)
            clock.pass(1)
            #expect(try second.contentKey(token, "k0") == nil)
            await second.store.stop()
        }
    }

    @Test("have times that can be reckoned with, or are not opened")
    func hostileTimes() throws {
        let folder = try TemporaryDirectory()
        let vault = try KeyVault(FilePath(folder.file("store.key")), environment: [:])
        for time in [Int64.min, -1, Timestamp.latest.milliseconds + 1, .max] {
            var terms = SealedKeys.Terms(License(LicenseTerms(), at: Timestamp(milliseconds: 5)), at: .latest)
            terms.sealedAt = Timestamp(milliseconds: time)
            let sealed = try SealedKeys(.init(keys: [], license: terms), for: vault.publicKey)
            #expect(throws: StoreError.self) { try sealed.content(vault) }
        }
    }

    @Test("open in no other store, and are not sealed without a valid license")
    func refused() async throws {
        try await moved(LicenseTerms(rental: 60)) { asset, _, _, folder async throws in
            let error = await failure { _ = try await asset.fixture.store.imports.add(FilePath(folder)) }
            #expect(error?.text == "key(.sealedForAnother)")
            let bare = asset.fixture.folder.file("bare")
            try asset.fixture.store.reader.exporter.export(asset.token, to: FilePath(bare), withKeys: false)
            let keyless = await failure { _ = try await asset.fixture.store.imports.add(FilePath(bare)) }
            #expect(keyless?.text == "key(.notInFolder)")
            #expect(keyless?.message.contains("or with its keys") == true)
            asset.clock.pass(.seconds(60))
            let key = try asset.fixture.store.reader.publicKey()
            let late = FilePath(folder + "-late")
            let refused = await failure {
                try asset.fixture.store.reader.exporter.export(
                    asset.token, to: late, withKeys: false, keysFor: key)
            }
            #expect(refused?.text.hasPrefix("license(.expired") == true)
            asset.clock.set(back: .seconds(60))
            let setBack = await failure {
                try asset.fixture.store.reader.exporter.export(asset.token, to: late, withKeys: false)
            }
            #expect(setBack?.text.hasPrefix("license(.clockMovedBack") == true)
        }
    }

    @Test("a public key is shown while an engine works, and no second key is made")
    func engineKey() async throws {
        try await StoreFixture.run { fixture async throws in
            let (reader, file) = (try StoreReader(root: fixture.root), fixture.store.paths.storeKey)
            let text = try fixture.store.reader.publicKey().description
            #expect(try reader.publicKey().description == text)
            // As with a credential that the engine alone has.
            try FileSystem.unlink(file)
            let error = await failure { _ = try reader.publicKey() }
            #expect(error?.text == #"keyElsewhere("\#(file)")"#)
            #expect(error?.message.contains("run the command with the credential") == true)
            #expect(FileSystem.isAbsent(file))
        }
    }

    @Test("a public key is 64 hexadecimal digits, the same each time, and nothing else is taken for one")
    func publicKey() throws {
        let folder = try TemporaryDirectory()
        let reader = try StoreReader(root: FilePath(folder.file("store")))
        let text = try reader.publicKey().description
        #expect(text.utf8.count == 64)
        #expect(try reader.publicKey().description == text)
        #expect(StorePublicKey(text)?.description == text)
        #expect(StorePublicKey("") == nil && StorePublicKey(String(text.dropLast(2))) == nil)
    }
}
