internal import FoundationEssentials
internal import HLSPlaylist
internal import Locking

/// Hosts that have asked to be left alone for a while (Retry-After; RFC 9110, section 10.2.3), by all assets of a store.
final class HostHolds: Sendable {
    private struct Hold {
        let reason: StoreError
        let until: Double
    }

    private let holds = Lock<[String: Hold]>([:])

    /// The host of a URL has asked for so many seconds; it may have asked for more before.
    func hold(_ url: String, for reason: StoreError, seconds: Double) {
        guard let host = URIReference(url).authority else { return }
        let until = SteadyClock.seconds + seconds
        holds.withLock { if ($0[host]?.until ?? 0) < until { $0[host] = Hold(reason: reason, until: until) } }
    }

    /// How long the host of a URL is to be left alone; `nil` when it may be asked.
    func wait(for url: String) -> RetryWait? {
        guard !holds.withLock({ $0.isEmpty }), let host = URIReference(url).authority else { return nil }
        let now = SteadyClock.seconds
        return holds.withLock { holds in
            guard let hold = holds[host] else { return nil }
            if hold.until > now { return RetryWait(reason: hold.reason, seconds: hold.until - now) }
            holds[host] = nil
            return nil
        }
    }
}
