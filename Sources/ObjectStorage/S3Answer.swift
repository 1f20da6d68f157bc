internal import HTTPTypes
internal import Transfers

/// Reads S3's answers to failed requests.
enum S3Answer {
    /// The reason for a failure, by the error document, otherwise by the status.
    static func code(_ response: TransferResponse, body: [UInt8], isAboutKey: Bool) -> S3Error.Code {
        let name = XMLText(body)["Code"] ?? ""
        if let code = code(named: name, response) { return code }
        switch response.status {
        case 301, 307: return .wrongRegion(region(response))
        case 403: return .accessDenied
        case 404: return isAboutKey ? .noSuchKey : .noSuchBucket
        case 416: return .tooShort
        case 507: return .noSpace
        case 500...: return .unavailable(status: response.status)
        default: return .unexpected(name.isEmpty ? "no reason" : name, status: response.status)
        }
    }

    /// The reason that a name of S3 stands for; `nil` for other names.
    private static func code(named name: String, _ response: TransferResponse) -> S3Error.Code? {
        switch name {
        case "NoSuchBucket": .noSuchBucket
        case "NoSuchKey", "NoSuchUpload": .noSuchKey
        case "AccessDenied", "AllAccessDisabled", "AccountProblem": .accessDenied
        case "InvalidAccessKeyId": .unknownAccessKey
        case "SignatureDoesNotMatch": .wrongSecret
        case "ExpiredToken", "InvalidToken", "TokenRefreshRequired": .expiredCredentials
        case "RequestTimeTooSkewed": .clockSkew(seconds: skew(response))
        case "PermanentRedirect", "TemporaryRedirect", "AuthorizationHeaderMalformed",
            "IllegalLocationConstraintException":
            .wrongRegion(region(response))
        case "SlowDown", "ServiceUnavailable", "Throttling", "RequestLimitExceeded", "TooManyRequests":
            .slowDown
        case "InvalidRange": .tooShort
        case "InternalError", "RequestTimeout", "OperationAborted": .unavailable(status: response.status)
        case "QuotaExceeded", "XMinioStorageFull": .noSpace
        case "BadDigest", "XAmzContentSHA256Mismatch", "XAmzContentChecksumMismatch", "IncompleteBody":
            .changedOnTheWay
        default: nil
        }
    }

    private static func region(_ response: TransferResponse) -> String? {
        HTTPField.Name("x-amz-bucket-region").flatMap { response.headerFields[$0] }
    }

    /// How far this machine's clock is ahead.
    private static func skew(_ response: TransferResponse) -> Int64? {
        time(of: response).map { SigningDate.secondsNow - $0 }
    }

    /// The store's time, in seconds after 1970 began.
    static func time(of response: TransferResponse) -> Int64? {
        response.headerFields[.date].flatMap(CalendarTime.seconds(ofField:))
    }
}
