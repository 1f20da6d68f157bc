internal import Glibc
internal import HLSPlaylist
internal import SidebandSubtitles
package import SystemPackage

/// The result of an export.
public struct ExportedAsset: Sendable {
    /// How many files.
    public var files: Int
    /// The names of the incomplete renditions that were left out, and the name of a poster whose file is missing.
    public var leftOut: [String]
}

/// Copies assets out of the store.
package struct AssetExporter: ReaderRole {
    let reader: StoreReader

    /// Copies an asset into a new folder that any web server can serve. All files but keys can be read by everybody,
    /// as far as the process's file mode creation mask permits.
    ///
    /// - Parameters:
    ///   - withKeys: writes content keys in the clear beside the segments, in `keys`.
    ///   - withSource: writes the whole address that the asset came from, which may hold secrets.
    ///   - recipient: the store for which keys and license are sealed, in `keys.sealed`.
    /// - Throws: `license`, `key`, `vault` or `notWhole` if the asset can't be played offline; `integrity` if a
    ///   copied file differs from its hash. The folder gets its name when all is in it; an error leaves nothing.
    @discardableResult
    package func export(
        _ token: AssetToken, to folder: FilePath, withKeys: Bool, withSource: Bool = false,
        keysFor recipient: StorePublicKey? = nil
    ) throws(StoreError) -> ExportedAsset {
        let asset = try reader.requireAsset(token)
        guard FileSystem.isAbsent(folder) else { throw .system(.create, folder, reason: .fileExists) }
        if let obstacle = try obstacle(asset) { throw obstacle }
        let part = try PartFolder(for: folder)
        do throws(StoreError) {
            if let recipient { try writeKeys(of: token, to: part.path, for: recipient) }
            var exported = try copy(asset, to: part.path, withKeys: withKeys, withSource: withSource)
            exported.files += recipient == nil ? 0 : 1
            try part.finish()
            return exported
        } catch {
            part.discard()
            throw error
        }
    }

    /// The temporary folder of an export. A killed export leaves it, and the next export to the same place deletes it.
    package static func partFolder(for folder: FilePath) -> FilePath { PartFolder.path(for: folder) }

    /// The obstacle to an export; `nil` without one.
    private func obstacle(_ asset: Asset) throws(StoreError) -> StoreError? {
        let blockedBy = asset.availability.blockedBy
        // The last reason is used: a clock that was set back is listed after the end of the license, and explains it.
        if let refusal = blockedBy.compactMap({ LicenseRefusal(rawValue: $0.rawValue) }).last {
            return StoreError(.license(refusal, asset.token))
        }
        guard !asset.availability.offline else { return nil }
        guard blockedBy == [.keyMissing] else { return StoreError(.notWhole(asset.token)) }
        guard let catalog, try !reader.keyOpener().opensAny(in: catalog) else {
            return StoreError(.key(.missing))
        }
        return StoreError(.vault)
    }

    /// Copies the complete renditions. Others are left out, since every listed segment must exist.
    private func copy(
        _ asset: Asset, to folder: FilePath, withKeys: Bool, withSource: Bool
    ) throws(StoreError) -> ExportedAsset {
        var count = 1
        try paths.media?.restore(asset.token)
        let source = paths.asset(asset.token)
        let whole = try reader.wholeRenditions(of: asset.token)
        let names = Set(whole.map(\.name))
        for rendition in whole where rendition.hasPlaylist {
            try bring(rendition.name, of: asset.token)
            count += try Self.copyFolder(
                source.appending(rendition.name), to: folder.appending(rendition.name))
        }
        try compare(whole, of: asset.token, in: folder)
        if let catalog, try !catalog.interstitials.all(of: asset.token).isEmpty {
            // Assets of interstitials are assets of their own.
            let playlists = BundlePlaylists(catalog: catalog, paths: paths, token: asset.token)
            for (name, bytes) in try playlists.whole(asFolder: true, skipsUnreadable: true) {
                let path = folder.pushing(FilePath(name))
                if FileSystem.isThere(path) { try DurableWrite.write(bytes, to: path, mode: 0o644) }
            }
        }
        try writeAddedSubtitles(of: asset.token, names, to: folder)
        let poster = try copyPoster(of: asset, to: folder)
        if poster != nil { count += 1 }
        count += try writeFacts(of: asset, to: folder, withSource: withSource)
        if withKeys { count += try writeKeys(of: asset.token, to: folder.appending("keys")) }
        let master =
            try reader.playlists.multivariantPlaylist(asset.token, poster: poster, inFolder: names) ?? []
        try DurableWrite.write(master, to: folder.appending(ServedMultivariantPlaylist.fileName), mode: 0o644)
        var leftOut = asset.renditions.map(\.name).filter { !names.contains($0) }
        if poster == nil, let lost = asset.poster { leftOut.append(lost) }
        return ExportedAsset(files: count, leftOut: leftOut)
    }

    /// Copies the files of a rendition from the bucket into the store's folder. The folder's cache must have room for
    /// all of them.
    private func bring(_ name: String, of token: AssetToken) throws(StoreError) {
        guard let catalog, let row = try catalog.renditions.rendition(token, name) else { return }
        for unit in try catalog.units.outlines(of: row.id) where unit.isInBucket {
            guard paths.media != nil else {
                throw StoreError(.mediaElsewhere(try catalog.storage.mediaPlace() ?? "a bucket"))
            }
            let id = UnitID(rendition: name, kind: unit.kind, number: unit.number)
            _ = try paths.file(
                of: id, token, named: UnitJob.fileName(unit.kind, unit.number, container: row.container))
        }
    }

    /// Compares the copied files with the stored hashes.
    ///
    /// - Throws: `integrity` with all files whose bytes differ; they are noted as damaged.
    private func compare(
        _ renditions: [AssetRendition], of token: AssetToken, in folder: FilePath
    ) throws(StoreError) {
        var changed: [AbsentRow] = []
        var names: [String] = []
        for rendition in renditions where rendition.hasPlaylist {
            guard let row = try catalog?.renditions.rendition(token, rendition.name) else { continue }
            for unit in try catalog?.units.all(of: row.id, states: [.stored]) ?? [] {
                let name = UnitJob(unit: unit, rendition: row).fileName
                let copy = folder.appending(rendition.name).appending(name)
                guard try FilePieces.sha256(of: copy) != unit.sha256 else { continue }
                changed.append(AbsentRow(unit, of: row, isGone: false))
                names.append("\(rendition.name)/\(name)")
            }
        }
        guard !changed.isEmpty else { return }
        reader.discoveries.add(changed, of: token)
        throw StoreError(.integrity(.hash), url: "\(token): \(names.joined(separator: ", "))")
    }

    /// Copies the poster and returns its name; `nil` if there is none or its file was deleted. The export goes on
    /// without it.
    private func copyPoster(of asset: Asset, to folder: FilePath) throws(StoreError) -> String? {
        let source = paths.asset(asset.token)
        guard let poster = asset.poster, FileSystem.isThere(source.appending(poster)) else { return nil }
        try FilePieces.copy(source.appending(poster), to: folder.appending(poster))
        return poster
    }

    /// Copies the files of a rendition, except unfinished ones.
    ///
    /// - Returns: their number.
    /// - Throws: also if the folder can't be listed.
    static func copyFolder(_ source: FilePath, to target: FilePath) throws(StoreError) -> Int {
        try FileSystem.makeDirectory(target, mode: 0o755)
        let names = try FileSystem.contents(of: source).filter { !$0.hasPrefix(".") }
        for name in names { try FilePieces.copy(source.appending(name), to: target.appending(name)) }
        try FileSystem.syncDirectory(target)
        return names.count
    }

    /// Writes the tracks of subtitle files with X-TIMESTAMP-MAP, which maps their times to the timestamps of the
    /// video.
    private func writeAddedSubtitles(
        of token: AssetToken, _ names: Set<String>, to folder: FilePath
    ) throws(StoreError) {
        for rendition in try reader.captions.subtitleRenditions(token) ?? [] where rendition.isExternal {
            guard names.contains(rendition.name),
                let made = try reader.captions.subtitles(token, rendition.name),
                let ticks = made.firstTicks
            else { continue }
            let writer = WebVTTWriter(timestampMap: TimestampMap(mpegTicks: ticks))
            let path = folder.appending(rendition.name).appending(AddedSubtitles.trackName)
            try DurableWrite.write(writer.bytes(of: made.track), to: path, mode: 0o644)
        }
    }

    private func writeKeys(of token: AssetToken, to folder: FilePath) throws(StoreError) -> Int {
        let keys = try openedKeys(of: token)
        guard !keys.isEmpty else { return 0 }
        try FileSystem.makeDirectory(folder)
        for (key, bytes) in keys { try DurableWrite.write(bytes, to: folder.appending("\(key.id).key")) }
        return keys.count
    }

    /// The keys of an asset in the clear. Keys of key systems that are missing or can't be unsealed are left out,
    /// since players that have a usable key do not request them.
    func openedKeys(of token: AssetToken) throws(StoreError) -> [(key: KeyRecord, bytes: [UInt8])] {
        let keys = try catalog?.renditions.keys(of: token) ?? []
        guard !keys.isEmpty else { return [] }
        let vault = try reader.openedVault()
        var opened: [(key: KeyRecord, bytes: [UInt8])] = []
        for key in keys {
            if let bytes = key.opened(by: vault, for: token) {
                opened.append((key, bytes))
            } else if key.format == nil {
                throw StoreError(.key(.missing))
            }
        }
        return opened
    }
}
