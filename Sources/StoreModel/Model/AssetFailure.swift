/// The reason why an asset or one of its renditions failed.
public struct AssetFailure: Codable, Sendable, Equatable {
    /// The class of the error.
    public var errorClass: String
    /// The name of the error, such as `stream-changed`; `nil` in failures that an earlier version has stored.
    public var code: String?
    /// The message, in one sentence.
    public var message: String
    /// The URL, without user information and query; `nil` if the error has none.
    public var url: String?
    /// Whether a retry may help.
    public var retryable: Bool
    /// The time of the failure.
    package var at: Timestamp

    /// A failure as another process reports it.
    package init(
        errorClass: String, code: String? = nil, message: String, url: String?, retryable: Bool, at: Timestamp
    ) {
        (self.errorClass, self.code, self.message, self.url) = (errorClass, code, message, url)
        (self.retryable, self.at) = (retryable, at)
    }

    package init(_ error: StoreError, at now: Timestamp) {
        errorClass = error.errorClass.rawValue
        code = error.code.name
        message = error.message
        url = error.url
        retryable = error.isRetryable
        at = now
    }
}

extension AssetFailure {
    /// Whether the origin has a different stream now, so that the user must decide which one to keep.
    package var isOtherStream: Bool { code == "stream-changed" }
    /// Whether the stream has nothing of the selection, so that a retry can't help.
    package var isOfChoice: Bool { code == "nothing-selected" }
}
