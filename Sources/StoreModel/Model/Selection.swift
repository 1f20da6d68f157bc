internal import HLSPlaylist
internal import Locking
internal import SystemPackage

/// The selection of a stream's variants and renditions. The default is the highest variant up to 1080p, its default
/// audio, and all subtitles.
public struct Selection: Codable, Sendable, Equatable {
    /// Languages of one kind of rendition.
    public enum Languages: Codable, Sendable, Equatable {
        /// The one that a player would choose by itself.
        case automatic
        /// Every rendition.
        case all
        /// No rendition.
        case none
        /// The ones that match one of these BCP 47 ranges (RFC 4647, section 3.4 in both directions).
        case matching([String])
    }

    /// Largest BANDWIDTH not above this, else the lowest; bits per second.
    public var maximumBitrate: Int?
    /// Smallest BANDWIDTH not below this, else the highest; bits per second.
    public var minimumBitrate: Int?
    /// Largest height in pixels; the lowest variant when all are higher.
    public var maximumHeight: Int?
    /// Takes every variant.
    public var allVariants = false
    /// Audio renditions of the chosen variants' groups.
    public var audio = Languages.automatic
    /// Subtitle renditions of the chosen variants' groups; `automatic` means all.
    public var subtitles = Languages.automatic
    /// Takes the I-frame playlists too.
    public var trickPlay = false
    /// Selections that were added later (`add-tracks`), in order.
    package var additions: [Selection]?
    /// The treatment of interstitials; `nil` drops them.
    public var interstitials: InterstitialChoice?
    /// The start of the selected part of the presentation, in seconds; `nil` for its beginning. Whole segments are
    /// stored.
    public var start: Double?
    /// The end of that part, in seconds, above `start`; `nil` is the presentation's end.
    public var end: Double?
    /// The time in the stream at which the first stored segment begins, in seconds; `nil` while it is unknown, and
    /// for a whole stream.
    package var partStart: Double?
    /// The terms on which a live stream is recorded; `nil` refuses live streams. Other streams ignore it.
    public var recording: Recording?

    /// The default selection.
    public init() {}

    /// Whether it selects certain variants.
    package var namesVariants: Bool {
        allVariants || maximumBitrate != nil || minimumBitrate != nil || maximumHeight != nil
    }

    /// Whether it is the default selection.
    public var isAutomatic: Bool { self == Selection() }

    package func adding(_ addition: Selection) -> Selection {
        var wider = self
        if wider.additions?.contains(addition) != true { wider.additions = (additions ?? []) + [addition] }
        return wider
    }

    /// How much of a live stream is recorded.
    public struct Recording: Codable, Sendable, Equatable {
        /// Whether to begin with the oldest listed segment, not with the latest ones.
        public var fromStart = false
        /// Seconds of media after which it ends; `nil` for no limit.
        public var duration: Double?

        /// From now on, to the end.
        public init() {}
    }
}

/// Header fields, cookies and other settings of requests to an origin. Header values and cookies are secrets: they are
/// sealed in the store and never shown.
package struct OriginAccess: Codable, Sendable, Equatable {
    /// Extra request header fields, name and value, in order.
    package var headers: [[String]] = []
    /// Extra request header fields for some hosts, in order.
    package var hostHeaders: [HostHeader]?
    /// Cookies: the text of a cookie file in Netscape's format.
    package var cookies: String?
    /// Replaces the product's own User-Agent.
    package var userAgent: String?
    /// A proxy URL.
    package var proxy: String?
    /// A file with certificate authorities in PEM, instead of the system's.
    package var certificateAuthority: String?
    /// Bytes per second for all transfers of the asset; `nil` is no limit.
    package var rateLimit: UInt64?

    /// Whether the origin is in a private network or on this machine, as found when the asset was added.
    package var isPrivate = false

    /// No additional header fields and no proxy.
    package init() {}
}

/// A request for a new asset.
package struct AssetRequest: Codable, Sendable, Equatable {
    /// The address of a multivariant or media playlist.
    package var url: String
    /// A name for people; the stream's own title when `nil`, or else from the URL.
    package var name: String?
    /// The selection from the stream.
    package var selection = Selection()
    /// How to ask for it.
    package var access = OriginAccess()
    /// The user's own data.
    package var meta: [String: String] = [:]
    /// Higher goes first.
    package var priority = 0
    /// The times of day at which it may be downloaded; `nil` uses the engine's schedule.
    package var schedule: Schedule?
    /// Whether it may be downloaded on a metered connection.
    package var isMeteredOK = false
    /// Takes the playlists and the keys only; the media come when the download is resumed.
    package var isPreload = false
    /// Takes the media even when their keys can't be had.
    package var allowsMissingKeys = false
    /// The terms for its keys.
    package var license = LicenseTerms()
    /// Subtitles that are no part of the stream.
    package var subtitleFiles: [SubtitleSource] = []
    /// Artwork: a file or a URL.
    package var artwork: String?
    /// Whether the request fails if the stream lacks something that it names; with `nil` the asset is made without
    /// it.
    package var isStrict: Bool?
    /// The client's own name for the request. A second request with the same name gives the same asset.
    package var clientID: String?
    /// The user's tags; `nil` without any.
    package var tags: [String]?

    /// Asks for the stream at `url` with the default selection.
    package init(url: String) { self.url = url }
}

extension Selection {
    /// Everything that a stream has.
    public static var everything: Selection {
        var selection = Selection()
        selection.allVariants = true
        selection.audio = .all
        selection.subtitles = .all
        selection.trickPlay = true
        return selection
    }
}
