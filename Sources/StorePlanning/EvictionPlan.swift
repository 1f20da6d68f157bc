/// The facts of an asset for the storage policy.
package struct EvictionCandidate: Sendable {
    package var token: AssetToken
    package var name: String
    /// Bytes of media that it has.
    package var bytes: Int64
    package var state: AssetState
    package var isPinned = false
    package var isExpired = false
    package var isWatched = false
    package var priority = 0
    /// The time of its last play; if it was never played, the time of its request.
    package var lastUsed: Timestamp

    package init(
        token: AssetToken, name: String, bytes: Int64, state: AssetState, isPinned: Bool = false,
        isExpired: Bool = false, isWatched: Bool = false, priority: Int = 0, lastUsed: Timestamp
    ) {
        self.token = token
        self.name = name
        self.bytes = bytes
        self.state = state
        self.isPinned = isPinned
        self.isExpired = isExpired
        self.isWatched = isWatched
        self.priority = priority
        self.lastUsed = lastUsed
    }

    /// The class in which it may be evicted; `nil` if it may not.
    package func evictionClass(_ policy: StoragePolicy) -> EvictionClass? {
        guard !isPinned, bytes > 0, state.isTerminal || state == .paused else { return nil }
        if state == .cancelled { return .cancelled }
        let classes: [(EvictionClass, Bool)] = [
            (.expired, isExpired), (.watched, isWatched), (.lowPriority, priority < 0),
            (.leastRecentlyPlayed, state == .complete),
        ]
        return classes.first { policy.evict.contains($0.0) && $0.1 }?.0
    }
}

/// The assets to evict to free a number of bytes: cancelled, expired, watched, of low priority, least recently played,
/// in this order. Pure.
package struct EvictionPlan: Sendable {
    /// An asset to evict, and its class.
    package struct Step: Sendable {
        package var candidate: EvictionCandidate
        package var evictionClass: EvictionClass
    }

    package let steps: [Step]
    /// Whether `steps` frees the wanted number of bytes.
    package let isEnough: Bool

    /// - Parameter always: classes whose assets are evicted even if enough bytes are free without them.
    package init(
        _ candidates: [EvictionCandidate], freeing wanted: Int64, _ policy: StoragePolicy,
        always: Set<EvictionClass> = []
    ) {
        let order = Dictionary(
            uniqueKeysWithValues: EvictionClass.allCases.enumerated().map { ($0.element, $0.offset) })
        let all = candidates.compactMap { candidate in
            candidate.evictionClass(policy).map { Step(candidate: candidate, evictionClass: $0) }
        }.sorted { left, right in
            let l = (order[left.evictionClass] ?? 0, Self.rank(left), left.candidate.lastUsed.milliseconds)
            let r = (order[right.evictionClass] ?? 0, Self.rank(right), right.candidate.lastUsed.milliseconds)
            return l < r
        }
        var (taken, freed) = ([Step](), Int64(0))
        for step in all where freed < wanted || always.contains(step.evictionClass) {
            taken.append(step)
            freed += step.candidate.bytes
        }
        (steps, isEnough) = (taken, freed >= wanted)
    }

    private static func rank(_ step: Step) -> Int {
        step.evictionClass == .lowPriority ? step.candidate.priority : 0
    }
}
