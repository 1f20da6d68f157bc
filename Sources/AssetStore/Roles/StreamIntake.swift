internal import Foundation
internal import HLSPlaylist
internal import Logging

/// Enters requests as assets, and reads the playlists of queued assets when their turn comes.
package struct StreamIntake: Sendable {
    let catalog: Catalog
    let paths: StorePaths
    let vault: KeyVault
    let wall: any WallClock
    let engine: DownloadEngine
    let turns: Turns
    let survey: StreamSurvey
    let licenses: LicenseOffice
    let renewals: RenewalSchedule
    let notices: ChangeNotices
    /// Finds out whether the connection is metered (paid by volume).
    let lookAtConnection: @Sendable () async -> Void
    let log: Logger

    /// The outcome of a request for a new asset.
    package struct Added: Sendable {
        /// The token of the new asset, or of the earlier one if `isRepeated` is true.
        public var token: AssetToken
        /// Renditions that could not be read and were left out, with the reason.
        public var lost: [String]
        /// The asset that was made of the same address before.
        public var existing: AssetToken?
        /// The parts of the request that the asset lacks.
        public var leftOut: [LeftOut] = []
        /// Whether its client has sent the same request before, by its client ID.
        public var isRepeated = false
        /// The error because of which the playlists will be read later; `nil` when they have been read.
        public var waitsFor: StoreError?
    }

    /// Reads the stream's playlists, gets its keys and enters it as an asset: from then on it can be served, and its
    /// download is queued. After an error, nothing is left behind.
    ///
    /// - Parameters:
    ///   - isHeld: whether the download waits for `release`.
    ///   - queuesWhenBusy: whether the asset is entered before its playlists are read if its origin is busy (429,
    ///     503). A preload or a strict request is never entered before.
    package func add(
        _ request: AssetRequest, isHeld: Bool = false, queuesWhenBusy: Bool = false
    ) async throws(StoreError) -> Added {
        let url = try StreamAddress.checked(request.url)
        if let id = request.clientID,
            let known = try catalog.assets.asset(ofClient: id, request.fingerprint(vault))
        {
            return Added(token: known, lost: [], isRepeated: true)
        }
        let token = AssetToken(at: wall.now)
        Trace.pass(.add, "\(token)")
        let found: StreamFindings
        if queuesWhenBusy, !request.isPreload, request.isStrict != true {
            switch try await survey.readUnlessBusy(request, url: url, token: token) {
            case .success(let findings): found = findings
            case .failure(let reason): return try await queue(request, isHeld: isHeld, since: reason)
            }
        } else {
            found = try await survey.read(request, url: url, token: token)
        }
        let tokens = [token] + found.interstitials.flatMap { $0.children.map(\.token) }
        let existing = try catalog.queue.asset(ofAddress: vault.digest(Array(url.utf8)))
        if isHeld { await engine.hold(tokens) }
        // The folders of renditions are made before their rows.
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
        if found.keys.contains(where: { $0.renewAt != nil }) { renewals.schedule() }
        if !isHeld { await engine.sync() }
        tell(found.lost, of: token)
        return Added(token: token, lost: found.lost, existing: existing, leftOut: found.plan.leftOut)
    }

    /// Starts assets that were added with `isHeld`, and the assets of their interstitials, while slots are free.
    package func release(_ tokens: [AssetToken]) async {
        let others = (try? catalog.interstitials.interstitialAssets(of: tokens)) ?? []
        // An asset that was released earlier may wait for another reason by now; that stays.
        await engine.release(Array(engine.held.intersection(tokens + others)))
        await engine.sync()
    }

    /// Enters a request whose playlists will be read later, with the reason.
    private func queue(
        _ request: AssetRequest, isHeld: Bool, since reason: StoreError
    ) async throws(StoreError) -> Added {
        let enqueued = try await enqueue([request], isHeld: isHeld)
        guard let token = enqueued.tokens.first else { throw reason }
        await engine.noteWait(token, reason)
        return Added(token: token, lost: [], existing: enqueued.existing[token], waitsFor: reason)
    }
}
