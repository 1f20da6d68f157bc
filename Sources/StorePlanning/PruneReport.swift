/// The result of `prune`: the assets and orphans that were deleted, or would be.
public struct PruneReport: Sendable {
    /// An asset that was evicted.
    public struct Evicted: Sendable {
        /// The asset; it stays in the catalog, and `resume` fetches it again.
        public var token: AssetToken
        /// Its name for people.
        public var name: String
        /// Bytes of media that it had.
        public var bytes: Int64
        /// The class in which it was evicted.
        public var evictionClass: EvictionClass

        package init(_ step: EvictionPlan.Step) {
            (token, name) = (step.candidate.token, step.candidate.name)
            (bytes, evictionClass) = (step.candidate.bytes, step.evictionClass)
        }
    }

    /// The evicted assets, in order.
    public var evicted: [Evicted]
    /// The orphans that were deleted.
    public var orphans: [Orphan]
    /// Whether the store is within its limits now, and the requested bytes were freed.
    public var isEnough: Bool

    package init(evicted: [Evicted], orphans: [Orphan], isEnough: Bool) {
        (self.evicted, self.orphans, self.isEnough) = (evicted, orphans, isEnough)
    }

    /// The bytes of all evicted assets and orphans.
    public var bytes: Int64 {
        evicted.reduce(0) { $0 + $1.bytes } + orphans.reduce(0) { $0 + $1.bytes }
    }
}
