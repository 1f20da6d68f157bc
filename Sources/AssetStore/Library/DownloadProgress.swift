/// The progress of a download, step by step, until it ends.
///
/// The sequence begins with the present state of the download, and has a step for each change, at most four a second.
/// It ends when the asset is complete, cancelled or removed: the last step says which. It continues while the
/// download is paused. Cancelling the task that loops over the sequence ends it, too.
///
/// ```swift
/// for try await step in download.progress {
///     print(step.fraction, step.bytesPerSecond ?? 0)
/// }
/// ```
///
/// The loop throws an `AssetFailure` when the download fails, and `StoreError.Code.stopped` when the store is closed
/// before the download ends.
public struct DownloadProgress: AsyncSequence, Sendable {
    let id: AssetToken
    let store: OfflineStore

    /// A download at a moment.
    public struct Step: Sendable, Equatable {
        /// How much of the asset is stored, from 0 to 1, by duration and bit rate.
        public var fraction: Double
        /// Bytes per second in the last seconds; `nil` if none arrived.
        public var bytesPerSecond: Double?
        /// Bytes that are stored.
        public var storedBytes: Int64
        /// Bytes of the complete asset; `nil` while they can't even be estimated.
        public var expectedBytes: Int64?
        /// The state of the transfer.
        public var state: AssetState
        /// The reason for the state, such as `network` or `slot` of a queued download; `nil` without one.
        public var reason: String?
        /// The work on the asset: what is retried or waited for; `nil` without work on it.
        public var activity: AssetActivity?
    }

    /// Starts following the download.
    public func makeAsyncIterator() -> Iterator { Iterator(id: id, store: store) }

    /// Follows a download.
    public struct Iterator: AsyncIteratorProtocol {
        private let id: AssetToken
        private let store: OfflineStore
        private var updates: AssetUpdates.Iterator?
        private var last: Step?
        private var hasEnded = false

        init(id: AssetToken, store: OfflineStore) { (self.id, self.store) = (id, store) }

        /// The next step; `nil` after the last one.
        public mutating func next() async throws -> Step? {
            guard !hasEnded else { return nil }
            do {
                let step = try await withTaskExecutorPreference(OfflineStore.threads) {
                    try await advance()
                }
                hasEnded = step?.state.endsProgress ?? true
                last = step
                return step
            } catch {
                hasEnded = true
                throw error
            }
        }

        private mutating func advance() async throws -> Step? {
            if updates == nil {
                // The updates begin here, so that no event is lost between them and the look.
                updates = store.updates(since: try store.reader.lastEvent()).makeAsyncIterator()
                return try await look()
            }
            while let update = try await updates?.next() {
                if let step = try await step(after: update), step != last { return step }
            }
            guard !Task.isCancelled else { return nil }
            throw StoreError(.stopped(.closing))
        }

        /// The next step after an update; `nil` if the update concerns other assets only.
        private func step(after update: AssetUpdate) async throws -> Step? {
            var step = last
            switch update {
            case .gap: return try await look()
            case .event(let event):
                return event.token == id ? try await look() : nil
            case .activity(let token, let activity):
                guard token == id else { return nil }
                step?.activity = activity
            case .progress(let progress):
                guard progress.token == id else { return nil }
                step?.fraction = progress.progress
                step?.storedBytes = progress.storedBytes
                step?.expectedBytes = progress.expectedBytes
                step?.bytesPerSecond = progress.speed
            }
            return step
        }

        private func look() async throws -> Step? {
            guard let asset = try store.reader.progress(of: id) else {
                guard var step = last else { throw StoreError(.noSuchAsset(id.description)) }
                (step.state, step.reason, step.activity, step.bytesPerSecond) = (.removing, nil, nil, nil)
                return step
            }
            if asset.state == .failed, let failure = asset.failure { throw failure }
            let figures = await store.liveFigures(of: asset)
            return Step(
                fraction: asset.progress, bytesPerSecond: asset.state == .downloading ? figures.speed : nil,
                storedBytes: asset.storedBytes, expectedBytes: asset.expectedBytes, state: asset.state,
                reason: asset.reason, activity: figures.activity)
        }
    }
}

extension AssetState {
    /// Whether the sequence ends with this state. The user may still resume a cancelled download.
    fileprivate var endsProgress: Bool { isTerminal || self == .removing }
}

extension AssetFailure: Error, CustomStringConvertible {
    /// The failure as one sentence.
    public var description: String { message }
}
