internal import Dispatch
internal import Locking
internal import SystemPackage

/// Notices when other programs delete, change or put back files of complete assets. It watches a few
/// hundred folders at most: those of the newest assets, and of assets that were listed or played last. A node of a
/// shared store has no files to watch.
final class TamperWatch: Sendable {
    /// A rendition's folder.
    private struct Folder: Hashable {
        var token: AssetToken
        var rendition: String
    }

    private struct State {
        var watch: FolderWatch?
        var folders: [Int32: Folder] = [:]
        /// Followed assets with the number of their last use. When there are too many, those with the lowest numbers
        /// are dropped.
        var used: [AssetToken: Int] = [:]
        var uses = 0
        /// The files to check, by folder; `nil` stands for all files of the folder.
        var suspects: [Folder: Set<String>?] = [:]
        var isLooking = false
        /// The files that could not be looked at, by folder.
        var unread: [Folder: Set<String>?] = [:]
        var willRetry = false
        /// The number of checks in a row that could not read something.
        var failures = 0

        /// Merges files to check into a list of files to check.
        static func add(_ items: [Folder: Set<String>?], to all: inout [Folder: Set<String>?]) {
            all.merge(items) { old, new -> Set<String>? in
                guard let old, let new else { return nil }
                return old.union(new)
            }
        }
    }

    private let state = Lock(State())
    private let catalog: Catalog
    private let paths: StorePaths
    private let queue = DispatchQueue(label: "offline-server.tampering", qos: .utility)
    private let clock: any WallClock
    private let owner: StoreOwnerLink
    private let largestCount: Int
    /// The wait for further changes before the check. A program that deletes one file often deletes more.
    private static let patience = DispatchTimeInterval.milliseconds(100)
    /// The longest time, in seconds, before files that could not be read are checked again.
    private static let longestRest = 512

    /// - Parameters:
    ///   - owner: the store, which is told of assets with missing or changed files.
    ///   - largestCount: the number of folders that are watched.
    init(_ store: StoreAccess, owner: StoreOwnerLink, largestCount: Int = 256) {
        (catalog, paths, clock) = (store.catalog, store.paths, store.clock)
        self.owner = owner
        self.largestCount = largestCount
    }

    /// Follows an asset from now on, if it is complete. Cheap for one that is followed already.
    func follow(_ token: AssetToken) {
        guard !paths.isOfNode else { return }
        let isKnown = state.withLock { state in
            state.uses += 1
            guard state.used[token] != nil else { return false }
            state.used[token] = state.uses
            return true
        }
        if !isKnown { queue.async { [weak self] in self?.begin(token) } }
    }

    /// Follows the newest complete assets. When too many are followed, the older ones are dropped first.
    func followNewest() {
        guard !paths.isOfNode else { return }
        queue.async { [weak self] in
            guard let self else { return }
            let newest = try? catalog.assets.page(
                states: [.complete], before: nil, limit: largestCount)
            for asset in (newest ?? []).reversed() {
                let isKnown = state.withLock { state in
                    state.uses += 1
                    return state.used[asset.token] != nil
                }
                if !isKnown { begin(asset.token) }
            }
        }
    }

    /// Watches the folders of an asset. If `stop` is called meanwhile, the asset is not followed.
    private func begin(_ token: AssetToken) {
        guard (try? catalog.assets.asset(token))??.state == .complete,
            let rows = (try? catalog.renditions.all(of: [token]))?[token]
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
            state.withLock { state in
                guard state.watch === watch else { return }
                state.folders[number] = Folder(token: token, rendition: row.name)
            }
        }
        state.withLock { state in
            guard state.watch === watch else { return }
            // A number of its own: several may have been asked for before the first of them is watched.
            state.uses += 1
            state.used[token] = state.uses
        }
        while let oldest = state.withLock({ Self.oldest($0, above: largestCount) }) { leave(oldest) }
    }

    /// The asset to drop when too many folders are watched. The last asset is never dropped.
    private static func oldest(_ state: State, above largestCount: Int) -> AssetToken? {
        guard state.folders.count > largestCount, state.used.count > 1 else { return nil }
        return state.used.min { $0.value < $1.value }?.key
    }

    /// Stops following an asset. `follow` can begin again.
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

    /// Compares the rows with the files. The engine changes rows before it changes files.
    private func look() {
        let suspects = state.withLock { state in
            state.isLooking = false
            defer { state.suspects = [:] }
            return state.suspects
        }
        var unread: [Folder: Set<String>?] = [:]
        for token in Set(suspects.keys.map(\.token)) {
            let own = suspects.filter { $0.key.token == token }
            do throws(StoreError) {
                guard try catalog.assets.asset(token)?.state == .complete else {
                    leave(token)
                    continue
                }
                unread.merge(try look(at: own, of: token)) { $1 }
            } catch {
                unread.merge(own) { $1 }
            }
        }
        retry(unread)
    }

    /// - Returns: the files that could not be checked now.
    /// - Throws: the error when the damage could not be written to the catalog.
    private func look(
        at suspects: [Folder: Set<String>?], of token: AssetToken
    ) throws(StoreError) -> [Folder: Set<String>?] {
        let damage = Damage(catalog: catalog, paths: paths, token: token)
        var (found, unread) = (Damage.Finding(), [Folder: Set<String>?]())
        var isBetter = false
        for (folder, names) in suspects {
            do throws(StoreError) {
                let returned = try damage.takeBack(in: folder.rendition, among: names, at: clock.now)
                isBetter = isBetter || !returned.isEmpty
                let finding = try damage.find(in: folder.rendition, among: names)
                found.absent += finding.absent
                found.playlists += finding.playlists
                if !finding.unread.isEmpty { unread.updateValue(finding.unread, forKey: folder) }
            } catch {
                unread.updateValue(names, forKey: folder)
            }
        }
        let count = found.absent.count + found.playlists
        defer { if isBetter || count > 0 { owner.owner?.filesChanged(of: token) } }
        guard count > 0 else { return unread }
        if found.absent.isEmpty {
            try catalog.health.noteBrokenPlaylists(of: token, at: clock.now)
        } else {
            try catalog.units.noteDamage(to: token, found.absent, reason: Damage.reason(count), at: clock.now)
        }
        return unread
    }

    /// The seconds until the next check after so many checks in a row that could not read something.
    static func rest(after failures: Int) -> Int { min(1 << min(failures, 16), longestRest) }

    /// Checks unreadable files again later, for example when too many files were open. Each failure doubles the wait.
    private func retry(_ items: [Folder: Set<String>?]) {
        let rest: Int? = state.withLock { state in
            State.add(items, to: &state.unread)
            guard !state.unread.isEmpty, state.watch != nil else {
                (state.unread, state.failures) = ([:], 0)
                return nil
            }
            guard !state.willRetry else { return nil }
            defer { (state.willRetry, state.failures) = (true, state.failures + 1) }
            return Self.rest(after: state.failures)
        }
        guard let rest else { return }
        queue.asyncAfter(deadline: .now() + .seconds(rest)) { [weak self] in
            self?.state.withLock { state in
                State.add(state.unread, to: &state.suspects)
                (state.unread, state.willRetry) = ([:], false)
            }
            self?.look()
        }
    }

    /// Waits until the changes that were noticed so far have been checked.
    func settle() async {
        await withCheckedContinuation { continuation in
            queue.asyncAfter(deadline: .now() + Self.patience) { continuation.resume() }
        }
    }

    /// Stops watching all folders.
    func stop() { state.withLock { $0 = State() } }
}
