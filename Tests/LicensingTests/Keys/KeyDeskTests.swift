import Locking
import ModelTestSupport
import StoreTestSupport
import TestSupport
import Testing

@testable import AssetStore
@testable import Licensing
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

@Suite("The desk that hands out keys", .timeLimit(.minutes(2)))
struct KeyDeskTests {
    private func isKey(_ answer: KeyAnswer?) -> Bool {
        if case .key = answer { true } else { false }
    }

    private func isRefused(_ answer: KeyAnswer?, _ refusal: LicenseRefusal) -> Bool {
        if case .refused(let found) = answer { found == refusal } else { false }
    }

    @Test("answers without a query once the first play is entered, and not before")
    func quick() async throws {
        try await Licensed.run(LicenseTerms(rental: 60)) { asset async throws in
            let desk = asset.fixture.store.keys
            desk.forget(asset.token)
            #expect(desk.quickKey(asset.token, "k0") == nil)
            _ = try desk.refusal(asset.token)
            #expect(desk.quickKey(asset.token, "k0") == nil, "the first play is not entered")
            #expect(isKey(try desk.key(asset.token, "k0")))
            #expect(isKey(desk.quickKey(asset.token, "k0")))
            desk.forget(asset.token)
            #expect(desk.quickKey(asset.token, "k0") == nil)
            #expect(isKey(try desk.key(asset.token, "k0")))
            desk.forgetAll()
            #expect(desk.quickKey(asset.token, "k0") == nil)
        }
    }

    @Test("tells an asset without a license from one that does not exist")
    func unlicensed() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            let token = try await fixture.download("/v/index.m3u8").token
            let desk = fixture.store.keys
            let clear = await failure { _ = try desk.requireFolder(token) }
            #expect(clear?.text.hasPrefix("notEncrypted") == true)
            let unknown = AssetToken(at: Timestamp(milliseconds: 1))
            let none = await failure { _ = try desk.requireFolder(unknown) }
            #expect(none?.text.hasPrefix("noSuchAsset") == true)
        }
    }

    @Test("refuses revoked keys without a query after the first look")
    func revoked() async throws {
        try await Licensed.run(LicenseTerms()) { asset async throws in
            let desk = asset.fixture.store.keys
            try asset.fixture.store.licenses.revoke(asset.token)
            #expect(isRefused(try desk.key(asset.token, "k0"), .revoked))
            #expect(isRefused(desk.quickKey(asset.token, "k0"), .revoked))
            #expect(!desk.isQuicklyPermitted(asset.token))
        }
    }

    @Test("refuses the keys of an ended license without a query once the end is entered")
    func ended() async throws {
        try await Licensed.run(LicenseTerms(rental: 60)) { asset async throws in
            let desk = asset.fixture.store.keys
            #expect(isKey(try desk.key(asset.token, "k0")))
            asset.clock.pass(60_000)
            #expect(desk.quickKey(asset.token, "k0") == nil, "the time is not entered")
            #expect(isRefused(try desk.key(asset.token, "k0"), .expired))
            #expect(isRefused(desk.quickKey(asset.token, "k0"), .expired))
        }
    }

    @Test("permits an asset without a license, once it has looked, until something changes")
    func free() async throws {
        try await Licensed.run(LicenseTerms()) { asset async throws in
            let desk = asset.fixture.store.keys
            let other = AssetToken(at: Timestamp(milliseconds: 1))
            #expect(!desk.isQuicklyPermitted(other))
            #expect(try desk.refusal(other) == nil && desk.folder(other) == nil)
            #expect(desk.isQuicklyPermitted(other))
            desk.forget(other)
            #expect(!desk.isQuicklyPermitted(other))
            #expect(throws: StoreError.self) { try desk.requireFolder(other) }
        }
    }

    @Test("keeps a license in memory for a minute without use")
    func idle() async throws {
        try await Licensed.run(LicenseTerms()) { asset async throws in
            let desk = asset.fixture.store.keys
            #expect(isKey(try desk.key(asset.token, "k0")))
            asset.clock.pass(KeyDesk.idleLifetime - 1)
            desk.flush()
            #expect(isKey(desk.quickKey(asset.token, "k0")))
            asset.clock.pass(KeyDesk.idleLifetime)
            desk.flush()
            #expect(desk.quickKey(asset.token, "k0") == nil)
        }
    }

    @Test("counts the keys that went out, once each, and not those that were only looked at")
    func counting() async throws {
        try await Licensed.run(LicenseTerms()) { asset async throws in
            let desk = asset.fixture.store.keys
            for _ in 0..<2 { _ = try desk.key(asset.token, "k0") }
            _ = desk.quickKey(asset.token, "k0")
            _ = desk.quickKey(asset.token, "k0", counts: false)
            _ = try desk.key(asset.token, "k0", counts: false)
            desk.countNow(2, of: asset.token)
            desk.flush()
            desk.flush()
            #expect(try asset.status().keysHandedOut == 5)
        }
    }

    @Test("knows the names of keys in the media after it has looked at them")
    func names() async throws {
        try await Licensed.run(LicenseTerms()) { asset async throws in
            let store = asset.fixture.store
            let clock = try TrustedClock(store.catalog, asset.clock)
            let vault = try KeyVault(store.paths.storeKey)
            let desk = KeyDesk(catalog: store.catalog, vault: vault, clock: clock) { _ in [[7]: "k7"] }
            #expect(desk.quickName(asset.token, [7]) == nil)
            #expect(desk.names(asset.token) == [[7]: "k7"])
            #expect(desk.quickName(asset.token, [7]) == "k7" && desk.quickName(asset.token, [8]) == nil)
            desk.forget(asset.token)
            #expect(desk.quickName(asset.token, [7]) == nil)
        }
    }

    @Test("keeps a license in memory when the trusted time is written")
    func written() async throws {
        try await Licensed.run(LicenseTerms(rental: 3600)) { asset async throws in
            let desk = asset.fixture.store.keys
            #expect(isKey(try desk.key(asset.token, "k0")))
            asset.clock.pass(KeyDesk.idleLifetime - 1)
            desk.flush()
            #expect(isKey(desk.quickKey(asset.token, "k0")))
        }
    }

    @Test("writes the trusted time if licenses have limits, and not otherwise", arguments: [3600, nil])
    func trustedTime(rental: Int64?) async throws {
        try await Licensed.run(LicenseTerms(rental: rental)) { asset async throws in
            let store = asset.fixture.store
            let mark = try store.catalog.licenses.highWater()
            #expect(isKey(try store.keys.key(asset.token, "k0")))
            asset.clock.pass(1000)
            store.keys.flush()
            let now = try store.catalog.licenses.highWater()
            #expect(rental == nil ? now == mark : now == asset.clock.now)
        }
    }

    @Test(
        "writes how late it is when it refuses, so that nothing is permitted again, and not when it permits")
    func lateness() async throws {
        try await Licensed.run(LicenseTerms(rental: 60)) { asset async throws in
            let store = asset.fixture.store
            let mark = try store.catalog.licenses.highWater()
            asset.clock.pass(59_999)
            #expect(try store.keys.refusal(asset.token) == nil)
            #expect(try store.catalog.licenses.highWater() == mark)
            asset.clock.pass(1)
            #expect(try store.keys.refusal(asset.token) == .expired)
            let end = try #require(try store.keys.folder(asset.token)?.license.end)
            #expect(try store.catalog.licenses.highWater() == end)
        }
    }

    @Test("writes that a license has ended once, at the time of the first refusal", arguments: [true, false])
    func endedOnce(asksForKey: Bool) async throws {
        for late: Int64 in [0, 5000] {
            try await Licensed.run(LicenseTerms(rental: 60)) { asset async throws in
                let store = asset.fixture.store
                func refuse() throws {
                    if asksForKey {
                        #expect(isRefused(try store.keys.key(asset.token, "k0"), .expired))
                    } else {
                        #expect(try store.keys.refusal(asset.token) == .expired)
                    }
                }
                asset.clock.pass(60_000 + late)
                try refuse()
                let mark = asset.clock.now
                #expect(try store.catalog.licenses.highWater() == mark)
                asset.clock.pass(5000)
                try refuse()
                #expect(try store.catalog.licenses.highWater() == mark)
            }
        }
    }

    @Test("counts the first play of what this program decrypts, and no later one")
    func decrypting() async throws {
        try await Licensed.run(LicenseTerms()) { asset async throws in
            let desk = asset.fixture.store.keys
            #expect(try desk.use(asset.token, "k0", counts: false) == Licensed.key)
            #expect(try asset.status().firstPlayedAt == nil)
            for _ in 0..<2 { #expect(try desk.use(asset.token, "k0", counts: true) == Licensed.key) }
            #expect(try asset.status().firstPlayedAt == asset.clock.now)
            desk.flush()
            #expect(try asset.status().keysHandedOut == 1)
            #expect(throws: StoreError.self) { try desk.use(asset.token, nil, counts: true) }
        }
    }

    @Test("remembers 1024 assets without a license, and as many with the names of their keys")
    func manyAssets() async throws {
        try await withLooks { asset, desk, _ throws in
            let tokens = (0...KeyDesk.largestCount).map { AssetToken(at: Timestamp(milliseconds: Int64($0))) }
            for token in tokens.dropLast() {
                #expect(try desk.refusal(token) == nil)
                _ = desk.names(token)
            }
            #expect(desk.isQuicklyPermitted(tokens[0]) && desk.quickName(tokens[0], [7]) == "k0")
            let last = tokens[KeyDesk.largestCount]
            #expect(try desk.refusal(last) == nil && desk.names(last) == [[7]: "k0"])
            #expect(!desk.isQuicklyPermitted(tokens[0]) && desk.quickName(tokens[0], [7]) == nil)
            #expect(desk.isQuicklyPermitted(last) && desk.quickName(last, [7]) == "k0")
        }
    }

    /// Runs a test with a desk that counts how often it looks at media, in which it finds one key.
    private func withLooks(_ body: (Licensed, KeyDesk, _ looks: () -> Int) throws -> Void) async throws {
        try await Licensed.run(LicenseTerms()) { asset async throws in
            let (store, looks) = (asset.fixture.store, Lock(0))
            let clock = try TrustedClock(store.catalog, asset.clock)
            let vault = try KeyVault(store.paths.storeKey)
            let desk = KeyDesk(catalog: store.catalog, vault: vault, clock: clock) { _ in
                looks.withLock { $0 += 1 }
                return [[7]: "k0"]
            }
            try body(asset, desk) { looks.withLock(\.self) }
        }
    }

    @Test("reads the key names of the media once, and again for an unknown name")
    func looks() async throws {
        try await withLooks { asset, desk, looks throws in
            func keys(_ identifiers: [UInt8]...) throws -> [[UInt8]] {
                let found = try desk.clearKeys(asset.token, identifiers)
                #expect(found.allSatisfy { $0.key == Licensed.key })
                return found.map(\.identifier)
            }
            #expect(try keys([7], [7]) == [[7]] && looks() == 1)
            #expect(try keys([7]) == [[7]] && looks() == 1)
            #expect(try keys([8], [7]) == [[7]] && looks() == 2)
            #expect(try keys().isEmpty && looks() == 2)
        }
    }

    @Test("has a digest of the added keys, which differs for other keys")
    func digest() async throws {
        try await Licensed.run(LicenseTerms()) { asset async throws in
            let store = asset.fixture.store
            var digests: [[UInt8]] = [try store.keys.digestOfGivenKeys(asset.token)]
            #expect(digests == [[]], "what its origin gave does not count")
            for (number, last) in [(1, 5), (2, 5), (2, 6)] as [(UInt8, UInt8)] {
                let identifier = [UInt8](repeating: number, count: 16)
                try store.licenses.addKey(
                    [UInt8](repeating: last, count: 16), identifier: identifier, to: asset.token)
                digests.append(try store.keys.digestOfGivenKeys(asset.token))
            }
            #expect(Set(digests).count == 4)
            #expect(try store.keys.digestOfGivenKeys(asset.token) == digests.last)
        }
    }
}
