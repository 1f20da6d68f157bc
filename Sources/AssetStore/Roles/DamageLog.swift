internal import Logging
internal import SystemPackage

/// Writes damage into the catalog as soon as a listing, `status` or a player's request has found it.
struct DamageLog: Sendable {
    let catalog: Catalog
    let paths: StorePaths
    let discoveries: Discoveries
    let wall: any WallClock
    let notices: ChangeNotices
    let log: Logger

    /// Writes the damage that was found since the last call.
    func take() {
        for (token, units) in discoveries.take() {
            do throws(StoreError) {
                guard try catalog.health.noteDiscovered(units, of: token, at: wall.now) else {
                    continue
                }
                notices.changed(token)
            } catch {
                log.warning(
                    "damage could not be noted", metadata: ["token": "\(token)", "error": "\(error.message)"])
            }
        }
        for (token, isPlayed) in discoveries.takePlaylists() {
            do throws(StoreError) {
                try takeBrokenPlaylists(of: token, isPlayed: isPlayed)
            } catch {
                log.warning(
                    "a playlist could not be made again",
                    metadata: ["token": "\(token)", "error": "\(error.message)"])
            }
        }
    }

    /// Writes to the catalog that a playlist is missing or truncated. If a player has requested the playlist, it is
    /// made again.
    private func takeBrokenPlaylists(of token: AssetToken, isPlayed: Bool) throws(StoreError) {
        let now = wall.now
        try catalog.health.noteBrokenPlaylists(of: token, at: now)
        guard isPlayed else { return }
        _ = try BundlePlaylists(catalog: catalog, paths: paths, token: token).restore()
        try catalog.health.noteHealth(of: token, at: now)
        notices.changed(token)
    }
}
