import ModelTestSupport
import Testing

@testable import LivePlaylists
@testable import StoreModel

/// The times at which a live playlist is loaded again.
struct ReloadPolicyTests {
    private func load(gained: Double, elapsed: Double = 6, listed: Double = 30) -> ReloadPolicy.Load {
        ReloadPolicy.Load(target: 6, listed: listed, gained: gained, elapsed: elapsed)
    }

    @Test("a target duration after news, half of it after none")
    func usual() {
        var policy = ReloadPolicy()
        #expect(policy.loaded(load(gained: 6)) == .wait(6))
        #expect(policy.loaded(load(gained: 0)) == .wait(3))
    }

    @Test("sooner when the list moves so fast that it would be missed")
    func fast() {
        var policy = ReloadPolicy()
        let step = policy.loaded(load(gained: 60, elapsed: 6, listed: 36))
        guard case .wait(let seconds) = step else { return #expect(Bool(false)) }
        #expect(abs(seconds - 1.44) < 0.001)
    }

    @Test("nothing new for long means that the stream is dead")
    func stalled() {
        var policy = ReloadPolicy()
        for _ in 0..<100 { #expect(policy.loaded(load(gained: 0)) == .wait(3)) }
        #expect(policy.loaded(load(gained: 0)) == .end(.stalled))
        #expect(policy.loaded(load(gained: 6)) == .wait(6))
    }

    @Test("failures are retried later and later, as the origin asks; a missing playlist ends it")
    func failures() {
        var policy = ReloadPolicy()
        let broken = StoreError(.status(500, retryAfter: nil))
        let waits = (0..<4).map { _ in policy.failed(broken, target: 4, elapsed: 1, chance: 1) }
        #expect(waits == [.wait(2), .wait(4), .wait(8), .wait(10)])
        let asked = StoreError(.status(503, retryAfter: 7))
        #expect(policy.failed(asked, target: 4, elapsed: 1, chance: 0) == .wait(7))
        let gone = StoreError(.status(410, retryAfter: nil))
        #expect(policy.failed(gone, target: 4, elapsed: 0, chance: 0) == .end(.gone))
        var other = ReloadPolicy()
        let missing = StoreError(.status(404, retryAfter: nil))
        #expect(other.failed(missing, target: 4, elapsed: 59, chance: 1) == .wait(2))
        #expect(other.failed(missing, target: 4, elapsed: 2, chance: 1) == .end(.gone))
    }

    @Test("a playlist with a short window is reloaded quickly while an origin is down")
    func shortList() {
        var policy = ReloadPolicy()
        _ = policy.loaded(load(gained: 60, elapsed: 6, listed: 36))
        let broken = StoreError(.status(503, retryAfter: nil))
        for _ in 0..<8 {
            guard case .wait(let seconds) = policy.failed(broken, target: 6, elapsed: 1, chance: 1) else {
                return #expect(Bool(false))
            }
            #expect(abs(seconds - 1.44) < 0.001)
        }
    }

    private func passes(_ policy: inout ReloadPolicy, after seconds: Double) -> Bool {
        policy.passesCaches(waited: seconds, target: 6)
    }

    @Test(
        "caches are bypassed after an answer that one has kept for over a target duration, once in a duration"
    )
    func aged() {
        var policy = ReloadPolicy()
        #expect(!passes(&policy, after: 6))
        policy.answered(age: 6, target: 6)
        #expect(!passes(&policy, after: 6))
        policy.answered(age: 6.5, target: 6)
        #expect(passes(&policy, after: 3))
        // One second has passed since that load began: three of its four were the wait before it.
        _ = policy.loaded(load(gained: 6, elapsed: 4))
        #expect(!passes(&policy, after: 4.9))
        #expect(passes(&policy, after: 5))
        _ = policy.failed(StoreError(.status(500, retryAfter: nil)), target: 6, elapsed: 5, chance: 0)
        #expect(!passes(&policy, after: 5.9))
        #expect(passes(&policy, after: 6))
    }

    @Test("caches are bypassed when nothing new has come for one and a half target durations")
    func silent() {
        var policy = ReloadPolicy()
        _ = policy.loaded(load(gained: 0, elapsed: 6))
        #expect(!passes(&policy, after: 3))
        #expect(passes(&policy, after: 3.1))
    }

    @Test(
        "caches are bypassed when the end of the list, by its dates, falls behind by over three target durations"
    )
    func late() {
        var policy = ReloadPolicy()
        for (lag, isLate) in [(30, false), (48, false), (48.1, true), (29, false), (47.5, true)] {
            policy.answered(age: nil, lag: lag, target: 6)
            var copy = policy
            #expect(passes(&copy, after: 0) == isLate, "\(lag)")
        }
        // The origin itself is that late: later answers are compared with this one.
        policy.answered(age: nil, lag: 47.5, passedCaches: true, target: 6)
        policy.answered(age: nil, lag: 65, target: 6)
        #expect(!passes(&policy, after: 0))
    }

    @Test("a playlist that is missing for exactly the patience ends the recording")
    func border() {
        var policy = ReloadPolicy()
        let missing = StoreError(.status(404, retryAfter: nil))
        let patience = ReloadPolicy.patienceWithMissing
        #expect(policy.failed(missing, target: 4, elapsed: patience, chance: 1) == .end(.gone))
        var other = ReloadPolicy()
        let gone = StoreError(.status(410, retryAfter: nil))
        #expect(other.failed(gone, target: 4, elapsed: 0, chance: 1) == .end(.gone))
    }

    @Test("a wait is reported with the number of tries that fit into the time that is left")
    func tries() {
        var policy = ReloadPolicy()
        let broken = StoreError(.status(500, retryAfter: nil))
        _ = policy.failed(broken, target: 4, elapsed: 1, chance: 1)
        let wait = policy.wait(broken, 2)
        #expect(wait.attempt == 2 && wait.tries == 2 + 299 && wait.seconds == 2)
        #expect(policy.wait(broken, 0).tries == 2 + 5990)
    }
}
