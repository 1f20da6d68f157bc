/// Sizes, times and rates for people.
package enum HumanUnits {
    /// `12.3 MB`, in powers of ten.
    package static func bytes(_ count: Int64) -> String {
        var value = Double(count)
        for unit in ["B", "kB", "MB", "GB"] {
            // A value that would be rounded to 1000 is written in the next unit.
            if abs(value) < (unit == "B" ? 1000 : 999.5) {
                return unit == "B" ? "\(count) B" : "\(decimal(value)) \(unit)"
            }
            value /= 1000
        }
        return "\(decimal(value)) TB"
    }

    /// `1:02:03` or `2:03`.
    package static func duration(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds >= 0, seconds < 1e9 else { return "?" }
        let whole = Int(seconds.rounded())
        let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
        return hours > 0 ? "\(hours):\(padded(minutes)):\(padded(rest))" : "\(minutes):\(padded(rest))"
    }

    /// `4.9 Mbit/s`.
    package static func bitrate(_ bits: Int) -> String {
        let thousands = (Double(bits) / 1000).rounded()
        return thousands < 1000 ? "\(Int(thousands)) kbit/s" : "\(decimal(Double(bits) / 1_000_000)) Mbit/s"
    }

    package static func percent(_ fraction: Double) -> String { "\(Int((fraction * 100).rounded(.down)))%" }

    private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func decimal(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        guard abs(tenths) < 1000 else { return "\(Int(value.rounded()))" }
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))"
    }
}
