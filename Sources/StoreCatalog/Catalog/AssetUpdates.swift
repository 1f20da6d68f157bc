/// The events of a store, from a position in its log on, as they happen, and the progress of its downloads. The
/// sequence ends when the store is closed or the task is cancelled. Events of the last moments before are in the log:
/// to continue later, ask for the updates since the last event's `id`.
///
/// ```swift
/// for try await update in store.updates() {
///     guard case .event(let event) = update else { continue }
///     print(event.id, event.token, event.kind)
/// }
/// ```
public struct AssetUpdates: AsyncSequence, Sendable {
    package let catalog: Catalog
    package let since: Int64?

    package init(catalog: Catalog, since: Int64?) {
        self.catalog = catalog
        self.since = since
    }
    package static let pageSize = 256

    /// Starts following.
    public func makeAsyncIterator() -> Iterator {
        // It follows before it reads the log, so that no event is missed.
        Iterator(signals: catalog.hub.follow().makeAsyncIterator(), catalog: catalog, cursor: since)
    }

    /// Follows a store.
    public struct Iterator: AsyncIteratorProtocol {
        private var signals: AsyncStream<[AssetProgress]>.Iterator
        private let catalog: Catalog
        private var cursor: Int64?
        private var pending: ArraySlice<AssetUpdate> = []
        private var hasBegun = false
        /// The last activity that was told.
        private var lastActivity: Int

        package init(signals: AsyncStream<[AssetProgress]>.Iterator, catalog: Catalog, cursor: Int64?) {
            self.signals = signals
            self.catalog = catalog
            self.cursor = cursor
            lastActivity = catalog.hub.lastActivity
        }

        /// The next update; `nil` when the store is closed or the task is cancelled.
        public mutating func next() async throws(StoreError) -> AssetUpdate? {
            do {
                return try await nextOfOpenStore()
            } catch {
                guard case .stopped(.closing) = error.code else { throw error }
                return nil
            }
        }

        private mutating func nextOfOpenStore() async throws(StoreError) -> AssetUpdate? {
            if !hasBegun { try begin() }
            while true {
                if let update = pending.popFirst() { return update }
                try readLog()
                guard pending.isEmpty else { continue }
                guard let progress = await signals.next() else { return nil }
                try readLog()
                for change in catalog.hub.activities(after: lastActivity) {
                    lastActivity = change.number
                    pending.append(.activity(change.token, change.activity))
                }
                pending += progress.map { .progress($0) }
            }
        }

        /// Reports a gap if the requested events begin before the log.
        private mutating func begin() throws(StoreError) {
            hasBegun = true
            let last = try catalog.events.lastEvent()
            guard let wanted = cursor else { return cursor = last }
            let oldest = try catalog.events.firstEvent() ?? last + 1
            guard wanted > last || wanted + 1 < oldest else { return }
            cursor = wanted > last ? last : oldest - 1
            pending.append(.gap)
        }

        private mutating func readLog() throws(StoreError) {
            let events = try catalog.events.all(after: cursor ?? 0, limit: AssetUpdates.pageSize)
            guard let last = events.last else { return }
            cursor = last.id
            pending += events.map { .event($0) }
        }
    }
}
