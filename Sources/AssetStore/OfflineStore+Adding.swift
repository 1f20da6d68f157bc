internal import Foundation
internal import HLSPlaylist
internal import Locking
internal import Transfers

extension OfflineStore {
    /// The outcome of a request for a new asset.
    package struct Added: Sendable {
        /// The new asset's name.
        public var token: AssetToken
        /// Renditions that could not be read and were left out, with the reason.
        public var lost: [String]
        /// The asset that was made of the same address before.
        public var existing: AssetToken?
        /// The parts of the request that it lacks.
        public var leftOut: [LeftOut] = []
        /// Whether its client has asked for it before under the same name.
        public var isRepeated = false
        /// Why its playlists have not been read yet; `nil` when they have.
        public var waitsFor: StoreError?
    }

    /// Reads the stream's playlists, gets its keys and enters it as an asset: from then on it can be served,
    /// and its download is queued. When that fails, nothing is left behind.
    ///
    /// - Parameters:
    ///   - isHeld: whether the download waits for `release`.
    ///   - queuesWhenBusy: whether it is entered at once, to be read later, when its origin says that it is busy: that it
    ///     was asked too often (429) or is out of service for the moment (503). What is preloaded, or strict, is always
    ///     looked into first.
    package func add(
        _ request: AssetRequest, isHeld: Bool = false, queuesWhenBusy: Bool = false
    ) async throws(StoreError) -> Added {
        let url = try StreamAddress.checked(request.url)
        if let id = request.clientID,
            let known = try catalog.assets.asset(ofClient: id, request.fingerprint(vault))
        {
            return Added(token: known, lost: [], isRepeated: true)
        }
        let token = AssetToken(at: context.clock.now)
        Trace.pass(.add, "\(token)")
        let found: StreamFindings
        if queuesWhenBusy, !request.isPreload, request.isStrict != true {
            switch try await readUnlessBusy(request, url: url, token: token) {
            case .success(let findings): found = findings
            case .failure(let reason): return try await queue(request, isHeld: isHeld, since: reason)
            }
        } else {
            found = try await read(request, url: url, token: token)
        }
        let tokens = [token] + found.interstitials.flatMap { $0.children.map(\.token) }
        let existing = try catalog.queue.asset(ofAddress: vault.digest(Array(url.utf8)))
        if isHeld { await engine.hold(tokens) }
        // Its folders are there before it has rows of them.
        await turns.take(token)
        defer { turns.release(token) }
        do throws(StoreError) {
            try enter(found.interstitials)
            try enter(
                found.request, url: url, token: token, plan: found.plan, keys: found.keys,
                poster: found.poster, license: found.license,
                state: request.isPreload ? .paused : .queued, asked: request)
        } catch {
            withdraw(found.interstitials)
            await engine.release(tokens)
            throw error
        }
        if found.keys.contains(where: { $0.renewAt != nil }) { scheduleRenewals() }
        if !isHeld { await engine.sync() }
        tell(found.lost, of: token)
        return Added(token: token, lost: found.lost, existing: existing, leftOut: found.plan.leftOut)
    }

    /// Starts assets that were added to be held, and those of their interstitials, as far as there are places for them.
    package func release(_ tokens: [AssetToken]) async {
        let others = (try? catalog.interstitials.interstitialAssets(of: tokens)) ?? []
        // What was released before may wait for something by now, which stands.
        await engine.release(Array(engine.held.intersection(tokens + others)))
        await engine.sync()
    }

    /// Enters the rows and writes the playlists, or leaves nothing.
    func enter(
        _ request: AssetRequest, url: String, token: AssetToken, plan: DownloadPlan, keys: [KeyRecord],
        poster: Artwork?, license: License, state: AssetState = .queued, asked: AssetRequest? = nil
    ) throws(StoreError) {
        var record = AssetRecord(
            token: token, name: request.name ?? Self.name(from: url), sourceURL: url, state: .resolving,
            requestedAt: context.clock.now)
        record.selection = request.selection
        record.access = try vault.sealed(request.access, token)
        record.meta = request.meta
        record.accept(request)
        record.address = vault.digest(Array(url.utf8))
        record.poster = poster?.fileName
        record.leftOut = plan.leftOut
        if let asked { try record.identify(asked, vault) }
        do throws(StoreError) {
            try catalog.assets.insert(record)
            if !keys.isEmpty { try grant(license, to: token) }
            try BundleWriter(paths: paths, token: token).write(
                plan, keys: keys, title: record.name, poster: poster)
            try catalog.renditions.commitPlan(
                plan, for: token, in: paths, keys: keys, state: state, at: context.clock.now)
        } catch {
            try? FileSystem.removeTree(paths.asset(token))
            try? catalog.assets.delete(token)
            throw error
        }
    }

    /// A name from the address: the last part of the path that says something.
    static func name(from url: String) -> String {
        let parts = URIReference(url).path.split(separator: "/").map {
            ($0.removingPercentEncoding ?? String($0)).withoutControls
        }.filter { !$0.isEmpty }
        let dull: Set<String> = ["master", "index", "playlist", "main", "manifest", "prog_index", "stream"]
        let stems = parts.map { part in
            String(part.hasSuffix(".m3u8") || part.hasSuffix(".m3u") ? part.prefix { $0 != "." } : part[...])
        }
        return stems.last { !dull.contains($0.lowercased()) } ?? URIReference(url).host ?? "stream"
    }
}

extension Unicode.Scalar {
    fileprivate var isASCIIControl: Bool { value < 0x20 || value == 0x7F }
}

extension String {
    fileprivate var withoutControls: String {
        String(UnicodeScalarView(unicodeScalars.filter { !$0.isASCIIControl }))
    }
}

extension AssetRecord {
    /// Takes over when and how fast a request may be done.
    mutating func accept(_ request: AssetRequest) {
        priority = request.priority
        rateLimit = request.access.rateLimit
        schedule = request.schedule
        isMeteredOK = request.isMeteredOK
        tags = AssetTag.unique(request.tags ?? [])
    }
}
