extension AssetControl {
    /// Changes the name, priority, metadata, tags or pin of an asset, or the rate limit and conditions of its
    /// download. The change takes effect at once.
    package func edit(_ token: AssetToken, _ edit: AssetEdit) async throws(StoreError) {
        try catalog.assets.edit(token, edit, at: wall.now)
        notices.changed(token)
        if edit.priority != nil { await engine.sync() }
        if edit.rateLimit != nil || edit.schedule != nil || edit.isMeteredOK != nil {
            try await engine.reconsider(token)
        }
    }

    /// Pins assets, so that they are never evicted, or unpins them. Pinning a pinned asset changes nothing.
    package func pin(_ tokens: [AssetToken], _ isPinned: Bool) throws(StoreError) -> ControlOutcome {
        var edit = AssetEdit()
        edit.isPinned = isPinned
        return try change(tokens, edit) { $0.isPinned == isPinned }
    }

    /// Sets the priority of assets. Of the waiting downloads, the one with the highest priority goes first, then the
    /// oldest. Running downloads go on.
    package func prioritize(_ tokens: [AssetToken], _ priority: Int) async throws(StoreError)
        -> ControlOutcome
    {
        var edit = AssetEdit()
        edit.priority = priority
        let outcome = try change(tokens, edit) { $0.priority == priority }
        await engine.sync()
        return outcome
    }

    private func change(
        _ tokens: [AssetToken], _ edit: AssetEdit, unless holds: (AssetRecord) -> Bool
    ) throws(StoreError) -> ControlOutcome {
        var outcome = ControlOutcome()
        for (token, result) in try catalog.assets.edit(tokens, edit, at: wall.now, unless: holds) {
            outcome.add(token, result)
        }
        return outcome
    }
}
