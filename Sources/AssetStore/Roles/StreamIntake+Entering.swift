internal import HLSPlaylist

extension StreamIntake {
    /// Enters the rows and writes the playlists; after an error nothing is left.
    func enter(
        _ request: AssetRequest, url: String, token: AssetToken, plan: DownloadPlan, keys: [KeyRecord],
        poster: Artwork?, license: License, state: AssetState = .queued, asked: AssetRequest? = nil
    ) throws(StoreError) {
        var record = AssetRecord(
            token: token, name: request.name ?? StreamName.ofAddress(url), sourceURL: url, state: .resolving,
            requestedAt: wall.now)
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
            if !keys.isEmpty { try licenses.grant(license, to: token) }
            try BundleWriter(paths: paths, token: token).write(
                plan, keys: keys, title: record.name, poster: poster)
            try catalog.renditions.commitPlan(
                plan, for: token, in: paths, keys: keys, state: state, at: wall.now)
        } catch {
            try? FileSystem.removeTree(paths.asset(token))
            try? catalog.assets.delete(token)
            throw error
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
            // Files of an earlier try do not belong to this plan.
            try FileSystem.removeTree(paths.asset(token))
            if !found.keys.isEmpty {
                try licenses.grant(found.license, to: token)
            }
            try BundleWriter(paths: paths, token: token).write(
                found.plan, keys: found.keys, title: asset.name, poster: found.poster)
            // If the user has renamed it since, that name stays.
            try catalog.renditions.commitPlan(
                found.plan, resolving: asset, in: paths, keys: found.keys,
                isPreload: found.request.isPreload,
                title: title.map { (first: StreamName.ofAddress(asset.sourceURL), better: $0) },
                at: wall.now)
        } catch {
            try? FileSystem.removeTree(paths.asset(token))
            withdraw(found.interstitials)
            throw error
        }
    }
}

extension AssetRecord {
    /// Takes the priority, tags, rate limit and conditions of a request.
    mutating func accept(_ request: AssetRequest) {
        priority = request.priority
        rateLimit = request.access.rateLimit
        schedule = request.schedule
        isMeteredOK = request.isMeteredOK
        tags = AssetTag.unique(request.tags ?? [])
    }
}
