public import FoundationEssentials
internal import Locking
public import Logging
internal import SystemPackage

extension OfflineStore {
    /// Opens the store in a folder for work on it, and creates the folder and the store if they don't exist.
    ///
    /// Queued downloads of earlier runs go on at once, unless `startsDownloads` is `false`; ``start()`` starts them
    /// then. One process at a time works on a store. Close it with ``close()``.
    ///
    /// ```swift
    /// let store = try await OfflineStore.open(at: URL.documentsDirectory.appending(path: "Streams"))
    /// ```
    ///
    /// - Parameters:
    ///   - folder: a file URL.
    ///   - configuration: limits, key providers and more; the store's `config.json` has the values that are not set
    ///     here.
    ///   - startsDownloads: whether queued downloads begin before this returns.
    ///   - log: takes warnings. Nothing secret is written to it.
    /// - Throws: `StoreError.Code.storeInUse` with its process when another process works on the store, `storeFolder`
    ///   or `diskFull` when the folder can't be written, `storeTooNew` when a newer version made the store.
    public static func open(
        at folder: URL, configuration: Configuration = Configuration(), startsDownloads: Bool = true,
        log: Logger = Logger(label: "offline-server")
    ) async throws(StoreError) -> OfflineStore {
        guard folder.isFileURL else { throw StoreError(.noStore(folder.absoluteString)) }
        let path = FilePath(folder.path(percentEncoded: false))
        let store = try await onOwnThread { () throws(StoreError) in
            try OfflineStore(root: path, configuration: configuration, log: log)
        }
        if startsDownloads { await store.start() }
        return store
    }

    /// Ends all transfers and closes the store. Downloads that were running go on when the store is opened again.
    ///
    /// Stop servers of the store first. A second call waits for the end of the first one.
    public func close() async {
        let end = closing.withLock { task in
            let running = task ?? Task(executorPreference: Self.threads) { await self.stop() }
            task = running
            return running
        }
        await end.value
    }

    /// The folder of the store.
    public var folder: URL { URL(filePath: paths.root.string, directoryHint: .isDirectory) }

    /// Threads for blocking work that an app has asked for.
    static let threads = WorkPool(threads: 4)

    /// Runs code that reads or writes files on one of these threads, so that it does not block Swift's cooperative
    /// pool.
    static func onOwnThread<Value>(
        _ body: () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        try await withTaskExecutorPreference(threads, operation: body)
    }
}
