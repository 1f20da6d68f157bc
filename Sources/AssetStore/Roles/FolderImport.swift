internal import HLSPlaylist
package import SystemPackage

/// Makes assets of HLS folders.
package struct FolderImport: Sendable {
    let catalog: Catalog
    let vault: KeyVault
    let clock: TrustedClock
    let wall: any WallClock
    let providers: KeyProviders
    let copier: FolderCopier
    let intake: StreamIntake
    let licenses: LicenseOffice
    let remover: AssetRemover
    let notices: ChangeNotices

    /// Makes an asset of a plain HLS folder (its `master.m3u8`, `index.m3u8` or only playlist), or of a playlist file
    /// and the files beside and below it that it names. All files are copied; nothing is fetched.
    ///
    /// - Parameter selection: the renditions to copy. A rendition that can't be read is left out. If a required
    ///   rendition can't be read, the import fails. If all variants are selected, one readable variant is enough.
    package func add(
        _ path: FilePath, name: String? = nil, selection: Selection = .everything
    ) async throws(StoreError) -> StreamIntake.Added {
        let file = try Self.playlistFile(path)
        let folder = LocalFolder(root: FileSystem.isDirectory(path) ? path : file.parent)
        let sealed = try SealedKeys.read(folder.root)?.content(vault)
        var providers = providers
        if let sealed { providers.list.insert(SealedKeyProvider(sealed, in: folder.root), at: 0) }
        let resolver = StreamResolver(origin: folder, providers: providers)
        let master = try await resolver.read(LocalFolder.url(file))
        var lost: [LostStream] = []
        var plan = try await resolver.plan(master, selection) { stream, error in
            lost.append(LostStream(stream, error))
        }
        plan.lost = lost
        let token = AssetToken(at: wall.now)
        let keys = try await KeyFetcher(
            origin: folder, vault: vault, token: token, providers: providers
        ).fetch(plan.keys)
        var request = AssetRequest(url: master.url)
        let facts = ExportedFacts.read(in: folder.root)
        request.name =
            name ?? facts?.name ?? StreamName.title(of: master) ?? folder.root.lastComponent?.string
        request.meta = facts?.meta ?? [:]
        request.selection = selection
        let poster = try Self.poster(in: folder.root)
        // The license of the imported keys continues.
        let license = sealed?.license.license ?? License(request.license, at: clock.now.trusted)
        try intake.enter(
            request, url: master.url, token: token, plan: plan, keys: keys, poster: poster,
            license: license, state: .resolving)
        do throws(StoreError) {
            try await copier.copyAll(of: token, from: folder)
            if let sealed { try take(sealed, of: token) }
            try catalog.assets.apply(.finish, to: token, TransitionDetail(now: wall.now))
            let reasons = lost.map(\.sentence)
            intake.tell(reasons, of: token)
            notices.tamperWatch.follow(token)
            return StreamIntake.Added(token: token, lost: reasons)
        } catch {
            try? remover.dispose([token])
            throw error
        }
    }

    /// Stores the sealed keys of the folder, including keys that the user had added.
    private func take(_ sealed: SealedKeys.Content, of token: AssetToken) throws(StoreError) {
        if !sealed.keys.isEmpty, try catalog.licenses.license(of: token) == nil {
            try licenses.grant(sealed.license.license, to: token)
        }
        for key in sealed.keys {
            guard let identifier = key.identifier.flatMap({ KeyBytes.base64($0) }),
                let bytes = KeyBytes.base64(key.bytes)
            else { continue }
            if identifier == Array(key.id.utf8) {
                try licenses.addKey(bytes, id: key.id, to: token)
            } else {
                try licenses.addKey(bytes, identifier: identifier, to: token)
            }
        }
        notices.changed(token)
    }

    private static func playlistFile(_ path: FilePath) throws(StoreError) -> FilePath {
        guard FileSystem.isDirectory(path) else {
            guard FileSystem.facts(path)?.isRegular == true else {
                throw StoreError(.notImportable("there is no file or folder \(path); check the path"))
            }
            return path
        }
        let names = try FileSystem.contents(of: path)
        let lists = names.filter { $0.hasSuffix(".m3u8") || $0.hasSuffix(".m3u") }
        let usual = ["master.m3u8", "index.m3u8", "playlist.m3u8"].first(where: lists.contains)
        guard let name = usual ?? (lists.count == 1 ? lists.first : nil) else {
            let problem = lists.isEmpty ? "no playlist" : "several playlists and no master.m3u8"
            throw StoreError(.notImportable("\(path) has \(problem); name the playlist file itself"))
        }
        return path.appending(name)
    }

    private static func poster(in folder: FilePath) throws(StoreError) -> Artwork? {
        for name in ["poster.jpg", "poster.png", "poster.webp"] {
            if let bytes = try DurableWrite.read(
                folder.appending(name), limit: Int(StreamSurvey.artworkLimit))
            {
                return Artwork(poster: bytes)
            }
        }
        return nil
    }
}
