internal import ASCII
internal import Crypto

/// Signs requests by AWS Signature Version 4, with all of its header fields and the hash of its body.
///
/// The path is signed as it is sent: S3 neither normalizes it nor encodes it a second time.
struct SignatureV4: Sendable {
    /// The request to sign, complete but for the fields that the signature adds.
    struct Request {
        var method: String
        /// The path, percent-encoded by `encode`.
        var path: String
        /// Names and values, not encoded.
        var query: [(name: String, value: String)] = []
        /// Names in any case; `host` must be among them.
        var fields: [(name: String, value: String)]
        /// SHA-256 of the body in hexadecimal digits, or a value that S3 accepts in its place.
        var payloadHash = SignatureV4.emptyHash
    }

    var credentials: S3Credentials
    var region: String
    var service = "s3"

    /// SHA-256 of no bytes.
    static let emptyHash = hash([])
    private static let algorithm = "AWS4-HMAC-SHA256"

    /// SHA-256 in lower-case hexadecimal digits.
    static func hash(_ bytes: [UInt8]) -> String { Hexadecimal.text(SHA256.hash(data: bytes)) }

    /// The value of the `Authorization` field.
    ///
    /// - Parameter date: the time of the request, which must also be in `x-amz-date` or `date`.
    func authorization(_ request: Request, at date: SigningDate) -> String {
        let fields = Self.canonicalFields(request.fields)
        let signed = fields.map(\.name).joined(separator: ";")
        let scope = "\(date.day)/\(region)/\(service)/aws4_request"
        let text = [Self.algorithm, date.text, scope, Self.hash(Array(canonical(request).utf8))]
            .joined(separator: "\n")
        let signature = Hexadecimal.text(Self.code(key(date.day), text))
        return "\(Self.algorithm) Credential=\(credentials.accessKey)/\(scope),"
            + "SignedHeaders=\(signed),Signature=\(signature)"
    }

    /// The canonical form of a request, whose hash is signed.
    func canonical(_ request: Request) -> String {
        let fields = Self.canonicalFields(request.fields)
        let lines =
            [request.method, request.path, Self.query(request.query)]
            + fields.map { "\($0.name):\($0.value)" }
            + ["", fields.map(\.name).joined(separator: ";"), request.payloadHash]
        return lines.joined(separator: "\n")
    }

    /// Names and values, encoded and sorted by their bytes: this form is both signed and sent.
    static func query(_ items: [(name: String, value: String)]) -> String {
        items.map { (name: encode($0.name), value: encode($0.value)) }
            .sorted { $0.name == $1.name ? $0.value.isBefore($1.value) : $0.name.isBefore($1.name) }
            .map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }

    /// Percent-encodes all but letters, digits and `-._~`, and `/` where it separates.
    static func encode(_ text: String, keeping separator: UInt8? = nil) -> String {
        String(
            decoding: text.utf8.flatMap {
                $0.isUnreserved || $0 == separator ? [$0] : Hexadecimal.percentEncoded($0)
            },
            as: UTF8.self)
    }

    /// The path of a key, encoded.
    static func path(_ text: String) -> String { encode(text, keeping: .slash) }

    /// Names in lower case, each once, in the order of their bytes; values without outer blanks and with single ones within.
    private static func canonicalFields(
        _ fields: [(name: String, value: String)]
    ) -> [(name: String, value: String)] {
        var values: [String: [String]] = [:]
        for field in fields {
            let value = field.value.split(whereSeparator: { $0 == " " || $0 == "\t" }).joined(separator: " ")
            values[field.name.lowercased(), default: []].append(value)
        }
        return values.map { (name: $0.key, value: $0.value.joined(separator: ",")) }
            .sorted { $0.name.isBefore($1.name) }
    }

    /// The key of a day, region and service, which the secret is behind.
    private func key(_ day: String) -> [UInt8] {
        [day, region, service, "aws4_request"].reduce(Array("AWS4\(credentials.secretKey)".utf8)) {
            key, text in
            Self.code(key, text)
        }
    }

    private static func code(_ key: [UInt8], _ text: String) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: SymmetricKey(data: key)))
    }
}

extension String {
    /// Whether its bytes sort before those of another text; Swift compares texts by characters.
    fileprivate func isBefore(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}

extension UInt8 {
    /// A letter, a digit or one of `-._~` (RFC 3986, section 2.3).
    fileprivate var isUnreserved: Bool {
        isLetter || isDigit || self == .hyphen || self == .dot || self == UInt8(ascii: "_")
            || self == UInt8(ascii: "~")
    }
}
