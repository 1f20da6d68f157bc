internal import HLSPlaylist
internal import Locking
package import SystemPackage

extension OfflineStore {
    /// Makes an asset of a plain HLS folder (its `master.m3u8`, `index.m3u8` or only playlist), or of a
    /// playlist file and what it names beside and below it. Everything is copied; nothing is fetched.
    ///
    /// - Parameter selection: what to take of it. A rendition that can't be read is left out, unless the asset is of no
    ///   use without it; of everything, one variant is enough.
    package func importing(
        _ path: FilePath, name: String? = nil, selection: Selection = .everything
    ) async throws(StoreError) -> Added {
        let file = try Self.playlistFile(path)
        let folder = LocalFolder(root: FileSystem.isDirectory(path) ? path : file.removingLastComponent())
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
        let token = AssetToken(at: context.clock.now)
        let keys = try await KeyFetcher(
            origin: folder, vault: vault, token: token, providers: providers
        ).fetch(plan.keys)
        var request = AssetRequest(url: master.url)
        let facts = ExportedFacts.read(in: folder.root)
        request.name = name ?? facts?.name ?? Self.title(of: master) ?? folder.root.lastComponent?.string
        request.meta = facts?.meta ?? [:]
        request.selection = selection
        let poster = try Self.poster(in: folder.root)
        // The license that keys came with goes on.
        let license = sealed?.license.license ?? License(request.license, at: clock.now.trusted)
        try enter(
            request, url: master.url, token: token, plan: plan, keys: keys, poster: poster,
            license: license, state: .resolving)
        do throws(StoreError) {
            try await copy(token, from: folder)
            if let sealed { try take(sealed, of: token) }
            try catalog.assets.apply(.finish, to: token, TransitionDetail(now: context.clock.now))
            let reasons = lost.map(\.sentence)
            tell(reasons, of: token)
            watch([token])
            return Added(token: token, lost: reasons)
        } catch {
            try? dispose([token])
            throw error
        }
    }

    /// Keys that the user had given go on, too.
    private func take(_ sealed: SealedKeys.Content, of token: AssetToken) throws(StoreError) {
        if !sealed.keys.isEmpty, try catalog.licenses.license(of: token) == nil {
            try grant(sealed.license.license, to: token)
        }
        for key in sealed.keys {
            guard let identifier = key.identifier.flatMap({ KeyBytes.base64($0) }),
                let bytes = KeyBytes.base64(key.bytes)
            else { continue }
            if identifier == Array(key.id.utf8) {
                try addKey(bytes, id: key.id, to: token)
            } else {
                try addKey(bytes, identifier: identifier, to: token)
            }
        }
        changed(token)
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
            if let bytes = try DurableWrite.read(folder.appending(name), limit: Int(artworkLimit)) {
                return Artwork(poster: bytes)
            }
        }
        return nil
    }

    private func copy(_ token: AssetToken, from folder: LocalFolder) async throws(StoreError) {
        let looks = UnitInspectors(token, catalog: catalog, paths: paths, vault: vault)
        for rendition in try catalog.renditions.all(of: [token])[token] ?? [] where rendition.hasPlaylist {
            var finished: [SegmentCommitter.Finished] = []
            for unit in try catalog.units.all(of: rendition.id, states: [.missing]) {
                finished.append(
                    try copy(UnitJob(unit: unit, rendition: rendition), of: token, from: folder, looks))
                guard finished.count == SegmentCommitter.largestGroup else { continue }
                try await context.committer.commit(finished)
                finished = []
            }
            try await context.committer.commit(finished)
        }
    }

    /// Copies a unit, and makes sure that it is what was copied before, if it was.
    func copy(
        _ job: UnitJob, of token: AssetToken, from folder: LocalFolder, _ looks: UnitInspectors
    ) throws(StoreError) -> SegmentCommitter.Finished {
        let target = paths.rendition(token, job.rendition.name)
        let file = try PartialFile(creating: target.appending(job.partName))
        try FilePieces.read(try folder.path(job.unit.url), job.unit.range) { piece throws(StoreError) in
            try file.append(piece)
        }
        if let length = job.unit.range?.length, length != file.watermark {
            throw StoreError(.integrity(.length(expected: length, actual: file.watermark)), url: job.unit.url)
        }
        let copied = file.sha256
        let fetched = try Self.unwrapped(file, try looks.inspector(of: job))
        // Older versions took nothing off.
        guard job.unit.sha256.map({ $0 == copied || $0 == file.sha256 }) ?? true else {
            throw StoreError(.integrity(.changed), url: job.unit.url)
        }
        let unit = StoredUnit(
            rendition: job.rendition.id, kind: job.unit.kind, number: job.unit.number, size: file.watermark,
            sha256: file.sha256, finding: fetched.finding, disguise: fetched.disguise)
        return SegmentCommitter.Finished(file: file, destination: target.appending(job.fileName), unit: unit)
    }

    /// Looks at what was copied, and takes off what hides media from players.
    private static func unwrapped(
        _ file: PartialFile, _ inspector: UnitInspector
    ) throws(StoreError) -> FetchedUnit {
        let finding = inspector.finding(try inspector.verdict(of: PartialBytes(file: file)))
        let isHidden = finding == .undecodable || finding == .unknown
        if isHidden, let fetched = try inspector.unwrapped(file) { return fetched }
        return FetchedUnit(finding: finding)
    }
}
