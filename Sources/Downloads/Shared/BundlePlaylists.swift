internal import HLSPlaylist
internal import SystemPackage

/// The served media playlists of an asset, made from the origin's playlists.
package struct BundlePlaylists {
    package let catalog: Catalog
    package let paths: StorePaths
    package let token: AssetToken

    package init(catalog: Catalog, paths: StorePaths, token: AssetToken) {
        self.catalog = catalog
        self.paths = paths
        self.token = token
    }

    /// Writes playlists that are missing or differ, if they can be made.
    @discardableResult
    package func restore() throws(StoreError) -> Int {
        try write(made(skipsUnreadable: true))
    }

    private var isGrowing: Bool {
        get throws(StoreError) { try catalog.recordings.recording(of: token)?.isOpen == true }
    }

    /// Writes playlists that are missing or differ, and returns their number.
    @discardableResult
    private func write(_ playlists: [(name: String, bytes: [UInt8])]) throws(StoreError) -> Int {
        var count = 0
        for (name, made) in playlists {
            let path = paths.asset(token).pushing(FilePath(name))
            guard (try? DurableWrite.read(path, limit: max(made.count, 64 << 20))) != made else { continue }
            try FileSystem.makeDirectory(path.parent)
            try DurableWrite.write(made, to: path)
            count += 1
        }
        return count
    }

    /// Ends a recording, if the asset is one: from now on it is complete. If the recording has already ended,
    /// segments that were still to be fetched may have been lost since then.
    package func end(_ end: RecordingEnd, at now: Timestamp) throws(StoreError) {
        guard let recording = try catalog.recordings.recording(of: token) else { return }
        guard recording.isOpen else {
            try restore()
            return
        }
        // A playlist that can't be read again does not stop the others.
        try write(whole(skipsUnreadable: true))
        for row in try catalog.renditions.all(of: [token])[token] ?? [] where row.hasPlaylist {
            let time = FileSystem.folderTime(paths.rendition(token, row.name))
            if let time { try catalog.recordings.setFolderTime(time, ofRendition: row.id) }
        }
        try catalog.recordings.endRecording(token, end, at: now)
    }

    /// The playlists by their path in the asset's folder; none while they grow.
    ///
    /// - Parameters:
    ///   - listingAllSections: whether to list sections for gaps, too, as earlier versions did.
    ///   - skipsUnreadable: as in `whole`.
    package func made(
        listingAllSections: Bool = false, skipsUnreadable: Bool = false
    ) throws(StoreError) -> [(name: String, bytes: [UInt8])] {
        guard try !isGrowing else { return [] }
        return try whole(listingAllSections: listingAllSections, skipsUnreadable: skipsUnreadable)
    }

    /// The complete playlists, also of a recording that is about to end.
    ///
    /// - Parameters:
    ///   - asFolder: whether they are for a folder with only this asset.
    ///   - listingAllSections: whether to list initialization sections that only gaps have.
    ///   - skipsUnreadable: whether to leave out recordings that can't be read again; otherwise they are an error.
    package func whole(
        asFolder: Bool = false, listingAllSections: Bool = false, skipsUnreadable: Bool = false
    ) throws(StoreError) -> [(name: String, bytes: [UInt8])] {
        let interstitials = asFolder ? [] : try catalog.interstitials.all(of: token)
        let keys = try catalog.renditions.keys(of: token)
        let variables = try catalog.renditions.variables(of: token)
        var made: [(name: String, bytes: [UInt8])] = []
        for row in try catalog.renditions.all(of: [token])[token] ?? [] where row.hasPlaylist {
            guard let source = try source(of: row, variables, skipsUnreadable: skipsUnreadable) else {
                continue
            }
            let known = SampleKeys(paths: paths, token: token).served(
                keys, rendition: row.name, source.playlist, base: source.url)
            var served = ServedMediaPlaylist(
                source.playlist, keys: known, format: row.container,
                gaps: Set(try catalog.recordings.gapNumbers(ofRendition: row.id)),
                interstitials: LocalInterstitials(interstitials, base: source.url))
            served.listsAllSections = listingAllSections
            made.append(("\(row.name)/\(ServedMediaPlaylist.fileName)", served.bytes))
        }
        return made
    }

    private func source(
        of row: RenditionRecord, _ variables: [String: String], skipsUnreadable: Bool
    ) throws(StoreError) -> (playlist: MediaPlaylist, url: String)? {
        do throws(StoreError) {
            return try catalog.renditions.mediaPlaylist(token, row.name, variables: variables)
        } catch {
            guard skipsUnreadable, error.isUnreadableRecording else { throw error }
            return nil
        }
    }
}

extension StoreAccess {
    /// The served playlists of an asset.
    func playlists(of token: AssetToken) -> BundlePlaylists {
        BundlePlaylists(catalog: catalog, paths: paths, token: token)
    }
}
