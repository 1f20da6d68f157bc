internal import ASCII

/// Decimal numbers as WebVTT writes them: digits, at most one dot with digits on both sides, no exponent.
enum Decimal {
    /// Reads digits with an optional fraction, such as `12` and `12.5` (WebVTT §4.4, percentage).
    ///
    /// `nil` for another form, and for a number too large for a `Double`.
    static func parse(_ text: ArraySlice<UInt8>) -> Double? {
        guard let first = text.first, let last = text.last, first.isDigit, last.isDigit else { return nil }
        var dots = 0
        for byte in text where !byte.isDigit {
            guard byte == .dot, dots == 0 else { return nil }
            dots = 1
        }
        guard let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else { return nil }
        return value
    }

    /// Reads a percentage from 0 to 100 with its percent sign (WebVTT §6.2).
    static func parsePercentage(_ text: ArraySlice<UInt8>) -> Double? {
        guard text.last == .percent, let value = parse(text.dropLast()), value <= 100 else { return nil }
        return value
    }

    /// The shortest text that reads back as the same number, without an exponent. Infinity is not permitted.
    static func text(_ value: Double) -> String {
        let text = "\(value)"
        if text.hasSuffix(".0") { return String(text.dropLast(2)) }
        guard let mark = text.firstIndex(of: "e"), let exponent = Int(text[text.index(after: mark)...]) else {
            return text
        }
        let sign = value < 0 ? "-" : ""
        let digits = text[..<mark].filter { $0 != "." && $0 != "-" }
        let magnitude = exponent + 1
        if magnitude <= 0 { return sign + "0." + String(repeating: "0", count: -magnitude) + digits }
        return sign + digits + String(repeating: "0", count: max(0, magnitude - digits.count))
    }
}
