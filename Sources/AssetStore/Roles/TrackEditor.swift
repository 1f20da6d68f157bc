internal import HLSPlaylist
internal import Locking
internal import SystemPackage

/// Adds renditions to assets and takes them away.
package struct TrackEditor: Sendable {
    let catalog: Catalog
    let paths: StorePaths
    let vault: KeyVault
    let wall: any WallClock
    let clock: TrustedClock
    let engine: DownloadEngine
    let turns: Turns
    let providers: KeyProviders
    let disposer: Disposer
    let survey: StreamSurvey
    let intake: StreamIntake
    let notices: ChangeNotices

    /// Adds renditions of the stream and subtitle files to an asset, under the same token. Only renditions that the
    /// asset lacks are fetched. The others are served meanwhile. Adding a rendition twice changes nothing.
    ///
    /// - Parameters:
    ///   - selection: the renditions to add. Members with their default value add nothing; `nil` adds nothing.
    ///   - isStrict: whether the stream must have all of them.
    /// - Throws: `leftOut` if the stream lacks a rendition and `isStrict` is true; `imported` if the asset came from
    ///   a folder and has no stream; `streamChanged` if the origin has another stream now; `nothingSelected` if the
    ///   stream has none of the renditions; `license` if more keys are needed and the license has ended; `wrongState`
    ///   if the asset's state forbids it, or if the asset was cancelled in the meantime.
    package func add(
        _ selection: Selection?, subtitleFiles: [SubtitleSource] = [], to token: AssetToken,
        isStrict: Bool = false
    ) async throws(StoreError) -> TracksAdded {
        try await intake.resolveFirst(token)
        await turns.take(token)
        defer { turns.release(token) }
        guard let record = try catalog.assets.asset(token) else {
            throw StoreError(.noSuchAsset(token.description))
        }
        guard AssetAction.extend.outcome(from: record.state) != nil, try !catalog.queue.isUnresolved(token)
        else {
            throw StoreError(.wrongState(record.state, wanted: AssetAction.extend.participle))
        }
        let access = try vault.access(of: record)
        let files = try await survey.subtitles(
            subtitleFiles, of: record.sourceURL,
            origin: try survey.origin(access, of: record.sourceURL))
        var added = TracksAdded()
        if let selection, !selection.isAutomatic {
            added = try await extend(record, by: selection, access, isStrict: isStrict)
        }
        added.names += try enter(files, into: token)
        notices.changed(token)
        await engine.sync()
        return added
    }

    private func extend(
        _ record: AssetRecord, by selection: Selection, _ access: OriginAccess, isStrict: Bool
    ) async throws(StoreError) -> TracksAdded {
        let rows = try catalog.renditions.all(of: [record.token])[record.token] ?? []
        guard record.folder == nil else {
            throw StoreError(.imported(wanted: AssetAction.extend.participle))
        }
        let url = try StreamAddress.checked(record.sourceURL)
        let (origin, master) = try await StreamResolver.open(
            url, survey.origin(access, of: url))
        guard case .multivariant(let playlist) = master.playlist else {
            throw StoreError(.nothingSelected(wish: selection.wish, offered: []))
        }
        let leftOut = try LeftOut.all(of: selection, in: master.playlist)
        if isStrict, !leftOut.isEmpty { throw StoreError(.leftOut(leftOut)) }
        let allLeftOut = LeftOut.merged(record.leftOut, selection, now: leftOut)
        let wider = record.selection.adding(selection)
        let addition = TrackAddition(
            try StreamSelector.select(from: playlist, wider, for: rows),
            wished: try StreamSelector.listings(wishedFor: selection, from: playlist, beside: rows), to: rows)
        let known = try catalog.renditions.keys(of: record.token)
        let resolver = StreamResolver(
            origin: origin, allowsMissingKeys: known.contains { $0.sealed == nil }, providers: providers)
        let lost = Lock<[LostStream]>([])
        let streams = try await read(
            addition, of: playlist, at: master.url, resolver, record: record, rows: rows
        ) {
            stream, error in lost.withLock { $0.append(LostStream(stream, error)) }
        }
        guard !addition.isEmpty else {
            if allLeftOut != record.leftOut {
                try catalog.renditions.setLeftOut(allLeftOut, of: record.token, at: wall.now)
            }
            return TracksAdded(leftOut: leftOut)
        }
        let plan = DownloadPlan(streams, sources: [], taken: rows.map(\.name))
        let fresh = try await keys(of: plan, besides: known, origin, record.token)
        let tracks = AddedTracks(
            renditions: plan.renditions, sources: plan.sources, keys: fresh, listings: addition.listings,
            retried: addition.lost, selection: wider, isOfCancelled: record.state == .cancelled,
            lost: lost.withLock(\.self), leftOut: allLeftOut)
        try await enter(tracks, keys: known + fresh, into: record.token)
        return TracksAdded(
            names: plan.renditions.map(\.name), lost: tracks.lost.map(\.sentence), leftOut: leftOut)
    }

    /// Reads the playlists of the new renditions, and checks that the stream is still the stored one.
    private func read(
        _ addition: TrackAddition, of master: MultivariantPlaylist, at base: String,
        _ resolver: StreamResolver, record: AssetRecord, rows: [RenditionRecord],
        lost: (SelectedStream, StoreError) -> Void
    ) async throws(StoreError) -> [ResolvedStream] {
        let mainName = rows.first { $0.kind == .variant }?.name ?? ""
        guard var main = addition.main else { throw StoreError(.streamChanged(mainName, of: record.token)) }
        main.required = true
        let whole = try await resolver.readAll([main] + addition.missing, of: master, base: base, lost: lost)
        let streams = try TimeCut(record.selection)?.cut(whole) ?? whole
        if let stored = try catalog.renditions.mediaPlaylist(record.token, mainName)?.playlist,
            streams.first?.playlist?.continues(stored) != true
        {
            throw StoreError(.streamChanged(mainName, of: record.token))
        }
        return streams.dropFirst().map(\.withoutVariables)
    }

    /// The keys that an asset does not have. The asset's license covers them.
    private func keys(
        of plan: DownloadPlan, besides known: [KeyRecord], _ origin: Origin, _ token: AssetToken
    ) async throws(StoreError) -> [KeyRecord] {
        let addresses = Set(known.map(\.url))
        let wanted = plan.keys.filter { !addresses.contains($0.address) }
        guard !wanted.isEmpty else { return [] }
        switch try catalog.licenses.license(of: token)?.verdict(at: clock.now.trusted) {
        case .expired: throw StoreError(.license(.expired, token))
        case .revoked: throw StoreError(.license(.revoked, token))
        case .valid, nil: break
        }
        let numbers = known.compactMap { $0.id.hasPrefix("k") ? Int($0.id.dropFirst()) : nil }
        return try await KeyFetcher(
            origin: origin, vault: vault, token: token, pause: survey.context.origins.pause,
            providers: providers
        ).fetch(
            wanted, allowsMissing: known.contains { $0.sealed == nil && $0.isFetched },
            first: (numbers.max() ?? -1) + 1)
    }

    /// Makes the folders, then enters the rows. During this, the transfers of the asset are stopped.
    private func enter(
        _ tracks: AddedTracks, keys: [KeyRecord], into token: AssetToken
    ) async throws(StoreError) {
        try await engine.resting(token) { () throws(StoreError) in
            let folders = try catalog.storage.prepare(tracks.renditions.map(\.name), of: token)
            do throws(StoreError) {
                guard try catalog.assets.asset(token) != nil else {
                    throw StoreError(.noSuchAsset(token.description))
                }
                try BundleWriter(paths: paths, token: token).add(
                    tracks.renditions, keys: keys, interstitials: try catalog.interstitials.all(of: token))
                try catalog.renditions.extend(token, tracks, in: folders, at: wall.now)
            } catch {
                abandon(folders)
                // The asset may have been removed with its folder in the meantime.
                if try catalog.assets.asset(token) == nil { try? FileSystem.removeTree(paths.asset(token)) }
                throw error
            }
        }
    }

    /// Deletes folders whose renditions were not entered. A folder that can't be deleted now keeps its row, so that it
    /// is deleted when the store is opened again.
    func abandon(_ folders: [Disposal]) { try? disposer.dispose(folders) }
}

extension Selection {
    /// The first requested rendition of the selection in words, for errors.
    fileprivate var wish: String {
        if audio != .automatic { return "audio language" }
        if subtitles != .automatic { return "subtitle language" }
        if trickPlay { return "trick play" }
        if allVariants { return "set of variants" }
        return maximumHeight != nil ? "height" : "bitrate"
    }
}
