internal import HLSPlaylist
internal import Locking

/// The cooldowns of hosts after Retry-After (RFC 9110, section 10.2.3), for all assets of a store, also in the next
/// engine. After a cooldown a few requests test the host; all others follow when one of them is answered.
package final class HostCooldowns: Sendable {
    /// Time to wait for a host.
    package struct Window: Sendable {
        package let host: String
        package let until: Double
        package let reason: StoreError
        package var seconds: Double

        package init(host: String, until: Double, reason: StoreError, seconds: Double) {
            self.host = host
            self.until = until
            self.reason = reason
            self.seconds = seconds
        }

        /// The refusal that the host would give to a request for a URL.
        package func refusal(of url: String) -> StoreError {
            guard case .status(let status, _) = reason.code else { return reason }
            return StoreError(.status(status, retryAfter: Int(seconds.rounded(.up))), url: url)
        }

        /// The error for an asset with a URL on the host. It does not name the URL that was refused first.
        package func refusalOfHost(of url: String) -> StoreError {
            let reference = URIReference(url)
            let port = reference.port.map { ":\($0)" } ?? ""
            return refusal(of: "\(reference.scheme ?? "http")://\(reference.host ?? host)\(port)/")
        }
    }

    /// The permission to send a request to a host.
    package enum Leave {
        /// Like any other.
        case free
        /// As one of the few test requests; `finished` must follow.
        case trial
        /// Not before the test requests are answered.
        case others
        /// Not before the cooldown ends.
        case window(Window)
    }

    private struct Cooldown {
        let reason: StoreError
        var until: Double
        var trials = 0

        func window(of host: String, now: Double) -> Window? {
            guard until > now else { return nil }
            return Window(host: host, until: until, reason: reason, seconds: until - now)
        }
    }

    private struct State {
        var cooldowns: [String: Cooldown] = [:]
        /// Whether the cooldowns of the catalog are in `cooldowns`.
        var isLoaded = false
    }

    /// Requests at a time that try a host after its while.
    static let maximumTrials = 2
    /// The longest cooldown, in seconds.
    package static let longest = 3600.0
    private let catalog: Catalog?
    private let clock: any WallClock
    private let state = Lock(State())

    /// - Parameter catalog: where cooldowns are kept; `nil` keeps them in memory.
    package init(catalog: Catalog? = nil, clock: any WallClock = SystemWallClock()) {
        self.catalog = catalog
        self.clock = clock
    }

    /// Begins or extends the cooldown of a URL's host.
    ///
    /// - Returns: the present cooldown; `nil` if the URL names no host.
    @discardableResult
    package func begin(_ url: String, for reason: StoreError, seconds: Double) -> Window? {
        guard let host = Self.host(of: url) else { return nil }
        let now = SteadyClock.seconds
        let (window, isLonger) = withCooldowns { cooldowns in
            let isLonger = (cooldowns[host]?.until ?? 0) < now + seconds
            if isLonger { cooldowns[host] = Cooldown(reason: reason, until: now + seconds) }
            var window = cooldowns[host]?.window(of: host, now: now)
            // The plain number, without the rounding of adding and subtracting the time.
            if isLonger { window?.seconds = seconds }
            return (window, isLonger)
        }
        if isLonger { keep(host, reason: reason, seconds: seconds) }
        return window
    }

    /// How long the host of a URL is to be left alone; `nil` when it may be asked.
    package func window(for url: String) -> Window? {
        withCooldown(of: url) { host, cooldown in cooldown.window(of: host, now: SteadyClock.seconds) } ?? nil
    }

    /// Asks for leave to ask the host of a URL.
    package func enter(_ url: String) -> Leave {
        withCooldown(of: url) { host, cooldown in
            if let window = cooldown.window(of: host, now: SteadyClock.seconds) { return .window(window) }
            guard cooldown.trials < Self.maximumTrials else { return .others }
            cooldown.trials += 1
            return .trial
        } ?? .free
    }

    /// Ends a cooldown that was waited for, unless the host has extended it in the meantime.
    package func waited(_ window: Window) {
        withCooldowns { if $0[window.host]?.until == window.until { $0[window.host]?.until = 0 } }
    }

    /// Notes that a test request is over.
    package func finished(_ url: String) {
        withCooldown(of: url) { _, cooldown in cooldown.trials = max(0, cooldown.trials - 1) }
    }

    /// Notes a good answer of a URL's host; a running cooldown stays.
    package func answered(_ url: String) {
        withCooldowns { cooldowns in
            guard !cooldowns.isEmpty, let host = Self.host(of: url), let cooldown = cooldowns[host] else {
                return
            }
            if cooldown.until <= SteadyClock.seconds { cooldowns[host] = nil }
        }
    }

    /// The host of a URL with its port, however they are written, and never with user information.
    package static func host(of url: String) -> String? {
        let reference = URIReference(url)
        return reference.host.map { "\($0):\(reference.port ?? (reference.scheme == "https" ? 443 : 80))" }
    }

    @discardableResult
    private func withCooldown<T>(of url: String, _ body: (String, inout Cooldown) -> T) -> T? {
        withCooldowns { cooldowns in
            guard !cooldowns.isEmpty, let host = Self.host(of: url), var cooldown = cooldowns[host] else {
                return nil
            }
            defer { cooldowns[host] = cooldown }
            return body(host, &cooldown)
        }
    }

    private func withCooldowns<T>(_ body: (inout [String: Cooldown]) -> T) -> T {
        state.withLock { state in
            if !state.isLoaded {
                state.isLoaded = true
                state.cooldowns = kept()
            }
            return body(&state.cooldowns)
        }
    }
}

// MARK: - From one engine to the next

extension HostCooldowns {
    private func kept() -> [String: Cooldown] {
        let now = clock.now
        let records = (try? catalog?.queue.cooldowns(after: now)) ?? []
        return records.reduce(into: [:]) { cooldowns, record in
            let seconds = min(Double(record.until.milliseconds - now.milliseconds) / 1000, Self.longest)
            let reason = StoreError(.status(record.status, retryAfter: Int(seconds.rounded(.up))))
            cooldowns[record.host] = Cooldown(reason: reason, until: SteadyClock.seconds + seconds)
        }
    }

    /// Keeps the cooldown for the next engine. If it can't be kept, the next engine asks once more than it should.
    private func keep(_ host: String, reason: StoreError, seconds: Double) {
        guard case .status(let status, _) = reason.code else { return }
        let now = clock.now
        let until = Timestamp(milliseconds: now.milliseconds + Int64(seconds * 1000))
        try? catalog?.queue.keep(HostCooldownRecord(host: host, until: until, status: status), now: now)
    }
}
