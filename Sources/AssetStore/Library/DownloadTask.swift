/// The download of one asset: its progress, and its controls.
///
/// A task is a handle. Any number of tasks may refer to one asset. The download goes on when the last handle is
/// released.
///
/// ```swift
/// let download = try await store.download(DownloadRequest(url: streamURL))
/// for try await step in download.progress { print(step.fraction) }
///
/// // In a later run of the app:
/// for download in try await store.downloadTasks() { try await download.resume() }
/// ```
public struct DownloadTask: Identifiable, Sendable {
    /// The permanent name of the asset. `id.description` is text to keep, and `AssetToken(text)` reads it again.
    public let id: AssetToken
    /// The parts of the request that the asset lacks; empty for a task of ``OfflineStore/downloadTask(for:)``.
    public let leftOut: [LeftOut]
    let store: OfflineStore

    init(id: AssetToken, leftOut: [LeftOut] = [], store: OfflineStore) {
        (self.id, self.leftOut, self.store) = (id, leftOut, store)
    }

    /// The progress of the download, from now to its end. Each loop over it gets all steps.
    public var progress: DownloadProgress { DownloadProgress(id: id, store: store) }

    /// Stops the transfers. Stored media stay and can be played.
    ///
    /// - Throws: `StoreError.Code.noSuchAsset`.
    public func pause() async throws(StoreError) { try await perform(.pause) }

    /// Goes on with a paused, cancelled or failed download.
    ///
    /// - Throws: `StoreError.Code.noSuchAsset`.
    public func resume() async throws(StoreError) { try await perform(.resume) }

    /// Cancels the download. Stored media are kept for a day, in case the download is resumed.
    ///
    /// - Parameter deletesMedia: whether to delete the media at once.
    /// - Throws: `StoreError.Code.noSuchAsset`, or `wrongState` when the download is complete.
    public func cancel(deletesMedia: Bool = false) async throws(StoreError) {
        try await perform(.cancel, purge: deletesMedia)
    }

    private func perform(_ action: AssetAction, purge: Bool = false) async throws(StoreError) {
        try await OfflineStore.onOwnThread { () throws(StoreError) in
            _ = try await store.control.perform(action, on: id, purge: purge)
        }
    }
}

extension OfflineStore {
    /// Reads a stream's playlists, gets its content keys and queues its download. From then on the asset can be
    /// played.
    ///
    /// If this throws, no trace of the asset is left in the store.
    ///
    /// - Throws: `StoreError`; for example `status` when the origin refuses the playlists, `ineligible` for a live
    ///   stream without ``DownloadRequest/recording``, `nothingSelected`, or `key`.
    public func download(_ request: DownloadRequest) async throws(StoreError) -> DownloadTask {
        try await Self.onOwnThread { () throws(StoreError) in
            let added = try await intake.add(AssetRequest(request))
            return DownloadTask(id: added.token, leftOut: added.leftOut, store: self)
        }
    }

    /// Queues the downloads of many streams, all of them or none. Their playlists are read when their turn is near; a
    /// stream that can't be downloaded makes its own asset fail then.
    ///
    /// - Returns: a task for each request, in order.
    /// - Throws: `StoreError.Code.invalidURL` if one of the addresses is not valid.
    public func download(_ requests: [DownloadRequest]) async throws(StoreError) -> [DownloadTask] {
        try await Self.onOwnThread { () throws(StoreError) in
            let entered = try await intake.enqueue(requests.map { AssetRequest($0) })
            return entered.tokens.map { DownloadTask(id: $0, store: self) }
        }
    }

    /// The download of an asset, which an earlier run of the program may have requested.
    ///
    /// - Throws: `StoreError.Code.noSuchAsset`.
    public func downloadTask(for id: AssetToken) async throws(StoreError) -> DownloadTask {
        try await Self.onOwnThread { () throws(StoreError) in
            try reader.requireProgress(of: id)
            return DownloadTask(id: id, store: self)
        }
    }

    /// The downloads that are not complete, the oldest first.
    public func downloadTasks() async throws(StoreError) -> [DownloadTask] {
        try await Self.onOwnThread { () throws(StoreError) in
            let states = Set(AssetState.allCases).subtracting([.complete, .removing])
            return try catalog.assets.tokens(in: AssetState.allCases.filter(states.contains)).map {
                DownloadTask(id: $0, store: self)
            }
        }
    }

    /// Everything known of an asset, after a look at its files.
    ///
    /// - Throws: `StoreError.Code.noSuchAsset`, or `file` when its files can't be looked at.
    public func asset(_ id: AssetToken) async throws(StoreError) -> Asset {
        try await Self.onOwnThread { () throws(StoreError) in try reader.requireAsset(id) }
    }

    /// All assets, the newest first.
    public func assets() async throws(StoreError) -> [Asset] {
        try await Self.onOwnThread { () throws(StoreError) in try reader.assets() }
    }
}
