internal import Locking
internal import Logging
internal import SystemPackage

extension OfflineStore {
    /// Takes damage into the catalog that a listing, `status` or a player's request shows, as soon as it is seen.
    func startDiscovering() {
        let wakeups = reader.discoveries.wakeups()
        discovering.withLock { task in
            task = Task(executorPreference: WorkThreads.housekeeping) { [weak self] in
                for await _ in wakeups { self?.takeDiscoveries() }
            }
        }
    }

    private func takeDiscoveries() {
        for (token, units) in reader.discoveries.take() {
            do throws(StoreError) {
                guard try catalog.health.noteDiscovered(units, of: token, at: context.clock.now) else {
                    continue
                }
                changed(token)
            } catch {
                log.warning(
                    "damage could not be noted", metadata: ["token": "\(token)", "error": "\(error.message)"])
            }
        }
        for (token, isPlayed) in reader.discoveries.takePlaylists() {
            do throws(StoreError) {
                try takeBrokenPlaylists(of: token, isPlayed: isPlayed)
            } catch {
                log.warning(
                    "a playlist could not be made again",
                    metadata: ["token": "\(token)", "error": "\(error.message)"])
            }
        }
    }

    /// Tells that a playlist is gone or cut off, and makes it again where a player has asked for it.
    private func takeBrokenPlaylists(of token: AssetToken, isPlayed: Bool) throws(StoreError) {
        let now = context.clock.now
        try catalog.health.noteBrokenPlaylists(of: token, at: now)
        guard isPlayed else { return }
        try restorePlaylists(token)
        try catalog.health.noteHealth(of: token, at: now)
        changed(token)
    }
}
