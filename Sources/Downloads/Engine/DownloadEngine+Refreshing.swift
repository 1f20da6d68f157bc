internal import Logging

/// Asks the link resolver for fresh addresses of assets that their origins refuse.
extension DownloadEngine {
    /// Asks for a fresh address and uses it; then the asset continues.
    func refresh(_ token: AssetToken, _ refusal: AddressRefreshes.Refusal) {
        beginChange(of: token)
        Task(executorPreference: WorkThreads.runs) { await self.renewAddress(of: token, refusal) }
    }

    private func renewAddress(of token: AssetToken, _ refusal: AddressRefreshes.Refusal) async {
        do throws(StoreError) {
            let unread = try await relinker.refresh(token, after: refusal.reason)
            finishRefresh(token, nil, mayPass: unread != nil)
        } catch {
            log.warning("no fresh address", metadata: ["error": "\(error.message)"])
            let failure = refusal.isFinal ? refusal.reason : nil
            finishRefresh(token, failure, mayPass: error.isRetryable, cutShortBy: error)
        }
    }

    /// - Parameters:
    ///   - mayPass: whether the failure may be temporary: there was no address, or it lacked missing units.
    ///   - reason: the reason for which there was none.
    private func finishRefresh(
        _ token: AssetToken, _ failure: StoreError?, mayPass: Bool, cutShortBy reason: StoreError? = nil
    ) {
        var wait: StoreError?
        do throws(StoreError) {
            // A request that the engine's end has interrupted is repeated by the next engine. If the user has changed
            // the asset's state in the meantime, that change stands.
            if !isStopping, try catalog.assets.asset(token)?.waitsForLink == true {
                refreshes.ended(token, reason, now: uptime)
                let goesOn = mayPass ? try hasRefreshes(token) : false
                if goesOn {
                    // If the asset is refused again, a fresh address is asked for as at the first time.
                    refreshes.expire(token)
                    parts.healing.links.forget(token)
                }
                if goesOn, reason?.holdOff != nil { wait = reason }
                try endRefresh(of: token, goesOn ? nil : failure, waits: wait != nil)
            }
        } catch {
            conclude(token, error)
        }
        endChange(of: token)
        if let wait { postponements.postpone(token, after: wait, now: uptime) }
    }

    private func hasRefreshes(_ token: AssetToken) throws(StoreError) -> Bool {
        guard refreshes.hasMore(token) else { return false }
        return try catalog.recordings.recording(of: token) == nil
    }

    /// - Parameter waits: whether the origin wants to be left alone for a while.
    private func endRefresh(
        of token: AssetToken, _ failure: StoreError?, waits: Bool
    ) throws(StoreError) {
        if let failure { return conclude(token, failure) }
        if waits { watch() }
        try apply(.yield, to: token, waits ? .waits(.origin) : .slot)
    }

    /// At the beginning of a run: an asset may have waited for long, and its address with it.
    func expireOldAddress(of token: AssetToken) {
        guard refreshes.expireOld(token, now: uptime) else { return }
        if !isRecording(token), work.runs[token] == nil { parts.healing.forget(token) }
    }
}
