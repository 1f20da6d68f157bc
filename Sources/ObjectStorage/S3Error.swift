package import Transfers

/// The reason for which an S3 store did not carry out a request.
package struct S3Error: Error, Sendable {
    /// The reason.
    package enum Code: Sendable {
        case noSuchBucket
        case noSuchKey
        case accessDenied
        /// The store does not know the access key.
        case unknownAccessKey
        /// The secret is not that of the access key.
        case wrongSecret
        /// Temporary credentials have ended.
        case expiredCredentials
        /// The machine's clock is so many seconds ahead of the store's; `nil` if the number is unknown.
        case clockSkew(seconds: Int64?)
        /// The bucket is in another region; with its name if the store tells it.
        case wrongRegion(String?)
        /// The store asks for fewer requests.
        case slowDown
        /// A status of 500 or more.
        case unavailable(status: Int)
        /// The store or the account is full.
        case noSpace
        /// The store received other bytes than were sent.
        case changedOnTheWay
        /// The object is shorter than the range that was requested.
        case tooShort
        /// The answer does not have the length that it should have.
        case wrongLength(expected: UInt64, received: UInt64)
        /// The request or the answer did not get through.
        case transfer(TransferError)
        /// The receiver of an object could not take it.
        case receiver(any Error)
        /// Another error, with the store's own code and the status.
        case unexpected(String, status: Int)
        /// The request was cancelled.
        case cancelled
    }

    package var code: Code
    /// The endpoint.
    package var endpoint: String
    package var bucket: String
    /// Seconds after which the store wants to be asked again, when it says so.
    var retryAfter: Int?

    /// Whether the same request may succeed a little later.
    package var isTemporary: Bool {
        switch code {
        case .slowDown, .unavailable, .changedOnTheWay, .wrongLength: true
        case .transfer(let error): error.isRetryable
        case .unexpected(_, let status): status == 408 || status == 429
        default: false
        }
    }

    /// Whether each request would fail in this way until somebody puts the bucket, its account or this machine right.
    package var isOfBucket: Bool {
        switch code {
        case .noSuchBucket, .accessDenied, .unknownAccessKey, .wrongSecret, .expiredCredentials, .clockSkew,
            .noSpace:
            true
        default: false
        }
    }

    /// Whether the object does not exist.
    package var isNoSuchKey: Bool {
        if case .noSuchKey = code { true } else { false }
    }

    /// Whether the object gives fewer bytes than it should have, after all tries.
    package var isOfLength: Bool {
        switch code {
        case .tooShort, .wrongLength: true
        default: false
        }
    }

    /// One sentence: the reason and the advice. It holds no secret.
    package var sentence: String {
        switch code {
        case .noSuchBucket, .noSuchKey, .tooShort, .wrongRegion: placeSentence
        case .accessDenied, .unknownAccessKey, .wrongSecret, .expiredCredentials: credentialSentence
        case .clockSkew(let seconds): Self.clockSentence(seconds, endpoint)
        case .slowDown: "\(endpoint) asks for fewer requests; they are tried again more slowly"
        case .unavailable(let status):
            "\(endpoint) is not available (status \(status)); check that server if this persists"
        case .noSpace:
            "\(endpoint) has no room left for the bucket \(bucket); free space there or raise its quota"
        case .changedOnTheWay, .wrongLength:
            "data changed on the way between here and \(endpoint); use https, and check the network in between"
        case .transfer(let error) where error.isUntrusted:
            "this machine does not trust the certificate of \(endpoint); name its authority with --s3-ca"
        case .transfer(let error): "\(endpoint) can't be reached: \(error.sentence)"
        case .receiver(let error): "an object of the bucket \(bucket) could not be received: \(error)"
        case .unexpected(let name, let status):
            "\(endpoint) refuses a request for the bucket \(bucket) with \(name) (status \(status))"
        case .cancelled: "a request to \(endpoint) was cancelled"
        }
    }

    private var placeSentence: String {
        switch code {
        case .noSuchKey:
            "an object is missing in the bucket \(bucket); this program did not delete it: check the bucket's lifecycle rules and its other users"
        case .tooShort:
            "an object of the bucket \(bucket) is shorter than it was stored; this program did not replace it: check the bucket's other users"
        case .wrongRegion(let region?):
            "the bucket \(bucket) is in the region \(region); set --s3-region \(region)"
        case .wrongRegion(nil): "the bucket \(bucket) is in another region; set --s3-region, or its endpoint"
        default: "\(endpoint) has no bucket \(bucket); create it, or name another one"
        }
    }

    private var credentialSentence: String {
        switch code {
        case .unknownAccessKey: "\(endpoint) does not know the access key; check the S3 credentials"
        case .wrongSecret:
            "the secret does not belong to the access key; check the S3 credentials and the region"
        case .expiredCredentials: "the S3 credentials have expired; give new ones and start again"
        default:
            "the S3 credentials may not use the bucket \(bucket); allow reading, writing, deleting and listing"
        }
    }

    private static func clockSentence(_ seconds: Int64?, _ endpoint: String) -> String {
        guard let seconds, seconds != 0 else {
            return "the clocks of this machine and of \(endpoint) differ too much; set this machine's clock"
        }
        let minutes = max(1, abs(seconds) / 60)
        let side = seconds > 0 ? "ahead of" : "behind"
        return "the clock of this machine is \(minutes) min \(side) that of \(endpoint); set it"
    }
}

extension S3Error: CustomStringConvertible {
    package var description: String { sentence }
}
