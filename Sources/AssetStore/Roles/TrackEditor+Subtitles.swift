internal import SystemPackage

extension TrackEditor {
    /// Adds subtitle files to an asset as renditions: WebVTT, SubRip, ASS or TTML, by path or URL. Players get them
    /// in segments that match the video's; the files themselves are stored unchanged.
    ///
    /// - Returns: the names of the new renditions.
    /// - Throws: before any change, if one of them can't be fetched or read.
    @discardableResult
    package func addSubtitles(
        _ sources: [SubtitleSource], to token: AssetToken, access: OriginAccess = OriginAccess()
    ) async throws(StoreError) -> [String] {
        try await intake.resolveFirst(token)
        guard let asset = try catalog.assets.asset(token) else {
            throw StoreError(.noSuchAsset(token.description))
        }
        guard asset.state != .removing, asset.state != .resolving, try !catalog.queue.isUnresolved(token)
        else {
            throw StoreError(.wrongState(asset.state, wanted: "given subtitles"))
        }
        let origin = try survey.origin(access, of: asset.sourceURL)
        let names = try enter(
            try await survey.subtitles(sources, of: asset.sourceURL, origin: origin), into: token)
        notices.changed(token)
        return names
    }

    /// Writes the folders of subtitle files, then enters all of them in one transaction.
    func enter(_ files: [ReadSubtitles], into token: AssetToken) throws(StoreError) -> [String] {
        guard !files.isEmpty, let asset = try catalog.assets.asset(token) else { return [] }
        let rows = try catalog.renditions.all(of: [token])[token] ?? []
        let added = AddedSubtitles.all(files, beside: rows, of: asset.duration, asset.selection)
        let folders = try catalog.storage.prepare(added.map(\.row.name), of: token)
        do throws(StoreError) {
            for item in added { try item.write(for: token, in: paths) }
            try FileSystem.syncDirectory(paths.asset(token))
            try catalog.renditions.insert(added, in: folders, of: token, paths)
        } catch {
            abandon(folders)
            throw error
        }
        return added.map(\.row.name)
    }
}
