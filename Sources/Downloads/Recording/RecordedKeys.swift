internal import HLSPlaylist

/// The content keys of a recording. Each key is fetched once, when a playlist first names it, before the segments
/// that need it are entered.
package actor RecordedKeys {
    private let fetcher: KeyFetcher
    private let patience: Double
    /// The results of the requests; `nil` when they were ended.
    private var fetches: [String: Task<KeyRecord?, Never>] = [:]
    private var known: Set<String>
    private var count: Int

    /// - Parameters:
    ///   - known: the present keys of the asset.
    ///   - patience: the longest wait for keys, in seconds. The playlist is not loaded during the wait.
    package init(fetcher: KeyFetcher, known: [KeyRecord], patience: Double) {
        self.fetcher = fetcher
        self.patience = patience
        self.known = Set(known.map(\.url))
        // Keys that the user added have other names.
        count = (known.compactMap { Int($0.id.dropFirst()) }.max() ?? -1) + 1
    }

    /// Seconds after which a missing key is asked for again.
    private static let renewal: Int64 = 60

    /// The keys among these that the asset did not have when the recorder was made. A key that can't be fetched in
    /// time is recorded as missing and asked for again later: a live stream can't wait for it.
    package func records(for sources: [KeySource]) async throws(StoreError) -> [KeyRecord] {
        var records: [KeyRecord] = []
        var seen = known
        let deadline = SteadyClock.seconds + patience
        for source in sources where seen.insert(source.address).inserted {
            // Each key gets at least a fifth of the time, also after a key that got no answer.
            let seconds = max(patience / 5, deadline - SteadyClock.seconds)
            let fetch = fetches[source.address] ?? begin(source, within: seconds)
            guard let record = await fetch.sharedValue else { throw StoreError(.stopped(.cancelled)) }
            records.append(record)
        }
        return records
    }

    private func begin(_ source: KeySource, within seconds: Double) -> Task<KeyRecord?, Never> {
        let number = count
        count += 1
        let fetch = Task<KeyRecord?, Never> { [fetcher] in
            var key = try? await Self.record(source, number: number, fetcher: fetcher, within: seconds)
            if let record = key, record.sealed == nil, record.isFetched, !source.isInline {
                key?.renewAt = fetcher.providers.now().adding(seconds: Self.renewal)
            }
            return key
        }
        fetches[source.address] = fetch
        return fetch
    }

    private static func record(
        _ source: KeySource, number: Int, fetcher: KeyFetcher, within seconds: Double
    ) async throws -> KeyRecord {
        try await withThrowingTaskGroup(of: KeyRecord.self) { group in
            group.addTask { try await fetcher.fetch([source], allowsMissing: true, first: number)[0] }
            group.addTask {
                try await Task.sleep(for: .seconds(seconds))
                return KeyFetcher.missing("k\(number)", source)
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw StoreError(.stopped(.cancelled)) }
            return first
        }
    }
}
