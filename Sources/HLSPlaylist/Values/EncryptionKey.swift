/// A key, from `EXT-X-KEY` or `EXT-X-SESSION-KEY` (RFC 8216bis §4.4.4.4, §4.4.6.5).
public struct EncryptionKey: Sendable, Hashable {
    /// How segments are encrypted.
    public enum Method: Sendable, Hashable {
        /// No encryption.
        case none
        /// The whole segment with AES-128 in CBC mode.
        case aes128
        /// The whole segment with AES-256 in CBC mode.
        case aes256
        /// Samples inside of the container.
        case sampleAES
        /// Samples, with Common Encryption in CTR mode.
        case sampleAESCTR
        /// Another method, as written.
        case other(String)

        /// Reads the value of METHOD.
        public init(_ text: String) {
            switch text {
            case "NONE": self = .none
            case "AES-128": self = .aes128
            case "AES-256": self = .aes256
            case "SAMPLE-AES": self = .sampleAES
            case "SAMPLE-AES-CTR": self = .sampleAESCTR
            default: self = .other(text)
            }
        }

        /// The value of METHOD.
        public var verbatim: String {
            switch self {
            case .none: "NONE"
            case .aes128: "AES-128"
            case .aes256: "AES-256"
            case .sampleAES: "SAMPLE-AES"
            case .sampleAESCTR: "SAMPLE-AES-CTR"
            case .other(let text): text
            }
        }
    }

    /// All attributes of the tag.
    public let attributes: AttributeList
    /// METHOD.
    public let method: Method
    /// URI, where the key is; as written, not resolved.
    public let uri: String?
    /// IV; `nil` without one, or if `ivText` is not a hexadecimal sequence of at most 128 bits.
    public let iv: InitializationVector?
    /// IV as written.
    public let ivText: String?
    /// KEYFORMAT; `identity` when omitted.
    public let keyFormat: String

    /// The key of an attribute list; `nil` without METHOD.
    public init?(_ attributes: AttributeList) {
        guard let method = attributes["METHOD"] else { return nil }
        self.init(method: Method(method), attributes: attributes)
    }

    init(method: Method, attributes: AttributeList) {
        self.attributes = attributes
        self.method = method
        uri = attributes["URI"]
        ivText = attributes["IV"]
        iv = attributes["IV"].flatMap(InitializationVector.init(hexadecimal:))
        keyFormat = attributes["KEYFORMAT"] ?? "identity"
    }

    /// KEYFORMATVERSIONS as written, such as `1/2`.
    public var keyFormatVersions: String? { attributes["KEYFORMATVERSIONS"] }
}
