internal import Locking
internal import Logging

/// Wakes up when keys are to be renewed, and not before.
final class RenewalTimer: Sendable {
    private struct State {
        var sleeper: Task<Void, Never>?
        var isStopped = false
        /// Seconds of `SteadyClock` before which nothing runs, whatever is scheduled.
        var restsUntil = 0.0
    }

    private let state = Lock(State())

    /// Runs `action` in so many seconds, in the place of what was to run before.
    func schedule(in seconds: Double, _ action: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            state.sleeper?.cancel()
            guard !state.isStopped else { return }
            let pause = max(seconds, state.restsUntil - SteadyClock.seconds)
            state.sleeper = Task {
                guard (try? await Task.sleep(for: .seconds(pause))) != nil else { return }
                // From here on a new schedule does not end it.
                Task(executorPreference: WorkThreads.housekeeping) { await action() }
            }
        }
    }

    /// Runs nothing that is scheduled from now on for so many seconds.
    func rest(for seconds: Double) { state.withLock { $0.restsUntil = SteadyClock.seconds + seconds } }

    /// Seconds for which it still rests; 0 when it does not.
    var rest: Double { max(0, state.withLock { $0.restsUntil } - SteadyClock.seconds) }

    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.sleeper?.cancel()
        }
    }
}

extension OfflineStore {
    /// Seconds that the timer sleeps at most: the system's clock may be set meanwhile.
    private static let longestSleep = 3600.0
    /// Milliseconds after which a provider that failed is asked again.
    private static let patience: Int64 = 900_000
    /// Seconds after which they are asked again when not even that could be written down.
    private static let restWithoutNote = 60.0

    /// Sees to it that keys are renewed when their time comes.
    func scheduleRenewals() {
        guard let next = (try? catalog.licenses.renewals(limit: 1))?.first?.at else { return }
        let milliseconds = next.milliseconds - clock.now.wall.milliseconds
        let seconds = min(max(Double(milliseconds) / 1000, 1), Self.longestSleep)
        renewalTimer.schedule(in: seconds) { [weak self] in await self?.renewDueKeys() }
    }

    /// Sees to keys that have come up in a recording.
    func scheduleRenewals(_ keys: [KeyRecord], of token: AssetToken) {
        for key in keys where key.sealed == nil {
            log.warning(
                "a content key could not be had yet",
                metadata: ["token": "\(token)", "key": "\(key.displayPlace)"])
        }
        scheduleRenewals()
    }

    /// Asks again for the keys whose time has come. Terms and clocks of the licenses stay.
    func renewDueKeys() async {
        let now = clock.now.wall
        for (token, at) in (try? catalog.licenses.renewals(limit: 1000)) ?? [] where at <= now {
            do throws(StoreError) {
                try await renewKeys(of: token, dueAt: now)
            } catch {
                log.warning(
                    "keys could not be renewed",
                    metadata: ["token": "\(token)", "error": "\(error.message)"])
                postponeRenewals(of: token, at: now)
            }
        }
        scheduleRenewals()
    }

    private func renewKeys(of token: AssetToken, dueAt now: Timestamp) async throws(StoreError) {
        guard let record = try catalog.assets.asset(token) else { return }
        let renewal = KeyRenewal(store: self, record: record, via: nil)
        let (keys, failure) = try await renewal.fetch(dueAt: now)
        if !keys.isEmpty {
            try catalog.licenses.changeLicense(of: token, .keysRenewed, at: clock.now.trusted, keys: keys) {
                $0
            }
            changed(token)
        }
        if let failure { throw failure }
    }

    /// Puts off what failed; where the catalog does not take it, on a full disk, say, the timer rests instead.
    private func postponeRenewals(of token: AssetToken, at now: Timestamp) {
        do throws(StoreError) {
            try notePostponement(of: token, at: now)
        } catch {
            renewalTimer.rest(for: Self.restWithoutNote)
        }
    }

    /// A key that an asset never had is asked for the less often, the longer ago the asset was asked for.
    private func notePostponement(of token: AssetToken, at now: Timestamp) throws(StoreError) {
        let age = try catalog.assets.asset(token).map { now.milliseconds - $0.requestedAt.milliseconds } ?? 0
        let (soon, later) = (Self.patience, max(Self.patience, age / 8))
        try catalog.licenses.postponeRenewals(
            of: token, at: now, to: Timestamp(milliseconds: now.milliseconds + soon),
            missing: Timestamp(milliseconds: now.milliseconds + later))
    }
}
