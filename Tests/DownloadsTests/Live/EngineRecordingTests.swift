import StoreTestSupport
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import StoreModel
@testable import StorePlanning
@testable import StoreReading

@Suite("A recording for the engine", .timeLimit(.minutes(1)))
struct EngineRecordingTests {
    @Test("is one that goes on; when it has ended it is an asset like any other")
    func ends() async throws {
        let pages = [LiveShow.page(0..<3), LiveShow.page(0..<5), LiveShow.page(0..<6, isEnd: true)]
        let show = LiveShow(try OriginServer(), pages: pages)
        show.serveSegments(6)
        let fixture = try StoreFixture(origin: show.origin) { $0.pause = show.pause }
        fixture.origin.serveStream("/v", count: 1)
        let engine = fixture.store.engine
        let other = try await fixture.download("/v/index.m3u8").token
        let isOther = await engine.isRecording(other)
        #expect(!isOther)
        show.hold(at: 1)
        let recorded = Task { try await fixture.record(show) }
        try await show.untilHeld()
        let tokens = try fixture.store.reader.assets().map(\.token)
        let token = try #require(tokens.first { $0 != other })
        let goesOn = await engine.isRecording(token)
        #expect(goesOn)
        show.release()
        let asset = try await recorded.value
        #expect(asset.token == token && asset.state == .complete)
        let isOpen = await engine.isRecording(token)
        #expect(!isOpen)
        await fixture.store.stop()
    }
}
