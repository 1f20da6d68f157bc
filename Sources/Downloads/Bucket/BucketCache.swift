internal import Dispatch
internal import Locking
internal import SystemPackage

/// Keeps the cached files of a bucket's media within a size: files that were unused for longest are deleted. Files of
/// units without an object in the bucket are never deleted.
final class BucketCache: Sendable {
    private struct State {
        /// Bytes of files, at most; `nil` before they were counted.
        var bytes: UInt64?
        var isTrimming = false
        /// Times of the last uses, in seconds after 1970 began. Without an entry, the time at which the file was
        /// written counts.
        var uses: [UnitKey: Int64] = [:]
    }

    private let state = Lock(State())
    private let catalog: Catalog
    private let paths: StorePaths
    private let size: UInt64
    private let queue = DispatchQueue(label: "offline-server.cache", qos: .utility)
    private static let mostUses = 65_536

    init(catalog: Catalog, paths: StorePaths, size: UInt64) {
        (self.catalog, self.paths, self.size) = (catalog, paths, size)
        trimLater()
    }

    /// Takes note of a use.
    func used(_ key: UnitKey) {
        let now = SystemWallClock().now.milliseconds / 1000
        state.withLock { state in
            if state.uses.count >= Self.mostUses, state.uses[key] == nil { Self.forgetHalf(&state.uses) }
            state.uses[key] = now
        }
    }

    /// A file has come.
    func added(_ bytes: UInt64) {
        let isOver = state.withLock { state in
            guard let before = state.bytes else { return false }
            state.bytes = before + bytes
            return before + bytes > size
        }
        if isOver { trimLater() }
    }

    /// Deletes half of the cache, since the file system is full.
    func shrink() { queue.async { self.trim(to: (self.state.withLock { $0.bytes } ?? self.size) / 2) } }

    /// Waits until all requested deletions are done; for tests.
    func settle() { queue.sync {} }

    private func trimLater() {
        let isFirst = state.withLock { state in
            defer { state.isTrimming = true }
            return !state.isTrimming
        }
        guard isFirst else { return }
        queue.async {
            self.state.withLock { $0.isTrimming = false }
            self.trim(to: self.size)
        }
    }

    /// Counts the files, and deletes so many that a tenth of the size is free again when they are more than it.
    private func trim(to size: UInt64) {
        var files: [(used: Int64, size: UInt64)] = []
        each { _, used, bytes in files.append((used, bytes)) }
        var bytes = files.reduce(0) { $0 + $1.size }
        let uses = state.withLock { $0.uses }
        if bytes > size {
            files.sort { $0.used < $1.used }
            var (surplus, last) = (bytes - size / 10 * 9, Int64.min)
            for file in files where surplus > 0 {
                last = file.used
                surplus -= min(surplus, file.size)
            }
            let target = size / 10 * 9
            each(uses) { path, used, size in
                guard used <= last, bytes > target, (try? FileSystem.unlink(path)) != nil else { return }
                bytes -= size
            }
        }
        state.withLock { $0.bytes = bytes }
    }

    /// Calls `take` for each file of a unit in the bucket, with the time of its last use and its size.
    private func each(
        _ known: [UnitKey: Int64]? = nil, _ take: (FilePath, Int64, UInt64) -> Void
    ) {
        let uses = known ?? state.withLock { $0.uses }
        for folder in FileSystem.names(in: paths.assets) {
            guard let token = AssetToken(folder), let rows = try? catalog.renditions.all(of: [token])[token]
            else { continue }
            for row in rows {
                let folder = paths.rendition(token, row.name)
                let names = Set(FileSystem.names(in: folder))
                guard names.count > 1, let units = try? catalog.units.outlines(of: row.id) else { continue }
                // If the bucket has lost the object, this file is the only copy.
                for unit in units where unit.isInBucket && unit.finding?.isOfAbsence != true {
                    let name = UnitJob.fileName(unit.kind, unit.number, container: row.container)
                    let path = folder.appending(name)
                    guard names.contains(name), let age = FileSystem.age(ofFile: path) else { continue }
                    let id = UnitID(rendition: row.name, kind: unit.kind, number: unit.number)
                    let used = uses[UnitKey(token: token, unit: id)] ?? 0
                    take(path, max(used, age.written), age.size)
                }
            }
        }
    }

    private static func forgetHalf(_ uses: inout [UnitKey: Int64]) {
        let times = uses.values.sorted()
        let middle = times[times.count / 2]
        uses = uses.filter { $0.value > middle }
    }
}
