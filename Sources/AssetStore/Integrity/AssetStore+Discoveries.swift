internal import Locking
internal import Logging
internal import SystemPackage

extension AssetStore {
    /// Takes damage into the catalog that a listing, `status` or a player's request shows, as soon as it is seen.
    func startDiscovering() {
        let wakeups = reader.discoveries.wakeups()
        discovering.withLock { task in
            task = Task { [weak self] in
                for await _ in wakeups { self?.takeDiscoveries() }
            }
        }
    }

    private func takeDiscoveries() {
        for (token, units) in reader.discoveries.take() {
            do throws(StoreError) {
                guard try catalog.noteDiscovered(units, of: token, at: context.clock.now) else { continue }
                changed(token)
            } catch {
                log.warning(
                    "damage could not be noted", metadata: ["token": "\(token)", "error": "\(error.message)"])
            }
        }
    }
}

extension StoreReader {
    /// Takes damage into the catalog that this process has seen, where no engine works on the store.
    ///
    /// - Returns: the assets of which the engine that works on the store has to be asked, so that it sees the same.
    public func noteDiscoveries() -> [AssetToken] {
        guard !discoveries.tokens.isEmpty else { return [] }
        guard let lock = try? StoreLock(paths.lock) else { return discoveries.tokens }
        defer { lock.release() }
        guard let catalog = try? Catalog(writing: paths.catalog) else { return [] }
        for (token, units) in discoveries.take() {
            // A listing is no place to say that a full disk takes no note.
            _ = try? catalog.noteDiscovered(units, of: token, at: SystemWallClock().now)
        }
        catalog.close()
        return []
    }
}

extension Catalog {
    /// Takes back that units are stored, and tells of the damage, where that is news.
    ///
    /// - Returns: whether it is.
    func noteDiscovered(
        _ units: Set<AbsentRow>, of token: AssetToken, at now: Timestamp
    ) throws(StoreError) -> Bool {
        guard try asset(token)?.state == .complete else { return false }
        var fresh: [AbsentRow] = []
        for row in units where try unit(row.rendition, row.kind, row.number)?.state == .stored {
            fresh.append(row)
        }
        guard !fresh.isEmpty else { return false }
        try noteDamage(to: token, fresh, reason: Damage.reason(fresh.count), at: now)
        return true
    }
}
