internal import Locking

/// Hands out content keys under valid licenses. It caches licenses and sealed keys for a short time, so that most
/// requests need no query of the catalog.
package final class KeyDesk: Sendable {
    private struct State {
        var folders: [AssetToken: KeyFolder] = [:]
        /// Assets without encryption, which need no license.
        var free: Set<AssetToken> = []
        var handouts: [AssetToken: Handouts] = [:]
        /// The names of keys by the identifiers (KIDs) in the media, for the assets whose names were requested.
        var names: [AssetToken: [[UInt8]: String]] = [:]
        /// Counts calls of `forget`. A result that was read under an older number may be out of date, and is not
        /// cached.
        var generation = 0

        mutating func remember(_ token: AssetToken, _ folder: KeyFolder?) {
            if folders.count >= largestCount { folders = [:] }
            if free.count >= largestCount { free = [] }
            if folder == nil { free.insert(token) } else { folders[token] = folder }
        }
    }

    private let state = Lock(State())
    private let catalog: Catalog
    private let vault: KeyVault
    private let clock: TrustedClock
    /// Finds the names of an asset's keys by the identifiers in its media.
    package let identify: @Sendable (AssetToken) -> [[UInt8]: String]
    package static let largestCount = 1024
    /// The milliseconds for which an unused folder stays in the cache.
    package static let idleLifetime: Int64 = 60_000
    /// The milliseconds for which players may fetch segments after their last key, although the license has ended.
    static let playLifetime: Int64 = 86_400_000

    package init(
        catalog: Catalog, vault: KeyVault, clock: TrustedClock,
        identify: @escaping @Sendable (AssetToken) -> [[UInt8]: String]
    ) {
        self.identify = identify
        self.catalog = catalog
        self.vault = vault
        self.clock = clock
    }

    /// A content key from the cache; `nil` when the catalog has to be queried. It never blocks for long.
    ///
    /// - Parameter counts: whether the key itself is sent, and so counts as handed out. It is false for a HEAD request,
    ///   for example.
    package func quickKey(_ token: AssetToken, _ id: String, counts: Bool = true) -> KeyAnswer? {
        // If another node owns the store now, it may have ended the license.
        guard catalog.isAllowed else { return nil }
        let moment = clock.now
        let found = state.withLock { state -> KeyFolder? in
            guard var folder = state.folders[token] else { return nil }
            guard isEntered(folder, at: moment) else { return nil }
            folder.usedAt = moment.trusted
            state.folders[token] = folder
            return folder
        }
        return found.map { answer($0, token, id: id, at: moment, counts: counts) }
    }

    /// Whether the answer needs no write to the catalog. The first play must be there before a key is sent, and the
    /// time of the trusted clock before a key is refused.
    private func isEntered(_ folder: KeyFolder, at moment: Moment) -> Bool {
        switch folder.verdict(at: moment) {
        case .valid: folder.license.firstPlayedAt != nil
        case .expired: folder.license.end.map(clock.hasReached) ?? true
        case .revoked: true
        }
    }

    /// A content key in the clear for one response, or the reason for a refusal. The call blocks while it queries the
    /// catalog.
    package func key(_ token: AssetToken, _ id: String, counts: Bool = true) throws(StoreError) -> KeyAnswer {
        guard var folder = try folder(token) else { return .unknown }
        let moment = clock.now
        if folder.verdict(at: moment) == .expired, let end = folder.license.end {
            try clock.reach(min(end, moment.trusted))
        }
        let found = answer(folder, token, id: id, at: moment, counts: false)
        guard catalog.isAllowed else { throw StoreError(.storeTakenOver) }
        guard counts, case .key = found else { return found }
        // The first play begins only if the key can be handed out.
        if folder.license.firstPlayedAt == nil {
            try clock.reach(moment.trusted)
            guard let license = try catalog.licenses.setFirstPlay(of: token, at: moment.trusted) else {
                return .unknown
            }
            folder.license = license
            state.withLock { $0.folders[token]?.license = license }
            if let refusal = folder.refusal(at: moment) { return .refused(refusal) }
        }
        count(token, at: moment.trusted)
        return found
    }

    private func answer(
        _ folder: KeyFolder, _ token: AssetToken, id: String, at moment: Moment, counts: Bool
    ) -> KeyAnswer {
        Trace.pass(.key, "\(token) \(id)")
        guard let entry = folder.keys[id] else { return .unknown }
        if let refusal = folder.refusal(at: moment) { return .refused(refusal) }
        guard let bytes = entry.opened(by: vault, for: token) else { return .missing }
        if counts { count(token, at: moment.trusted) }
        return .key(bytes, contentType: entry.contentType)
    }

    /// Counts keys that were looked up without counting and are sent now.
    func countNow(_ keys: Int, of token: AssetToken) { count(token, keys, at: clock.now.trusted) }

    private func count(_ token: AssetToken, _ keys: Int = 1, at now: Timestamp) {
        state.withLock { state in
            state.handouts[token, default: Handouts(last: now)].count += Int64(keys)
            state.handouts[token]?.last = now
            state.folders[token]?.license.lastPlayedAt = now
        }
    }

    /// The reason for which an asset may not be played now; `nil` if it may. The call blocks while it queries the
    /// catalog.
    package func refusal(_ token: AssetToken) throws(StoreError) -> LicenseRefusal? {
        guard let folder = try folder(token) else { return nil }
        let moment = clock.now
        let refusal = folder.refusal(at: moment)
        if refusal != nil, let end = folder.license.end { try clock.reach(min(end, moment.trusted)) }
        return refusal
    }

    /// The refusal of an asset whose license has ended; `nil` while a player that has begun before may still be
    /// playing. So no film stops in the middle, unless its license is revoked.
    package func refusalWhenIdle(_ token: AssetToken) throws(StoreError) -> LicenseRefusal? {
        guard let refusal = try refusal(token) else { return nil }
        return isRunning(try folder(token), at: clock.now) ? nil : refusal
    }

    /// Whether the cache alone shows that an asset's media may be sent. It never blocks for long.
    package func isQuicklyPermitted(_ token: AssetToken) -> Bool {
        let moment = clock.now
        return state.withLock { state in
            if state.free.contains(token) { return true }
            guard let folder = state.folders[token] else { return false }
            state.folders[token]?.usedAt = moment.trusted
            return folder.refusal(at: moment) == nil || isRunning(folder, at: moment)
        }
    }

    private func isRunning(_ folder: KeyFolder?, at moment: Moment) -> Bool {
        guard let license = folder?.license, license.revokedAt == nil, let last = license.lastPlayedAt else {
            return false
        }
        return moment.trusted.milliseconds - last.milliseconds < Self.playLifetime
    }

    package func folder(_ token: AssetToken) throws(StoreError) -> KeyFolder? {
        let (known, isFree, generation) = state.withLock {
            ($0.folders[token], $0.free.contains(token), $0.generation)
        }
        if known != nil || isFree { return known }
        guard let license = try catalog.licenses.license(of: token) else {
            state.withLock { if $0.generation == generation { $0.remember(token, nil) } }
            return nil
        }
        let keys = try catalog.renditions.keys(of: token)
        let now = clock.now.trusted
        let read = KeyFolder(
            license: license, keys: Dictionary(keys.map { ($0.id, $0) }) { first, _ in first }, usedAt: now)
        return state.withLock { state in
            guard state.generation == generation else { return read }
            var folder = read
            if let unwritten = state.handouts[token] { folder.license.lastPlayedAt = unwritten.last }
            state.remember(token, folder)
            return folder
        }
    }

    /// The folder of an asset that must have a license.
    ///
    /// - Throws: `noSuchAsset`, `notEncrypted`.
    func requireFolder(_ token: AssetToken) throws(StoreError) -> KeyFolder {
        if let folder = try folder(token) { return folder }
        guard try catalog.assets.asset(token) != nil else {
            throw StoreError(.noSuchAsset(token.description))
        }
        throw StoreError(.notEncrypted(token))
    }

    /// The name of a key by its identifier in the media, from the cache; `nil` if the cache lacks it.
    func quickName(_ token: AssetToken, _ identifier: [UInt8]) -> String? {
        state.withLock { state in
            state.folders[token]?.given(identifier) ?? state.names[token]?[identifier]
        }
    }

    /// The names of all keys of an asset by their identifiers. The call reads the media and blocks.
    package func names(_ token: AssetToken) -> [[UInt8]: String] {
        let generation = state.withLock { $0.generation }
        let names = identify(token)
        state.withLock { state in
            if state.names.count >= Self.largestCount { state.names = [:] }
            if state.generation == generation { state.names[token] = names }
        }
        return names
    }

    /// Removes an asset from the cache, because its license or keys have changed.
    package func forget(_ token: AssetToken) {
        state.withLock { state in
            state.folders[token] = nil
            state.names[token] = nil
            state.free.remove(token)
            state.generation += 1
        }
    }

    /// Clears the cache. It is called after the trusted clock was started again, which changes the verdicts of
    /// licenses.
    package func forgetAll() {
        state.withLock { state in
            state.folders = [:]
            state.generation += 1
        }
    }

    /// Writes the counts of handed-out keys and, when licenses have limits, the time of the trusted clock to the
    /// catalog. It drops unused cache entries. Call it from time to time; it blocks.
    package func flush() {
        let now = clock.now.trusted.milliseconds
        let handouts = state.withLock { state in
            state.folders = state.folders.filter {
                now - $0.value.usedAt.milliseconds < Self.idleLifetime
            }
            defer { state.handouts = [:] }
            return state.handouts
        }
        if !handouts.isEmpty, (try? catalog.licenses.addHandouts(handouts)) == nil {
            // The write has failed: the counts are added to the next ones.
            state.withLock {
                $0.handouts.merge(handouts) { Handouts(count: $0.count + $1.count, last: $0.last) }
            }
        }
        try? catalog.health.noteEndedLicenses(at: clock.now.trusted)
        guard clock.lag >= 60_000 || !handouts.isEmpty, (try? catalog.licenses.hasLimitedLicenses()) == true
        else {
            return
        }
        try? clock.store()
        state.withLock { state in
            state.folders = state.folders.filter { $0.value.license.floor == nil }
            state.generation += 1
        }
    }
}

/// The license of an asset with its sealed keys.
package struct KeyFolder: Sendable {
    package var license: License
    package var keys: [String: KeyRecord]
    var usedAt: Timestamp

    package func verdict(at moment: Moment) -> License.Verdict { license.verdict(at: moment.trusted) }

    package func refusal(at moment: Moment) -> LicenseRefusal? {
        switch verdict(at: moment) {
        case .valid: nil
        case .revoked: .revoked
        case .expired: license.end.map { moment.wall < $0 } == true ? .clockMovedBack : .expired
        }
    }
}
