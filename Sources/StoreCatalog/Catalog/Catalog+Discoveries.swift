internal import Locking
internal import Logging
internal import SystemPackage

extension Catalog {
    /// Takes back that units are stored, and tells of the damage, where that is news.
    ///
    /// - Returns: whether it is.
    package func noteDiscovered(
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
