internal import FoundationEssentials
package import HLSPlaylist

/// Finds other addresses for the units of an asset when their own host fails. There is one for each run; it reads
/// further playlists only when it needs them.
package actor FailOver {
    private let token: AssetToken
    private let catalog: Catalog
    private let origin: Origin
    private let now: @Sendable () -> Timestamp
    /// `nil` when the stream has no multivariant playlist.
    private let master: (playlist: MultivariantPlaylist, url: String)?
    private var steering: (answer: Task<SteeringManifest?, Never>, until: Double)?
    /// The units of playlists; playlists that could not be read are requested again after a time.
    private var tracks: [String: (units: Task<[UnitID: UnitRecord]?, Never>, until: Double)] = [:]
    /// Hosts that do not answer. Until the given time, their addresses are tried after all others.
    private var down: [String: Double] = [:]
    private var announced: Set<String> = []
    private var possible: [String: Bool] = [:]

    /// The number of tries at one address while there are other addresses.
    package static let tries = 3
    /// Seconds for which the addresses of a failed host are tried after all others.
    static let downTime = 60.0

    package init(
        _ token: AssetToken, catalog: Catalog, origin: Origin, now: @escaping @Sendable () -> Timestamp
    ) {
        self.token = token
        self.catalog = catalog
        self.origin = origin
        self.now = now
        master = catalog.renditions.multivariantPlaylist(of: token)
    }

    /// Whether the units of a rendition may have other addresses.
    func isPossible(_ row: RenditionRecord) -> Bool {
        if let known = possible[row.name] { return known }
        guard let master, let stream = SelectedStream(row) else { return false }
        let streams = AlternativeStreams(master.playlist, base: master.url)
        let isPossible = master.playlist.contentSteering != nil || streams.urls(of: stream).count > 1
        possible[row.name] = isPossible
        return isPossible
    }

    /// Whether a request to the host of a URL has failed within the last `downTime` seconds.
    func isDown(_ url: String) -> Bool {
        URIReference(url).authority.flatMap { down[$0] }.map { $0 > SteadyClock.seconds } ?? false
    }

    /// Notes that a request to a host has failed. Errors that are not worth a retry, and wrong content, do not count.
    package func failed(_ url: String, _ error: StoreError) {
        guard let host = URIReference(url).authority, error.isRetryable else { return }
        if case .integrity = error.code { return }
        down[host] = SteadyClock.seconds + Self.downTime
    }

    /// Records the event `failover` when a unit was fetched from another host, once for each host.
    package func served(_ url: String) {
        guard let host = Self.name(of: url), announced.insert(host).inserted else { return }
        try? catalog.events.record(.failover, token, reason: host, at: now())
    }

    /// The host of an address, with the port if one is written.
    private static func name(of url: String) -> String? {
        let reference = URIReference(url)
        return reference.host.map { host in host + (reference.port.map { ":\($0)" } ?? "") }
    }

    /// The next address to try for a unit, the best first; hosts that do not answer come last.
    ///
    /// - Parameter tried: the URLs that have failed.
    /// - Returns: `nil` if there is none, or the task is cancelled.
    package func next(for job: UnitJob, besides tried: Set<String>) async -> UnitRecord? {
        guard let master, let stream = SelectedStream(job.rendition) else { return nil }
        let streams = AlternativeStreams(master.playlist, base: master.url, steering: await manifest())
        let urls = streams.urls(of: stream)
        for url in urls.filter({ !isDown($0) }) + urls.filter(isDown) where !Task.isCancelled {
            guard let unit = await units(at: url, job.rendition)?[job.id], !tried.contains(unit.url)
            else { continue }
            return unit
        }
        return nil
    }

    /// The steering manifest, requested again when its lifetime is over.
    private func manifest() async -> SteeringManifest? {
        guard let master, let pathway = master.playlist.contentSteering else { return nil }
        // Units that fail together wait for the same answer.
        if let steering, steering.until > SteadyClock.seconds { return await steering.answer.sharedValue }
        let url = URIReference(pathway.serverURI).resolved(against: URIReference(master.url))
        let name = SteeringManifest.Clone.escaped(pathway.pathwayID ?? ".")
        let address = "\(url.description)\(url.query == nil ? "?" : "&")_HLS_pathway=\(name)"
        let answer = Task(executorPreference: WorkThreads.runs) { [origin] in await Self.ask(origin, address)
        }
        steering = (answer, SteadyClock.seconds + Self.downTime)
        let manifest = await answer.sharedValue
        if let manifest { steering = (answer, SteadyClock.seconds + max(1, manifest.lifetime)) }
        return manifest
    }

    private static func ask(_ origin: Origin, _ address: String) async -> SteeringManifest? {
        guard let bytes = try? await origin.small(address, for: .steering) else { return nil }
        return try? JSONDecoder().decode(SteeringManifest.self, from: Data(bytes))
    }

    /// The units of a playlist, if it is of the same stream with the same keys. Each playlist is read once; one
    /// without usable units is read again after `downTime`.
    private func units(at url: String, _ row: RenditionRecord) async -> [UnitID: UnitRecord]? {
        if let known = tracks[url], known.until > SteadyClock.seconds { return await known.units.sharedValue }
        let task = Task(executorPreference: WorkThreads.runs) { await self.read(url, row) }
        tracks[url] = (task, .infinity)
        let units = await task.sharedValue
        if units == nil { tracks[url] = (task, SteadyClock.seconds + Self.downTime) }
        return units
    }

    private func read(_ url: String, _ row: RenditionRecord) async -> [UnitID: UnitRecord]? {
        guard let stored = try? catalog.renditions.mediaPlaylist(token, row.name),
            let (bytes, final) = try? await origin.playlist(url)
        else { return nil }
        let context = VariableContext(imported: master?.playlist.variables, playlistURL: final)
        guard case .media(let playlist)? = try? Playlist(parsing: bytes, context: context),
            playlist.continues(stored.playlist),
            ServedKeys.agree(playlist, at: final, stored.playlist, at: stored.url)
        else { return nil }
        let whole = row.container == .ts ? IFrameSections.added(to: playlist) : playlist
        let units = whole.units(at: URIReference(final), continuing: stored.playlist).map { unit in
            (UnitID(rendition: row.name, kind: unit.kind, number: unit.number), unit)
        }
        return Dictionary(units) { first, _ in first }
    }
}

extension MediaPlaylist {
    /// The units of a playlist with the numbers of a stored one that it continues. Initialization sections are
    /// numbered by position: if the stored playlist is a part, its first section is a later one here.
    fileprivate func units(at base: URIReference, continuing stored: MediaPlaylist) -> [UnitRecord] {
        let numbers = sectionNumbers(in: stored)
        return PlannedRendition.units(of: self, at: base).flatMap { unit -> [UnitRecord] in
            guard unit.kind == .initialization else { return [unit] }
            return (numbers[unit.number] ?? []).map { number -> UnitRecord in
                var unit = unit
                unit.number = number
                return unit
            }
        }
    }

    /// The numbers that an earlier playlist has for each initialization section of this one. The segments of both
    /// playlists show which sections are the same.
    private func sectionNumbers(in earlier: MediaPlaylist) -> [Int: [Int]] {
        guard let first = earlier.segments.first?.mediaSequence,
            let offset = segments.firstIndex(where: { $0.mediaSequence == first })
        else { return [:] }
        var numbers: [Int: [Int]] = [:]
        var known: Set<Int> = []
        for (now, before) in zip(segments.dropFirst(offset), earlier.segments) {
            guard let number = before.initializationSection, let own = now.initializationSection,
                known.insert(number).inserted
            else { continue }
            numbers[own, default: []].append(number)
        }
        return numbers
    }
}

extension SelectedStream {
    /// The stream that a rendition was made from; `nil` if the rendition does not come from the stream, such as a
    /// subtitle file.
    package init?(_ row: RenditionRecord) {
        let listings = row.listings.compactMap { try? AttributeList(parsing: $0) }
        guard row.sourceFile == nil, row.hasPlaylist, !listings.isEmpty else { return nil }
        self.init(kind: row.kind, uri: nil, required: row.required, listings: listings)
    }
}

extension RenditionTable {
    /// The multivariant playlist that an asset was made from, and its address.
    package func multivariantPlaylist(of token: AssetToken) -> (playlist: MultivariantPlaylist, url: String)?
    {
        guard let source = try? sourcePlaylist(token, ""),
            case .multivariant(let playlist)? = try? Playlist(
                parsing: source.body, context: VariableContext(playlistURL: source.url))
        else { return nil }
        return (playlist, source.url)
    }
}
