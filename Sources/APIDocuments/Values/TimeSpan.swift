internal import StoreReading

/// A length of time as `30d`, `48h`, `90m`, `3600s` or `3600`, a second or longer.
package struct TimeSpan: Equatable {
    package var seconds: Int64

    package init?(argument: String) {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604_800]
        let unit = argument.last.flatMap { units[$0] }
        let digits = unit == nil ? argument : String(argument.dropLast())
        guard digits.allSatisfy(\.isASCII), let number = Int64(digits) else { return nil }
        let (product, overflow) = number.multipliedReportingOverflow(by: unit ?? 1)
        guard !overflow, LicenseTerms.limits.contains(product) else { return nil }
        seconds = product
    }

    /// Seconds in the largest unit that tells them exactly.
    package static func text(_ seconds: Int64) -> String {
        let unit = [("d", Int64(86400)), ("h", 3600), ("m", 60)].first { seconds.isMultiple(of: $0.1) }
        return "\(seconds / (unit?.1 ?? 1))\(unit?.0 ?? "s")"
    }
}
