/// Why an asset is in its new state, and when it got there.
package struct TransitionDetail: Sendable {
    package var reason: StateReason?
    package var failure: AssetFailure?
    package var now: Timestamp

    package init(reason: StateReason? = nil, failure: AssetFailure? = nil, now: Timestamp) {
        self.reason = reason
        self.failure = failure
        self.now = now
    }
}

extension AssetTable {
    /// Applies an action to an asset, if the table of transitions allows it.
    ///
    /// - Throws: `noSuchAsset`, or `wrongState` with the state that forbids it.
    @discardableResult
    package func apply(_ action: AssetAction, to token: AssetToken, _ detail: TransitionDetail)
        throws(StoreError)
        -> AssetChange
    {
        try write(.asset(token)) { session in try apply(action, to: token, detail, in: session) }
    }

    /// Applies an action to assets in one transaction; returns refusals with their reasons.
    package func apply(_ action: AssetAction, to tokens: [AssetToken], _ detail: TransitionDetail)
        throws(StoreError)
        -> [(token: AssetToken, result: Result<AssetChange, StoreError>)]
    {
        try write(.assets(tokens)) { session in
            try tokens.map { token in
                do {
                    return (token, .success(try apply(action, to: token, detail, in: session)))
                } catch let error as StoreError {
                    return (token, .failure(error))
                }
            }
        }
    }

    package func apply(
        _ action: AssetAction, to token: AssetToken, _ detail: TransitionDetail, in session: any SQLSession
    ) throws -> AssetChange {
        let known = try session.first("SELECT state, reason FROM asset WHERE token = ?", [token.description])
        {
            (state: $0[0] as String, reason: $0[1] as String?)
        }
        guard let known else { throw StoreError(.noSuchAsset(token.description)) }
        guard let state = AssetState(rawValue: known.state) else { throw StoreError(.storeTooNew) }
        guard let next = action.outcome(from: state) else {
            throw StoreError(.wrongState(state, wanted: action.participle))
        }
        // A copy from a folder is not a transfer that could be stopped and resumed.
        if state == .resolving, action == .pause || action == .cancel,
            try !QueueTable.isUnresolved(token, session)
        {
            throw StoreError(.wrongState(state, wanted: action.participle))
        }
        let change = AssetChange(token: token, from: state, to: next)
        // A new reason to wait, and the end of a wait, are changes, too.
        let mayWait = next == .queued && (action == .yield || action == .resume)
        guard next != state || mayWait && known.reason != detail.reason?.rawValue else {
            return change
        }
        try write(change, detail, in: session)
        // The cause of the failure may also have made the run give renditions up.
        if action == .resume, state == .failed { try RenditionTable.forgive(token, session) }
        return change
    }

    package func write(
        _ change: AssetChange, _ detail: TransitionDetail, in session: any SQLSession
    ) throws {
        try session.execute(
            """
            UPDATE asset SET state = ?1, reason = ?2, error = ?3, state_at = ?4,
                started_at = CASE WHEN ?1 = 'downloading' THEN coalesce(started_at, ?4) ELSE started_at END,
                finished_at = CASE WHEN ?5 THEN ?4 ELSE NULL END
            WHERE token = ?6
            """,
            [
                change.to.rawValue, detail.reason?.rawValue, try detail.failure.map(JSONText.encode),
                detail.now.milliseconds, change.to.isTerminal, change.token.description,
            ])
        session.record(
            AssetEvent(
                id: 0, at: detail.now, token: change.token, kind: .state, from: change.from,
                state: change.to, reason: detail.reason?.rawValue, failure: detail.failure))
        try catalog.health.noteHealth(of: change.token, at: detail.now, session)
    }

    /// Completes a repaired asset without missing units, in one transaction: after an error, for example on a full
    /// disk, nothing has changed.
    ///
    /// - Parameters:
    ///   - state: the state in which it was repaired; in another state nothing changes.
    ///   - isWanted: whether nobody has cancelled it; called in the transaction.
    package func finishRepair(
        of token: AssetToken, from state: AssetState, at now: Timestamp, while isWanted: () -> Bool
    ) throws(StoreError) {
        try write(.asset(token)) { session in
            let current: String? = try session.value(
                "SELECT state FROM asset WHERE token = ?", [token.description])
            guard current == state.rawValue, isWanted() else { return }
            _ = try apply(.repair, to: token, TransitionDetail(reason: .slot, now: now), in: session)
            _ = try apply(.begin, to: token, TransitionDetail(now: now), in: session)
            _ = try apply(.finish, to: token, TransitionDetail(now: now), in: session)
        }
    }

    /// The assets in some states, the oldest first.
    package func tokens(in states: [AssetState]) throws(StoreError) -> [AssetToken] {
        try read { session in
            let list = SQLList(states.map { .text($0.rawValue) })
            return try session.tokens(
                "SELECT token FROM asset WHERE state IN (\(list.marks)) ORDER BY token", list.arguments)
        }
    }

    /// The assets among some that were imported from folders (`AssetRecord.folder`), in their order.
    package func imported(among tokens: [AssetToken]) throws(StoreError) -> [AssetToken] {
        try filter(tokens, "substr(source_url, 1, 5) = 'file:'")
    }

    /// The assets among some whose downloads have failed, in their order.
    package func failed(among tokens: [AssetToken]) throws(StoreError) -> [AssetToken] {
        try filter(tokens, "state = 'failed'")
    }

    /// The assets among some whose rows fulfill a condition. One short query for each reads far less than whole rows.
    private func filter(_ tokens: [AssetToken], _ condition: String) throws(StoreError) -> [AssetToken] {
        try read { session in
            try tokens.filter { token in
                try session.hasRow(
                    "SELECT 1 FROM asset WHERE token = ? AND \(condition)", [token.description])
            }
        }
    }
}
