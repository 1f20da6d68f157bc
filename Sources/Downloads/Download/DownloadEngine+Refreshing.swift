internal import Logging

/// Origins that refuse an asset: somebody may know a fresh address of it.
extension DownloadEngine {
    /// What a fresh address is asked for after.
    package struct Refusal {
        package var reason: StoreError
        /// Whether the asset fails without a fresh address.
        package var isFinal = true
    }

    /// What was asked for of an asset from which nothing has come since.
    package struct Refresh {
        /// When the last time was over, in milliseconds of uptime; `nil` when what came of it may have expired.
        package var end: Int64?
        package var count = 0
    }

    /// Milliseconds after which a fresh address that was asked for may have expired, too.
    private static let refreshLifetime: Int64 = 60_000
    /// How many addresses in a row may expire before what is refused counts as refused for good.
    private static let maximumRefreshes = 3

    /// Whether to ask for a fresh address: once, until something comes again, or somebody asks for the asset again.
    /// Recordings, and renditions that an asset can do without, say themselves when they want one; without one the
    /// asset goes on as long as there is hope.
    package func refusal(_ token: AssetToken, _ failure: StoreError) -> Refusal? {
        if context.links.take(token) { return Refusal(reason: failure, isFinal: false) }
        let isFirst = failure.errorClass == .auth && refreshed[token]?.end == nil && !isRecording(token)
        return isFirst ? Refusal(reason: failure) : nil
    }

    package func refresh(_ token: AssetToken, _ refusal: Refusal) {
        beginChange(of: token)
        Task {
            do throws(StoreError) {
                let unread = try await relinker.refresh(token, after: refusal.reason)
                finishRefresh(token, nil, mayPass: unread != nil)
            } catch {
                log.warning("no fresh address", metadata: ["error": "\(error.message)"])
                let failure = refusal.isFinal ? refusal.reason : nil
                finishRefresh(token, failure, mayPass: error.isRetryable, cutShortBy: error)
            }
        }
    }

    /// - Parameters:
    ///   - mayPass: whether there was no address, or none of all that is missing, for the moment only.
    ///   - reason: why there was none.
    private func finishRefresh(
        _ token: AssetToken, _ failure: StoreError?, mayPass: Bool, cutShortBy reason: StoreError? = nil
    ) {
        var wait: StoreError?
        do throws(StoreError) {
            // What the engine's end has interrupted says nothing; the next one asks again. What somebody has asked for
            // meanwhile stands.
            if !isStopping, try context.catalog.assets.asset(token)?.waitsForLink == true {
                noteRefresh(of: token, cutShortBy: reason)
                let goesOn = mayPass ? try hasRefreshes(token) : false
                if goesOn { forgetAnswer(of: token) }
                if goesOn, reason?.holdOff != nil { wait = reason }
                try endRefresh(of: token, goesOn ? nil : failure, waits: wait != nil)
            }
        } catch {
            conclude(token, error)
        }
        endChange(of: token)
        if let wait { postponed[token] = Postponement(after: wait, now: context.clock.uptime) }
    }

    /// A time that was not even waited for says nothing of how often there was no address.
    private func noteRefresh(of token: AssetToken, cutShortBy reason: StoreError?) {
        refreshed[token, default: Refresh()].end = context.clock.uptime
        if (reason?.holdOff ?? 0) <= RetryPolicy.longestPause { refreshed[token]?.count += 1 }
    }

    private func hasRefreshes(_ token: AssetToken) throws(StoreError) -> Bool {
        guard refreshed[token, default: Refresh()].count < Self.maximumRefreshes else { return false }
        return try context.catalog.recordings.recording(of: token) == nil
    }

    /// Has a fresh address asked for again should the asset be refused again, as if it had not been.
    private func forgetAnswer(of token: AssetToken) {
        refreshed[token]?.end = nil
        context.links.forget(token)
    }

    /// - Parameter waits: whether the origin wants to be left alone for a while.
    private func endRefresh(
        of token: AssetToken, _ failure: StoreError?, waits: Bool
    ) throws(StoreError) {
        if let failure { return conclude(token, failure) }
        if waits { watch() }
        let reason: StateReason = waits ? .waits(.origin) : .slot
        try context.catalog.assets.apply(
            .yield, to: token, TransitionDetail(reason: reason, now: context.clock.now))
    }

    /// Has a fresh address asked for again should an asset be refused again, of which nothing is on the way.
    func forgetRefresh(of token: AssetToken) {
        refreshed[token] = nil
        if running[token] == nil { forgetHopes(of: token) }
    }

    /// Lets what a run hopes for be hoped for anew by the next one.
    func forgetHopes(of token: AssetToken) {
        context.links.forget(token)
        context.outages.forget(token)
    }

    /// The same at the beginning of a run, if its address is not quite fresh any more: it may have waited for long. Not
    /// without end, since it may wait as long each time.
    func forgetOldRefresh(of token: AssetToken) {
        guard let refresh = refreshed[token], refresh.count < Self.maximumRefreshes, let end = refresh.end,
            context.clock.uptime - end > Self.refreshLifetime
        else { return }
        refreshed[token]?.end = nil
        if !isRecording(token), running[token] == nil { forgetHopes(of: token) }
    }
}
