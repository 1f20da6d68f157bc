internal import Dispatch
internal import Locking
package import SystemPackage

/// Makes finished units durable and reports them: flush, rename, flush the folder, one transaction. If the store has
/// a bucket, the bucket has acknowledged the objects before that.
///
/// Units that arrive while one group is being committed form the next group, so that many small segments share the
/// cost and one large segment does not wait. If a unit can't be written, only this unit fails.
package final class SegmentCommitter: Sendable {
    private struct Waiting {
        var finished: FinishedUnit
        var done: @Sendable (StoreError?) -> Void
    }

    private let catalog: Catalog
    private let queue = DispatchQueue(label: "offline-server.commit", qos: .userInitiated)
    private let waiting = Lock<[Waiting]>([])
    private let observer = Lock<(@Sendable ([FilePath]) -> Void)?>(nil)
    package static let largestGroup = 64

    private let bucket: BucketMedia?

    package init(catalog: Catalog, bucket: BucketMedia? = nil) {
        (self.catalog, self.bucket) = (catalog, bucket)
    }

    /// Sets an observer that is called with the files of units after they are entered. It must not block.
    package func tell(_ body: (@Sendable ([FilePath]) -> Void)?) { observer.withLock { $0 = body } }

    /// Commits one unit; returns when it is durable and entered.
    package func commit(_ finished: FinishedUnit) async throws(StoreError) {
        let finished = try await uploaded(finished)
        Trace.pass(.commit, finished.destination.traced)
        let failure: StoreError? = await withCheckedContinuation { continuation in
            enqueue(Waiting(finished: finished) { continuation.resume(returning: $0) })
        }
        if let failure { throw failure }
        bucket?.keeps(finished.unit.size)
    }

    /// The unit with the object that the bucket has of it, when there is one.
    private func uploaded(_ finished: FinishedUnit) async throws(StoreError) -> FinishedUnit {
        guard let bucket else { return finished }
        var finished = finished
        finished.unit.object = try await bucket.upload(finished)
        return finished
    }

    /// Commits several units as one group.
    ///
    /// - Throws: the error of the first unit that failed; the others are stored nevertheless. If the bucket did not
    ///   take one of them, none is stored.
    package func commit(_ group: [FinishedUnit]) async throws(StoreError) {
        guard !group.isEmpty else { return }
        var uploaded: [FinishedUnit] = []
        for finished in group { uploaded.append(try await self.uploaded(finished)) }
        let group = uploaded
        let failures: [StoreError?] = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.makeDurable(group)) }
        }
        if let failure = failures.compactMap(\.self).first { throw failure }
        bucket?.keeps(group.reduce(0) { $0 + $1.unit.size })
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
        for (item, failure) in zip(group, makeDurable(group.map(\.finished))) { item.done(failure) }
    }

    /// Takes the units of a group from step to step; a unit that fails is left out of the next step.
    ///
    /// - Returns: the errors of units, in the order of the group; `nil` for stored ones.
    private func makeDurable(_ group: [FinishedUnit]) -> [StoreError?] {
        var failures = [StoreError?](repeating: nil, count: group.count)
        Self.step(group, &failures) { item throws(StoreError) in try item.file.synchronize() }
        Self.step(group, &failures) { item throws(StoreError) in
            try FileSystem.rename(item.file.path, to: item.destination)
        }
        var folders: [FilePath: Result<FolderTime?, StoreError>] = [:]
        for (item, failure) in zip(group, failures) where failure == nil && folders[item.folder] == nil {
            folders[item.folder] = Self.flush(item.folder)
        }
        var durable: [StoredUnit] = []
        Self.step(group, &failures) { item throws(StoreError) in
            var unit = item.unit
            unit.folderTime = try folders[item.folder]?.get() ?? nil
            durable.append(unit)
        }
        enter(durable, &failures)
        if let tell = observer.withLock(\.self) {
            tell(zip(group, failures).filter { $1 == nil }.map(\.0.destination))
        }
        return failures
    }

    /// Calls a step for each unit that has not failed yet.
    private static func step(
        _ group: [FinishedUnit], _ failures: inout [StoreError?],
        work: (FinishedUnit) throws(StoreError) -> Void
    ) {
        for (index, item) in group.enumerated() where failures[index] == nil {
            do throws(StoreError) { try work(item) } catch { failures[index] = error }
        }
    }

    private static func flush(_ folder: FilePath) -> Result<FolderTime?, StoreError> {
        do throws(StoreError) {
            try FileSystem.syncDirectory(folder)
            return .success(FileSystem.folderTime(folder))
        } catch {
            return .failure(error)
        }
    }

    /// Enters units in one transaction; if it fails, all of them fail.
    private func enter(_ units: [StoredUnit], _ failures: inout [StoreError?]) {
        guard !units.isEmpty else { return }
        do throws(StoreError) {
            try catalog.units.markStored(units)
        } catch {
            for index in failures.indices where failures[index] == nil { failures[index] = error }
        }
    }
}
