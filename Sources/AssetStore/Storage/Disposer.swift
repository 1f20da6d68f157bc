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
    private let queue = DispatchQueue(label: "offline-server.disposal", qos: .utility)

    init(catalog: Catalog, paths: StorePaths, log: Logger) {
        self.catalog = catalog
        self.paths = paths
        self.log = log
    }

    /// Moves a folder out of view and deletes it later. Readers that have its files open keep what they have.
    func dispose(_ item: Disposal) throws(StoreError) {
        let place = place(of: item)
        if !item.isMoved {
            try FileSystem.makeDirectory(paths.disposal)
            let folder = paths.assets.pushing(FilePath(item.path))
            // A crash may have come after the move and before its note.
            if FileSystem.facts(place) == nil, FileSystem.facts(folder) != nil {
                try FileSystem.rename(folder, to: place)
                try FileSystem.syncDirectory(folder.removingLastComponent())
            }
            try catalog.setMoved(item.id)
        }
        pending.withLock { $0 += 1 }
        queue.async {
            self.delete(place, item.id)
            self.pending.withLock { $0 -= 1 }
        }
    }

    /// Whether everything is deleted that was to be.
    var isIdle: Bool { pending.withLock { $0 == 0 } }

    private func place(of item: Disposal) -> FilePath { paths.disposal.appending("\(item.id)") }

    private func delete(_ place: FilePath, _ id: Int64) {
        do throws(StoreError) {
            try FileSystem.removeTree(place)
            try catalog.endDisposal(id)
        } catch {
            // The row stays, and so the next engine tries again.
            log.warning("cannot delete what was removed", metadata: ["error": "\(error.message)"])
        }
    }

    /// Goes on with what an earlier engine left.
    func recover() throws(StoreError) {
        for item in try catalog.disposals() { try dispose(item) }
    }

    /// Returns when nothing is left to delete.
    func untilDone() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }
}
