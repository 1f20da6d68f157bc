/// The permanent opaque name of an asset: a ULID, 26 characters of Crockford's base 32.
///
/// The first 10 characters are the time of creation in milliseconds, so that tokens sort by age; the other
/// 16 are random. A token is safe as a path component and in a URL.
///
/// ```swift
/// let text = id.description  // keep this in a database of your own
/// if let again = AssetToken(text) { print(try await store.asset(again).name) }
/// ```
public struct AssetToken: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The 26 characters, upper case.
    public let description: String

    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    package static let length = 26

    /// Reads a token as a user typed it; `nil` when it is not one. Lower case is accepted.
    public init?(_ text: some StringProtocol) {
        let upper = text.uppercased()
        guard upper.utf8.count == Self.length, upper.utf8.allSatisfy(Self.alphabet.contains) else {
            return nil
        }
        description = upper
    }

    /// Makes a new token.
    ///
    /// - Parameters:
    ///   - now: the time of creation.
    ///   - random: a source of random bits; by default the system's, which can't be guessed.
    public init(at now: Timestamp, random: () -> UInt64 = { .random(in: .min ... .max) }) {
        var text: [UInt8] = []
        text.reserveCapacity(Self.length)
        let time = UInt64(bitPattern: now.milliseconds)
        for shift in stride(from: 45, through: 0, by: -5) {
            text.append(Self.alphabet[Int((time >> UInt64(shift)) & 31)])
        }
        for _ in 0..<16 { text.append(Self.alphabet[Int(random() & 31)]) }
        description = String(decoding: text, as: UTF8.self)
    }

    /// Orders by age.
    public static func < (left: Self, right: Self) -> Bool { left.description < right.description }
}
