internal import Locking
package import SystemPackage

/// Keeps a store within its limits: decides whether a download fits, and makes room where the policy allows it.
package final class StorageKeeper: Sendable {
    private let limits: Lock<StoragePolicy>
    private let catalog: Catalog
    private let root: FilePath
    private let conditions: EngineConditions
    private let disposer: Disposer
    private let plan: @Sendable (Int64, Set<AssetToken>, StoragePolicy) throws(StoreError) -> EvictionPlan
    private let restEnd = Lock(0.0)
    private let lastEviction = Lock(Double.infinity)
    private let owner: StoreOwnerLink

    /// - Parameters:
    ///   - owner: evicts the chosen assets.
    ///   - plan: chooses assets to evict by a policy, so that a number of bytes is freed; some assets are exempt.
    package init(
        policy: StoragePolicy, catalog: Catalog, root: FilePath, conditions: EngineConditions,
        disposer: Disposer, owner: StoreOwnerLink,
        plan: @escaping @Sendable (Int64, Set<AssetToken>, StoragePolicy) throws(StoreError) -> EvictionPlan
    ) {
        limits = Lock(policy)
        self.catalog = catalog
        self.root = root
        self.conditions = conditions
        self.disposer = disposer
        self.owner = owner
        self.plan = plan
    }

    /// The limits of the store, and the classes that may be evicted.
    package var policy: StoragePolicy {
        get { limits.withLock(\.self) }
        set { limits.withLock { $0 = newValue } }
    }

    /// The bytes that have to be freed before a number of bytes fits within the quota and the room to leave free.
    ///
    /// - Parameter wanted: gives the number of bytes. It is called after the stored bytes were counted, so that a
    ///   segment that is stored meanwhile does not count twice.
    package func shortage(for wanted: () throws(StoreError) -> UInt64) throws(StoreError) -> UInt64 {
        let quota = policy.quota
        let stored = try quota.map { _ throws(StoreError) in try catalog.assets.storedBytes() } ?? 0
        let space = conditions.space(root)
        let bytes = try wanted()
        var shortage: UInt64 = 0
        if let quota {
            let needed = UInt64(clamping: stored) + bytes
            shortage = needed > quota ? needed - quota : 0
        }
        if let space {
            let needed = bytes + StoragePolicy.cushion(of: space.total)
            shortage = max(shortage, needed > space.free ? needed - space.free : 0)
        }
        return shortage
    }

    /// The bytes that have to be freed before a number of bytes fits.
    package func shortage(for bytes: UInt64) throws(StoreError) -> UInt64 {
        try shortage { () throws(StoreError) in bytes }
    }

    /// The bytes that still fit within the quota and the room to leave free; `nil` when these limits are exceeded
    /// already.
    package func room() throws(StoreError) -> UInt64? {
        var room = UInt64.max
        if let quota = policy.quota {
            let stored = UInt64(clamping: try catalog.assets.storedBytes())
            guard stored <= quota else { return nil }
            room = quota - stored
        }
        if let space = conditions.space(root) {
            let cushion = StoragePolicy.cushion(of: space.total)
            guard space.free >= cushion else { return nil }
            room = min(room, space.free - cushion)
        }
        return room
    }

    /// Whether the size of a download may decide something: the store has a quota, or the file system has less room than
    /// twice what the bit rates of its renditions come to. Only then are the sizes of segments worth requests.
    package func mayLimit(_ rows: [RenditionRecord]) throws(StoreError) -> Bool {
        guard policy.quota == nil else { return true }
        let likely = rows.reduce(0.0) { sum, row in
            sum + Double(row.bandwidth ?? Self.generousBandwidth) / 8 * row.duration
        }
        return Double(try room() ?? 0) < 2 * likely
    }

    /// A bandwidth in bits per second that hardly any rendition exceeds.
    private static let generousBandwidth = 16_000_000

    /// Whether a number of bytes fits now. Assets are evicted if the policy allows it and if that makes room for all
    /// bytes. While files are still being deleted, the answer is false.
    ///
    /// - Throws: the error of an asset that could not be evicted, if there is not enough room without it.
    ///
    /// - Parameter wanted: gives the number of bytes. It is called after the stored bytes were counted.
    package func makesRoom(for wanted: () throws(StoreError) -> UInt64) throws(StoreError) -> Bool {
        let shortage = try shortage(for: wanted)
        guard shortage > 0 else { return true }
        guard disposer.isIdle, !isResting, let owner = owner.owner else { return false }
        let failure = try free(Int64(clamping: shortage), by: owner)
        if try self.shortage(for: wanted) == 0 { return true }
        if let failure { throw failure }
        return false
    }

    /// Whether a number of bytes fits now.
    package func makesRoom(for bytes: UInt64) throws(StoreError) -> Bool {
        try makesRoom { () throws(StoreError) in bytes }
    }

    /// Seconds without evictions after the files of an evicted asset could not be deleted.
    private static let rest = 600.0

    /// Whether evictions are suspended, since the last one freed nothing.
    private var isResting: Bool {
        let failure = disposer.lastFailure
        let isStuck = failure >= lastEviction.withLock(\.self)
        return SteadyClock.seconds < max(restEnd.withLock(\.self), isStuck ? failure + Self.rest : 0)
    }

    /// How many assets that can't be evicted are passed over before it is no matter of theirs.
    private static let mostStuck = 8

    /// Evicts assets until a number of bytes is freed, if that is possible. Other assets replace those that can't be
    /// evicted.
    ///
    /// - Returns: the error of an asset that could not be evicted, if there is not enough room without it.
    private func free(
        _ bytes: Int64, by owner: any StoreOwner
    ) throws(StoreError) -> StoreError? {
        var (left, stuck): (Int64, Set<AssetToken>) = (bytes, [])
        var failure: StoreError?
        // Each round but the last one leaves out one more asset at least.
        while left > 0 {
            let plan = try plan(left, stuck, policy)
            guard plan.isEnough else { return failure }
            for step in plan.steps {
                do throws(StoreError) {
                    lastEviction.withLock { $0 = SteadyClock.seconds }
                    try owner.makeRoom(by: step)
                    left -= step.candidate.bytes
                } catch {
                    let token = step.candidate.token
                    // If an evicted asset has files that can't be deleted, other assets will have the same problem.
                    if try catalog.assets.asset(token)?.state == .cancelled {
                        restEnd.withLock { $0 = SteadyClock.seconds + Self.rest }
                        return error
                    }
                    guard stuck.count < Self.mostStuck else { return error }
                    failure = failure ?? error
                    stuck.insert(token)
                }
            }
        }
        return nil
    }

    /// Whether running downloads must be put off: the quota is used up, or half of the room to leave free.
    func isOverfull() throws(StoreError) -> Bool {
        if let quota = policy.quota, UInt64(clamping: try catalog.assets.storedBytes()) > quota {
            return try !makesRoom(for: 0)
        }
        guard let space = conditions.space(root) else { return false }
        return space.free < StoragePolicy.cushion(of: space.total) / 2
    }
}
