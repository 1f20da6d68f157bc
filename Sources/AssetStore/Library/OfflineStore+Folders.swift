public import FoundationEssentials
internal import SystemPackage

extension OfflineStore {
    /// Copies an asset into a new folder that any web server can serve as HLS.
    ///
    /// - Parameters:
    ///   - id: the asset to copy.
    ///   - folder: a file URL at which nothing exists yet.
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

    /// Makes an asset of an HLS folder, or of a playlist file and the files beside and below it that it names. All
    /// files are copied.
    ///
    /// - Parameters:
    ///   - source: the file URL of a folder or a playlist.
    ///   - title: the asset's name for people; a part of the path when `nil`.
    /// - Throws: `StoreError.Code.notImportable` when there is no playlist.
    public func importAsset(from source: URL, title: String? = nil) async throws(StoreError) -> AssetToken {
        try await Self.onOwnThread { () throws(StoreError) in
            try await imports.add(FilePath(source.path(percentEncoded: false)), name: title).token
        }
    }

    /// Adds subtitle files to an asset as renditions, which are served to players in segments that match the video's.
    ///
    /// - Returns: the names of the new renditions.
    /// - Throws: `StoreError` before any change, if one of the files can't be fetched or read.
    @discardableResult
    public func addSubtitleFiles(
        _ files: [SubtitleSource], to id: AssetToken
    ) async throws(StoreError) -> [String] {
        try await Self.onOwnThread { () throws(StoreError) in try await tracks.addSubtitles(files, to: id) }
    }
}

extension StoreReader {
    /// Reads a store without working on it, also while another process does. A folder without a store is an empty
    /// store.
    ///
    /// - Throws: `StoreError.Code.storeFolder` when this user may not read the folder.
    public static func open(at folder: URL) async throws(StoreError) -> StoreReader {
        try await OfflineStore.onOwnThread { () throws(StoreError) in
            try StoreReader(root: FilePath(folder.path(percentEncoded: false)))
        }
    }
}
