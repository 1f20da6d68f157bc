internal import Crypto
internal import Foundation
internal import HLSPlaylist
internal import SidebandSubtitles
internal import SystemPackage

extension OfflineStore {
    /// Adds subtitle files to an asset as renditions: WebVTT, SubRip, ASS or TTML, by path or URL. Players get them
    /// cut along the video; the files are kept as they were given.
    ///
    /// - Returns: the names of the new renditions.
    /// - Throws: before anything is changed, when one of them can't be had or read.
    @discardableResult
    package func addSubtitles(
        _ sources: [SubtitleSource], to token: AssetToken, access: OriginAccess = OriginAccess()
    ) async throws(StoreError) -> [String] {
        try await resolveFirst(token)
        guard let asset = try catalog.assets.asset(token) else {
            throw StoreError(.noSuchAsset(token.description))
        }
        guard asset.state != .removing, asset.state != .resolving, try !catalog.queue.isUnresolved(token)
        else {
            throw StoreError(.wrongState(asset.state, wanted: "given subtitles"))
        }
        let origin = try context.origins.origin(access, of: asset.sourceURL)
        let names = try enter(try await read(sources, of: asset.sourceURL, origin: origin), into: token)
        changed(token)
        return names
    }

    /// Gets and reads subtitle files.
    ///
    /// - Parameters:
    ///   - stream: the address of the asset's stream.
    ///   - origin: how its host is asked.
    func read(
        _ sources: [SubtitleSource], of stream: String, origin: Origin
    ) async throws(StoreError) -> [ReadSubtitles] {
        var files: [ReadSubtitles] = []
        for source in sources {
            let bytes = try await content(of: source, stream: stream, origin: origin)
            files.append(
                ReadSubtitles(
                    source: source, original: bytes, file: try ReadSubtitles.parsed(bytes, source.redacted)))
        }
        return files
    }

    /// Cookies are for the stream's own host; of header fields see `HeaderRule`.
    private func content(
        of source: SubtitleSource, stream: String, origin: Origin
    ) async throws(StoreError) -> [UInt8] {
        guard source.isRemote else {
            guard let bytes = try DurableWrite.read(FilePath(source.source), limit: SubtitleSource.sizeLimit)
            else {
                throw .system(.read, FilePath(source.source), .noSuchFileOrDirectory)
            }
            return bytes
        }
        var origin = origin
        if URIReference(source.source).authority != URIReference(stream).authority {
            var access = origin.access
            (access.cookies, access.isPrivate) = (nil, false)
            origin = try context.origins.origin(access, of: stream)
        }
        origin = try await origin.adapted(to: source.source) ?? origin
        return try await origin.small(
            source.source, for: .subtitles, limit: UInt64(SubtitleSource.sizeLimit))
    }

    /// Writes the folders of subtitle files, then enters all of them in one transaction.
    func enter(_ files: [ReadSubtitles], into token: AssetToken) throws(StoreError) -> [String] {
        guard !files.isEmpty, let asset = try catalog.assets.asset(token) else { return [] }
        let rows = try catalog.renditions.all(of: [token])[token] ?? []
        let added = AddedSubtitles.all(files, beside: rows, of: asset.duration, asset.selection)
        let folders = try catalog.storage.prepare(added.map(\.row.name), of: token)
        do throws(StoreError) {
            for item in added { try item.write(to: paths.rendition(token, item.row.name)) }
            try FileSystem.syncDirectory(paths.asset(token))
            try catalog.renditions.insert(added, in: folders, of: token, paths)
        } catch {
            for item in added { try? FileSystem.removeTree(paths.rendition(token, item.row.name)) }
            try? catalog.storage.endDisposal(folders)
            throw error
        }
        return added.map(\.row.name)
    }

    /// The tracks of an asset that are made of subtitle files.
    func subtitleFileTracks(_ token: AssetToken) -> SubtitleFileTracks {
        SubtitleFileTracks(catalog: catalog, paths: paths, token: token)
    }
}
