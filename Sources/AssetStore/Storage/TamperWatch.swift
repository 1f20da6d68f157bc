internal import Dispatch
internal import Locking
internal import SystemPackage

/// Notices what others do to the files of complete assets that were listed or played lately. Nothing is watched before
/// that, and never more than a few hundred folders.
final class TamperWatch: Sendable {
    /// A rendition's folder.
    private struct Folder: Hashable {
        var token: AssetToken
        var rendition: String
    }

    private struct State {
        var watch: FolderWatch?
        var folders: [Int32: Folder] = [:]
        /// Followed assets with the number of their last use; the lowest go when there are too many.
        var used: [AssetToken: Int] = [:]
        var uses = 0
        /// What is to be looked at, by folder; `nil` is all of it.
        var suspects: [Folder: Set<String>?] = [:]
        var isLooking = false
    }

    private let state = Lock(State())
    private let catalog: Catalog
    private let paths: StorePaths
    private let queue = DispatchQueue(label: "offline-server.tampering", qos: .utility)
    private let onDamage = Lock<(@Sendable (AssetToken) -> Void)?>(nil)
    private let now: @Sendable () -> Timestamp
    static let largestCount = 256
    /// Who deletes one file often deletes the next one, too.
    private static let patience = DispatchTimeInterval.milliseconds(100)

    init(catalog: Catalog, paths: StorePaths, now: @escaping @Sendable () -> Timestamp) {
        self.catalog = catalog
        self.paths = paths
        self.now = now
    }

    /// Sets who is told of assets that have lost something.
    func onDamage(_ body: @escaping @Sendable (AssetToken) -> Void) { onDamage.withLock { $0 = body } }

    /// Follows an asset from now on, if it is complete. Cheap for one that is followed already.
    func follow(_ token: AssetToken) {
        let isKnown = state.withLock { state in
            state.uses += 1
            guard state.used[token] != nil else { return false }
            state.used[token] = state.uses
            return true
        }
        if !isKnown { queue.async { [weak self] in self?.begin(token) } }
    }

    private func begin(_ token: AssetToken) {
        guard (try? catalog.asset(token))??.state == .complete,
            let rows = (try? catalog.renditions(of: [token]))?[token]
        else { return }
        let watch = state.withLock { state in
            if state.watch == nil {
                state.watch = FolderWatch(queue: queue) { [weak self] changes in self?.note(changes) }
            }
            return state.watch
        }
        guard let watch else { return }
        for row in rows where row.hasPlaylist {
            guard let number = watch.add(paths.rendition(token, row.name)) else { continue }
            state.withLock { $0.folders[number] = Folder(token: token, rendition: row.name) }
        }
        state.withLock { $0.used[token] = $0.uses }
        while let oldest = state.withLock(Self.oldest) { leave(oldest) }
    }

    /// Who has to make room; never the only one.
    private static func oldest(_ state: inout State) -> AssetToken? {
        guard state.folders.count > largestCount, state.used.count > 1 else { return nil }
        return state.used.min { $0.value < $1.value }?.key
    }

    /// Follows an asset no longer, until it is named again.
    func leave(_ token: AssetToken) {
        let (watch, numbers) = state.withLock { state in
            state.used[token] = nil
            let numbers = state.folders.filter { $0.value.token == token }.map(\.key)
            for number in numbers { state.folders[number] = nil }
            return (state.watch, numbers)
        }
        for number in numbers { watch?.remove(number) }
    }

    private func note(_ changes: [FolderWatch.Change]) {
        let isFirst = state.withLock { state in
            for change in changes {
                switch change {
                case .moved(let number, let name), .written(let number, let name):
                    guard let folder = state.folders[number] else { continue }
                    if let names = state.suspects[folder, default: []] {
                        state.suspects[folder] = names.union([name])
                    }
                case .folder(let number):
                    guard let folder = state.folders.removeValue(forKey: number) else { continue }
                    state.suspects.updateValue(nil, forKey: folder)
                case .overflow:
                    for folder in state.folders.values { state.suspects.updateValue(nil, forKey: folder) }
                }
            }
            defer { state.isLooking = state.isLooking || !state.suspects.isEmpty }
            return !state.isLooking && !state.suspects.isEmpty
        }
        if isFirst { queue.asyncAfter(deadline: .now() + Self.patience) { [weak self] in self?.look() } }
    }

    /// Compares what the rows say with the files. What the engine itself does is in the rows before it is done.
    private func look() {
        let suspects = state.withLock { state in
            state.isLooking = false
            defer { state.suspects = [:] }
            return state.suspects
        }
        for token in Set(suspects.keys.map(\.token)) {
            guard (try? catalog.asset(token))??.state == .complete else {
                leave(token)
                continue
            }
            let own = suspects.filter { $0.key.token == token }
            let damage = Damage(catalog: catalog, paths: paths, token: token)
            let found = own.reduce(0) { count, item in
                count + damage.find(in: item.key.rendition, among: item.value)
            }
            guard found > 0 else { continue }
            let files = found == 1 ? "1 file is gone or changed" : "\(found) files are gone or changed"
            try? catalog.record(.damaged, token, reason: files, at: now())
            onDamage.withLock(\.self)?(token)
        }
    }

    /// Returns when everything that has been noticed was looked at.
    func settle() async {
        await withCheckedContinuation { continuation in
            queue.asyncAfter(deadline: .now() + Self.patience) { continuation.resume() }
        }
    }

    /// Watches nothing any more.
    func stop() { state.withLock { $0 = State() } }
}

/// What has become of files that the rows of an asset call stored.
private struct Damage {
    let catalog: Catalog
    let paths: StorePaths
    let token: AssetToken

    /// Takes back that files are stored which are gone, or have other bytes.
    ///
    /// - Parameter names: the files to look at; all of them when `nil`.
    /// - Returns: how many there were.
    func find(in rendition: String, among names: Set<String>?) -> Int {
        guard let row = try? catalog.rendition(token, rendition),
            let units = try? catalog.units(of: row.id, states: [.stored])
        else { return 0 }
        let folder = paths.rendition(token, rendition)
        let absent = units.filter { unit in
            let name = UnitJob(unit: unit, rendition: row).fileName
            guard names?.contains(name) ?? true else { return false }
            return !isSound(folder.appending(name), unit, reading: names != nil)
        }
        try? catalog.markAbsent(absent.map { (row.id, $0.kind, $0.number) }, as: .missing)
        let playlist = ServedMediaPlaylist.fileName
        let hasPlaylist = ServedMediaPlaylist.isWhole(folder.appending(playlist))
        return absent.count + (hasPlaylist || names?.contains(playlist) == false ? 0 : 1)
    }

    private func isSound(_ path: FilePath, _ unit: UnitRecord, reading: Bool) -> Bool {
        guard let facts = FileSystem.facts(path), facts.isRegular, facts.size == unit.size else {
            return false
        }
        return !reading || (try? FilePieces.sha256(of: path)) == unit.sha256
    }
}
