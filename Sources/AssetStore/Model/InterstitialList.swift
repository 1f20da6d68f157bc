internal import FoundationEssentials

/// The assets of an interstitial (RFC 8216bis, appendix D.4), with what players need of them.
struct InterstitialList: Codable, Sendable {
    /// One asset.
    struct Item: Codable, Sendable {
        var uri: String
        /// Seconds.
        var duration: Double

        enum CodingKeys: String, CodingKey {
            case uri = "URI"
            case duration = "DURATION"
        }
    }

    /// When the interstitial may be skipped.
    struct SkipControl: Codable, Sendable {
        /// Seconds.
        var offset: Double?
        /// Seconds.
        var duration: Double?
        var labelID: String?

        enum CodingKeys: String, CodingKey {
            case offset = "OFFSET"
            case duration = "DURATION"
            case labelID = "LABEL-ID"
        }
    }

    var assets: [Item]
    var skipControl: SkipControl?

    enum CodingKeys: String, CodingKey {
        case assets = "ASSETS"
        case skipControl = "SKIP-CONTROL"
    }

    /// Reads a list; `nil` when it is none.
    init?(_ json: [UInt8]) {
        guard let list = try? JSONDecoder().decode(Self.self, from: Data(json)) else { return nil }
        self = list
    }

    var json: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { [UInt8]($0) } ?? []
    }
}

/// What becomes of interstitials (RFC 8216bis, appendix D), which have assets of their own.
public enum InterstitialChoice: String, Codable, Sendable, CaseIterable {
    /// Their assets are stored, too.
    case keep
    /// They are left out of what is served.
    case drop
}
