internal import Locking
internal import Logging
internal import SystemPackage

extension HealthTable {
    /// Marks units as not stored, and reports the damage if it is new.
    ///
    /// - Returns: whether it is new.
    package func noteDiscovered(
        _ units: Set<AbsentRow>, of token: AssetToken, at now: Timestamp
    ) throws(StoreError) -> Bool {
        guard try catalog.assets.asset(token)?.state == .complete else { return false }
        var fresh: [AbsentRow] = []
        for row in units
        where try catalog.units.unit(of: row.rendition, row.kind, row.number)?.state == .stored {
            fresh.append(row)
        }
        guard !fresh.isEmpty else { return false }
        try catalog.units.noteDamage(to: token, fresh, reason: Damage.reason(fresh.count), at: now)
        return true
    }

    /// Reports that a playlist of a complete asset is missing or truncated, if no damage was reported yet. No row
    /// notes it: a playlist can always be made again.
    package func noteBrokenPlaylists(of token: AssetToken, at now: Timestamp) throws(StoreError) {
        try write(.asset(token)) { session in
            let changed = try session.execute(
                "UPDATE asset SET health = ? WHERE token = ? AND state = 'complete' AND health IS DISTINCT FROM ?",
                [
                    Health.Level.damaged.rawValue, token.description, Health.Level.damaged.rawValue,
                ])
            guard changed > 0 else { return }
            for (kind, reason) in [
                (AssetEvent.Kind.damaged, Damage.reason(1)), (.health, Health.Level.damaged.rawValue),
            ] {
                session.record(AssetEvent(id: 0, at: now, token: token, kind: kind, reason: reason))
            }
        }
    }
}
