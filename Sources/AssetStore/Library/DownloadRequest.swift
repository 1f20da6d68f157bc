public import FoundationEssentials

/// A stream to download, and the selection of its renditions.
///
/// ```swift
/// var request = DownloadRequest(url: streamURL)
/// request.video = .maximumHeight(1080)
/// request.audio = ["en", "de"]
/// request.headers["Authorization"] = "Bearer \(token)"
/// let download = try await store.download(request)
/// ```
public struct DownloadRequest: Sendable {
    /// The address of a multivariant or media playlist, http or https.
    public var url: URL
    /// The asset's name for people; the stream's own title when `nil`, or else a part of the URL.
    public var title: String?
    /// The variants that are stored; by default the highest one up to 1080p.
    public var video = VideoSelection.automatic
    /// Audio renditions: `["en", "de"]`, `.automatic`, `.all` or `.none`. The default is the one that a player would
    /// choose.
    public var audio = Selection.Languages.automatic
    /// Subtitle renditions: `["en", "de"]`, `.all` or `.none`. By default all of them.
    public var subtitles = Selection.Languages.automatic
    /// Whether to store I-frame playlists, too, which players use for pictures while seeking.
    public var includesTrickPlay = false
    /// The treatment of interstitials (EXT-X-DATERANGE); `nil` drops them.
    public var interstitials: InterstitialChoice?
    /// The start of the wanted part of the presentation; `nil` is its beginning. Whole segments are taken.
    public var start: Duration?
    /// The end of the wanted part of the presentation, after `start`; `nil` is its end.
    public var end: Duration?
    /// The terms on which a live stream is recorded; with `nil` a live stream is refused. Other streams ignore it.
    public var recording: Selection.Recording?
    /// Whether the download fails when the stream lacks a rendition that the request names. Otherwise the stream is
    /// stored without it, and ``DownloadTask/leftOut`` names it.
    public var isStrict = false

    /// Request header fields. `Authorization` and `Cookie` go to the stream's own host only. They are stored sealed and
    /// never shown.
    public var headers: [String: String] = [:]
    /// Request header fields for other hosts.
    public var hostHeaders: [HostHeader] = []
    /// Cookies: the text of a cookie file in Netscape's format. It is stored sealed and never shown.
    public var cookies: String?
    /// The User-Agent; the product's own one when `nil`.
    public var userAgent: String?
    /// The address of a proxy.
    public var proxy: URL?
    /// A file with certificate authorities in PEM, which replace the system's.
    public var certificateAuthorities: URL?

    /// The download's place in the queue: a higher one goes first.
    public var priority = 0
    /// The rate limit of all transfers of the asset together, in bytes per second; `nil` sets no limit for this
    /// asset.
    public var maximumBytesPerSecond: UInt64?
    /// The times of day at which the download may run; `nil` uses the engine's schedule.
    public var schedule: Schedule?
    /// Whether the download may run on a metered connection.
    public var allowsMeteredConnection = false
    /// Whether to fetch only playlists and content keys now; ``DownloadTask/resume()`` fetches the media.
    public var startsPaused = false

    /// The terms on which the content keys may be used; by default they have no end.
    public var license = LicenseTerms.purchase
    /// Whether to store media whose content keys can't be fetched now.
    public var allowsMissingKeys = false

    /// Subtitle files that are no part of the stream.
    public var subtitleFiles: [SubtitleSource] = []
    /// A picture: a file URL, or one of http or https.
    public var artwork: URL?
    /// The app's own data, which the store keeps with the asset.
    public var metadata: [String: String] = [:]
    /// The app's own name for the request. A second request with the same name gives the same asset.
    public var identifier: String?

    /// A request for a stream with the default selection.
    public init(url: URL) { self.url = url }
}

/// The selection of a stream's variants.
public struct VideoSelection: Sendable, Equatable {
    /// The largest height in pixels; the lowest variant when all are higher.
    public var maximumHeight: Int?
    /// The largest BANDWIDTH in bits per second; the lowest variant when all are above.
    public var maximumBitrate: Int?
    /// The smallest BANDWIDTH in bits per second; the highest variant when all are below.
    public var minimumBitrate: Int?
    /// Whether to store every variant.
    public var includesAllVariants = false

    /// The highest variant up to 1080p.
    public static var automatic: VideoSelection { VideoSelection() }
    /// Every variant.
    public static var all: VideoSelection { VideoSelection { $0.includesAllVariants = true } }

    /// The highest variant up to a height in pixels.
    public static func maximumHeight(_ pixels: Int) -> VideoSelection {
        VideoSelection { $0.maximumHeight = pixels }
    }

    /// The variant with the largest BANDWIDTH up to a number of bits per second.
    public static func maximumBitrate(_ bitsPerSecond: Int) -> VideoSelection {
        VideoSelection { $0.maximumBitrate = bitsPerSecond }
    }

    /// The variant with the smallest BANDWIDTH from a number of bits per second on.
    public static func minimumBitrate(_ bitsPerSecond: Int) -> VideoSelection {
        VideoSelection { $0.minimumBitrate = bitsPerSecond }
    }

    private init(_ change: (inout VideoSelection) -> Void = { _ in }) { change(&self) }
}

extension Selection.Languages: ExpressibleByArrayLiteral {
    /// Renditions in these languages (BCP 47), or with these names; no rendition for an empty list.
    public init(arrayLiteral languages: String...) {
        self = languages.isEmpty ? .none : .matching(languages)
    }
}
