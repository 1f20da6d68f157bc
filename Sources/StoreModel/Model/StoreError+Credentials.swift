/// What credentials can be given to: by this an error says how.
package enum CredentialPlace: Sendable, Equatable {
    /// The command or request that failed.
    case request
    /// An asset that is there.
    case asset(AssetToken)
    /// The renewal of a license.
    case renewal

    /// What to do when an origin lets nobody in.
    package var advice: String {
        switch self {
        case .request:
            "it may need --header (--header-for HOST where that is not the stream's own host), --cookie-jar or a fresh URL"
        case .asset(let token):
            "`offline-server relink \(token) URL` takes a fresh URL, and --header, --header-for HOST or --cookie-jar for a fresh or the same one"
        case .renewal:
            "`license renew` takes --header, --header-for HOST, --cookie-jar, and a fresh URL with --via-url"
        }
    }
}

extension StoreError {
    /// The same error, of something to which credentials are given in another way.
    package func at(_ place: CredentialPlace) -> StoreError {
        var error = self
        error.credentialPlace = place
        return error
    }

    /// What to do when an origin refused a content key.
    var keyAdvice: String {
        guard credentialPlace == .request else { return credentialPlace.advice }
        return "\(credentialPlace.advice); --allow-missing-key downloads without it"
    }
}
