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

@Suite("A clock that another license's provider has started again", .timeLimit(.minutes(2)))
struct StartedClockTests {
    @Test("revives no license, whether or not its keys are at hand", arguments: [false, true])
    func revivesNothing(isForgotten: Bool) async throws {
        try await Licensed.run(LicenseTerms(rental: 60)) { asset async throws in
            #expect(try asset.key() == "key")
            asset.clock.pass(.seconds(60))
            #expect(try asset.key() == "license-expired")
            asset.clock.set(back: .days(1))
            _ = try await asset.fixture.add("/master.m3u8")
            if isForgotten { asset.fixture.store.keys.forget(asset.token) }
            #expect(try asset.key() == "clock-moved-back")
        }
    }

    @Test("does not stand still for the others, to the second")
    func goesOn() async throws {
        try await Licensed.run(LicenseTerms(rental: 3600)) { asset async throws in
            asset.clock.pass(.seconds(1800))
            #expect(try asset.key() == "key")
            asset.clock.set(back: .days(400))
            _ = try await asset.fixture.add("/master.m3u8")
            for _ in 0..<3 {
                asset.clock.pass(.seconds(599))
                asset.fixture.store.keys.flush()
                #expect(try asset.key() == "key")
            }
            try await asset.restart(reboots: true)
            asset.clock.pass(.seconds(2))
            #expect(try asset.key() == "key")
            asset.clock.pass(.seconds(1))
            #expect(try asset.key() == "clock-moved-back")
            asset.clock.pass(.days(300))
            asset.fixture.store.keys.flush()
            #expect(try asset.key() == "clock-moved-back")
        }
    }

    @Test("does not shorten the others when it is corrected")
    func setRight() async throws {
        try await Licensed.run(LicenseTerms(rental: 3600)) { asset async throws in
            #expect(try asset.key() == "key")
            asset.clock.set(back: .days(10_000))
            _ = try await asset.fixture.add("/master.m3u8")
            asset.clock.set(back: -.days(10_000))
            #expect(try asset.key() == "key")
            asset.clock.pass(.seconds(3599))
            #expect(try asset.key() == "key")
            asset.clock.pass(.seconds(1))
            #expect(try asset.key() == "license-expired")
        }
    }
}
