/// The playback position of an asset, as players have reported it.
public struct PlaybackPosition: Sendable, Equatable {
    /// Seconds from the beginning of the presentation; `nil` until a player has told one.
    public var seconds: Double?
    /// Whether it counts as watched.
    public var isWatched = false
    /// The time of the last report.
    public var toldAt: Timestamp?

    /// Creates a viewing of an asset that was not watched yet.
    public init() {}

    /// The share of a presentation after which it counts as watched.
    package static let watchedShare = 0.9
}

/// One play of an asset.
package struct PlayRecord: Sendable, Equatable {
    package var beganAt: Timestamp
    package var endedAt: Timestamp
    /// The end of the last segment that a player asked for, in seconds of the presentation.
    package var until: Double

    package init(beganAt: Timestamp, endedAt: Timestamp, until: Double) {
        (self.beganAt, self.endedAt, self.until) = (beganAt, endedAt, until)
    }
}

/// A tag of assets: a word of the user's own by which assets are found and named together.
package enum AssetTag {
    /// The prefix before a tag where tokens may stand.
    package static let prefix = "tag:"

    /// Whether a text can be a tag: 1 to 64 characters, no commas, no control characters, no space at either end.
    package static func isTag(_ text: String) -> Bool {
        (1...64).contains(text.count) && text.first != " " && text.last != " "
            && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F && $0 != "," }
    }

    /// The tags, each once, in the order of their first mention.
    package static func unique(_ tags: [String]) -> [String] {
        var seen: Set<String> = []
        return tags.filter { seen.insert($0).inserted }
    }
}
