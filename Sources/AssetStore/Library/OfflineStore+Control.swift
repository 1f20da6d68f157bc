/// Actions on assets.
extension OfflineStore {
    /// Does one thing to assets and to those of their interstitials: writes what is wanted in one transaction, and returns
    /// when it holds. What holds already is fine.
    ///
    /// - Parameters:
    ///   - action: `pause`, `resume`, `cancel` or `remove`.
    ///   - purge: whether `cancel` also frees what is stored.
    ///   - starts: whether what is queued then begins at once, and not with the next `start`.
    public func perform(
        _ action: AssetAction, on tokens: [AssetToken], purge: Bool = false, starts: Bool = true
    ) async throws(StoreError) -> ControlOutcome {
        try await Self.onOwnThread { () throws(StoreError) in
            try await control.perform(action, on: tokens, purge: purge, starts: starts)
        }
    }

    /// Does one thing to one asset.
    ///
    /// - Throws: `noSuchAsset`, or `wrongState` when its state forbids that.
    @discardableResult
    public func perform(
        _ action: AssetAction, on token: AssetToken, purge: Bool = false
    ) async throws(StoreError) -> AssetChange {
        try await Self.onOwnThread { () throws(StoreError) in
            try await control.perform(action, on: token, purge: purge)
        }
    }

    /// Deletes an asset with everything it has. Works offline; one that was removed before is fine. It is
    /// gone from view when this returns; its files are deleted afterwards.
    public func remove(_ token: AssetToken) async throws(StoreError) {
        try await Self.onOwnThread { () throws(StoreError) in
            _ = try await control.perform(.remove, on: token)
        }
    }

    /// Changes the name, the priority, the user's own data of an asset, or the terms of its download, which hold at
    /// once.
    public func edit(_ token: AssetToken, _ edit: AssetEdit) async throws(StoreError) {
        try await Self.onOwnThread { () throws(StoreError) in
            try await control.edit(token, edit)
        }
    }

    /// Pins assets, so that nothing evicts them, or unpins them. What holds already is fine.
    public func pin(_ tokens: [AssetToken], _ isPinned: Bool) async throws(StoreError) -> ControlOutcome {
        try await Self.onOwnThread { () throws(StoreError) in
            try control.pin(tokens, isPinned)
        }
    }

    /// Gives assets a priority: of those that wait for a place, the highest goes first, then the oldest. What holds
    /// already is fine, and what runs goes on.
    public func prioritize(
        _ tokens: [AssetToken], _ priority: Int
    ) async throws(StoreError) -> ControlOutcome {
        try await Self.onOwnThread { () throws(StoreError) in
            try await control.prioritize(tokens, priority)
        }
    }

    /// Ends the recording of a live stream: what it has listed so far is still fetched, then the asset is complete.
    /// One that does not run ends as it is. Nothing happens to other assets.
    public func stopRecording(_ token: AssetToken) async throws(StoreError) {
        try await Self.onOwnThread { () throws(StoreError) in
            try control.stopRecording(token)
        }
    }
}
