internal import Dispatch
internal import Locking
internal import Logging
internal import SystemPackage

/// Deletes folders in two steps: out of view at once, then file by file on a thread of its own, however long
/// it takes. Rows say what is left to do, so that a crash in between forgets nothing.
final class Disposer: Sendable {
    private let catalog: Catalog
    private let paths: StorePaths
    private let log: Logger
    private let pending = Lock(0)
    private let willForget = Lock(false)
    private let queue = DispatchQueue(label: "offline-server.disposal", qos: .utility)

    init(catalog: Catalog, paths: StorePaths, log: Logger) {
        self.catalog = catalog
        self.paths = paths
        self.log = log
    }

    /// Moves folders out of view and deletes them later. Readers that have their files open keep what they have.
    func dispose(_ items: [Disposal]) throws(StoreError) {
        let new = items.filter { !$0.isMoved }
        if !new.isEmpty {
            // A file system that is full has no block left even for a folder's name.
            try SpareRoom.using(paths.spareRoom) { () throws(StoreError) in
                try FileSystem.makeDirectory(paths.disposal)
                for item in new { try move(item) }
            }
            for folder in Set(new.map { folder(of: $0).removingLastComponent() })
            where FileSystem.facts(folder) != nil { try FileSystem.syncDirectory(folder) }
            try catalog.setMoved(new)
        }
        guard !items.isEmpty else { return }
        later { self.delete(items) }
    }

    /// Has the rows of what was removed gone from the catalog's files, too, after what is being deleted: sealed keys and
    /// header values were among them.
    func forgetErased() {
        let isAlone = willForget.withLock { willForget in
            defer { willForget = true }
            return !willForget
        }
        guard isAlone else { return }
        later {
            self.willForget.withLock { $0 = false }
            self.catalog.forgetErased()
        }
    }

    private func later(_ work: @escaping @Sendable () -> Void) {
        pending.withLock { $0 += 1 }
        queue.async {
            work()
            self.pending.withLock { $0 -= 1 }
        }
    }

    /// Whether everything is deleted that was to be.
    var isIdle: Bool { pending.withLock { $0 == 0 } }

    private func move(_ item: Disposal) throws(StoreError) {
        let (place, folder) = (place(of: item), folder(of: item))
        // A crash may have come after the move and before its note.
        guard FileSystem.facts(place) == nil, FileSystem.facts(folder) != nil else { return }
        try FileSystem.rename(folder, to: place)
    }

    private func folder(of item: Disposal) -> FilePath { paths.assets.pushing(FilePath(item.path)) }

    private func place(of item: Disposal) -> FilePath { paths.disposal.appending("\(item.id)") }

    private func delete(_ items: [Disposal]) {
        var deleted: [Disposal] = []
        do throws(StoreError) {
            defer { try? catalog.endDisposal(deleted) }
            for item in items {
                try FileSystem.removeTree(place(of: item))
                deleted.append(item)
            }
        } catch {
            // The rows stay, and so the next engine tries again.
            log.warning("cannot delete what was removed", metadata: ["error": "\(error.message)"])
        }
    }

    /// Goes on with what an earlier engine left.
    func recover() throws(StoreError) {
        try dispose(try catalog.disposals())
    }

    /// Returns when nothing is left to delete.
    func untilDone() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }
}
