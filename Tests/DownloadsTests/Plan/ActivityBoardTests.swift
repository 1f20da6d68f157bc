import Locking
import ModelTestSupport
import Testing

@testable import Downloads
@testable import StoreModel
@testable import StorePlanning

@Suite("The board of the work on assets")
struct ActivityBoardTests {
    private let clock = ManualClock()
    private let board: ActivityBoard
    private let token = AssetToken(at: Timestamp(milliseconds: 1))
    private let busy = StoreError(.status(503, retryAfter: nil), url: "http://o/a")

    init() { board = ActivityBoard(clock: clock) }

    private var doing: AssetActivity.Doing? { board.activity(of: token)?.doing }

    private func waits() {
        let failure = AssetFailure(occurrence: busy, at: clock.now)
        board.waits(token, after: failure, of: 8, nextTry: clock.now.adding(60))
    }

    @Test("tells why an asset waits, until its work begins")
    func waiting() {
        #expect(board.activity(of: token) == nil)
        waits()
        let activity = board.activity(of: token)
        #expect(activity?.doing == .waiting && activity?.attempt == 1 && activity?.of == 8)
        #expect(
            activity?.nextTryAt == clock.now.adding(60) && activity?.lastError?.message == busy.occurrence)
        board.enter(.resolving, token)
        #expect(doing == .resolving && board.activities.count == 1)
        board.end(token)
        #expect(board.activity(of: token) == nil && board.activities.isEmpty)
        waits()
        board.forget([token])
        #expect(board.activity(of: token) == nil)
    }

    @Test("tells of the work on an asset first, and why it waits after that")
    func both() {
        board.enter(.transferring, token)
        waits()
        #expect(doing == .transferring && board.activities[token]?.doing == .transferring)
        board.end(token)
        #expect(doing == .waiting && board.activities[token]?.doing == .waiting)
    }

    @Test("shows a pause of the work on an asset until the work has succeeded or is given up")
    func pauses() async throws {
        let seen = Lock<[RetryWait]>([])
        let pause = RetryPause { wait in seen.withLock { $0.append(wait) } }.told(to: board, of: token)
        board.enter(.resolving, token)
        try await pause(RetryWait(reason: busy, seconds: 4, attempt: 3))
        let waits = seen.withLock(\.self)
        #expect(waits.map(\.asset) == [token] && waits.map(\.seconds) == [4])
        #expect(doing == .retrying && board.activity(of: token)?.attempt == 3)
        #expect(board.activity(of: token)?.nextTryAt == clock.now.adding(4))
        pause.ended(StoreError(.status(503, retryAfter: nil), url: "http://o/b"))
        #expect(doing == .retrying, "another resource is done")
        pause.ended(busy)
        #expect(doing == .resolving && board.activity(of: token)?.lastError == nil)
    }

    @Test("shows the failures of one part by its reporter, and cooldowns as waits")
    func reporter() {
        let reporter = ActivityReporter(board: board, token: token, part: "video/1")
        reporter.failed(RetryWait(reason: busy, seconds: 4), isCoolingDown: true)
        #expect(board.activity(of: token) == nil, "there is no work on the asset")
        board.enter(.transferring, token)
        reporter.goesOn()
        reporter.recovered()
        #expect(doing == .transferring)
        reporter.failed(RetryWait(reason: busy, seconds: 4), isCoolingDown: true)
        #expect(doing == .waiting)
        reporter.failed(RetryWait(reason: busy, seconds: 4), isCoolingDown: false)
        #expect(doing == .retrying)
        reporter.goesOn()
        #expect(doing == .transferring && board.activity(of: token)?.lastError != nil)
        reporter.recovered()
        #expect(doing == .transferring && board.activity(of: token)?.lastError == nil)
    }
}
