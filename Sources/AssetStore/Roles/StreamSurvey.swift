internal import HLSPlaylist
internal import Locking
internal import Transfers

/// The findings of a look at a stream: everything that must be known before media is fetched.
struct StreamFindings: Sendable {
    /// The request, with the cookies that the origin has set since, and with the stream's own title if the request
    /// has no name.
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

/// Reads requested streams: playlists, keys, subtitle files, artwork, sizes. It enters nothing.
struct StreamSurvey: Sendable {
    let vault: KeyVault
    let clock: TrustedClock
    let context: EngineParts
    let providers: KeyProviders
    let keeper: StorageKeeper
    let licenses: LicenseOffice

    /// The origin of a stream, with its access.
    ///
    /// - Parameter url: the address of the asset's stream.
    func origin(_ access: OriginAccess, of url: String) throws(StoreError) -> Origin {
        try context.origins.origin(access, of: url)
    }

    /// Reads a requested stream: playlists, keys, subtitle files, artwork.
    ///
    /// - Parameters:
    ///   - isNamedByUser: whether the address came from a user, who may name addresses in private networks.
    ///   - tries: the number of tries for playlists and keys.
    ///   - isEntered: whether the catalog has the asset already, so that the work on it is reported.
    ///   - pause: waits between tries, instead of the usual wait.
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
        request.name = request.name ?? StreamName.title(of: master)
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
        let (subtitles, poster, lostFiles) = try await decoration(
            of: request, master, url: url, origin: origin, leavesOut: isEntered && request.isStrict != true)
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
        plan.lost = lost.withLock(\.self) + lostFiles
        let now = keys.isEmpty ? clock.now.trusted : try licenses.confirmTime()
        return StreamFindings(
            request: request, plan: plan, keys: keys, poster: poster,
            license: License(request.license, at: now), lost: plan.lost.map(\.sentence),
            interstitials: found)
    }
}

extension StreamSurvey {
    /// Reads the subtitle files and the picture of a request. The download of an asset that is in the catalog already
    /// does not fail because of such a file, since its client may be gone.
    ///
    /// - Parameter leavesOut: whether files that can't be read are left out.
    private func decoration(
        of request: AssetRequest, _ master: ResolvedMaster, url: String, origin: Origin, leavesOut: Bool
    ) async throws(StoreError) -> (subtitles: [ReadSubtitles], poster: Artwork?, lost: [LostStream]) {
        var lost: [LostStream] = []
        let subtitles = try await subtitles(request.subtitleFiles, of: url, origin: origin) {
            (source: SubtitleSource, error: StoreError) throws(StoreError) in
            guard leavesOut, !error.isStop else { throw error }
            lost.append(.subtitles(source, error))
        }
        let poster = try await artwork(request.artwork, of: master, origin: origin) {
            (error: StoreError) throws(StoreError) in
            guard leavesOut, !error.isStop else { throw error }
            lost.append(.poster(error))
        }
        return (subtitles, poster, lost)
    }
}

extension StoreError {
    /// Whether the work was stopped, so that the error does not concern the file.
    var isStop: Bool {
        switch code {
        case .stopped: true
        case .transfer(let failure): failure.cause.code == .stopped
        default: false
        }
    }
}
