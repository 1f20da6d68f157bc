import Locking
import ModelTestSupport
import SystemPackage
import Testing
import Transfers

@testable import Downloads
@testable import StoreModel

/// The times of retries.
struct RetryPolicyTests {
    private let busy = StoreError(.status(503, retryAfter: nil))

    @Test("the longest delays double from one second to a minute")
    func backoff() {
        var policy = RetryPolicy(tries: 10)
        let delays = (0..<9).map { _ in policy.failed(busy, madeProgress: false, chance: 1) }
        #expect(delays == [1, 2, 4, 8, 16, 32, 60, 60, 60].map { .retry(after: $0) })
    }

    @Test("the delay is spread over all of its length by chance")
    func jitter() {
        for chance in [0, 0.25, 0.5] {
            var policy = RetryPolicy()
            _ = policy.failed(busy, madeProgress: false, chance: chance)
            #expect(policy.failed(busy, madeProgress: false, chance: chance) == .retry(after: 2 * chance))
        }
    }

    @Test("it gives up after eight tries without a byte")
    func giveUp() {
        var policy = RetryPolicy()
        let verdicts = (0..<8).map { _ in policy.failed(busy, madeProgress: false, chance: 0) }
        #expect(verdicts.dropLast().allSatisfy { $0 == .retry(after: 0) })
        #expect(verdicts.last == .giveUp)
    }

    @Test("progress begins the count anew")
    func progress() {
        var policy = RetryPolicy()
        for _ in 0..<100 {
            #expect(policy.failed(busy, madeProgress: true, chance: 1) == .retry(after: 1))
        }
    }

    @Test(
        "Retry-After is obeyed, between a second and an hour",
        arguments: [(0, 1.0), (7, 7), (1_000_000, 3600)])
    func retryAfter(_ seconds: Int, _ expected: Double) {
        var policy = RetryPolicy()
        let error = StoreError(.status(429, retryAfter: seconds))
        #expect(policy.failed(error, madeProgress: false, chance: 0.5) == .retry(after: expected))
    }

    @Test("a permanent error is not retried", arguments: [400, 401, 403, 404, 410, 416])
    func permanent(_ status: Int) {
        var policy = RetryPolicy()
        let error = StoreError(.status(status, retryAfter: 5))
        #expect(policy.failed(error, madeProgress: false, chance: 0) == .giveUp)
    }

    @Test("too many open files may pass", arguments: [Errno.tooManyOpenFiles, .tooManyOpenFilesInSystem])
    func tooManyFiles(_ reason: Errno) {
        var policy = RetryPolicy()
        let error = StoreError.system(.create, "/store/assets", reason: reason)
        #expect(policy.failed(error, madeProgress: false, chance: 1) == .retry(after: 1))
        #expect(error.errorClass == .engine)
        #expect(error.message.contains("/store/assets"))
    }

    @Test("a possibly temporary error is retried", arguments: [408, 425, 429, 500, 502, 503, 504])
    func transient(_ status: Int) {
        var policy = RetryPolicy()
        let error = StoreError(.status(status, retryAfter: nil))
        #expect(policy.failed(error, madeProgress: false, chance: 0) == .retry(after: 0))
    }

    @Test(
        "a missing unit of a live stream is tried four times, or less often if all units are",
        arguments: [2, 8])
    func missing(_ tries: Int) {
        var policy = RetryPolicy(tries: tries, retriesMissing: true)
        let error = StoreError(.status(404, retryAfter: nil))
        let expected = min(tries, 4)
        #expect(policy.tries(for: error) == expected && policy.tries(for: busy) == tries)
        let verdicts = (0..<expected).map { _ in policy.failed(error, madeProgress: false, chance: 1) }
        #expect(verdicts.count { $0 != .giveUp } == expected - 1 && verdicts.last == .giveUp)
        let refusal = StoreError(.status(410, retryAfter: nil))
        #expect(policy.failed(refusal, madeProgress: true, chance: 1) == .giveUp)
    }

    @Test("too many redirects may pass, and are tried four times")
    func redirects() {
        var policy = RetryPolicy()
        let failure = TransferFailure(TransferError(.tooManyRedirects(limit: 10), url: "http://o/"))
        let error = StoreError(.transfer(failure))
        #expect(policy.tries(for: error) == 4)
        #expect(policy.failed(error, madeProgress: false, chance: 1) == .retry(after: 1))
    }

    @Test("a report names the next try, and the number of all tries")
    func report() {
        var policy = RetryPolicy(tries: 5)
        _ = policy.failed(busy, madeProgress: false, chance: 1)
        let wait = policy.wait(busy, 7)
        #expect(wait.attempt == 2 && wait.tries == 5 && wait.seconds == 7)
    }
}

@Suite("A small operation that is repeated")
struct RepeatedOperationTests {
    /// Repeats an operation that fails with these errors one after another, and then succeeds.
    private func repeated(
        _ errors: [StoreError], tries: Int = 8
    ) async -> (waits: [Double], ended: [String], failure: StoreError?) {
        let (waits, ended, left) = (Lock<[Double]>([]), Lock<[String]>([]), Lock(errors[...]))
        var pause = RetryPause { wait in waits.withLock { $0.append(wait.seconds) } }
        pause.ended = { error in ended.withLock { $0.append(error.url ?? "") } }
        let reports = pause
        let error = await failure {
            try await RetryPolicy.retried(tries: tries, pause: reports) {
                () async throws(StoreError) -> Void in
                if let error = left.withLock({ $0.popFirst() }) { throw error }
            }
        }
        return (waits.withLock(\.self), ended.withLock(\.self), error)
    }

    private func busy(_ seconds: Int, at url: String = "http://o/a") -> StoreError {
        StoreError(.status(503, retryAfter: seconds), url: url)
    }

    @Test("waits as long as its origin says, up to half a minute; nobody is kept waiting for longer")
    func longestPause() async {
        let short = await repeated([busy(30)])
        #expect(short.waits == [30] && short.failure == nil && short.ended == ["http://o/a"])
        let long = await repeated([busy(31)])
        #expect(long.waits == [] && long.failure?.errorClass == .http && long.ended == [])
    }

    @Test("tells that a resource is done when it goes on to another one, and at its end")
    func resources() async {
        let errors = ["http://o/a", "http://o/b", "http://o/b"].map { busy(1, at: $0) }
        let done = await repeated(errors)
        #expect(done.waits == [1, 1, 1] && done.ended == ["http://o/a", "http://o/b"])
        let givenUp = await repeated(errors, tries: 2)
        #expect(givenUp.waits == [1] && givenUp.ended == ["http://o/a"])
        #expect(givenUp.failure?.url == "http://o/b")
    }

    @Test("is not repeated after an error that would come again")
    func permanent() async {
        let outcome = await repeated([StoreError(.status(404, retryAfter: 1))])
        #expect(outcome.waits == [] && outcome.failure?.errorClass == .http)
    }
}
