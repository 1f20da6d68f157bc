internal import HLSPlaylist
internal import Locking
internal import Logging
internal import Transfers

/// The findings of a look at a stream: everything that must be known before media is fetched.
struct StreamFindings: Sendable {
    /// The request, with the cookies that the origin has set meanwhile, and with the stream's own title where it named
    /// nothing.
    var request: AssetRequest
    var plan: DownloadPlan
    var keys: [KeyRecord]
    var poster: Artwork?
    /// The license that it is granted if it has keys.
    var license: License
    /// Renditions and interstitials that could not be read and were left out, with the reason.
    var lost: [String]
    var interstitials: [FoundInterstitial] = []
}

extension OfflineStore {
    /// Enters requests in one transaction, without looking into them: the engine reads the playlists when an
    /// asset's turn is near. One that turns out not to be usable fails then, with the reason.
    ///
    /// - Parameters:
    ///   - isHeld: whether they wait for `release`.
    ///   - next: how many of the list are to be in the store or on their way; only what lacks of that is entered, of
    ///     what never was in the store. `nil` enters all.
    /// - Throws: `invalidURL`, entering nothing, when one of the addresses can't be fetched.
    package func enqueue(
        _ requests: [AssetRequest], isHeld: Bool = false, next: Int? = nil
    ) async throws(StoreError) -> Enqueued {
        let now = context.clock.now
        // Of one millisecond, they are in order when they are sorted.
        let tokens = requests.map { _ in AssetToken(at: now) }.sorted()
        var assets: [NewAsset] = []
        assets.reserveCapacity(requests.count)
        for (request, token) in zip(requests, tokens) {
            let url = try StreamAddress.checked(request.url)
            var record = AssetRecord(
                token: token, name: request.name ?? Self.name(from: url), sourceURL: url, state: .queued,
                reason: StateReason.slot.rawValue, requestedAt: now)
            record.selection = request.selection
            record.meta = request.meta
            record.accept(request)
            record.address = vault.digest(Array(url.utf8))
            try record.identify(request, vault)
            assets.append(NewAsset(record: record, request: try vault.sealed(request, token)))
        }
        await context.network.look()
        if isHeld { await engine.hold(tokens) }
        do throws(StoreError) {
            let enqueued = try catalog.queue.enqueue(assets, next: next)
            if isHeld { await engine.release(Array(Set(tokens).subtracting(enqueued.tokens))) }
            if !isHeld { await engine.sync() }
            // What is live does not wait for its turn.
            for (request, token) in zip(requests, tokens)
            where request.selection.recording != nil && enqueued.tokens.contains(token) {
                _ = await engine.resolution(of: token)
            }
            return enqueued
        } catch {
            await engine.release(tokens)
            throw error
        }
    }

    /// Looks at a request as far as that goes without asking anybody.
    ///
    /// - Throws: `invalidURL`.
    package static func check(_ request: AssetRequest) throws(StoreError) {
        _ = try StreamAddress.checked(request.url)
    }

    /// Looks at what was asked for: playlists, keys, subtitle files, artwork. Nothing is entered.
    ///
    /// - Parameters:
    ///   - isNamedByUser: whether a user gave the address, who may name what is in private networks.
    ///   - tries: how often playlists and keys are asked for.
    ///   - isEntered: whether the catalog has the asset already, so that others are told of the work on it.
    ///   - pause: waits between tries, if otherwise than usual.
    func read(
        _ request: AssetRequest, url: String, token: AssetToken, isNamedByUser: Bool = true,
        tries: Int = Origin.usualTries, isEntered: Bool = false, pause: RetryPause? = nil
    ) async throws(StoreError) -> StreamFindings {
        Trace.pass(.read, "\(token)")
        let pause = pause ?? context.origins.pause(for: isEntered ? token : nil)
        let own = try context.origins.origin(request.access, of: url, tries: tries, pause: pause)
        let (origin, master) =
            isNamedByUser
            ? try await StreamResolver.open(url, own)
            : (own, try await StreamResolver(origin: own).read(url))
        var request = request
        request.name = request.name ?? Self.title(of: master)
        let resolver = StreamResolver(
            origin: origin, allowsMissingKeys: request.allowsMissingKeys, providers: providers)
        let lost = Lock<[LostStream]>([])
        var plan = try await resolver.plan(master, request.selection) { stream, error in
            lost.withLock { $0.append(LostStream(stream, error)) }
        }
        plan.leftOut += LeftOut.unfitting(request.license, request.selection.recording, for: plan)
        if request.isStrict == true, !plan.leftOut.isEmpty { throw StoreError(.leftOut(plan.leftOut)) }
        let keys = try await KeyFetcher(
            origin: origin, vault: vault, token: token, pause: pause, providers: providers, tries: tries
        ).fetch(plan.keys, allowsMissing: request.allowsMissingKeys)
        try await measure(&plan, origin: origin)
        let subtitles = try await read(request.subtitleFiles, of: url, origin: origin)
        let poster = try await artwork(request.artwork, of: master, origin: origin)
        plan.sessionData = await sessionData(of: master, origin: origin)
        var found: [FoundInterstitial] = []
        if request.selection.interstitials == .keep {
            found = await interstitials(at: plan.interstitialPlaces, of: (token, request), origin) { error in
                lost.withLock { $0.append(.interstitial(error)) }
            }
            plan.interstitials = found.enumerated().map { $1.record($0) }
            plan.interstitialAssets = found.flatMap { $0.children.map(\.token) }
        }
        plan.recording?.terms = request.license
        request.access = origin.accessWithCookies
        plan.redirects = origin.redirects
        request.selection.partStart = plan.partStart
        plan.join(subtitles, request.selection)
        plan.lost = lost.withLock(\.self)
        let now = keys.isEmpty ? clock.now.trusted : try confirmTime()
        return StreamFindings(
            request: request, plan: plan, keys: keys, poster: poster,
            license: License(request.license, at: now), lost: plan.lost.map(\.sentence),
            interstitials: found)
    }

    /// Looks at what was asked for with an asset that is entered already, and enters what it consists of.
    package func resolve(_ token: AssetToken) async throws(StoreError) {
        guard let record = try catalog.assets.asset(token), let sealed = try catalog.queue.request(of: token)
        else {
            return
        }
        let request = try vault.request(sealed, token)
        let found = try await read(
            request, url: record.sourceURL, token: token, tries: Origin.patientTries, isEntered: true)
        tell(found.lost, of: token)
        // Its folders are there before it has rows of them.
        await turns.take(token)
        defer { turns.release(token) }
        try enter(found, of: record, title: request.name == nil ? found.request.name : nil)
        if found.keys.contains(where: { $0.renewAt != nil }) { scheduleRenewals() }
        changed(token)
    }

    /// Logs the streams that were left out of an asset.
    func tell(_ lost: [String], of token: AssetToken) {
        for reason in lost {
            log.warning("left out", metadata: ["token": "\(token)", "error": "\(reason)"])
        }
    }

    func enter(
        _ found: StreamFindings, of asset: AssetRecord, title: String?
    ) throws(StoreError) {
        let token = asset.token
        var asset = asset
        asset.access = try vault.sealed(found.request.access, token)
        try enter(found.interstitials)
        asset.selection.partStart = found.plan.partStart
        asset.poster = found.poster?.fileName
        do throws(StoreError) {
            // What an earlier try may have left is not of this plan.
            try FileSystem.removeTree(paths.asset(token))
            if !found.keys.isEmpty {
                try grant(found.license, to: token)
            }
            try BundleWriter(paths: paths, token: token).write(
                found.plan, keys: found.keys, title: asset.name, poster: found.poster)
            // Who has renamed it since means that name.
            try catalog.renditions.commitPlan(
                found.plan, resolving: asset, in: paths, keys: found.keys,
                isPreload: found.request.isPreload,
                title: title.map { (first: Self.name(from: asset.sourceURL), better: $0) },
                at: context.clock.now)
        } catch {
            try? FileSystem.removeTree(paths.asset(token))
            withdraw(found.interstitials)
            throw error
        }
    }

    /// Resolves an asset before its renditions are changed.
    func resolveFirst(_ token: AssetToken) async throws(StoreError) {
        guard try catalog.queue.isUnresolved(token) else { return }
        await untilResolved(token, patience: .seconds(60))
    }

    /// Waits until the playlists of an asset have been read, which is done now, whatever its turn; not longer
    /// than `patience`.
    package func untilResolved(_ token: AssetToken, patience: Duration) async {
        let ends = await engine.resolution(of: token)
        await withTaskGroup { group in
            group.addTask { for await _ in ends {} }
            group.addTask { try? await Task.sleep(for: patience) }
            await group.next()
            group.cancelAll()
        }
    }
}

extension StoreReader {
    /// Whether the playlists of an asset have not been read yet: nothing of it can be served.
    package func isUnresolved(_ token: AssetToken) throws(StoreError) -> Bool {
        try catalog?.queue.isUnresolved(token) ?? false
    }
}
