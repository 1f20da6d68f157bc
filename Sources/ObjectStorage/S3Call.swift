internal import HTTPTypes
internal import Transfers

/// One request to an S3 store, before it is signed.
struct S3Call: Sendable {
    enum Method: String, Sendable {
        case get = "GET"
        case head = "HEAD"
        case put = "PUT"
        case post = "POST"
        case delete = "DELETE"
    }

    var method: Method
    /// The object's key without the prefix; `nil` for the bucket.
    var key: String?
    var query: [(name: String, value: String)] = []
    var fields: [(name: String, value: String)] = []
    var body: UploadBody = .bytes([])
    /// SHA-256 of the body in hexadecimal digits.
    var payloadHash = SignatureV4.emptyHash
    var range: TransferRange?
    var isUrgent = false

    /// The request, signed for a time.
    func request(
        to location: S3Location, _ credentials: S3Credentials, authority: String?, at date: SigningDate
    ) -> TransferRequest {
        let path = location.path(of: key.map { location.prefix + $0 })
        var fields = self.fields + [("x-amz-content-sha256", payloadHash), ("x-amz-date", date.text)]
        if let token = credentials.sessionToken { fields.append(("x-amz-security-token", token)) }
        let signature = SignatureV4(credentials: credentials, region: location.region)
        let authorization = signature.authorization(
            .init(
                method: method.rawValue, path: path, query: query, fields: fields + [("host", location.host)],
                payloadHash: payloadHash), at: date)
        var request = TransferRequest(
            url: location.url(path, SignatureV4.query(query)), method: transferMethod)
        for field in fields + [("authorization", authorization)] {
            if let name = HTTPField.Name(field.name) { request.headerFields[name] = field.value }
        }
        request.range = range
        request.maximumRedirects = 0
        request.allowsPrivateAddresses = true
        request.certificateAuthorityFile = authority
        request.priority = isUrgent ? .high : .normal
        return request
    }

    private var transferMethod: TransferRequest.Method {
        switch method {
        case .get: return .get
        case .head: return .head
        case .delete: return .delete
        case .put: return .put(body)
        case .post:
            guard case .bytes(let bytes) = body else { return .post(body: []) }
            return .post(body: bytes)
        }
    }
}
