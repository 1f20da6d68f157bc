extension StoreReader {
    /// Chooses what goes to free so many bytes; what is being played stays.
    ///
    /// - Parameter spared: what stays, too.
    func evictionPlan(
        freeing wanted: Int64, _ policy: StoragePolicy, always: Set<EvictionClass> = [],
        sparing spared: Set<AssetToken> = [], at now: Timestamp
    ) throws(StoreError) -> EvictionPlan {
        let kept = spared.union(players.log.playing(now: SteadyClock.seconds))
        let candidates = try catalog?.storage.evictionCandidates(at: now) ?? []
        return EvictionPlan(
            candidates.filter { !kept.contains($0.token) }, freeing: wanted, policy, always: always)
    }
}
