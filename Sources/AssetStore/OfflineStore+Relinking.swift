extension OfflineStore {
    /// Takes a fresh address of the same stream: what is stored stays, what is missing comes from there, also of
    /// renditions that were given up, unless the asset is complete or they are something else there. A download that
    /// failed goes on.
    ///
    /// - Parameter edit: how the origin is asked from now on.
    /// - Returns: whether what is stored of a complete asset was compared with what the address leads to; of what is
    ///   missing, the download sees it.
    /// - Throws: `notSameStream`, changing nothing, when something that is missing is not in it, or what is stored is
    ///   something else there; so why a playlist of it can't be read.
    @discardableResult
    public func relink(
        _ token: AssetToken, to url: String, _ edit: AccessEdit = AccessEdit()
    ) async throws(StoreError) -> Bool {
        var isCompared = true
        try await changing(token) { () async throws(StoreError) in
            let relinked = try await relinker.relink(token, to: url, edit)
            isCompared = !relinked.isUncompared
            let given = Set(relinked.others.map(\.id))
            let asset = try catalog.assets.asset(token)
            var others: [RenditionRecord] = []
            if asset?.state != .complete {
                // Somebody may have asked for some of them meanwhile.
                others = (try catalog.renditions.all(of: [token])[token] ?? []).filter { row in
                    row.failure != nil && given.contains(row.id)
                }
                try catalog.renditions.forgive(token)
            }
            defer {
                for row in others { try? catalog.renditions.setFailure(row.failure, ofRendition: row.id) }
            }
            if asset?.state == .failed || asset?.waitsForLink == true {
                try await perform(.resume, on: token)
            }
            changed(token)
        }
        return isCompared
    }
}
