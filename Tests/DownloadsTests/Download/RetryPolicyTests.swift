import ModelTestSupport
import SystemPackage
import Testing

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
}
