/// The terms for the use of an asset's keys. If both limits are set, the earlier end counts.
///
/// ```swift
/// var request = DownloadRequest(url: streamURL)
/// request.license = LicenseTerms(rental: 30 * 86_400, playWindow: 48 * 3_600)
/// ```
public struct LicenseTerms: Codable, Sendable, Equatable {
    /// The kinds of terms.
    public enum Kind: String, Sendable {
        /// For good.
        case purchase
        /// For some time from the request on.
        case rental
    }

    /// Seconds from the request for the license; `nil` is a purchase.
    public var rental: Int64?
    /// Seconds from the first play, the first time a key is handed out; `nil` is no limit.
    public var playWindow: Int64?

    /// Seconds that a limit may have: up to a hundred years.
    public static let limits: ClosedRange<Int64> = 1...3_155_760_000

    /// A purchase, unless a limit is given. Seconds beyond `limits` are brought to the nearest one within.
    public init(rental: Int64? = nil, playWindow: Int64? = nil) {
        self.rental = rental.map(Self.clamped)
        self.playWindow = playWindow.map(Self.clamped)
    }

    private static func clamped(_ seconds: Int64) -> Int64 {
        min(max(seconds, limits.lowerBound), limits.upperBound)
    }

    /// Rental or purchase.
    public var kind: Kind { rental == nil ? .purchase : .rental }
}

extension Timestamp {
    package func adding(seconds: Int64) -> Timestamp { adding(milliseconds: seconds * 1000) }
    package func adding(milliseconds more: Int64) -> Timestamp {
        Timestamp(milliseconds: milliseconds + more)
    }
}
