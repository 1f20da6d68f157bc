import Locking
import ModelTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

@Suite("Content keys that a store's key opens")
struct KeyOpenerTests {
    private let fixture: TableFixture
    private let token: AssetToken
    private let vault: KeyVault

    init() throws {
        fixture = try TableFixture()
        token = try fixture.add(1)
        vault = try KeyVault(FilePath(fixture.folder.file("store.key")))
    }

    private func sealed(_ id: String) throws -> [UInt8] {
        try vault.seal([5], for: KeyVault.purpose(ofKey: id, token))
    }

    private func enter(_ keys: KeyRecord...) throws {
        try fixture.catalog.write(.asset(token)) { session in
            for key in keys { try RenditionTable.insert(key, of: token, session) }
        }
    }

    private func lacking(_ opener: KeyOpener) throws -> Int? {
        try opener.lacking(among: [token], in: fixture.catalog)[token]
    }

    @Test("are lacking when they are not stored, or another key has sealed them")
    func lacking() throws {
        try enter(
            KeyRecord(id: "a", url: "u", sealed: try sealed("a")),
            KeyRecord(id: "b", url: "u", sealed: try sealed("a")), KeyRecord(id: "c", url: "u"))
        #expect(try lacking(.vault(vault)) == 2 && lacking(.engine) == 1 && lacking(.nothing) == 3)
        let keys = try fixture.catalog.renditions.keys(of: token)
        #expect(keys.map { KeyOpener.vault(vault).opens($0, of: token) } == [true, false, false])
        #expect(keys.map { KeyOpener.engine.opens($0, of: token) } == [true, true, false])
        #expect(!keys.contains { KeyOpener.nothing.opens($0, of: token) })
        #expect(keys[0].opened(by: vault, for: token) == [5])
    }

    @Test("of key systems may be missing if another key opens the same media")
    func blobs() throws {
        try enter(KeyRecord(id: "blob", url: "u", format: "drm"))
        #expect(try lacking(.vault(vault)) == 1, "it has no other key")
        try enter(
            KeyRecord(id: "given", url: "", sealed: try sealed("given"), identifier: [7]))
        #expect(try lacking(.vault(vault)) == 1, "nobody knows which key the media want")
        fixture.catalog.keyIdentifiers.withLock { $0 = { _ in [[7]] } }
        #expect(try lacking(.vault(vault)) == nil)
        fixture.catalog.keyIdentifiers.withLock { $0 = { _ in [[7], [8]] } }
        #expect(try lacking(.vault(vault)) == 1, "some of the media want another one")
        try enter(KeyRecord(id: "k", url: "u", sealed: try sealed("k")))
        #expect(try lacking(.vault(vault)) == nil, "one that was fetched may open all")
    }

    @Test("tell whether a store's key is the right one, when there are any")
    func opensAny() throws {
        let catalog = fixture.catalog
        for opener in [KeyOpener.vault(vault), .engine, .nothing] {
            #expect(try opener.opensAny(in: catalog))
        }
        try enter(KeyRecord(id: "a", url: "u", sealed: try sealed("a")))
        #expect(try vault.opensAny(in: catalog) && KeyOpener.engine.opensAny(in: catalog))
        let other = try KeyVault(FilePath(fixture.folder.file("other.key")))
        #expect(try !other.opensAny(in: catalog) && !KeyOpener.vault(other).opensAny(in: catalog))
        #expect(try !KeyOpener.nothing.opensAny(in: catalog))
        #expect(try catalog.sealed.sealedKeys().map(vault.opens) == [true])
    }

    @Test("need the store's key as soon as something is sealed or was digested with it")
    func needed() throws {
        #expect(try !fixture.catalog.sealed.needsStoreKey())
        try enter(KeyRecord(id: "a", url: "u"))
        #expect(try !fixture.catalog.sealed.needsStoreKey())
        try enter(KeyRecord(id: "a", url: "u", digest: [1]))
        #expect(try fixture.catalog.sealed.needsStoreKey() && fixture.catalog.sealed.digestsOfWiped() == 1)
        try fixture.catalog.sealed.giveUp([], andDigests: true)
        #expect(try fixture.catalog.sealed.digestsOfWiped() == 0)
        _ = try fixture.catalog.queue.enqueue([NewAsset(record: sampleRecord(2), request: [1])])
        #expect(try fixture.catalog.sealed.needsStoreKey())
    }
}
