internal import AssetStore

/// Enters assets of separate simultaneous requests in one transaction. An asset must be durable before its request is
/// answered, and requests share the cost of a transaction.
actor EntryGroups {
    /// A new asset, and an older one with the same address.
    struct Entered: Sendable {
        var token: AssetToken
        var existing: AssetToken?
        /// Whether its client has sent the same request before, by its client ID.
        var isRepeated = false
    }

    private struct Waiting {
        var request: AssetRequest
        var done: CheckedContinuation<Result<Entered, StoreError>, Never>
    }

    private var waiting: [Waiting] = []
    private var isEntering = false
    static let largestGroup = 256

    /// Enters one request; returns when it is durable.
    func enqueue(_ request: AssetRequest, in store: OfflineStore) async throws(StoreError) -> Entered {
        try StreamIntake.check(request)
        // A request that is refused for its client ID must not fail the others of its group.
        guard request.clientID == nil else { return try await enter(request, in: store) }
        return try await withCheckedContinuation { continuation in
            waiting.append(Waiting(request: request, done: continuation))
            guard !isEntering else { return }
            isEntering = true
            Task(executorPreference: WorkThreads.housekeeping) { await self.enterAll(in: store) }
        }.get()
    }

    private func enter(_ request: AssetRequest, in store: OfflineStore) async throws(StoreError) -> Entered {
        let enqueued = try await store.intake.enqueue([request])
        guard let token = enqueued.tokens.first else { throw StoreError(.stopped(.closing)) }
        return Entered(
            token: token, existing: enqueued.existing[token], isRepeated: enqueued.repeated.contains(token))
    }

    private func enterAll(in store: OfflineStore) async {
        while !waiting.isEmpty {
            let group = Array(waiting.prefix(Self.largestGroup))
            waiting.removeFirst(group.count)
            do throws(StoreError) {
                let enqueued = try await store.intake.enqueue(group.map(\.request))
                for (item, token) in zip(group, enqueued.tokens) {
                    let entered = Entered(token: token, existing: enqueued.existing[token])
                    item.done.resume(returning: .success(entered))
                }
            } catch {
                for item in group { item.done.resume(returning: .failure(error)) }
            }
        }
        isEntering = false
    }
}
