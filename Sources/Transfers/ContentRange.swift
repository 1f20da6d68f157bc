/// A `Content-Range` of bytes (RFC 9110, 14.4).
public struct ContentRange: Sendable, Hashable {
    /// First and last position; nil for the unsatisfied form `*/total`.
    public var positions: ClosedRange<UInt64>?
    /// The complete length; nil for `*`.
    public var total: UInt64?

    /// A content range of its parts.
    public init(positions: ClosedRange<UInt64>?, total: UInt64?) {
        self.positions = positions
        self.total = total
    }

    /// Parses `bytes 0-99/1000`, `bytes 0-99/*` or `bytes */1000`; nil for other texts.
    public init?(_ value: String) {
        let parts = value.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
        let sides = parts[1].split(separator: "/", omittingEmptySubsequences: false)
        guard sides.count == 2 else { return nil }
        total = UInt64(digits: sides[1])
        guard total != nil || sides[1] == "*" else { return nil }
        if sides[0] == "*" {
            guard total != nil else { return nil }
            return
        }
        let ends = sides[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = UInt64(digits: ends[0]), let last = UInt64(digits: ends[1]),
            first <= last, last < UInt64.max, total.map({ last < $0 }) ?? true
        else { return nil }
        positions = first...last
    }

    /// How many bytes the range has; nil for the unsatisfied form.
    public var length: UInt64? { positions.map { $0.upperBound - $0.lowerBound + 1 } }
}

extension UInt64 {
    /// A number of ASCII digits alone: no sign, no space.
    init?(digits: some StringProtocol) {
        guard !digits.isEmpty, digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
        self.init(digits)
    }
}
