internal import Locking
internal import Logging

/// Starts failed downloads again when the origin may have recovered. It does so for assets whose playlists were read
/// and whose failure may pass by itself.
final class RetrySchedule: Sendable {
    let timer = DelayedAction()
    private let catalog: Catalog
    private let control: AssetControl
    private let board: ActivityBoard
    private let wall: any WallClock
    private let log: Logger
    private let retries: Lock<FailureRetries>
    private let count: Int

    /// Milliseconds after which a failure of an earlier process is too old for a new try.
    private static let longestAge: Int64 = 24 * 3600 * 1000

    init(_ parts: StoreParts, control: AssetControl) {
        (catalog, board) = (parts.catalog, parts.context.board)
        (wall, log) = (parts.wall, parts.log)
        self.control = control
        count = parts.retryPauses.count
        retries = Lock(FailureRetries(pauses: parts.retryPauses))
    }

    /// Sees to downloads that have failed in an earlier process.
    func begin() {
        guard let failed = try? catalog.assets.tokens(in: [.failed]) else { return }
        let oldest = wall.now.milliseconds - Self.longestAge
        for token in failed {
            guard let at = (try? catalog.assets.asset(token))??.error?.at, at.milliseconds > oldest else {
                continue
            }
            hasEnded(token)
        }
    }

    /// Sees to a download whose run has ended.
    func hasEnded(_ token: AssetToken) {
        guard let failure = failure(of: token) else { return retries.withLock { $0.forget(token) } }
        let stored = ((try? catalog.renditions.all(of: [token]))?[token] ?? []).reduce(0) {
            $0 + $1.storedBytes
        }
        let (now, uptime) = (wall.now, wall.uptime)
        let age = max(0, now.milliseconds - failure.at.milliseconds)
        let next = retries.withLock { retries -> FailureRetries.Retry? in
            retries.failed(token, at: failure.at, stored: stored, uptime: uptime - age)
            return retries[token]
        }
        guard let next else { return }
        board.waits(
            token, after: failure, attempt: next.tries, of: count,
            nextTry: now.adding(Double(next.due - uptime) / 1000))
        schedule()
    }

    /// The failure of an asset that has failed for a reason that may pass; `nil` for any other asset.
    private func failure(of token: AssetToken) -> AssetFailure? {
        guard let asset = (try? catalog.assets.asset(token)) ?? nil, asset.state == .failed,
            let failure = asset.error, failure.retryable,
            (try? catalog.queue.isUnresolved(token)) == false
        else { return nil }
        return failure
    }

    private func schedule() {
        guard let next = retries.withLock(\.next) else { return }
        timer.schedule(in: max(0, Double(next - wall.uptime) / 1000)) { [weak self] in await self?.tryDue() }
    }

    /// Resumes the assets whose time has come, unless a user has changed their state meanwhile.
    private func tryDue() async {
        let now = wall.uptime
        let due = retries.withLock { $0.takeDue(now) }
        let failed = due.filter { failure(of: $0.token)?.at == $0.failedAt }.map(\.token)
        do throws(StoreError) {
            if !failed.isEmpty { _ = try await control.perform(.resume, on: failed) }
        } catch {
            log.warning("failed downloads could not be resumed", metadata: ["error": "\(error.message)"])
        }
        schedule()
    }
}

/// The times at which failed downloads are tried again. Pure: times are passed in, in milliseconds of uptime.
struct FailureRetries: Sendable {
    /// The next try of one asset.
    struct Retry: Sendable, Equatable {
        let token: AssetToken
        /// The failure that it follows.
        var failedAt: Timestamp
        /// The number of the try, from 1 on.
        var tries: Int
        /// Bytes of media that were stored when it failed.
        var stored: Int64
        var due: Int64
        /// Whether the try has not begun.
        fileprivate var isOpen = true
    }

    /// The pauses between failures in a row and the tries after them.
    private let pauses: [Duration]
    private var byAsset: [AssetToken: Retry] = [:]

    init(pauses: [Duration]) { self.pauses = pauses }

    subscript(token: AssetToken) -> Retry? { byAsset[token] }

    /// The time of the next try of any asset.
    var next: Int64? { byAsset.values.filter(\.isOpen).map(\.due).min() }

    /// Plans the next try of an asset after a failure. The pauses begin again when something was stored since the failure
    /// before; after the last one, the asset is not tried again.
    ///
    /// - Parameters:
    ///   - time: the time of the failure by the clock. It identifies the failure.
    ///   - stored: bytes of media that are stored.
    ///   - uptime: milliseconds of uptime at the failure. The pause begins then.
    mutating func failed(_ token: AssetToken, at time: Timestamp, stored: Int64, uptime: Int64) {
        let last = byAsset[token]
        // The search for failures of earlier processes may meet one of this process.
        guard last?.failedAt != time else { return }
        let tries = last.map { $0.stored == stored ? $0.tries + 1 : 1 } ?? 1
        guard tries <= pauses.count else { return forget(token) }
        byAsset[token] = Retry(
            token: token, failedAt: time, tries: tries, stored: stored,
            due: uptime + Int64(pauses[tries - 1].inSeconds * 1000))
    }

    /// The tries whose time has come. Each is returned once.
    mutating func takeDue(_ now: Int64) -> [Retry] {
        let due = byAsset.values.filter { $0.isOpen && $0.due <= now }
        for retry in due { byAsset[retry.token]?.isOpen = false }
        return due.sorted { $0.token < $1.token }
    }

    mutating func forget(_ token: AssetToken) { byAsset[token] = nil }
}
