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

    @Test("refuses without a query what is revoked, once it has looked")
    func revoked() async throws {
        try await Licensed.run(LicenseTerms()) { asset async throws in
            let desk = asset.fixture.store.keys
            try asset.fixture.store.licenses.revoke(asset.token)
            #expect(isRefused(try desk.key(asset.token, "k0"), .revoked))
            #expect(isRefused(desk.quickKey(asset.token, "k0"), .revoked))
            #expect(!desk.isQuicklyPermitted(asset.token))
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

    @Test("keeps what it has looked up for a minute without use")
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
}
