/// Actions on assets.
extension OfflineStore {
    /// Applies one action to assets and to the assets of their interstitials. The new states are written in one
    /// transaction. The call returns when the action has taken effect. Pausing a paused asset, for example, is no
    /// error.
    ///
    /// - Parameters:
    ///   - action: `pause`, `resume`, `cancel` or `remove`.
    ///   - tokens: the assets. The outcome lists those that refuse the action.
    ///   - purge: whether `cancel` also deletes the stored media at once.
    ///   - starts: whether queued downloads begin at once, and not with the next `start`.
    public func perform(
        _ action: AssetAction, on tokens: [AssetToken], purge: Bool = false, starts: Bool = true
    ) async throws(StoreError) -> ControlOutcome {
        try await Self.onOwnThread { () throws(StoreError) in
            try await control.perform(action, on: tokens, purge: purge, starts: starts)
        }
    }

    /// Applies one action to one asset.
    ///
    /// - Throws: `noSuchAsset`; `wrongState` when the asset's state forbids the action.
    @discardableResult
    public func perform(
        _ action: AssetAction, on token: AssetToken, purge: Bool = false
    ) async throws(StoreError) -> AssetChange {
        try await Self.onOwnThread { () throws(StoreError) in
            try await control.perform(action, on: token, purge: purge)
        }
    }

    /// Deletes an asset with all its files. It needs no network. Removing an asset twice is no error. The asset is gone
    /// from all lists when this returns; its files are deleted afterwards.
    public func remove(_ token: AssetToken) async throws(StoreError) {
        try await Self.onOwnThread { () throws(StoreError) in
            _ = try await control.perform(.remove, on: token)
        }
    }

    /// Changes the name, priority or metadata of an asset, or the schedule and rate limit of its download. The change
    /// takes effect at once.
    public func edit(_ token: AssetToken, _ edit: AssetEdit) async throws(StoreError) {
        try await Self.onOwnThread { () throws(StoreError) in
            try await control.edit(token, edit)
        }
    }

    /// Pins assets, so that they are never evicted, or unpins them. Pinning a pinned asset changes nothing.
    public func pin(_ tokens: [AssetToken], _ isPinned: Bool) async throws(StoreError) -> ControlOutcome {
        try await Self.onOwnThread { () throws(StoreError) in
            try control.pin(tokens, isPinned)
        }
    }

    /// Sets the priority of assets. Of the waiting downloads, the one with the highest priority goes first, then the
    /// oldest. Running downloads go on.
    public func prioritize(
        _ tokens: [AssetToken], _ priority: Int
    ) async throws(StoreError) -> ControlOutcome {
        try await Self.onOwnThread { () throws(StoreError) in
            try await control.prioritize(tokens, priority)
        }
    }

    /// Ends the recording of a live stream. Segments that its playlists have listed so far are still fetched, then the
    /// asset is complete. A recording that does not run ends with its stored segments. Other assets do not change.
    public func stopRecording(_ token: AssetToken) async throws(StoreError) {
        try await Self.onOwnThread { () throws(StoreError) in
            try control.stopRecording(token)
        }
    }
}
