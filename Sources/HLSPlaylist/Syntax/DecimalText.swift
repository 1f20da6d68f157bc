internal import ASCII

/// Reads and writes numbers in ASCII, as RFC 8216bis §4.2 has them.
enum DecimalText {
    /// A decimal integer from 0 to `Int.max` that fills the whole text.
    static func integer<Bytes: Collection<UInt8>>(_ text: Bytes) -> Int? {
        guard !text.isEmpty else { return nil }
        var value = 0
        for byte in text {
            guard byte.isDigit else { return nil }
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(Int(byte &- .zero))
            if overflow || carry { return nil }
            value = sum
        }
        return value
    }

    /// A decimal number with an optional sign and fraction that fills the whole text; never infinite.
    static func decimal<Bytes: Collection<UInt8>>(_ text: Bytes) -> Double? {
        guard text.first == .hyphen else { return unsigned(text) }
        return unsigned(text.dropFirst()).map { -$0 }
    }

    /// The text of a number, with at most six digits after the point and never an exponent. Numbers beyond
    /// 1,000,000,000 are cut to it.
    static func text(_ number: Double) -> String {
        let limited = number.isNaN ? 0 : min(max(number, -1e9), 1e9)
        let micros = Int((limited * 1_000_000).rounded())
        let (whole, fraction) = micros.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        let sign = micros < 0 ? "-" : ""
        guard fraction > 0 else { return "\(sign)\(whole)" }
        var digits = "\(fraction)"
        digits = String(repeating: "0", count: 6 - digits.utf8.count) + digits
        while digits.last == "0" { digits.removeLast() }
        return "\(sign)\(whole).\(digits)"
    }

    private static func unsigned<Bytes: Collection<UInt8>>(_ text: Bytes) -> Double? {
        var mantissa: UInt64 = 0
        var scale = 1.0
        var digits = 0
        var hasPoint = false
        for byte in text {
            if byte == .dot, !hasPoint {
                hasPoint = true
            } else if byte.isDigit {
                digits += 1
                guard digits <= 15 else { return slow(text) }
                mantissa = mantissa * 10 + UInt64(byte &- .zero)
                if hasPoint { scale *= 10 }
            } else {
                return nil
            }
        }
        return digits == 0 ? nil : Double(mantissa) / scale
    }

    /// More than 15 digits: the standard library rounds them right.
    private static func slow<Bytes: Collection<UInt8>>(_ text: Bytes) -> Double? {
        guard text.allSatisfy({ $0.isDigit || $0 == .dot }) else { return nil }
        guard let value = Double("0" + String(decoding: text, as: UTF8.self)), value.isFinite else {
            return nil
        }
        return value
    }
}
