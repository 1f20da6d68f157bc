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
