package import HLSPlaylist

/// Which date ranges of a playlist (RFC 8216bis, section 4.4.5.1) belong to a part of its time, wherever their tags stand
/// in it. Pure.
package struct DateRangeCut {
    /// The IDs of those that lie wholly outside, as far as dates tell.
    private let outside: Set<String>
    private static let prefix = "#EXT-X-DATERANGE:"

    /// - Parameter part: seconds of the presentation.
    package init(_ playlist: MediaPlaylist, to part: Range<Double>) {
        let lengths = playlist.dateRanges.compactMap { range in
            Self.likelyLength(range).map { (range.id, $0) }
        }
        let likely = Dictionary(lengths, uniquingKeysWith: max)
        let ranges = DateRangeIndex(playlist).ranges
        outside = Set(ranges.filter { Self.isOutside($0, likely[$0.id], part: part) }.map(\.id))
    }

    /// The seconds that a date range takes when it does not tell its end: those that were planned. An interstitial is
    /// played where it begins, as exactly as dates tell that.
    private static func likelyLength(_ range: DateRange) -> Double? {
        if let planned = range.plannedDuration { return planned }
        return range.assetURI == nil && range.assetListURI == nil ? nil : TimeCut.tolerance
    }

    private static func isOutside(
        _ range: AssetDateRange, _ likelyLength: Double?, part: Range<Double>
    ) -> Bool {
        // What is played before the beginning or after the end is so whatever its date (CUE, appendix D.2).
        let cue = range.attributes.first { $0.name == "CUE" }?.value ?? ""
        guard let start = range.start, !cue.contains("PRE"), !cue.contains("POST") else { return false }
        let end = range.end ?? likelyLength.map { start + $0 }
        let isOver = end.map { $0 <= part.lowerBound } ?? false
        return start >= part.upperBound || isOver && start < part.lowerBound
    }

    /// Whether a line belongs to the part: any but that of a date range outside of it.
    package func keeps(_ tag: String) -> Bool {
        guard tag.hasPrefix(Self.prefix),
            let list = try? AttributeList(parsing: String(tag.dropFirst(Self.prefix.count)))
        else { return true }
        return !outside.contains(list["ID"] ?? "")
    }

    /// The date ranges among the lines of what is outside that belong to the part.
    package func dateRanges(among tags: some Sequence<String>) -> [String] {
        tags.filter { $0.hasPrefix(Self.prefix) && keeps($0) }
    }
}
