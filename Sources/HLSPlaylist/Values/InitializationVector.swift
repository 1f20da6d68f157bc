internal import ASCII

/// The 16 bytes that start a CBC chain (RFC 8216bis §4.4.4.4, §5.2).
public struct InitializationVector: Sendable, Hashable {
    /// Exactly 16 bytes.
    public let bytes: [UInt8]

    /// `nil` unless there are exactly 16 bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Reads a hexadecimal sequence such as `0x1566B`; fewer than 32 digits are filled up with zeros on the
    /// left. `nil` for no digit, other characters, or more than 32 digits.
    public init?(hexadecimal text: String) {
        var digits = Array(text.utf8)
        guard digits.count > 2, digits.count <= 34, digits[0] == .zero, digits[1] | 0x20 == UInt8(ascii: "x")
        else { return nil }
        digits.removeFirst(2)
        var bytes = [UInt8](repeating: 0, count: 16)
        for (place, digit) in digits.reversed().enumerated() {
            guard let value = digit.hexValue else { return nil }
            bytes[15 - place / 2] |= place % 2 == 0 ? value : value << 4
        }
        self.bytes = bytes
    }

    /// The vector of a segment whose key has none: its media sequence number, big-endian (RFC 8216bis §5.2).
    public init(mediaSequence: Int) {
        let number = UInt64(clamping: mediaSequence)
        bytes = (0..<16).map { $0 < 8 ? 0 : UInt8(truncatingIfNeeded: number >> UInt64((15 - $0) * 8)) }
    }

    /// The vector as `0x` and 32 lowercase digits.
    public var verbatim: String {
        "0x" + Hexadecimal.text(bytes)
    }
}
