import ModelTestSupport
import Testing

@testable import Downloads
@testable import StoreModel
@testable import StorePlanning

/// The work on an asset, as it is reported.
struct AssetWorkTests {
    private func time(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: seconds * 1000) }

    private func trouble(
        _ attempt: Int, at seconds: Int64, status: Int = 500, isCoolingDown: Bool = false
    ) -> AssetWork.Trouble {
        AssetWork.Trouble(
            reason: StoreError(.status(status, retryAfter: nil), url: "http://h/\(attempt).ts"),
            attempt: attempt, of: 8, at: time(seconds), nextTryAt: time(seconds + 4),
            isCoolingDown: isCoolingDown)
    }

    @Test(
        "while a unit is tried again the asset is retrying, with the error of the unit that failed most often"
    )
    func worst() {
        var work = AssetWork(.transferring, now: time(0))
        #expect(work.activity == AssetActivity(doing: .transferring, since: time(0), of: 8))
        work.failed("a", trouble(2, at: 1))
        work.failed("b", trouble(3, at: 2, status: 503))
        work.failed("a", trouble(2, at: 3))
        let activity = work.activity
        #expect(activity.doing == .retrying && activity.since == time(1))
        #expect(activity.attempt == 3 && activity.of == 8 && activity.nextTryAt == time(6))
        #expect(activity.lastError?.message == "the origin answered 503 Service Unavailable (http://h/3.ts)")
    }

    @Test("it continues only when the last failure is over, and names the time")
    func recovery() {
        var work = AssetWork(.resolving, now: time(0))
        work.enter(.transferring, now: time(1))
        work.failed("a", trouble(2, at: 2))
        work.failed("b", trouble(2, at: 2))
        work.recovered("a", now: time(5))
        #expect(work.activity.doing == .retrying)
        work.recovered("b", now: time(6))
        work.recovered("b", now: time(7))
        #expect(work.activity == AssetActivity(doing: .transferring, since: time(6), of: 8))
        work.enter(.finishing, now: time(8))
        #expect(work.activity.doing == .finishing)
    }

    @Test("a try that receives bytes is transferring, with its earlier failure until the unit is done")
    func goesOn() {
        var work = AssetWork(.transferring, now: time(0))
        work.failed("a", trouble(2, at: 1))
        work.goesOn("a", now: time(5))
        let activity = work.activity
        #expect(activity.doing == .transferring && activity.since == time(5))
        #expect(activity.attempt == 2 && activity.lastError != nil && activity.nextTryAt == nil)
        work.failed("a", trouble(3, at: 6))
        #expect(work.activity.doing == .retrying && work.activity.attempt == 3)
        work.recovered("a", now: time(7))
        #expect(work.activity == AssetActivity(doing: .transferring, since: time(7), of: 8))
    }

    @Test("a cooldown of a host is waited for, unless another request is being retried")
    func held() {
        var work = AssetWork(.transferring, now: time(0))
        work.failed("a", trouble(2, at: 1, status: 503, isCoolingDown: true))
        #expect(work.activity.doing == .waiting)
        work.failed("b", trouble(2, at: 2))
        #expect(work.activity.doing == .retrying)
        work.recovered("b", now: time(3))
        #expect(work.activity.doing == .waiting && work.activity.since == time(3))
    }
}

@Suite("A moment some seconds later")
struct LaterMomentTests {
    @Test(
        "is rounded to milliseconds, not before now, and at most a billion seconds away",
        arguments: [
            (0, 0), (2, 2000), (0.0004, 0), (0.0006, 1), (-5, 0), (2e9, 1_000_000_000_000),
        ] as [(Double, Int64)])
    func adding(_ seconds: Double, _ milliseconds: Int64) {
        #expect(Timestamp(milliseconds: 7).adding(seconds) == Timestamp(milliseconds: 7 + milliseconds))
    }
}

/// The activities that are reported to followers of a store.
struct ActivityNewsTests {
    private static let token = AssetToken("01ARZ3NDEKTSV4RRFFQ69G5FAV")

    private func activity(_ doing: AssetActivity.Doing) throws -> [AssetToken: AssetActivity] {
        [
            try #require(Self.token): AssetActivity(doing: doing, since: Timestamp(milliseconds: 0))
        ]
    }

    @Test("the beginning of trouble is reported, its continuation every ten seconds, and its end")
    func lasting() throws {
        var news = ActivityNews()
        #expect(news.changes(try activity(.transferring), now: 0).isEmpty)
        #expect(news.changes(try activity(.retrying), now: 1).count == 1)
        #expect(news.changes(try activity(.retrying), now: 10.9).isEmpty)
        #expect(news.changes(try activity(.retrying), now: 11).count == 1)
        #expect(news.changes(try activity(.waiting), now: 12).first?.activity?.doing == .waiting)
        #expect(news.changes(try activity(.transferring), now: 13).first?.activity?.doing == .transferring)
        #expect(news.changes(try activity(.transferring), now: 30).isEmpty)
    }

    @Test("an asset without work has no activity")
    func ended() throws {
        var news = ActivityNews()
        _ = news.changes(try activity(.retrying), now: 0)
        let changes = news.changes([:], now: 1)
        #expect(changes.map(\.token) == [try #require(Self.token)] && changes[0].activity == nil)
    }

    @Test("a stalled transfer is reported, and so is its end")
    func stalling() throws {
        var news = ActivityNews()
        var stalled = try activity(.transferring)
        for token in stalled.keys { stalled[token]?.stalledSince = Timestamp(milliseconds: 0) }
        #expect(news.changes(stalled, now: 1).first?.activity?.stalledSince != nil)
        #expect(news.changes(stalled, now: 2).isEmpty)
        let end = news.changes(try activity(.transferring), now: 3).first?.activity
        #expect(end?.doing == .transferring && end?.stalledSince == nil)
    }

    @Test("trouble that comes and goes is reported at most twice in ten seconds")
    func flapping() throws {
        var news = ActivityNews()
        var told = 0
        for second in 0..<20 {
            told += news.changes(try activity(.retrying), now: Double(second)).count
            told += news.changes(try activity(.transferring), now: Double(second) + 0.5).count
        }
        #expect(told == 4)
    }
}

/// The speed of a download.
struct SpeedWindowTests {
    @Test("it is that of the last seconds, and unknown in the first one")
    func speed() {
        var window = SpeedWindow(now: 10)
        window.add(500, now: 10.5)
        #expect(window.speed(now: 10.9) == nil)
        #expect(window.speed(now: 11) == 500)
        for step in 0..<40 { window.add(100, now: 11 + Double(step) / 10) }
        let speed = window.speed(now: 15)
        #expect(speed.map { abs($0 - 1000) < 100 } == true)
        #expect(window.total == 4500)
    }

    @Test("after three seconds without bytes there is no speed")
    func end() {
        var window = SpeedWindow(now: 0)
        for step in 0..<100 { window.add(1_000_000, now: Double(step) / 10) }
        #expect(window.speed(now: 10) != nil)
        #expect(window.speed(now: 13.1) == nil)
        window.add(300, now: 20)
        #expect(window.speed(now: 20.2).map { $0 < 200 } == true)
    }
}
