extension StoreReader {
    /// All assets, the oldest first.
    public func tokens() throws(StoreError) -> [AssetToken] {
        try catalog?.assets.tokens(in: AssetState.allCases) ?? []
    }

    /// The assets that an action on all of them concerns: those it changes, the oldest first.
    package func tokens(for action: AssetAction) throws(StoreError) -> [AssetToken] {
        let states = AssetState.allCases.filter {
            let next = action.outcome(from: $0)
            return next != nil && next != $0
        }
        return try catalog?.assets.tokens(in: states) ?? []
    }
}
