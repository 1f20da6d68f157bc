internal import ASCII

/// A Range field in bytes, RFC 9110 §14.1.2 and §14.2.
public struct ByteRangeHeader: Equatable, Sendable {
    /// One range-spec. Numbers too large for 64 bits count as the largest.
    public enum Specifier: Equatable, Sendable {
        /// From `first` to `last`, both included; to the end without `last`.
        case from(first: UInt64, last: UInt64?)
        /// The last bytes, this many.
        case suffix(UInt64)
    }

    /// The meaning of a range for a representation of a certain size.
    public enum Resolution: Equatable, Sendable {
        /// All of it: the ranges asked for do not make one piece, and a server may then ignore them.
        case full
        /// One range, within the size and not empty.
        case partial(Range<UInt64>)
        /// No range is within the size: 416.
        case unsatisfiable
    }

    /// Ranges more than these are ignored (RFC 9110 §17.15).
    static let specifierLimit = 64

    /// In the order they came; not empty.
    public let specifiers: [Specifier]

    /// Reads the value of a Range field; `nil` for another unit, for an invalid value, and for more than 64 ranges:
    /// the field is then ignored.
    public init?(_ value: String) {
        guard let equals = value.firstIndex(of: "="), value[..<equals].lowercased() == "bytes" else {
            return nil
        }
        var specifiers: [Specifier] = []
        for element in value[value.index(after: equals)...].utf8.split(separator: UInt8(ascii: ",")) {
            let text = element.trimmingBlanks()
            guard !text.isEmpty else { continue }
            guard let specifier = Specifier(text) else { return nil }
            specifiers.append(specifier)
        }
        guard !specifiers.isEmpty, specifiers.count <= Self.specifierLimit else { return nil }
        self.specifiers = specifiers
    }

    /// Applies the ranges to a representation of `size` bytes. Ranges that overlap or touch are served as one.
    public func resolve(size: UInt64) -> Resolution {
        let satisfiable = specifiers.filter { $0.isSatisfiable(size: size) }
        guard !satisfiable.isEmpty else { return .unsatisfiable }
        let ranges = satisfiable.map { $0.range(size: size) }.sorted { $0.lowerBound < $1.lowerBound }
        var union = ranges[0]
        for range in ranges.dropFirst() {
            guard range.lowerBound <= union.upperBound else { return .full }
            union = union.lowerBound..<max(union.upperBound, range.upperBound)
        }
        return union.isEmpty ? .full : .partial(union)
    }

    /// The value of Content-Range for `range` of `size` bytes, RFC 9110 §14.4. `range` is not empty.
    public static func contentRange(_ range: Range<UInt64>, size: UInt64) -> String {
        "bytes \(range.lowerBound)-\(max(range.upperBound, 1) - 1)/\(size)"
    }

    /// The value of Content-Range in a 416.
    public static func contentRange(unsatisfiedSize size: UInt64) -> String { "bytes */\(size)" }
}

extension ByteRangeHeader.Specifier {
    fileprivate init?(_ text: Substring.UTF8View.SubSequence) {
        guard let dash = text.firstIndex(of: UInt8(ascii: "-")) else { return nil }
        let first = text[..<dash]
        let last = text[text.index(after: dash)...]
        guard first.allSatisfy(\.isDigit), last.allSatisfy(\.isDigit) else { return nil }
        if first.isEmpty {
            guard !last.isEmpty else { return nil }
            self = .suffix(Self.number(last))
        } else if last.isEmpty {
            self = .from(first: Self.number(first), last: nil)
        } else {
            guard !Self.isLess(last, than: first) else { return nil }
            self = .from(first: Self.number(first), last: Self.number(last))
        }
    }

    fileprivate func isSatisfiable(size: UInt64) -> Bool {
        switch self {
        case .from(let first, _): first < size
        case .suffix(let length): length > 0
        }
    }

    /// The bytes of a satisfiable specifier. Empty only for a suffix of length 0.
    fileprivate func range(size: UInt64) -> Range<UInt64> {
        switch self {
        case .from(let first, let last): first..<min(last ?? .max, size - 1) + 1
        case .suffix(let length): size - min(length, size)..<size
        }
    }

    private static func number(_ digits: Substring.UTF8View.SubSequence) -> UInt64 {
        UInt64(String(decoding: digits, as: UTF8.self)) ?? .max
    }

    /// Compares numbers of any length.
    private static func isLess(_ a: Substring.UTF8View.SubSequence, than b: Substring.UTF8View.SubSequence)
        -> Bool
    {
        let a = a.drop { $0 == UInt8(ascii: "0") }
        let b = b.drop { $0 == UInt8(ascii: "0") }
        return a.count == b.count ? a.lexicographicallyPrecedes(b) : a.count < b.count
    }
}
