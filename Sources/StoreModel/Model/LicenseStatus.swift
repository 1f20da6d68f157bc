/// The license of an asset, as users see it.
public struct LicenseStatus: Sendable, Equatable {
    /// The state of the license: whether its keys may be used.
    public enum State: String, Sendable {
        /// The asset is not encrypted and needs no license.
        case none
        /// Its keys may be used.
        case valid
        /// A limit has passed.
        case expired
        /// The license was revoked, and the keys are wiped.
        case revoked
        /// A content key is not stored, or can't be unsealed.
        case missing
    }

    /// The end of a license.
    public enum Expiry: Sendable, Equatable {
        /// The asset is bought, or not encrypted.
        case never
        /// A rental.
        case at(Timestamp)
        /// The asset has no license.
        case unknown
    }

    /// Whether keys may be used.
    public var state: State
    /// The terms; `nil` if nothing is encrypted.
    public var terms: LicenseTerms?
    /// The time of the request, or of the renewal.
    package var requestedAt: Timestamp?
    /// The end of the rental.
    public var expiry: Expiry
    /// The time at which the first key was handed out under these terms.
    package var firstPlayedAt: Timestamp?
    /// The end of the play window.
    package var playExpiresAt: Timestamp?
    /// The time of the revocation.
    package var revokedAt: Timestamp?
    /// How many keys were handed out over all.
    public var keysHandedOut: Int64 = 0
    /// The time at which the last key was handed out.
    package var lastHandedOutAt: Timestamp?
    /// Whether the system's clock was set back: by that clock the license would still be valid.
    public var isClockBehind = false

    /// The status of an asset without encryption.
    public static let none = LicenseStatus(state: .none, expiry: .never)

    package init(state: State, expiry: Expiry) {
        self.state = state
        self.expiry = expiry
    }

    package init(_ license: License, keysMissing: Bool, at moment: Moment) {
        switch (license.verdict(at: moment.trusted), keysMissing) {
        case (.revoked, _): state = .revoked
        case (_, true): state = .missing
        case (.expired, false): state = .expired
        case (.valid, false): state = .valid
        }
        let isThere = state == .valid || state == .expired
        expiry = isThere ? license.expiresAt.map(Expiry.at) ?? .never : .unknown
        terms = license.terms
        requestedAt = license.requestedAt
        firstPlayedAt = license.firstPlayedAt
        playExpiresAt = license.playExpiresAt
        revokedAt = license.revokedAt
        keysHandedOut = license.keysHandedOut
        lastHandedOutAt = license.lastPlayedAt
        isClockBehind = state == .expired && license.end.map { moment.wall < $0 } == true
    }
}
