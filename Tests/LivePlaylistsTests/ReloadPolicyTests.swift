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
}
