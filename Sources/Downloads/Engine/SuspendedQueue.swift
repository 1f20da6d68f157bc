/// The queued assets that wait for more than a slot. If there are many, each check takes the next ones in turn.
struct SuspendedQueue {
    /// The number of assets waiting for their origins in one check.
    private static let originLooks = 256
    /// How many of them are queued at once: should the origin want to be left alone again, few have to be put off again.
    private static let resumedAtOnce = 32
    /// The number of assets waiting for space in one check.
    private static let roomLooks = 256

    private let catalog: Catalog
    /// The last one that was looked at; `nil` begins with the oldest.
    private var lastForOrigin: AssetToken?
    private var lastForRoom: AssetToken?

    init(catalog: Catalog) { self.catalog = catalog }

    /// The oldest asset that waits for this reason.
    func first(for reason: WaitReason) throws(StoreError) -> AssetToken? {
        try catalog.queue.waiting(for: reason, limit: 1).first
    }

    /// All assets that wait for this reason.
    func all(for reason: WaitReason) throws(StoreError) -> [AssetToken] {
        try catalog.queue.waiting(for: reason, limit: .max)
    }

    /// The assets that waited for a time that has come.
    func scheduled(isOpen: (Schedule?) -> Bool) throws(StoreError) -> [AssetToken] {
        var tokens: [AssetToken] = []
        for schedule in try catalog.queue.waitingSchedules() where isOpen(schedule) {
            tokens += try catalog.queue.waiting(forScheduled: schedule)
        }
        return tokens
    }

    /// Some assets that need not wait for their origins any more; `nil` if no asset waits for its origin.
    mutating func readyForOrigin(
        isPutOff: (AssetToken, String) -> Bool
    ) throws(StoreError) -> [AssetToken]? {
        let waiting = try nextForOrigin()
        guard !waiting.isEmpty else { return nil }
        var ready: [AssetToken] = []
        for (token, url) in waiting where ready.count < Self.resumedAtOnce && !isPutOff(token, url) {
            ready.append(token)
        }
        return ready
    }

    private mutating func nextForOrigin() throws(StoreError) -> [(token: AssetToken, url: String)] {
        var waiting = try catalog.queue.waitingForOrigin(after: lastForOrigin, limit: Self.originLooks)
        if waiting.isEmpty, lastForOrigin != nil {
            waiting = try catalog.queue.waitingForOrigin(after: nil, limit: Self.originLooks)
        }
        lastForOrigin = waiting.count < Self.originLooks ? nil : waiting.last?.token
        return waiting
    }

    /// Some assets that wait for space, with the bytes that each needs.
    mutating func nextForRoom() throws(StoreError) -> (tokens: [AssetToken], wanted: [AssetToken: UInt64]) {
        let tokens = try catalog.queue.waiting(for: .disk, after: lastForRoom, limit: Self.roomLooks)
        lastForRoom = tokens.count < Self.roomLooks ? nil : tokens.last
        return (tokens, try catalog.assets.missingBytes(ofEach: tokens))
    }
}
