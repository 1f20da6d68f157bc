internal import ASCII

/// A host and port: the value of Host and the authority of an absolute-form target (RFC 9110 §7.2,
/// RFC 3986 §3.2), without user information.
struct Authority: Equatable {
    /// The host in lower case; an IPv6 address with its brackets. Not empty.
    let host: String
    let port: UInt16?

    init?(_ text: some Collection<UInt8>) {
        var hostEnd = text.startIndex
        if text.first == UInt8(ascii: "[") {
            guard let bracket = text.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            let inside = text[text.index(after: text.startIndex)..<bracket]
            guard inside.contains(UInt8(ascii: ":")), inside.allSatisfy(\.isAddressCharacter) else {
                return nil
            }
            hostEnd = text.index(after: bracket)
        } else {
            hostEnd = text.firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex
            guard hostEnd != text.startIndex, text[..<hostEnd].allSatisfy(\.isNameCharacter) else {
                return nil
            }
        }
        host = String(decoding: text[..<hostEnd].map(\.lowercasedASCII), as: UTF8.self)
        guard hostEnd != text.endIndex else {
            port = nil
            return
        }
        let digits = text[text.index(after: hostEnd)...]
        guard text[hostEnd] == UInt8(ascii: ":"), digits.allSatisfy(\.isDigit) else { return nil }
        port = UInt16(String(decoding: digits, as: UTF8.self))
        if port == nil, !digits.isEmpty { return nil }
    }
}

extension UInt8 {
    /// reg-name and IPv4address: unreserved, sub-delims and `%`, RFC 3986 §3.2.2.
    fileprivate var isNameCharacter: Bool {
        if isLetter || isDigit { return true }
        return switch self {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "%"),
            UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("),
            UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ";"),
            UInt8(ascii: "="):
            true
        default: false
        }
    }

    /// Inside the brackets of an IPv6 address.
    fileprivate var isAddressCharacter: Bool {
        isHexDigit || self == UInt8(ascii: ":") || self == UInt8(ascii: ".")
    }
}
