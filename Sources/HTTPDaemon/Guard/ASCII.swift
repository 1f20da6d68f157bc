extension UInt8 {
    static let space = UInt8(ascii: " ")

    var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

    var isLetter: Bool { (lowercasedASCII >= UInt8(ascii: "a")) && (lowercasedASCII <= UInt8(ascii: "z")) }

    var isHexDigit: Bool {
        isDigit || (lowercasedASCII >= UInt8(ascii: "a") && lowercasedASCII <= UInt8(ascii: "f"))
    }

    var lowercasedASCII: UInt8 { self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self | 0x20 : self }

    /// tchar, RFC 9110 §5.6.2.
    var isTokenCharacter: Bool {
        if isLetter || isDigit { return true }
        switch self {
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            return true
        default: return false
        }
    }

    /// field-vchar, SP or HTAB, RFC 9110 §5.5.
    var isFieldCharacter: Bool { self >= 0x20 && self != 0x7F || self == 0x09 }
}
