internal import Foundation
internal import HLSPlaylist
internal import SystemPackage

/// Gets the keys of an asset again from their provider, which is what renews its license.
struct KeyRenewal {
    let store: AssetStore
    let record: AssetRecord
    /// A fresh address of the same stream; `nil` for the one it came from.
    let via: String?

    /// The keys, sealed anew. Each is checked to be the one that the stored media need.
    func fetch() async throws(StoreError) -> [KeyRecord] {
        let known = try store.catalog.keys(of: record.token).filter(\.isFetched)
        guard !known.isEmpty else { throw StoreError(.key(.unreachable)) }
        guard via != nil || known.contains(where: { $0.url.hasPrefix("data:") }) else {
            return try await fetch(known, from: try source())
        }
        return try await find(known)
    }

    /// The keys whose time has come, as far as they can be had, and why another can't.
    func fetch(dueAt now: Timestamp) async throws(StoreError) -> (keys: [KeyRecord], failure: StoreError?) {
        let known = try store.catalog.keys(of: record.token).filter(\.isFetched)
        guard !known.contains(where: { $0.url.hasPrefix("data:") }) else {
            return (try await find(known), nil)
        }
        let fetcher = fetcher(try source())
        var fresh: [KeyRecord] = []
        var failure: StoreError?
        for key in known where key.renewAt.map({ $0 <= now }) == true {
            do throws(StoreError) { fresh.append(try await fetch(key, fetcher)) } catch { failure = error }
        }
        return (fresh, failure)
    }

    /// Asks for each key where it came from.
    private func fetch(
        _ known: [KeyRecord], from source: any StreamSource
    ) async throws(StoreError) -> [KeyRecord] {
        let fetcher = fetcher(source)
        var fresh: [KeyRecord] = []
        for key in known { fresh.append(try await fetch(key, fetcher)) }
        return fresh
    }

    private func fetch(_ key: KeyRecord, _ fetcher: KeyFetcher) async throws(StoreError) -> KeyRecord {
        let place = place(of: key)
        let made = try fetcher.record(key.id, place, try await fetcher.key(place))
        // A blob of a key system may be another one each time.
        if made.format == nil, let digest = try digest(key), digest != made.digest {
            throw StoreError(.key(.different), url: URIReference(key.url).redacted)
        }
        return made
    }

    /// Reads the playlists again and finds the known keys among theirs, wherever they lie now.
    private func find(_ known: [KeyRecord]) async throws(StoreError) -> [KeyRecord] {
        let (source, plan) = try await plan()
        let fetcher = fetcher(source)
        var offered: [(address: String, key: ProvidedKey)] = []
        for place in plan.keys where place.keyFormat == nil || fetcher.provider(for: place) != nil {
            offered.append((place.address, try await fetcher.key(place)))
        }
        var fresh: [KeyRecord] = []
        for (position, key) in known.enumerated() {
            let digest = try digest(key)
            let match = offered.first { candidate in
                digest.map { $0 == store.vault.digest(candidate.key.bytes) } ?? (candidate.address == key.url)
            }
            // A key that was never had can only be known by its place.
            let byPlace = digest == nil && offered.count == known.count ? offered[position] : nil
            guard let found = match ?? byPlace else { throw StoreError(.key(.different)) }
            fresh.append(try fetcher.record(key.id, place(of: key), found.key))
        }
        return fresh
    }

    /// Where a key came from. What has no method is of a time in which every key was one of AES-128.
    private func place(of key: KeyRecord) -> KeySource {
        let method = key.method.map { EncryptionKey.Method($0) } ?? .aes128
        return KeySource(address: key.url, uri: key.url, keyFormat: key.system, method: method)
    }

    private func fetcher(_ source: any StreamSource) -> KeyFetcher {
        KeyFetcher(
            origin: source, vault: store.vault, token: record.token, pause: store.context.pause,
            providers: store.providers)
    }

    private func digest(_ key: KeyRecord) throws(StoreError) -> [UInt8]? {
        try store.digest(key, of: record.token)
    }

    private func plan() async throws(StoreError) -> (any StreamSource, DownloadPlan) {
        let address = try via.map { url throws(StoreError) in try AssetStore.checked(url) }
        let rows = try store.catalog.renditions(of: [record.token])[record.token] ?? []
        if address == nil, let folder = try source() as? LocalFolder {
            let resolver = StreamResolver(origin: folder, providers: store.providers)
            let master = try await resolver.read(record.sourceURL)
            return (folder, try await resolver.plan(master, record.selection, for: rows, lost: { _, _ in }))
        }
        let (origin, master) = try await StreamResolver.open(address ?? record.sourceURL, try origin())
        let resolver = StreamResolver(origin: origin, providers: store.providers)
        return (origin, try await resolver.plan(master, record.selection, for: rows, lost: { _, _ in }))
    }

    /// Where the asset came from.
    private func source() throws(StoreError) -> any StreamSource {
        if let folder = record.folder { return folder }
        return try origin()
    }

    private func origin() throws(StoreError) -> Origin {
        try store.context.origin(try store.vault.access(of: record), store.loop)
    }
}

extension AssetStore {
    /// What tells a key from others; `nil` when it was never had.
    func digest(_ key: KeyRecord, of token: AssetToken) throws(StoreError) -> [UInt8]? {
        if let digest = key.digest { return digest }
        guard let sealed = key.sealed else { return nil }
        return vault.digest(try vault.open(sealed, for: KeyVault.purpose(ofKey: key.id, token)))
    }
}
