internal import Locking
package import SystemPackage

/// The units that are arriving or requested, with their growing files: one file for each unit, shared by its transfer
/// and all its readers, whichever comes first.
package final class ArrivingUnits: Sendable {
    private struct Entry {
        var file: PartialFile
        var isBegun = false
        /// The waiters until it is stored, or given up.
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]

        func giveUp(_ reason: StoreError?) {
            file.finish(.failed(reason))
            for waiter in waiters.values { waiter.resume() }
        }
    }

    private let entries = Lock<[UnitKey: Entry]>([:])

    package init() {}
    private let waiterCount = Lock(0)

    /// The file of a unit whose transfer is running, has ended or is requested.
    package func file(_ key: UnitKey) -> PartialFile? { entries.withLock { $0[key]?.file } }

    /// The file that a unit grows in, or will.
    package func expect(_ key: UnitKey, at path: FilePath) -> PartialFile {
        Trace.pass(.expect, key.traced)
        return entries.withLock { entries in
            let entry = entries[key] ?? Entry(file: PartialFile(at: path))
            entries[key] = entry
            return entry.file
        }
    }

    /// Begins an arriving unit for a transfer.
    package func begin(_ key: UnitKey, at path: FilePath) -> PartialFile {
        entries.withLock { entries in
            var entry = entries[key] ?? Entry(file: PartialFile(at: path))
            entry.isBegun = true
            entries[key] = entry
            return entry.file
        }
    }

    /// Bytes of an asset's units that have come, and are not committed yet.
    package func bytes(of token: AssetToken) -> Int64 {
        let files = entries.withLock { entries in
            entries.filter { $0.key.token == token && $0.value.isBegun }.map(\.value.file)
        }
        return files.reduce(0) { $0 + Int64(clamping: $1.watermark) }
    }

    /// Returns when a unit is no longer arriving: it is stored, or no transfer fetches it. Also when the task is
    /// cancelled.
    package func untilGone(_ key: UnitKey) async {
        let number = waiterCount.withLock { count in
            count += 1
            return count
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let isOver = entries.withLock { entries in
                    if entries[key] == nil || Task.isCancelled { return true }
                    entries[key]?.waiters[number] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            entries.withLock { $0[key]?.waiters.removeValue(forKey: number) }?.resume()
        }
    }

    /// The unit is stored, or its transfer has failed.
    package func end(_ key: UnitKey) {
        let entry = entries.withLock { $0.removeValue(forKey: key) }
        for waiter in (entry?.waiters ?? [:]).values { waiter.resume() }
    }

    /// Ends the wait for a unit that was requested and is not fetched.
    func abandon(_ key: UnitKey, _ reason: StoreError? = nil) {
        let entry = entries.withLock { entries in
            entries[key]?.isBegun == false ? entries.removeValue(forKey: key) : nil
        }
        entry?.giveUp(reason)
    }

    /// Ends the waits for all units of an asset that are not fetched.
    func abandonAll(of token: AssetToken, _ reason: StoreError? = nil) {
        let left = entries.withLock { entries in
            let left = entries.filter { $0.key.token == token && !$0.value.isBegun }
            for key in left.keys { entries[key] = nil }
            return left.values
        }
        for entry in left { entry.giveUp(reason) }
    }
}
