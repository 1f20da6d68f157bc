internal import Dispatch
internal import Locking
internal import SystemPackage

/// Makes finished units durable and says so: flush, rename, flush the folder, one transaction.
///
/// Whatever arrives while one group is being committed makes up the next, so that many small segments share
/// the cost and one large segment waits for nobody.
final class SegmentCommitter: Sendable {
    /// A unit whose bytes are all in its partial file.
    struct Finished: Sendable {
        var file: PartialFile
        var destination: FilePath
        var unit: StoredUnit
        var folder: FilePath { destination.removingLastComponent() }
    }

    private struct Waiting {
        var finished: Finished
        var done: @Sendable (StoreError?) -> Void
    }

    private let catalog: Catalog
    private let queue = DispatchQueue(label: "offline-server.commit", qos: .userInitiated)
    private let waiting = Lock<[Waiting]>([])
    static let largestGroup = 64

    init(catalog: Catalog) { self.catalog = catalog }

    /// Commits one unit; returns when it is durable and entered.
    func commit(_ finished: Finished) async throws(StoreError) {
        let failure: StoreError? = await withCheckedContinuation { continuation in
            enqueue(Waiting(finished: finished) { continuation.resume(returning: $0) })
        }
        if let failure { throw failure }
    }

    /// Commits several units as one group.
    func commit(_ group: [Finished]) async throws(StoreError) {
        guard !group.isEmpty else { return }
        let failure: StoreError? = await withCheckedContinuation { continuation in
            queue.async {
                do throws(StoreError) {
                    try self.makeDurable(group)
                    continuation.resume(returning: nil)
                } catch {
                    continuation.resume(returning: error)
                }
            }
        }
        if let failure { throw failure }
    }

    private func enqueue(_ item: Waiting) {
        let isFirst = waiting.withLock { list in
            list.append(item)
            return list.count == 1
        }
        if isFirst { queue.async { self.commitGroups() } }
    }

    private func commitGroups() {
        while true {
            let group = waiting.withLock { Array($0.prefix(Self.largestGroup)) }
            guard !group.isEmpty else { return }
            commitGroup(group)
            let isEmpty = waiting.withLock { list in
                list.removeFirst(group.count)
                return list.isEmpty
            }
            if isEmpty { return }
        }
    }

    private func commitGroup(_ group: [Waiting]) {
        var failure: StoreError?
        do {
            try makeDurable(group.map(\.finished))
        } catch {
            failure = error
        }
        for item in group { item.done(failure) }
    }

    private func makeDurable(_ group: [Finished]) throws(StoreError) {
        for item in group { try item.file.synchronize() }
        var folders: [FilePath: FileSystem.FolderTime?] = [:]
        for item in group {
            try FileSystem.rename(item.file.path, to: item.destination)
            folders.updateValue(nil, forKey: item.folder)
        }
        for folder in folders.keys {
            try FileSystem.syncDirectory(folder)
            folders.updateValue(FileSystem.folderTime(folder), forKey: folder)
        }
        try catalog.markStored(
            group.map { item in
                var unit = item.unit
                unit.folderTime = folders[item.folder] ?? nil
                return unit
            })
    }
}
