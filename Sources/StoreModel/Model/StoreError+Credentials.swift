/// The way to give credentials: an error's advice names it.
package enum CredentialPlace: Sendable, Equatable {
    /// The command or request that failed.
    case request
    /// An existing asset.
    case asset(AssetToken)
    /// The renewal of a license.
    case renewal

    /// The advice for an origin that refuses requests without credentials.
    package var advice: String {
        switch self {
        case .request:
            "it may need \(Remedy.credentials)"
        case .asset(let token):
            Remedy.relinkCredentials(token)
        case .renewal:
            "\(Remedy.renewCredentials)"
        }
    }
}

extension StoreError {
    /// A copy of the error for a request that takes credentials in another way.
    package func at(_ place: CredentialPlace) -> StoreError {
        var error = self
        error.credentialPlace = place
        return error
    }

    /// The advice for an origin that refused a content key.
    var keyAdvice: String {
        guard credentialPlace == .request else { return credentialPlace.advice }
        return "\(credentialPlace.advice); \(Remedy.allowMissingKeys) downloads without it"
    }
}
