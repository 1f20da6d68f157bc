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

@Suite("Content keys are handed out", .timeLimit(.minutes(2)))
struct HandOutTests {
    @Test("while a rental lasts, and not a millisecond longer")
    func rental() async throws {
        try await Licensed.run(LicenseTerms(rental: 60)) { asset async throws in
            asset.clock.pass(59_999)
            #expect(try asset.key() == "key")
            asset.clock.pass(1)
            #expect(try asset.key() == "license-expired")
            #expect(try asset.status().state == .expired)
            #expect(try asset.asset().availability.blockedBy == [.licenseExpired])
            #expect(try asset.asset().availability.offline == false)
        }
    }

    @Test("until the end of the rental, and a film that was begun goes on for a day after its last key")
    func begunFilm() async throws {
        try await Licensed.run(LicenseTerms(rental: 60)) { asset async throws in
            asset.clock.pass(59_000)
            #expect(try asset.key() == "key")
            asset.clock.pass(1000)
            #expect(try asset.key() == "license-expired")
            #expect(try asset.refusalWhenIdle() == nil)
            asset.clock.pass(.days(1) - 1001)
            #expect(try asset.refusalWhenIdle() == nil)
            asset.clock.pass(1)
            #expect(try asset.refusalWhenIdle() == .expired)
        }
    }

    @Test("to no player that begins after the license has ended")
    func idleFilm() async throws {
        try await Licensed.run(LicenseTerms(rental: 60)) { asset async throws in
            asset.clock.pass(.seconds(60))
            #expect(try asset.refusalWhenIdle() == .expired)
        }
    }

    @Test("until the license is revoked, which ends a film that was begun at once")
    func revokedFilm() async throws {
        try await Licensed.run(LicenseTerms()) { asset async throws in
            #expect(try asset.key() == "key")
            #expect(asset.fixture.store.keys.isQuicklyPermitted(asset.token))
            try asset.fixture.store.licenses.revoke(asset.token)
            #expect(try asset.key() == "license-revoked")
            #expect(try asset.refusalWhenIdle() == .revoked)
            #expect(!asset.fixture.store.keys.isQuicklyPermitted(asset.token))
        }
    }

    @Test("within the play window, which the first key opens")
    func window() async throws {
        try await Licensed.run(LicenseTerms(playWindow: 10)) { asset async throws in
            asset.clock.pass(.days(300))
            #expect(try asset.status().firstPlayedAt == nil)
            #expect(try asset.key() == "key")
            #expect(try asset.status().playExpiresAt == asset.clock.now.adding(seconds: 10))
            asset.clock.pass(9999)
            #expect(try asset.key() == "key")
            asset.clock.pass(1)
            #expect(try asset.key() == "license-expired")
        }
    }

    @Test("an asset is listed as expiring while its license is valid and ends within the time")
    func expiring() async throws {
        try await Licensed.run(LicenseTerms(rental: 60, playWindow: 10)) { asset async throws in
            func isListed(_ seconds: Int64) throws -> Bool {
                try asset.fixture.store.reader.assets(expiring: seconds).map(\.token) == [asset.token]
            }
            #expect(try isListed(60))
            #expect(try !isListed(59))
            #expect(try asset.key() == "key")
            #expect(try isListed(10))
            #expect(try !isListed(9))
            asset.clock.pass(.seconds(10))
            #expect(try !isListed(60))
        }
        try await Licensed.run(LicenseTerms()) { asset async throws in
            #expect(try asset.fixture.store.reader.assets(expiring: 1_000_000).isEmpty)
        }
    }

    @Test("to no player that sends HEAD, and HEAD is no first play")
    func head() async throws {
        try await Licensed.run(LicenseTerms(playWindow: 10)) { asset async throws in
            _ = try asset.fixture.store.keys.key(asset.token, "k0", counts: false)
            #expect(try asset.status().firstPlayedAt == nil)
        }
    }

    @Test("to no player if they can't be unsealed, and then no play window begins")
    func unopened() async throws {
        try await Licensed.run(LicenseTerms(playWindow: 10)) { asset async throws in
            let sealed = try #require(
                try asset.fixture.store.catalog.renditions.keys(of: asset.token).first?.sealed)
            try asset.seal([1, 2, 3])
            #expect(try asset.key() == "missing")
            #expect(try asset.status().firstPlayedAt == nil)
            #expect(try asset.status().playExpiresAt == nil)
            asset.fixture.store.keys.flush()
            #expect(try asset.status().keysHandedOut == 0)
            try asset.seal(sealed)
            #expect(try asset.key() == "key")
            #expect(try asset.status().playExpiresAt == asset.clock.now.adding(seconds: 10))
        }
    }

    @Test("never again after the end, when the clock is set back", arguments: [1, 365])
    func clockSetBack(days: Int64) async throws {
        try await Licensed.run(LicenseTerms(rental: 60)) { asset async throws in
            asset.clock.pass(.seconds(61))
            #expect(try asset.key() == "license-expired")
            asset.clock.set(back: .days(days))
            #expect(try asset.key() == "clock-moved-back")
            #expect(try asset.asset().availability.blockedBy == [.licenseExpired, .clockMovedBack])
            try await asset.restart(reboots: true)
            #expect(try asset.key() == "clock-moved-back")
            asset.clock.pass(.days(days) + .seconds(1))
            #expect(try asset.key() == "license-expired")
        }
    }

    @Test("for no longer when the clock is set back before the end")
    func noTimeWon() async throws {
        try await Licensed.run(LicenseTerms(rental: 60)) { asset async throws in
            asset.clock.pass(.seconds(50))
            #expect(try asset.key() == "key")
            asset.clock.set(back: .days(1))
            asset.clock.pass(.seconds(9))
            #expect(try asset.key() == "key")
            asset.clock.pass(.seconds(2))
            #expect(try asset.key() == "clock-moved-back")
        }
    }

    @Test("again when a clock that ran ahead is set right and time catches up")
    func healsByItself() async throws {
        try await Licensed.run(LicenseTerms(rental: 1000)) { asset async throws in
            asset.clock.set(back: -.seconds(900))
            #expect(try asset.key() == "key")
            asset.clock.set(back: .seconds(900))
            asset.clock.pass(.seconds(90))
            #expect(try asset.key() == "key")
            #expect(try !asset.status().isClockBehind)
        }
    }

    @Test("again after a renewal that a provider confirmed, and for no other license")
    func providerHeals() async throws {
        try await Licensed.run(LicenseTerms(rental: 60)) { asset async throws in
            let other = try await asset.fixture.add("/master.m3u8") { $0.license = LicenseTerms(rental: 60) }
            asset.clock.set(back: -.days(400))
            #expect(try asset.key() == "license-expired")
            asset.clock.set(back: .days(400))
            #expect(try asset.key() == "clock-moved-back")
            try await asset.fixture.store.renewLicense(of: asset.token)
            #expect(try asset.key() == "key")
            #expect(try asset.key(of: other) == "clock-moved-back")
            asset.clock.pass(.seconds(59))
            #expect(try asset.key() == "key")
            asset.clock.pass(.seconds(1))
            #expect(try asset.key() == "license-expired")
        }
    }

    @Test("counted and entered in the history, without a byte of them")
    func audit() async throws {
        try await Licensed.run(LicenseTerms()) { asset async throws in
            for _ in 0..<3 { #expect(try asset.key() == "key") }
            asset.fixture.store.keys.flush()
            #expect(try asset.status().keysHandedOut == 3)
            let events = try asset.fixture.store.reader.licenseEvents(of: asset.token)
            #expect(events.map(\.kind) == [.keyHandedOut, .played, .requested])
            #expect(events.first?.count == 3)
            #expect(events.first?.at == asset.clock.now)
        }
    }

    @Test("of no asset that does not exist, and none that it does not have")
    func unknown() async throws {
        try await Licensed.run(LicenseTerms()) { asset async throws in
            #expect(try asset.key("k7") == "unknown")
            let stranger = AssetToken(at: asset.clock.now)
            #expect(try asset.key(of: stranger) == "unknown")
        }
    }
}

extension HandOutTests {
    @Test("no more once the asset is removed, also when its folder could not be put away")
    func removed() async throws {
        try await Licensed.run(LicenseTerms()) { asset async throws in
            let store = asset.fixture.store
            #expect(try asset.key() == "key")
            try store.catalog.write(.store) { session in
                try session.execute(
                    """
                    CREATE TEMP TRIGGER full BEFORE UPDATE ON disposal
                    BEGIN SELECT RAISE(ABORT, 'full'); END
                    """)
            }
            #expect(await failure { try await store.remove(asset.token) } != nil)
            #expect(store.keys.quickKey(asset.token, "k0") == nil)
            #expect(try asset.key() == "unknown")
        }
    }
}
