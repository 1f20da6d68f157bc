import Locking
import StoreTestSupport
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import StoreFiles
@testable import StoreModel

@Suite("A live playlist that has not changed", .timeLimit(.minutes(1)))
struct ReloadWaitTests {
    /// A page of so many segments, of six seconds each.
    private static func page(_ count: Int, isEnd: Bool = false) -> String {
        Playlists.media((0..<count).map { "s\($0).ts" }, seconds: 6, end: isEnd)
    }

    @Test("is loaded again after half a target duration")
    func unchanged() async throws {
        let show = LiveShow(
            try OriginServer(), pages: [Self.page(3), Self.page(3), Self.page(4, isEnd: true)])
        show.serveSegments(4)
        let waits = Lock<[Double]>([])
        let fixture = try StoreFixture(origin: show.origin) {
            $0.pause = { seconds in
                waits.withLock { $0.append(seconds) }
                try await show.pause(seconds)
            }
        }
        let asset = try await fixture.record(show)
        await fixture.store.stop()
        #expect(asset.state == .complete && asset.duration == 24)
        let seconds = waits.withLock(\.self)
        #expect(seconds.contains(3), "\(seconds)")
    }
}
