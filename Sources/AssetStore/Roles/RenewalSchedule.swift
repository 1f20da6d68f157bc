internal import Logging

/// Renews keys when their time comes.
final class RenewalSchedule: Sendable {
    let timer = DelayedAction()
    private let catalog: Catalog
    private let clock: TrustedClock
    private let sources: KeySources
    private let notices: ChangeNotices
    private let log: Logger

    /// The longest sleep of the timer, in seconds: the system's clock may be set in the meantime.
    private static let longestSleep = 3600.0
    /// Milliseconds after which a provider that failed is asked again.
    private static let patience: Int64 = 900_000
    /// Seconds after which providers are asked again if the delay could not be written to the catalog.
    private static let restWithoutNote = 60.0

    init(catalog: Catalog, clock: TrustedClock, sources: KeySources, notices: ChangeNotices, log: Logger) {
        self.catalog = catalog
        self.clock = clock
        self.sources = sources
        self.notices = notices
        self.log = log
    }

    /// Sets the timer to the next renewal.
    func schedule() {
        guard let next = (try? catalog.licenses.renewals(limit: 1))?.first?.at else { return }
        let seconds = Self.sleep(until: next, from: clock.now.wall)
        timer.schedule(in: seconds) { [weak self] in await self?.renewDue() }
    }

    /// The seconds that the timer sleeps.
    static func sleep(until next: Timestamp, from now: Timestamp) -> Double {
        min(max(Double(next.milliseconds - now.milliseconds) / 1000, 1), longestSleep)
    }

    /// Logs keys of a recording that could not be fetched, and sets the timer to the next renewal.
    func schedule(_ keys: [KeyRecord], of token: AssetToken) {
        for key in keys where key.sealed == nil {
            log.warning(
                "a content key could not be fetched yet",
                metadata: ["token": "\(token)", "key": "\(key.displayPlace)"])
        }
        schedule()
    }

    /// Fetches the keys that are due for renewal. The licenses keep their terms and their times.
    func renewDue() async {
        let now = clock.now.wall
        for (token, at) in (try? catalog.licenses.renewals(limit: 1000)) ?? [] where at <= now {
            do throws(StoreError) {
                try await renewKeys(of: token, dueAt: now)
            } catch {
                log.warning(
                    "keys could not be renewed",
                    metadata: ["token": "\(token)", "error": "\(error.message)"])
                postpone(of: token, at: now)
            }
        }
        schedule()
    }

    private func renewKeys(of token: AssetToken, dueAt now: Timestamp) async throws(StoreError) {
        guard let record = try catalog.assets.asset(token) else { return }
        let renewal = KeyRenewal(sources: sources, record: record, via: nil)
        let (keys, failure) = try await renewal.fetch(dueAt: now)
        if !keys.isEmpty {
            try catalog.licenses.changeLicense(of: token, .keysRenewed, at: clock.now.trusted, keys: keys) {
                $0
            }
            notices.changed(token)
        }
        if let failure { throw failure }
    }

    /// Postpones a failed renewal. If the catalog can't be written, for example on a full disk, the timer rests
    /// instead.
    private func postpone(of token: AssetToken, at now: Timestamp) {
        do throws(StoreError) {
            try notePostponement(of: token, at: now)
        } catch {
            timer.rest(for: Self.restWithoutNote)
        }
    }

    /// Writes the time of the next try to the catalog: in 15 minutes. For a key that was never fetched, it is an
    /// eighth of the asset's age if that is longer.
    private func notePostponement(of token: AssetToken, at now: Timestamp) throws(StoreError) {
        let age = try catalog.assets.asset(token).map { now.milliseconds - $0.requestedAt.milliseconds } ?? 0
        let (soon, later) = (Self.patience, max(Self.patience, age / 8))
        try catalog.licenses.postponeRenewals(
            of: token, at: now, to: Timestamp(milliseconds: now.milliseconds + soon),
            missing: Timestamp(milliseconds: now.milliseconds + later))
    }
}
