public import FoundationEssentials
internal import SystemPackage

extension OfflineStore {
    /// Copies an asset into a new folder that any web server can serve as HLS.
    ///
    /// - Parameters:
    ///   - folder: a file URL where nothing is yet.
    ///   - includesKeys: whether content keys are written in the clear beside the segments.
    /// - Throws: `StoreError.Code.notWhole`, `license` or `key` when the asset can't be played offline; `file` when the
    ///   folder can't be made.
    @discardableResult
    public func export(
        _ id: AssetToken, to folder: URL, includesKeys: Bool = false
    ) async throws(StoreError) -> ExportedAsset {
        try await Self.onOwnThread { () throws(StoreError) in
            try reader.exporter.export(
                id, to: FilePath(folder.path(percentEncoded: false)), withKeys: includesKeys)
        }
    }

    /// Makes an asset of an HLS folder, or of a playlist file and what it names beside and below it. Everything is copied.
    ///
    /// - Parameters:
    ///   - source: the file URL of a folder or a playlist.
    ///   - title: the asset's name for people; a part of the path when `nil`.
    /// - Throws: `StoreError.Code.notImportable` when there is no playlist.
    public func importAsset(
        from source: URL, title: String? = nil
    ) async throws(StoreError) -> AssetToken {
        try await Self.onOwnThread { () throws(StoreError) in
            try await imports.add(FilePath(source.path(percentEncoded: false)), name: title).token
        }
    }

    /// Adds subtitle files to an asset as renditions, which players get cut along the video.
    ///
    /// - Returns: the names of the new renditions.
    /// - Throws: `StoreError` before anything is changed, when one of the files can't be had or read.
    @discardableResult
    public func addSubtitleFiles(
        _ files: [SubtitleSource], to id: AssetToken
    ) async throws(StoreError) -> [String] {
        try await Self.onOwnThread { () throws(StoreError) in try await tracks.addSubtitles(files, to: id) }
    }
}

extension StoreReader {
    /// Looks at a store without working on it, also while another process does. A store that is not there is empty.
    ///
    /// - Throws: `StoreError.Code.storeFolder` when this user may not read the folder.
    public static func open(at folder: URL) async throws(StoreError) -> StoreReader {
        try await OfflineStore.onOwnThread { () throws(StoreError) in
            try StoreReader(root: FilePath(folder.path(percentEncoded: false)))
        }
    }
}
