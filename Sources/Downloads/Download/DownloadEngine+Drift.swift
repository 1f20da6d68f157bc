internal import Locking

extension DownloadEngine {
    /// Why nothing more of an asset may be fetched, since its origin has another stream now; `nil` when it may. That is asked
    /// once after somebody has asked for the asset, or the engine was started.
    package func drift(of token: AssetToken, _ origin: Origin) async throws(StoreError) -> StoreError? {
        guard looked.insert(token).inserted else { return nil }
        let clock = context.clock
        let check = DriftCheck(token: token, catalog: context.catalog, origin: origin) { clock.now }
        let finding = try await check.finding()
        // What was found is found again.
        if finding != nil || Task.isCancelled { looked.remove(token) }
        return finding
    }
}

/// Tells of which segments the version is to be kept: of the first ones of each rendition that come in a run.
package final class VersionSamples: Sendable {
    private let counts = Lock<[Int64: Int]>([:])

    package func takes(_ rendition: Int64) -> Bool {
        counts.withLock { counts in
            guard counts[rendition, default: 0] < DriftCheck.samples else { return false }
            counts[rendition, default: 0] += 1
            return true
        }
    }
}
