extension StoreReader {
    /// Chooses assets to evict until so many bytes are free; assets that are being played stay.
    ///
    /// - Parameter spared: assets that stay, too.
    package func evictionPlan(
        freeing wanted: Int64, _ policy: StoragePolicy, always: Set<EvictionClass> = [],
        sparing spared: Set<AssetToken> = [], at now: Timestamp
    ) throws(StoreError) -> EvictionPlan {
        let kept = spared.union(players.log.playing(now: SteadyClock.seconds))
        let candidates = try catalog?.storage.evictionCandidates(at: now) ?? []
        return EvictionPlan(
            candidates.filter { !kept.contains($0.token) }, freeing: wanted, policy, always: always)
    }
}
