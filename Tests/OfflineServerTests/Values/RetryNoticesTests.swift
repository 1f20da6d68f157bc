import AssetStore
import Locking
import Testing

@testable import OfflineServer
@testable import OfflineServerCommands

@Suite("The notices about failed tries")
struct RetryNoticesTests {
    private func wait(_ path: String, _ seconds: Double, _ status: Int = 503) -> RetryWait {
        let url = "http://origin.test/\(path)"
        return RetryWait(reason: StoreError(.status(status, retryAfter: nil), url: url), seconds: seconds)
    }

    @Test("name the failure, its URL, and the time of the next try")
    func line() {
        let line = RetryNotices().line(wait("a.ts", 3.2), at: .now)
        #expect(
            line
                == "the origin answered 503 Service Unavailable (http://origin.test/a.ts); trying again in 4 s"
        )
    }

    @Test("with --verbose have each failed try, with tenths of seconds")
    func detail() {
        #expect(
            RetryNotices.detail(wait("a.ts", 3.24))
                == "the origin answered 503 Service Unavailable (http://origin.test/a.ts); try 2 of 8 in 3.2 s"
        )
    }

    @Test("short waits are not reported, and the same failure is not repeated for every segment")
    func silence() {
        let notices = RetryNotices()
        let start = MonotonicTime.now
        #expect(notices.line(wait("a.ts", 0.9), at: start) == nil)
        #expect(notices.line(wait("a.ts", RetryNotices.shortestWait, 502), at: start) != nil)
        #expect(notices.line(wait("a.ts", 2), at: start) != nil)
        #expect(notices.line(wait("b.ts", 5), at: start) == nil)
        #expect(notices.line(wait("b.ts", 5, 500), at: start) != nil)
        #expect(notices.line(wait("b.ts", 5), at: start + .seconds(9)) == nil)
        #expect(notices.line(wait("b.ts", 5), at: start + .seconds(10)) != nil)
    }
}
