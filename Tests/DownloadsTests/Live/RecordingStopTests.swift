import StoreTestSupport
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import Licensing
@testable import MediaDecryption
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

@Suite("Stopping a recording", .timeLimit(.minutes(2)))
struct RecordingStopTests {
    @Test("a segment that is lost after the recording was stopped twice is a gap for players, too")
    func lostAfterwards() async throws {
        let show = LiveShow(try OriginServer(), pages: [LiveShow.page(0..<3), LiveShow.page(0..<5)])
        show.serveSegments(4)
        let fixture = try StoreFixture(origin: show.origin) { $0.pause = show.pause }
        show.hold(at: 1)
        let recorded = Task { try await fixture.record(show) }
        try await show.untilHeld()
        let token = try #require(try fixture.store.reader.assets().first?.token)
        // The last segment is requested again when the show continues; until then the transfers are open.
        try await eventually {
            try fixture.store.control.stopRecording(token)
            return try fixture.store.reader.requireAsset(token).recording?.isOpen == false
        }
        #expect(try fixture.units(token, "video").last?.state == .missing)
        show.release()
        let asset = try await recorded.value
        #expect(asset.state == .complete && asset.recording?.end == .stopped)
        #expect(asset.recording?.gaps.map(\.reason) == ["lost"])
        let lines = try fixture.mediaLines(token)
        let missing = lines.indices.filter { lines[$0] == "#EXT-X-GAP" }.map { lines[$0 + 2] }
        #expect(missing == ["4.ts"] && lines.last == "#EXT-X-ENDLIST")
        #expect(try await fixture.store.verify(token).isSound)
        await fixture.store.stop()
    }

    /// An open recording, in a store whose engine has not started.
    private func interrupted(_ show: LiveShow) async throws -> (fixture: StoreFixture, token: AssetToken) {
        let folder = try TemporaryDirectory()
        show.hold(at: 1)
        let before = try StoreFixture(in: folder, origin: show.origin) { $0.pause = show.pause }
        let token = try await before.add(show.path) { $0.selection.recording = Selection.Recording() }
        try await show.untilHeld()
        await before.store.stop()
        show.release()
        return (try StoreFixture(in: folder, origin: show.origin) { $0.pause = show.pause }, token)
    }

    @Test("a recording that is stopped before it continues after a restart loads nothing more")
    func beforeItBegins() async throws {
        let pages = [LiveShow.page(0..<3), LiveShow.page(0..<5), LiveShow.page(0..<8, isEnd: true)]
        let show = LiveShow(try OriginServer(), pages: pages)
        show.serveSegments(8)
        let (fixture, token) = try await interrupted(show)
        let store = fixture.store
        let origin = try Origin(loop: store.parts.loop, access: OriginAccess(), stream: "")
        let running = try #require(
            try RunningRecorder(token, origin: origin, parts: store.context, vault: store.parts.vault))
        let loads = show.origin.requests(for: show.path).count
        try store.control.stopRecording(token)
        let event = await running.run()
        await store.stop()
        guard case .recorded(let end, let error) = event else {
            Issue.record("a recorder says how the recording has ended")
            return
        }
        #expect(end == .stopped && error == nil)
        #expect(show.origin.requests(for: show.path).count == loads)
    }

    @Test("a segment that was stored and is lost later is no gap after a repair that can't fetch it")
    func lostLater() async throws {
        let pages = [LiveShow.page(0..<3), LiveShow.page(0..<4, isEnd: true)]
        let show = LiveShow(try OriginServer(), pages: pages)
        let bytes = show.serveSegments(4)
        let fixture = try StoreFixture(origin: show.origin) { $0.pause = show.pause }
        let token = try await fixture.record(show).token
        let path = fixture.path(token, "video/2.ts")
        try FileSystem.unlink(path)
        fixture.origin.remove("/live/s2.ts")
        try await fixture.store.repair(token)
        await fixture.store.untilSettled(token)
        let failed = try fixture.store.reader.requireAsset(token)
        #expect(failed.state == .failed && failed.recording?.gaps == [])
        #expect(try fixture.mediaLines(token).contains("2.ts"))
        try DurableWrite.write(bytes[2], to: path)
        try await fixture.store.perform(.resume, on: token)
        await fixture.store.untilSettled(token)
        let asset = try fixture.store.reader.requireAsset(token)
        #expect(asset.state == .complete && asset.availability.offline && asset.recording?.gaps == [])
        await fixture.store.stop()
    }
}
