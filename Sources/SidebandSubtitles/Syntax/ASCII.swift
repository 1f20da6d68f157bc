extension UInt8 {
    static let tab = UInt8(ascii: "\t")
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let formFeed: UInt8 = 0x0C
    static let space = UInt8(ascii: " ")
    static let ampersand = UInt8(ascii: "&")
    static let comma = UInt8(ascii: ",")
    static let hyphen = UInt8(ascii: "-")
    static let dot = UInt8(ascii: ".")
    static let slash = UInt8(ascii: "/")
    static let colon = UInt8(ascii: ":")
    static let semicolon = UInt8(ascii: ";")
    static let lessThan = UInt8(ascii: "<")
    static let equals = UInt8(ascii: "=")
    static let greaterThan = UInt8(ascii: ">")
    static let percent = UInt8(ascii: "%")

    /// ASCII whitespace as the WHATWG Infra standard has it.
    var isWhitespace: Bool {
        self == .space || self == .lineFeed || self == .tab || self == .carriageReturn || self == .formFeed
    }

    var isDigit: Bool { self &- 0x30 < 10 }

    var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }

    /// The value of a hexadecimal digit.
    var hexValue: UInt32? {
        if isDigit { return UInt32(self - 0x30) }
        let lower = self | 0x20
        return lower >= 0x61 && lower <= 0x66 ? UInt32(lower - 0x61 + 10) : nil
    }
}

extension ArraySlice<UInt8> {
    /// Whether these are exactly the bytes of a text known at compile time.
    func equals(_ text: StaticString) -> Bool {
        count == text.utf8CodeUnitCount && starts(with: text)
    }

    func starts(with text: StaticString) -> Bool {
        guard count >= text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { letters in
            unsafe zip(self, letters).allSatisfy { $0 == $1 }
        }
    }

    /// Without ASCII whitespace at both ends.
    var trimmed: ArraySlice<UInt8> {
        guard let first = firstIndex(where: { !$0.isWhitespace }),
            let last = lastIndex(where: { !$0.isWhitespace })
        else { return prefix(0) }
        return self[first...last]
    }
}
