import StoreTestSupport
import TestSupport
import Testing

@testable import AssetStore
@testable import StoreCatalog
@testable import StoreModel

@Suite("A playback position", .timeLimit(.minutes(1))) struct ViewingTests {
    @Test("in the last tenth of an asset means that it is watched, which stays so")
    func watched() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 5)
            let token = try await fixture.download("/v/index.m3u8").token
            let viewing = fixture.store.viewing
            func isWatched(_ seconds: Double, _ wish: Bool? = nil) throws -> Bool {
                let position = try viewing.setPosition(seconds, isWatched: wish, of: token)
                #expect(try fixture.store.reader.requireAsset(token).position.seconds == seconds)
                return position.isWatched
            }
            #expect(try !isWatched(17.9))
            #expect(try isWatched(18) && isWatched(1))
            #expect(try !isWatched(19, false) && isWatched(0, true))
        }
    }

    @Test("in an asset of unknown length does not")
    func unknownLength() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            let entered = try await fixture.store.intake.enqueue(
                [fixture.request("/v/index.m3u8")], isHeld: true)
            let token = try #require(entered.tokens.first)
            #expect(try !fixture.store.viewing.setPosition(5, isWatched: nil, of: token).isWatched)
        }
    }
}
