/// Bytes as pairs of hexadecimal digits.
package enum Hexadecimal {
    private static let lowercase = Array("0123456789abcdef".utf8)
    private static let uppercase = Array("0123456789ABCDEF".utf8)

    /// Reads pairs of digits of either case, optionally with hyphens between them; `nil` for other texts.
    package static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.utf8.filter { $0 != .hyphen }
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[start].hexValue, let low = digits[start + 1].hexValue else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    /// Two lower-case digits for each byte.
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: bytes.flatMap { digits($0, lowercase) }, as: UTF8.self)
    }

    /// The two lower-case digits of a byte.
    package static func digits(_ byte: UInt8) -> [UInt8] { digits(byte, lowercase) }

    /// `%` and the two upper-case digits of a byte (RFC 3986, section 2.1).
    package static func percentEncoded(_ byte: UInt8) -> [UInt8] { [.percent] + digits(byte, uppercase) }

    private static func digits(_ byte: UInt8, _ alphabet: [UInt8]) -> [UInt8] {
        [alphabet[Int(byte >> 4)], alphabet[Int(byte & 15)]]
    }
}
