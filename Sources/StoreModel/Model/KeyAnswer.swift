/// The answer to a request for a content key.
package enum KeyAnswer: Sendable {
    /// The key in the clear, for one response, and the type of its content when it is the blob of a key system.
    case key([UInt8], contentType: String?)
    /// The license does not allow it.
    case refused(LicenseRefusal)
    /// The asset needs this key, and it is not stored, or can't be unsealed.
    case missing
    /// The asset has no such key.
    case unknown
}

/// The reason for which a license permits nothing.
public enum LicenseRefusal: String, Sendable {
    /// The rental or the play window has ended.
    case expired = "license-expired"
    /// The license was revoked.
    case revoked = "license-revoked"
    /// The system's clock was set back to before a time at which the license had ended.
    case clockMovedBack = "clock-moved-back"

    /// The reason of the refusal and the advice, in one sentence.
    public func sentence(_ token: AssetToken) -> String {
        switch self {
        case .expired:
            "The license of the asset has expired; \(Remedy.renewLicense(token)) renews it."
        case .revoked:
            "The license of the asset was revoked; \(Remedy.renewLicense(token)) gets a new one, or \(Remedy.addKey(token)) where keys were given."
        case .clockMovedBack:
            "The system's clock was set back after the license had expired; correct it, or get a new license with \(Remedy.renewLicense(token))."
        }
    }
}
