internal import FoundationEssentials

/// The body of a license request of ClearKey (W3C Encrypted Media Extensions, section 9.1.3).
struct ClearKeyRequest: Decodable {
    var kids: [String]
    var type: String?

    /// The bytes of `kids`; `nil` when one of them is not Base64URL of any.
    var identifiers: [[UInt8]]? {
        let identifiers = kids.compactMap(Base64URL.bytes)
        let isSound = identifiers.count == kids.count && identifiers.allSatisfy { !$0.isEmpty }
        return isSound ? identifiers : nil
    }
}

/// Base64 with the alphabet of URLs and without padding (RFC 4648, section 5).
enum Base64URL {
    static func text(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }

    static func bytes(_ text: String) -> [UInt8]? {
        let usual = text.replacing("-", with: "+").replacing("_", with: "/").replacing("=", with: "")
        let padding = String(repeating: "=", count: (4 - usual.count % 4) % 4)
        return Data(base64Encoded: usual + padding).map { [UInt8]($0) }
    }
}
