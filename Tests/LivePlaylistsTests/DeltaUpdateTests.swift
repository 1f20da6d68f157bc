import HLSPlaylist
import ModelTestSupport
import StoreTestSupport
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import Licensing
@testable import LivePlaylists
@testable import MediaDecryption
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

/// Recordings of origins that support delta updates.
@Suite(.timeLimit(.minutes(2)))
struct DeltaUpdateTests {
    private let control = "#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=600\n"

    private func update(_ first: Int, skipping count: Int, _ numbers: Range<Int>) -> String {
        LiveShow.page(
            numbers, sequence: first, header: "\(control)#EXT-X-SKIP:SKIPPED-SEGMENTS=\(count)\n")
    }

    /// Records a show of 14 segments, all of them encrypted or none.
    private func record(
        _ show: LiveShow, isEncrypted: Bool = false
    ) async throws -> (asset: Asset, queries: [String?], lines: [String]) {
        show.serveSegments(
            14, keys: isEncrypted ? Dictionary(uniqueKeysWithValues: (0..<14).map { ($0, 7) }) : [:])
        show.origin.serve("/live/a.key", bytes: Array(repeating: 7, count: 16))
        let fixture = try StoreFixture(origin: show.origin) { $0.pause = show.pause }
        let asset = try await fixture.record(show)
        let lines = try fixture.mediaLines(asset.token)
        let states = try fixture.units(asset.token, "video").map(\.state)
        #expect(states == Array(repeating: .stored, count: states.count))
        await fixture.store.stop()
        return (asset, show.origin.requests(for: show.path).map(\.query), lines)
    }

    @Test("they are requested by query; tags of skipped segments still apply")
    func updates() async throws {
        let key = [0: "#EXT-X-KEY:METHOD=AES-128,URI=\"a.key\"\n"]
        let show = LiveShow(
            try OriginServer(),
            pages: [
                LiveShow.page(0..<8, tags: key, header: control), "#EXTM3U\n", "#EXTM3U\n",
                LiveShow.page(4..<14, tags: [4: key[0] ?? ""], isEnd: true),
            ],
            updates: [1: update(0, skipping: 8, 8..<10), 2: update(2, skipping: 8, 10..<12)])
        let (asset, queries, lines) = try await record(show, isEncrypted: true)
        #expect(asset.state == .complete && asset.recording?.gaps == [] && asset.duration == 14)
        // One to resolve it and one to begin with.
        #expect(queries.prefix(4) == [nil, nil, "_HLS_skip=YES", "_HLS_skip=YES"])
        #expect(lines.filter { $0.hasPrefix("#EXT-X-KEY") }.count == 1)
    }

    @Test("an update that does not fit, or is not there, is followed by the whole playlist at once")
    func fallback() async throws {
        let show = LiveShow(
            try OriginServer(),
            pages: [
                LiveShow.page(0..<4, header: control), LiveShow.page(0..<8, header: control),
                LiveShow.page(4..<14, isEnd: true),
            ],
            updates: [1: update(3, skipping: 4, 7..<8), 2: "<html>"])
        let (asset, queries, _) = try await record(show)
        #expect(asset.state == .complete && asset.recording?.gaps == [] && asset.duration == 14)
        #expect(queries.suffix(4) == ["_HLS_skip=YES", nil, "_HLS_skip=YES", nil])
    }

    @Test("an update that is too old, and an origin without support, are not requested")
    func restraint() throws {
        var updates = DeltaUpdates()
        #expect(updates.address("http://a/i", now: 0) == nil)
        for control in ["", "#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=24\n"] {
            let playlist = try Playlists.parsedMedia(LiveShow.page(0..<4, header: control))
            _ = updates.take(playlist, .init(), at: 100)
            let expected = control.isEmpty ? nil : "http://a/i?t=1&_HLS_skip=YES"
            #expect(updates.address("http://a/i?t=1", now: 112) == expected)
            #expect(updates.address("http://a/i?t=1", now: 112.5) == nil)
        }
        updates.refused()
        #expect(updates.address("http://a/i", now: 100) == nil)
    }
}
