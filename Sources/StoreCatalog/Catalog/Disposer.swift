internal import Dispatch
internal import Locking
package import Logging
internal import SystemPackage

/// Deletes folders in two steps: it moves a folder to `removed/` at once, then deletes its files one by one on a thread
/// of its own. Rows of the catalog list the deletions that are not done yet, so that none is forgotten after a crash.
package final class Disposer: Sendable {
    private let catalog: Catalog
    private let paths: StorePaths
    private let log: Logger
    private let pending = Lock(0)
    private let willForget = Lock(false)
    /// The folders that could not be moved, noted or deleted so far.
    private let undone = Lock<[Disposal]>([])
    private let failed = Lock(-Double.infinity)
    private let queue = DispatchQueue(label: "offline-server.disposal", qos: .utility)

    package init(catalog: Catalog, paths: StorePaths, log: Logger) {
        self.catalog = catalog
        self.paths = paths
        self.log = log
    }

    /// Moves folders to `removed/` and deletes them later. Readers with open files can still read them. A folder that
    /// can't be moved is deleted at its old path, before anything new is written there.
    ///
    /// - Parameter found: the items that are in `removed/` already.
    /// - Throws: the error of the first folder that could neither be moved nor deleted, or the error when no row could
    ///   be written. The other folders are moved, and the failed ones are tried again.
    package func dispose(_ items: [Disposal], found: Set<Int64> = []) throws(StoreError) {
        let (hidden, failure) = hide(items, found: found)
        if !hidden.isEmpty { later { self.deleteFirst(hidden) } }
        if let failure { throw failure }
    }

    /// Deletes items ahead of older ones: the failure of an item that is retried says nothing about new ones.
    private func deleteFirst(_ items: [Disposal]) {
        if !delete(items) { failed.withLock { $0 = SteadyClock.seconds } }
    }

    /// Moves folders to `removed/`, and notes that in their rows.
    ///
    /// - Parameter found: the items that are in `removed/` already. A folder at their old path is another one.
    /// - Returns: the folders to delete there, and the error of those that could not be moved.
    private func hide(
        _ items: [Disposal], found: Set<Int64>
    ) -> (hidden: [Disposal], failure: StoreError?) {
        var moved = items.filter { !$0.isMoved && found.contains($0.id) }
        var failure: StoreError?
        for item in items where !item.isMoved && !found.contains(item.id) {
            do throws(StoreError) {
                if try hide(item) { moved.append(item) }
            } catch {
                keep([item])
                failure = failure ?? error
            }
        }
        do throws(StoreError) {
            if !moved.isEmpty { try note(moved) }
            for index in moved.indices { moved[index].isMoved = true }
        } catch {
            keep(moved)
            (moved, failure) = ([], failure ?? error)
        }
        return (items.filter(\.isMoved) + moved, failure)
    }

    private func keep(_ items: [Disposal]) { undone.withLock { $0 += items } }

    /// Moves a folder to `removed/`.
    ///
    /// - Returns: whether it still has to be deleted.
    private func hide(_ item: Disposal) throws(StoreError) -> Bool {
        do throws(StoreError) {
            // A full file system has no block left even for a folder's name.
            try SpareRoom.using(paths.spareRoom) { () throws(StoreError) in
                try FileSystem.makeDirectory(paths.disposal)
                try move(item)
            }
            return true
        } catch {
            log.warning("cannot move removed files", metadata: ["error": "\(error.message)"])
        }
        try FileSystem.removeTree(folder(of: item))
        try catalog.storage.endDisposal([item])
        return false
    }

    private func note(_ moved: [Disposal]) throws(StoreError) {
        for folder in Set(moved.map { folder(of: $0).parent })
        where !FileSystem.isAbsent(folder) { try FileSystem.syncDirectory(folder) }
        try catalog.storage.setMoved(moved)
    }

    /// Erases the rows of removed assets from the catalog's files, after running deletions: sealed keys and header
    /// values were among them.
    package func forgetErased() {
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

    /// The time of the last failure to delete a folder that had just been moved, in seconds of the steady clock.
    package var lastFailure: Double { failed.withLock(\.self) }

    /// Whether all deletions are done, except those that keep failing.
    package var isIdle: Bool { pending.withLock { $0 == 0 } }

    private func move(_ item: Disposal) throws(StoreError) {
        let folder = folder(of: item)
        if !FileSystem.isAbsent(folder) { try FileSystem.rename(folder, to: place(of: item)) }
    }

    private func folder(of item: Disposal) -> FilePath { paths.assets.pushing(FilePath(item.path)) }

    private func place(of item: Disposal) -> FilePath { paths.disposal.appending("\(item.id)") }

    /// Deletes the folders in `removed/` one by one. A folder that can't be deleted does not keep the others from being
    /// deleted.
    ///
    /// - Returns: whether all of it is gone.
    @discardableResult
    private func delete(_ items: [Disposal]) -> Bool {
        var deleted: [Disposal] = []
        for item in items {
            do throws(StoreError) {
                try FileSystem.removeTree(place(of: item))
                deleted.append(item)
            } catch {
                // Its row stays, so that the next engine tries again, too.
                keep([item])
                log.warning("cannot delete removed files", metadata: ["error": "\(error.message)"])
            }
        }
        if !deleted.isEmpty { try? catalog.storage.endDisposal(deleted) }
        return deleted.count == items.count
    }

    /// Tries failed deletions again.
    package func tryAgain() {
        let items = undone.withLock { items in
            defer { items = [] }
            return items
        }
        if !items.isEmpty { later { self.goOn(with: items) } }
    }

    private func goOn(with items: [Disposal]) {
        let found = Set(items.filter { isFound($0) == true }.map(\.id))
        let ready = items.filter { found.contains($0.id) || isForGood($0) }
        keep(items.filter { item in !ready.contains { $0.id == item.id } })
        let (hidden, failure) = hide(ready, found: found)
        if let failure {
            log.warning("cannot delete removed files", metadata: ["error": "\(failure.message)"])
        }
        delete(hidden)
    }

    /// Whether a folder is in `removed/` already: a crash or a failed write may have come between the move and its
    /// note in the catalog. `nil` if this can't be found out; then the folder at the old path stays.
    private func isFound(_ item: Disposal) -> Bool? {
        let place = place(of: item)
        if item.isMoved || FileSystem.facts(place) != nil { return true }
        return FileSystem.isAbsent(place) ? false : nil
    }

    /// Whether the path can't have been used again: it belongs to a removed asset, and tokens are unique. Remains of
    /// other folders do no harm; the next engine finds out their owner.
    private func isForGood(_ item: Disposal) -> Bool {
        guard let token = AssetToken(String(item.path.prefix { $0 != "/" })) else { return true }
        do throws(StoreError) { return try catalog.assets.asset(token) == nil } catch { return false }
    }

    /// Goes on with the deletions of an earlier engine. A failed deletion does not keep the store from being opened.
    package func recover() throws(StoreError) {
        // Names are read before the rows: folders that are moved later have rows.
        let names = FileSystem.names(in: paths.disposal)
        let used = try catalog.storage.usedDisposals()
        let items = try catalog.storage.disposals()
        var (found, again, left) = ([Disposal](), [Disposal](), [Disposal]())
        for item in items {
            switch isFound(item) {
            case true?: found.append(item)
            case false?: if used.contains(item.id) { again.append(item) } else { left.append(item) }
            case nil: keep([item])
            }
        }
        if !again.isEmpty { try catalog.storage.endDisposal(again) }
        do throws(StoreError) {
            try dispose(found + left, found: Set(found.map(\.id)))
        } catch {
            log.warning("cannot delete removed files", metadata: ["error": "\(error.message)"])
        }
        deleteForgotten(names, except: Set(items.map(\.id)))
    }

    /// Deletes folders in `removed/` without a row: before a power cut, the deletion of the row reached the disk, and
    /// the deletion of the files did not.
    private func deleteForgotten(_ names: [String], except known: Set<Int64>) {
        let forgotten = names.compactMap { Int64($0) }.filter { $0 > 0 && !known.contains($0) }
        guard !forgotten.isEmpty else { return }
        later { self.delete(forgotten.map { Disposal(id: $0, path: "", isMoved: true) }) }
    }

    /// Returns when all deletions are done.
    package func untilDone() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }
}
