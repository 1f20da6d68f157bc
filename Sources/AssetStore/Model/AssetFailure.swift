/// Why an asset or one of its renditions failed, as the asset object tells it.
public struct AssetFailure: Codable, Sendable, Equatable {
    /// The class of the error.
    public var errorClass: String
    /// One sentence.
    public var message: String
    /// The URL, without user information and query; `nil` when none was concerned.
    public var url: String?
    /// Whether trying again may help.
    public var retryable: Bool
    /// When it happened.
    public var at: Timestamp

    init(_ error: StoreError, at now: Timestamp) {
        errorClass = error.errorClass.rawValue
        message = error.message
        url = error.url
        retryable = error.isRetryable
        at = now
    }
}
