/// Changes of an asset, and repairs.
extension OfflineStore {
    /// Adds renditions of the stream and subtitle files to an asset. The token stays the same. Only renditions that the
    /// asset lacks are fetched; players get the others meanwhile. Adding a rendition twice changes nothing.
    ///
    /// - Parameters:
    ///   - token: the asset that gets them.
    ///   - selection: the renditions to add. Members that have their default value add nothing; `nil` adds no rendition
    ///     of the stream.
    ///   - subtitleFiles: subtitles that the stream does not have.
    ///   - isStrict: whether the call fails when the stream lacks one of them.
    /// - Throws: `leftOut` when the stream lacks a rendition and `isStrict` is true; `imported` when the asset was
    ///   imported and has no stream; `streamChanged` when the origin has another stream now; `nothingSelected` when the
    ///   stream has none of the renditions; `license` when more keys are needed and the license has ended; `wrongState`
    ///   when the asset's state forbids it, or when the asset was cancelled meanwhile.
    public func addTracks(
        _ selection: Selection?, subtitleFiles: [SubtitleSource] = [], to token: AssetToken,
        isStrict: Bool = false
    ) async throws(StoreError) -> TracksAdded {
        try await Self.onOwnThread { () throws(StoreError) in
            try await tracks.add(selection, subtitleFiles: subtitleFiles, to: token, isStrict: isStrict)
        }
    }

    /// Removes renditions and their media from an asset. The main rendition can't be removed. Content keys that no
    /// other rendition needs are removed, too.
    ///
    /// - Throws: `noSuchRendition` or `mainRendition`, changing nothing.
    public func removeTracks(_ names: [String], from token: AssetToken) async throws(StoreError) {
        try await Self.onOwnThread { () throws(StoreError) in
            try await tracks.remove(names, from: token)
        }
    }

    /// Gives an asset a fresh address of the same stream. Stored media stay. Missing media are fetched from the new
    /// address. A failed download goes on. Renditions that were given up are tried again, unless the asset is complete
    /// or the new address has other media for them.
    ///
    /// - Parameters:
    ///   - url: the fresh address.
    ///   - token: the asset that gets it.
    ///   - edit: changes of the access to the origin.
    /// - Returns: whether stored segments of a complete asset were compared with those at the new address. An
    ///   incomplete asset is compared while its download goes on.
    /// - Throws: `notSameStream` when the new address lacks a missing segment, or has other media than those that are
    ///   stored; the reason when one of its playlists can't be read. Nothing has changed then.
    @discardableResult
    public func relink(
        _ token: AssetToken, to url: String, _ edit: AccessEdit = AccessEdit()
    ) async throws(StoreError) -> Bool {
        try await Self.onOwnThread { () throws(StoreError) in
            try await sources.relink(token, to: url, edit)
        }
    }

    /// Changes the headers, cookies and other access settings of an asset, from the next request on. A download that
    /// the origin refused goes on. Stored media are not fetched again.
    public func changeAccess(of token: AssetToken, _ edit: AccessEdit) async throws(StoreError) {
        try await Self.onOwnThread { () throws(StoreError) in
            try await sources.changeAccess(of: token, edit)
        }
    }

    /// Replaces the stored media by the stream that the origin has now. Token and license stay, and all media are
    /// fetched anew. If the new stream can't be read, the stored media stay.
    ///
    /// - Returns: whether the origin had another stream. If not, nothing was done.
    @discardableResult
    public func acceptChanges(of token: AssetToken) async throws(StoreError) -> Bool {
        try await Self.onOwnThread { () throws(StoreError) in
            try await sources.acceptChanges(of: token)
        }
    }

    /// Reads every stored file of an asset again and compares its SHA-256. Missing and damaged segments are not served
    /// any more; `repair` fetches them again. Segments that were never checked are checked: can a player decode them?
    public func verify(_ token: AssetToken) async throws(StoreError) -> Verification {
        try await Self.onOwnThread { () throws(StoreError) in
            try await repairer.verify(token)
        }
    }

    /// Fetches the missing and damaged segments of an asset. A failed, paused or cancelled download goes on. A complete
    /// asset that lacks nothing stays complete.
    ///
    /// - Parameters:
    ///   - token: the asset to repair.
    ///   - isReading: whether every stored byte is read and compared, which is slow. If not, only the lengths of files
    ///     are compared.
    ///   - starts: whether the download begins at once; otherwise it begins with the next `start`.
    /// - Returns: whether something had to be repaired, or a download was running.
    /// - Throws: `notInSource` when the asset was imported and its folder lacks the missing files; `notWhole` when
    ///   files disappeared meanwhile. The state of the asset stays as it was.
    @discardableResult
    public func repair(
        _ token: AssetToken, isReading: Bool = true, starts: Bool = true
    ) async throws(StoreError) -> Bool {
        try await Self.onOwnThread { () throws(StoreError) in
            try await repairer.repair(token, isReading: isReading, starts: starts)
        }
    }
}
