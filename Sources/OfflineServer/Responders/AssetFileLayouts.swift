internal import AssetFiles
internal import AssetStore
internal import Locking

/// The layouts of files that were made of assets lately. Requests for the same file share the work, which goes on
/// when they are gone.
final class AssetFileLayouts: Sendable {
    private struct Key: Hashable {
        var token: AssetToken
        var choice: AssetFileChoice
    }

    private struct Entry {
        var task: Task<Result<AssetFile, AssetFileError>, Never>
        /// The newest event in the store's log when the layout was begun; a newer event may mean a change.
        var event: Int64
        var usedAt: UInt64
    }

    private let state = Lock((entries: [Key: Entry](), clock: UInt64(0)))
    /// Layouts that are kept: each has some megabytes.
    private static let largestCount = 8

    /// The layout of an asset.
    ///
    /// - Parameter patience: how long to wait for it.
    /// - Returns: `nil` when it takes longer; then it is made all the same.
    func file(
        of token: AssetToken, _ choice: AssetFileChoice, in store: OfflineStore, patience: Duration
    ) async -> Result<AssetFile, AssetFileError>? {
        let event = await WorkPool.queries.run { (try? store.reader.lastEvent()) ?? 0 }
        let task = task(Key(token: token, choice: choice), event: event, store)
        return await withCheckedContinuation { continuation in
            let waiter = Lock<CheckedContinuation<Result<AssetFile, AssetFileError>?, Never>?>(continuation)
            @Sendable func end(_ result: Result<AssetFile, AssetFileError>?) {
                let waiting = waiter.withLock { waiting in
                    defer { waiting = nil }
                    return waiting
                }
                waiting?.resume(returning: result)
            }
            let alarm = Task {
                try? await Task.sleep(for: patience)
                end(nil)
            }
            Task {
                end(await task.value)
                alarm.cancel()
            }
        }
    }

    private func task(
        _ key: Key, event: Int64, _ store: OfflineStore
    ) -> Task<Result<AssetFile, AssetFileError>, Never> {
        state.withLock { state in
            state.clock += 1
            if var known = state.entries[key], known.event == event {
                known.usedAt = state.clock
                state.entries[key] = known
                return known.task
            }
            let task = Task.detached {
                await WorkPool.queries.run { () -> Result<AssetFile, AssetFileError> in
                    do throws(AssetFileError) {
                        return .success(try store.file(of: key.token, key.choice))
                    } catch {
                        return .failure(error)
                    }
                }
            }
            state.entries[key] = Entry(task: task, event: event, usedAt: state.clock)
            if state.entries.count > Self.largestCount,
                let oldest = state.entries.min(by: { $0.value.usedAt < $1.value.usedAt })
            {
                state.entries[oldest.key] = nil
            }
            return task
        }
    }
}
