/// Changes of an asset, and repairs.
extension OfflineStore {
    /// Adds renditions to an asset, under the same token: what `selection` names of its stream, and subtitle files.
    /// Only what the asset does not have is fetched; what it has is served meanwhile as before. Doing it twice is as
    /// good as once.
    ///
    /// - Parameters:
    ///   - selection: what of it is not the default is wished for; `nil` is nothing.
    ///   - isStrict: whether all of it has to be in the stream.
    /// - Throws: `leftOut` when it is not and has to be; `imported` when it came from a folder and has no stream; `streamChanged` when the origin has another stream now; `nothingSelected` when it does not offer
    ///   what is wished for; `license` when more keys are needed and the license has ended; `wrongState` when its state
    ///   forbids that, or when it was cancelled meanwhile.
    public func addTracks(
        _ selection: Selection?, subtitleFiles: [SubtitleSource] = [], to token: AssetToken,
        isStrict: Bool = false
    ) async throws(StoreError) -> TracksAdded {
        try await Self.onOwnThread { () throws(StoreError) in
            try await tracks.add(selection, subtitleFiles: subtitleFiles, to: token, isStrict: isStrict)
        }
    }

    /// Takes renditions out of an asset and frees what they use; the main one stays. Keys that nothing else needs
    /// go with them.
    ///
    /// - Throws: `noSuchRendition` or `mainRendition`, changing nothing.
    public func removeTracks(_ names: [String], from token: AssetToken) async throws(StoreError) {
        try await Self.onOwnThread { () throws(StoreError) in
            try await tracks.remove(names, from: token)
        }
    }

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
        try await Self.onOwnThread { () throws(StoreError) in
            try await sources.relink(token, to: url, edit)
        }
    }

    /// Changes how the origin of an asset is asked, from the next request on. A download that was refused goes on; nothing
    /// that is stored is fetched again.
    public func changeAccess(of token: AssetToken, _ edit: AccessEdit) async throws(StoreError) {
        try await Self.onOwnThread { () throws(StoreError) in
            try await sources.changeAccess(of: token, edit)
        }
    }

    /// Takes the stream that an asset's origin has now in the place of the one of which a part is stored: under the same
    /// token and license, all of it is fetched anew. Nothing is lost when it can't be read.
    ///
    /// - Returns: whether it was another stream; else nothing was done.
    @discardableResult
    public func acceptChanges(of token: AssetToken) async throws(StoreError) -> Bool {
        try await Self.onOwnThread { () throws(StoreError) in
            try await sources.acceptChanges(of: token)
        }
    }

    /// Reads every stored file of an asset again and compares its SHA-256. What is gone or damaged is not
    /// served any more; `repair` fetches it again. What nobody has looked at yet is looked at: can it be decoded?
    public func verify(_ token: AssetToken) async throws(StoreError) -> Verification {
        try await Self.onOwnThread { () throws(StoreError) in
            try await repairer.verify(token)
        }
    }

    /// Fetches what is missing of an asset, gone or damaged; goes on with one that failed, was paused or cancelled.
    /// One that is complete and lacks nothing stays complete.
    ///
    /// - Parameters:
    ///   - isReading: whether every stored byte is read and compared, which takes its time. Else only the lengths of
    ///     files are looked at.
    ///   - starts: whether what is queued then begins at once, and not with the next `start`.
    /// - Returns: whether there was anything to mend, or something was under way.
    /// - Throws: `notInSource`, leaving its state, when it was imported and its folder has not got what it lacks;
    ///   likewise `notWhole` when parts of it have gone meanwhile.
    @discardableResult
    public func repair(
        _ token: AssetToken, isReading: Bool = true, starts: Bool = true
    ) async throws(StoreError) -> Bool {
        try await Self.onOwnThread { () throws(StoreError) in
            try await repairer.repair(token, isReading: isReading, starts: starts)
        }
    }
}
