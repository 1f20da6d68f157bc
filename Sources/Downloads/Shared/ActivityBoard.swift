internal import Locking

/// The work on one asset: its phase, and its failures that are retried. Pure: the time is passed in.
package struct AssetWork: Sendable {
    /// Something that failed and is tried again.
    package struct Trouble: Sendable {
        package var reason: StoreError
        package var attempt: Int
        package var of: Int
        package var at: Timestamp
        package var nextTryAt: Timestamp?
        /// Whether the wait is a cooldown of its host.
        package var isCoolingDown = false
        /// Whether the next try receives bytes. Then it is not trouble now, but not forgotten either.
        package var goesOn = false
    }

    private var phase: AssetActivity.Doing
    private var doing: AssetActivity.Doing
    private var since: Timestamp
    private var troubles: [String: Trouble] = [:]

    /// Work that begins.
    package init(_ phase: AssetActivity.Doing, now: Timestamp) {
        (self.phase, doing, since) = (phase, phase, now)
    }

    /// The next phase begins.
    package mutating func enter(_ phase: AssetActivity.Doing, now: Timestamp) {
        self.phase = phase
        update(now)
    }

    /// A part of the work has failed and is tried again.
    package mutating func failed(_ part: String, _ trouble: Trouble) {
        troubles[part] = trouble
        update(trouble.at)
    }

    /// Notes that the next try of a failed resource receives bytes. It may still fail.
    package mutating func goesOn(_ part: String, now: Timestamp) {
        guard troubles[part] != nil else { return }
        troubles[part]?.goesOn = true
        troubles[part]?.nextTryAt = nil
        update(now)
    }

    /// A part of the work that had failed is done, or is given up.
    package mutating func recovered(_ part: String, now: Timestamp) {
        guard troubles.removeValue(forKey: part) != nil else { return }
        update(now)
    }

    private mutating func update(_ now: Timestamp) {
        let open = troubles.values.filter { !$0.goesOn }
        let next = open.isEmpty ? phase : open.allSatisfy(\.isCoolingDown) ? .waiting : .retrying
        if next != doing { (doing, since) = (next, now) }
    }

    /// Whether some resource has failed and is retried.
    var isFailing: Bool { !troubles.isEmpty }

    /// The work as others see it: with the most frequent failure.
    package var activity: AssetActivity {
        let worst = troubles.values.max { ($0.attempt, $0.at) < ($1.attempt, $1.at) }
        guard let worst else {
            return AssetActivity(doing: doing, since: since, of: RetryPolicy.usualTries)
        }
        return AssetActivity(
            doing: doing, since: since, attempt: worst.attempt, of: worst.of,
            lastError: AssetFailure(occurrence: worst.reason, at: worst.at), nextTryAt: worst.nextTryAt)
    }
}

/// The current work on all assets of an engine. Everything that works on an asset writes here, and the API reads it.
package final class ActivityBoard: Sendable {
    private struct State {
        var works: [AssetToken: AssetWork] = [:]
        /// The failures after which assets are tried again later.
        var waits: [AssetToken: AssetActivity] = [:]
    }

    private let clock: any WallClock
    private let state = Lock(State())

    package init(clock: any WallClock) { self.clock = clock }

    /// Begins work on an asset, or changes its phase.
    package func enter(_ phase: AssetActivity.Doing, _ token: AssetToken) {
        let now = clock.now
        state.withLock { state in
            state.waits[token] = nil
            if state.works[token] == nil { state.works[token] = AssetWork(phase, now: now) }
            state.works[token]?.enter(phase, now: now)
        }
    }

    /// Ends the work on an asset.
    package func end(_ token: AssetToken) { state.withLock { $0.works[token] = nil } }

    /// A part of the work on an asset has failed, and is tried again after a while.
    package func failed(_ token: AssetToken, _ part: String, wait: RetryWait, isCoolingDown: Bool = false) {
        let now = clock.now
        let trouble = AssetWork.Trouble(
            reason: wait.reason, attempt: wait.attempt, of: wait.tries, at: now,
            nextTryAt: now.adding(wait.seconds), isCoolingDown: isCoolingDown)
        state.withLock { $0.works[token]?.failed(part, trouble) }
    }

    /// Notes that the next try of a failed resource receives bytes.
    package func goesOn(_ token: AssetToken, _ part: String) {
        guard state.withLock({ $0.works[token]?.isFailing == true }) else { return }
        let now = clock.now
        state.withLock { $0.works[token]?.goesOn(part, now: now) }
    }

    /// A part of the work on an asset that had failed is done, or is given up.
    package func recovered(_ token: AssetToken, _ part: String) {
        // This is called for every unit that succeeds at once, too.
        guard state.withLock({ $0.works[token]?.isFailing == true }) else { return }
        let now = clock.now
        state.withLock { $0.works[token]?.recovered(part, now: now) }
    }

    /// Notes that an asset is tried again after a failure.
    ///
    /// - Parameters:
    ///   - attempt: the number of the next try.
    ///   - nextTry: the time of the next try; `nil` if it depends on another condition.
    package func waits(
        _ token: AssetToken, after failure: AssetFailure, attempt: Int = 1, of tries: Int, nextTry: Timestamp?
    ) {
        let now = clock.now
        state.withLock {
            $0.waits[token] = AssetActivity(
                doing: .waiting, since: now, attempt: attempt, of: tries, lastError: failure,
                nextTryAt: nextTry)
        }
    }

    /// Removes the reasons for which assets waited.
    package func forget(_ tokens: [AssetToken]) {
        state.withLock { state in for token in tokens { state.waits[token] = nil } }
    }

    /// The work on an asset; `nil` without any.
    package func activity(of token: AssetToken) -> AssetActivity? {
        state.withLock { $0.works[token]?.activity ?? $0.waits[token] }
    }

    /// The work on all assets.
    package var activities: [AssetToken: AssetActivity] {
        state.withLock { state in
            state.waits.merging(state.works.mapValues(\.activity)) { $1 }
        }
    }
}

/// Tells the board of one part of the work on an asset.
package struct ActivityReporter: Sendable {
    package let board: ActivityBoard
    package let token: AssetToken
    package let part: String

    /// Notes a failure that is retried after a while.
    package func failed(_ wait: RetryWait, isCoolingDown: Bool) {
        board.failed(token, part, wait: wait, isCoolingDown: isCoolingDown)
    }

    /// Notes that the next try receives bytes.
    package func goesOn() { board.goesOn(token, part) }

    /// Notes that the work is done, or given up.
    package func recovered() { board.recovered(token, part) }
}

extension AssetFailure {
    /// Makes a failure that is retried automatically, so that it needs no advice.
    package init(occurrence error: StoreError, at now: Timestamp) {
        self.init(error, at: now)
        message = error.occurrence
    }
}

extension Timestamp {
    /// A moment so many seconds later.
    package func adding(_ seconds: Double) -> Timestamp {
        Timestamp(milliseconds: milliseconds + Int64((min(max(seconds, 0), 1e9) * 1000).rounded()))
    }
}

extension RetryPause {
    /// A copy of the pause that reports to the board as work on an asset.
    package func told(to board: ActivityBoard, of token: AssetToken) -> RetryPause {
        var told = RetryPause { [self] wait in
            var wait = wait
            wait.asset = token
            board.failed(token, Self.part(wait.reason), wait: wait)
            try await self(wait)
        }
        told.ended = { board.recovered(token, Self.part($0)) }
        return told
    }

    private static func part(_ reason: StoreError) -> String { reason.url ?? "" }
}
