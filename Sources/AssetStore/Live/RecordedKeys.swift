internal import HLSPlaylist

/// The content keys of a recording: each is fetched once, when the first playlist names it, before the segments that
/// need it are entered.
actor RecordedKeys {
    private let fetcher: KeyFetcher
    private var fetches: [String: Task<KeyRecord, any Error>] = [:]
    private var known: Set<String>
    private var count: Int

    /// - Parameter known: the keys that the asset has already.
    init(fetcher: KeyFetcher, known: [KeyRecord]) {
        self.fetcher = fetcher
        self.known = Set(known.map(\.url))
        // Keys that the user added have other names.
        count = (known.compactMap { Int($0.id.dropFirst()) }.max() ?? -1) + 1
    }

    /// Seconds after which a key that could not be had is asked for again.
    private static let patience: Int64 = 60

    /// The keys among these that the asset did not have when the recording began. One that can't be had is recorded as
    /// missing, and asked for again later: what is live can't wait for it.
    func records(for sources: [KeySource]) async throws(StoreError) -> [KeyRecord] {
        var records: [KeyRecord] = []
        var seen = known
        for source in sources where seen.insert(source.address).inserted {
            let fetch = fetches[source.address] ?? begin(source)
            do { records.append(try await fetch.value) } catch { throw StoreError(.stopped) }
        }
        return records
    }

    private func begin(_ source: KeySource) -> Task<KeyRecord, any Error> {
        let number = count
        count += 1
        let fetch = Task { [fetcher] in
            var key = try await fetcher.fetch([source], allowsMissing: true, first: number)[0]
            if key.sealed == nil, key.isFetched, !source.isInline {
                key.renewAt = fetcher.providers.now().adding(seconds: Self.patience)
            }
            return key
        }
        fetches[source.address] = fetch
        return fetch
    }
}
