internal import FoundationEssentials

/// The assets of an interstitial (RFC 8216bis, appendix D.4), with the members that players need.
package struct InterstitialList: Codable, Sendable {
    /// One asset.
    package struct Item: Codable, Sendable {
        package var uri: String
        /// Seconds.
        package var duration: Double

        package enum CodingKeys: String, CodingKey {
            case uri = "URI"
            case duration = "DURATION"
        }
    }

    /// The times at which the interstitial may be skipped.
    package struct SkipControl: Codable, Sendable {
        /// Seconds.
        package var offset: Double?
        /// Seconds.
        package var duration: Double?
        var labelID: String?

        package enum CodingKeys: String, CodingKey {
            case offset = "OFFSET"
            case duration = "DURATION"
            case labelID = "LABEL-ID"
        }
    }

    package var assets: [Item]
    var skipControl: SkipControl?

    package enum CodingKeys: String, CodingKey {
        case assets = "ASSETS"
        case skipControl = "SKIP-CONTROL"
    }

    /// Reads a list; `nil` if the JSON is not one.
    package init?(_ json: [UInt8]) {
        guard let list = try? JSONDecoder().decode(Self.self, from: Data(json)) else { return nil }
        self = list
    }

    package var json: [UInt8] { (try? JSONText.plain(self)).map { Array($0.utf8) } ?? [] }
}

/// The treatment of interstitials (RFC 8216bis, appendix D), which have assets of their own.
public enum InterstitialChoice: String, Codable, Sendable, CaseIterable {
    /// Their assets are stored.
    case keep
    /// They are left out of served playlists.
    case drop
}
