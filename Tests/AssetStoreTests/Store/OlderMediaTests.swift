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
@testable import StorePlanning
@testable import StoreReading

@Suite("Media that an older version has stored unchecked", .timeLimit(.minutes(1)))
struct OlderMediaTests {
    @Test("are checked, except those that were checked before")
    func checked() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 4)
            let token = try await fixture.download("/v/index.m3u8").token
            fixture.store.parts.tamperWatch.stop()
            try fixture.replaceAsOlderVersion(token, "video", 1, with: Media.page)
            try fixture.store.catalog.write(.store) { session in
                try session.execute(
                    "UPDATE unit SET finding = ? WHERE number = 3", [UnitFinding.picture.rawValue])
            }
            let health = fixture.store.catalog.health
            #expect(try health.firstWithoutHealth() == token)
            await fixture.store.roles.olderMedia.run()
            #expect(
                try fixture.units(token, "video").map(\.finding) == [
                    .transportStream, .undecodable, .transportStream, .picture,
                ])
            #expect(try health.firstWithoutHealth() == nil)
        }
    }
}
