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

@Suite("A cache that keeps a live playlist for too long", .timeLimit(.minutes(2)))
struct StaleCacheTests {
    @Test("is passed by before segments are lost")
    func passedBy() async throws {
        // Each is current for a second, in which the playlist is loaded twice without a change.
        let windows = (0..<12).flatMap { [$0..<$0 + 6, $0..<$0 + 6] }
        let pages = windows.map { LiveShow.page($0) } + [LiveShow.page(12..<18, isEnd: true)]
        let show = LiveShow(try OriginServer(), pages: pages)
        let bytes = show.serveSegments(18)
        show.origin.fault(show.path, .cached(LiveShow.page(0..<6)))
        let fixture = try StoreFixture(origin: show.origin) { $0.pause = show.pause }
        let asset = try await fixture.record(show)
        #expect(asset.state == .complete && asset.recording?.end == .ended)
        #expect(asset.recording?.gaps == [] && asset.duration == 18)
        for (number, segment) in bytes.enumerated() {
            #expect(try fixture.stored(asset.token, "video/\(number).ts") == segment)
        }
        let loads = show.origin.requests(for: show.path)
        let passing = loads.count { $0.header("Cache-Control") == "no-cache" }
        #expect(passing > 0 && passing < loads.count * 2 / 3, "the caches are asked first")
        await fixture.store.stop()
    }

    @Test("is passed by at once when the dates of the playlist fall behind")
    func dated() async throws {
        /// A page whose last segment ends at the second that equals its number.
        func page(_ numbers: Range<Int>, isEnd: Bool = false) -> String {
            let date = "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:0\(numbers.lowerBound).000Z\n"
            return LiveShow.page(numbers, tags: [numbers.lowerBound: date], isEnd: isEnd)
        }
        let show = LiveShow(
            try OriginServer(), pages: [page(0..<14), page(0..<8), page(1..<15), page(2..<16, isEnd: true)])
        show.serveSegments(16)
        let fixture = try StoreFixture(origin: show.origin) { $0.pause = show.pause }
        let asset = try await fixture.record(show)
        #expect(asset.state == .complete && asset.recording?.gaps == [] && asset.duration == 16)
        let loads = show.origin.requests(for: show.path).suffix(3).map { $0.header("Cache-Control") }
        #expect(loads == [nil, "no-cache", nil], "the load after the late one, and no other")
        await fixture.store.stop()
    }

    @Test("is left alone while new segments come")
    func fresh() async throws {
        let pages = (0..<6).map { LiveShow.page($0..<$0 + 4) } + [LiveShow.page(6..<10, isEnd: true)]
        let show = LiveShow(try OriginServer(), pages: pages)
        show.serveSegments(10)
        let fixture = try StoreFixture(origin: show.origin) { $0.pause = show.pause }
        #expect(try await fixture.record(show).recording?.gaps == [])
        #expect(show.origin.requests.allSatisfy { $0.header("Cache-Control") == nil })
        await fixture.store.stop()
    }

    @Test(
        "is bypassed once in a target duration, after one and a half without news or by its Age"
    )
    func policy() {
        var policy = ReloadPolicy()
        /// Whether a load so long after the one before bypasses caches, after new segments or none.
        func passes(after waited: Double, gaining gained: Double) -> Bool {
            let passes = policy.passesCaches(waited: waited, target: 6)
            _ = policy.loaded(.init(target: 6, listed: 30, gained: gained, elapsed: waited))
            return passes
        }
        let steps = [(0, 6), (6, 0), (3, 0), (3, 0), (3, 0), (3, 6), (6, 6)]
        let passing = steps.map { passes(after: Double($0.0), gaining: Double($0.1)) }
        #expect(passing == [false, false, false, true, false, true, false])
        policy.answered(age: 7, target: 6)
        let isOldPassed = passes(after: 6, gaining: 6)
        policy.answered(age: 5, target: 6)
        let isYoungPassed = passes(after: 6, gaining: 6)
        #expect(isOldPassed && !isYoungPassed)
    }

    @Test("is suspected if dates fall behind by three target durations, until the origin has the same dates")
    func lag() {
        var policy = ReloadPolicy()
        func passes(lag: Double, passedCaches: Bool = false) -> Bool {
            policy.answered(age: nil, lag: lag, passedCaches: passedCaches, target: 6)
            let passes = policy.passesCaches(waited: 6, target: 6)
            _ = policy.loaded(.init(target: 6, listed: 30, gained: 6, elapsed: 6))
            return passes
        }
        // An encoder's clock may be wrong by any time.
        #expect(!passes(lag: -4000) && !passes(lag: -4006) && !passes(lag: -3989))
        #expect(passes(lag: -3987))
        #expect(!passes(lag: -3986, passedCaches: true), "the stream itself is that late")
        #expect(!passes(lag: -3980) && passes(lag: -3960))
    }
}
