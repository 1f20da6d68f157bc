/// The license of an encrypted asset: its terms and its history. The present time is passed in; it is always that of
/// the `TrustedClock`.
package struct License: Sendable, Equatable {
    package var terms = LicenseTerms()
    package var requestedAt: Timestamp
    /// The end of the rental; `nil` is never.
    package var expiresAt: Timestamp?
    package var firstPlayedAt: Timestamp?
    /// The end of the play window; `nil` before the first play, or without one.
    package var playExpiresAt: Timestamp?
    package var revokedAt: Timestamp?
    /// The latest time that a wrong clock had shown when another license's provider confirmed the right time: until
    /// the clock reaches this time again, it continues from here.
    package var floor: Timestamp?
    /// The reading of the clock when `floor` was read.
    package var floorReadAt: Timestamp?
    /// Whether another store granted it, and sealed it with the keys.
    package var isForeign = false
    package var lastPlayedAt: Timestamp?
    package var keysHandedOut: Int64 = 0

    package init(_ terms: LicenseTerms, at now: Timestamp) {
        self.terms = terms
        requestedAt = now
        expiresAt = terms.rental.map(now.adding(seconds:))
    }

    /// The decision whether keys may be handed out.
    package enum Verdict: Sendable, Equatable {
        case valid, expired, revoked
    }

    package func verdict(at now: Timestamp) -> Verdict {
        if revokedAt != nil { return .revoked }
        let now = reckoned(now)
        let ends = [expiresAt, playExpiresAt].compactMap(\.self)
        return ends.allSatisfy { now < $0 } ? .valid : .expired
    }

    /// The moment that counts for this license.
    package func reckoned(_ now: Timestamp) -> Timestamp {
        guard let floor, now < floor else { return now }
        return floor.adding(milliseconds: max(0, now.milliseconds - (floorReadAt ?? now).milliseconds))
    }

    /// The time at which it ends; `nil` for never.
    package var end: Timestamp? { [expiresAt, playExpiresAt].compactMap(\.self).min() }

    /// The license after a key was handed out for the first time.
    package func played(at now: Timestamp) -> License {
        guard firstPlayedAt == nil else { return self }
        var license = self
        let now = reckoned(now)
        license.firstPlayedAt = now
        license.playExpiresAt = terms.playWindow.map(now.adding(seconds:))
        return license
    }

    /// The license that the provider gave anew: the clocks of its terms start again.
    package func renewed(_ terms: LicenseTerms, at now: Timestamp) -> License {
        var license = License(terms, at: now)
        (license.lastPlayedAt, license.keysHandedOut) = (lastPlayedAt, keysHandedOut)
        return license
    }

    package func revoked(at now: Timestamp) -> License {
        var license = self
        license.revokedAt = revokedAt ?? now
        return license
    }
}
