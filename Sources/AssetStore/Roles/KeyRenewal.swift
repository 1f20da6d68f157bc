internal import Foundation
internal import HLSPlaylist
internal import SystemPackage

/// Gets the content keys of an asset again. This renews its license.
struct KeyRenewal {
    let sources: KeySources
    let record: AssetRecord
    /// A fresh address of the same stream; `nil` for the stored address.
    let via: String?
    /// The header fields, cookies and other access settings for the origin from now on.
    var edit = AccessEdit()
    /// The number of tries for each key.
    var tries = Origin.usualTries

    /// The content keys, sealed again. Each key is checked to be the one that the stored media need; a key that no
    /// media need may be missing. The list is empty if the keys were added by the user and are stored. It fails for an
    /// imported license that has an end.
    func fetch() async throws(StoreError) -> [KeyRecord] {
        let known = try sources.catalog.renditions.keys(of: record.token).filter(\.isFetched)
        guard !known.isEmpty else {
            guard via == nil, try hasGivenKeys, try sources.catalog.licenses.isGrantedHere(record.token)
            else {
                throw StoreError(.key(.nobodyToAsk))
            }
            return []
        }
        guard via != nil || known.contains(where: { $0.url.hasPrefix("data:") }) else {
            return try await fetch(known, from: try source())
        }
        return try await find(known)
    }

    /// Whether the keys that the user added are stored and can be unsealed.
    private var hasGivenKeys: Bool {
        get throws(StoreError) {
            try KeyOpener.vault(sources.vault).lacking(among: [record.token], in: sources.catalog).isEmpty
        }
    }

    /// The keys that are due for renewal and could be fetched, and the error of one that could not.
    func fetch(dueAt now: Timestamp) async throws(StoreError) -> (keys: [KeyRecord], failure: StoreError?) {
        let known = try sources.catalog.renditions.keys(of: record.token).filter(\.isFetched)
        guard !known.contains(where: { $0.url.hasPrefix("data:") }) else {
            let fresh = try await find(known)
            let isLate = known.contains { key in
                key.renewAt.map { $0 <= now } == true && !fresh.contains { $0.id == key.id }
            }
            return (fresh, isLate ? StoreError(.key(.unreachable)) : nil)
        }
        let fetcher = fetcher(try source())
        var fresh: [KeyRecord] = []
        var failure: StoreError?
        for key in known where key.renewAt.map({ $0 <= now }) == true {
            do throws(StoreError) { fresh.append(try await fetch(key, fetcher)) } catch { failure = error }
        }
        return (fresh, failure)
    }

    /// Asks for each key at its source.
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
        let made = try fetcher.record(key.id, place, key: try await fetcher.key(place))
        // The data of a key system may differ each time.
        if made.format == nil, let digest = digest(key), digest != made.digest,
            try !sources.isReplaceable(key, of: record.token)
        {
            throw StoreError(.key(.different), url: URIReference(key.url).redacted)
        }
        return made
    }

    /// Reads the playlists again and finds the known keys in them, also under new addresses. A key that only gaps
    /// (EXT-X-GAP) name, in the stored or in the present playlists, is left out unless it can be fetched. No media
    /// need such a key.
    private func find(_ known: [KeyRecord]) async throws(StoreError) -> [KeyRecord] {
        let (source, plan) = try await plan()
        let fetcher = fetcher(source)
        let offers = try await offers(of: plan, fetcher)
        let unneeded = try addressesOfGaps()
        let needed = known.filter { !unneeded.contains($0.url) }
        var fresh: [KeyRecord] = []
        var others: [KeyRecord] = []
        for key in known {
            // A key that was never fetched has no digest. Only its position in the list identifies it.
            let index = offers.count == needed.count ? needed.firstIndex { $0.id == key.id } : nil
            let byPlace = digest(key) == nil ? index.map { offers[$0] } : nil
            if let found = match(of: key, among: offers) ?? byPlace {
                fresh.append(try fetcher.record(key.id, place(of: key), key: found.key))
            } else {
                others.append(key)
            }
        }
        guard !others.isEmpty else { return fresh }
        guard !fresh.isEmpty else { throw StoreError(.key(.different)) }
        return try await fresh + find(others, amongGapsOf: plan, orIn: unneeded, fetcher)
    }

    /// Finds known keys that can still be fetched although only gaps name them now.
    ///
    /// - Parameter unneeded: the addresses of keys that may be missing from the playlists.
    /// - Throws: `different` if a key is neither found nor unneeded.
    private func find(
        _ known: [KeyRecord], amongGapsOf plan: DownloadPlan, orIn unneeded: Set<String>,
        _ fetcher: KeyFetcher
    ) async throws(StoreError) -> [KeyRecord] {
        let places = plan.keysOfGaps
        let offers = try await offers(ofGaps: places, fetcher)
        let unneeded = unneeded.union(places.map(\.address))
        var fresh: [KeyRecord] = []
        for key in known {
            if let found = match(of: key, among: offers) {
                fresh.append(try fetcher.record(key.id, place(of: key), key: found.key))
            } else if !unneeded.contains(key.url) {
                throw StoreError(.key(.different))
            }
        }
        return fresh
    }

    /// A key in the present playlists.
    private struct Offer {
        var address: String
        var key: ProvidedKey
    }

    /// The keys that a plan needs.
    private func offers(of plan: DownloadPlan, _ fetcher: KeyFetcher) async throws(StoreError) -> [Offer] {
        var offers: [Offer] = []
        for place in plan.keys where isHad(place, by: fetcher) {
            offers.append(Offer(address: place.address, key: try await fetcher.key(place)))
        }
        return offers
    }

    /// The keys that can be fetched among those that only gaps name.
    private func offers(
        ofGaps places: [KeySource], _ fetcher: KeyFetcher
    ) async throws(StoreError) -> [Offer] {
        var offers: [Offer] = []
        for place in places where isHad(place, by: fetcher) {
            do throws(StoreError) {
                offers.append(Offer(address: place.address, key: try await fetcher.key(place)))
            } catch {
                if error.isStopped { throw error }
            }
        }
        return offers
    }

    /// Whether a key can be fetched: it is not restricted to a key system, or a key provider has it.
    private func isHad(_ place: KeySource, by fetcher: KeyFetcher) -> Bool {
        place.keyFormat == nil || fetcher.provider(for: place) != nil
    }

    private func match(of key: KeyRecord, among offers: [Offer]) -> Offer? {
        let digest = digest(key)
        return offers.first { offer in
            digest.map { $0 == sources.vault.digest(offer.key.bytes) } ?? (offer.address == key.url)
        }
    }

    /// The addresses of keys that only gaps name in the asset's original playlists. Earlier versions fetched such
    /// keys, so the catalog may have them.
    private func addressesOfGaps() throws(StoreError) -> Set<String> {
        let rows = try sources.catalog.renditions.all(of: [record.token])[record.token] ?? []
        let streams = try sources.catalog.renditions.streams(of: rows, record.token)
        return Set(streams.flatMap(\.namedKeys).map(\.address))
            .subtracting(streams.flatMap(\.keys).map(\.address))
    }

    /// The source of a key. A key without a method was entered by an earlier version, in which all keys were AES-128.
    private func place(of key: KeyRecord) -> KeySource {
        let method = key.method.map { EncryptionKey.Method($0) } ?? .aes128
        return KeySource(address: key.url, uri: key.url, keyFormat: key.system, method: method)
    }

    private func fetcher(_ source: any StreamSource) -> KeyFetcher {
        KeyFetcher(
            origin: source, vault: sources.vault, token: record.token, pause: sources.context.origins.pause,
            providers: sources.providers, tries: tries)
    }

    private func digest(_ key: KeyRecord) -> [UInt8]? { sources.digest(key, of: record.token) }

    private func plan() async throws(StoreError) -> (any StreamSource, DownloadPlan) {
        let address = try via.map { url throws(StoreError) in try StreamAddress.checked(url) }
        let rows = try sources.catalog.renditions.all(of: [record.token])[record.token] ?? []
        if address == nil, let folder = try source() as? LocalFolder {
            let resolver = StreamResolver(origin: folder, providers: sources.providers)
            let master = try await resolver.read(record.sourceURL)
            return (folder, try await resolver.plan(master, record.selection, for: rows, lost: { _, _ in }))
        }
        let (origin, master) = try await StreamResolver.open(
            address ?? record.sourceURL, try origin(at: address))
        let resolver = StreamResolver(origin: origin, providers: sources.providers)
        return (origin, try await resolver.plan(master, record.selection, for: rows, lost: { _, _ in }))
    }

    /// The source of the asset.
    private func source() throws(StoreError) -> any StreamSource {
        if let folder = record.folder { return folder }
        return try origin()
    }

    private func origin(at address: String? = nil) throws(StoreError) -> Origin {
        var access = try sources.vault.access(of: record)
        access.apply(edit)
        return try sources.context.origins.origin(access, of: address ?? record.sourceURL)
    }
}
