package import HLSPlaylist

/// Decides which date ranges of a playlist (RFC 8216bis, section 4.4.5.1) belong to a part of its time, wherever
/// their tags are. Pure.
package struct DateRangeCut {
    /// The IDs of those that are entirely outside, as far as dates tell.
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

    /// The length of a date range without an end, in seconds: its planned duration. An interstitial is played at its
    /// beginning, as exactly as dates tell.
    private static func likelyLength(_ range: DateRange) -> Double? {
        if let planned = range.plannedDuration { return planned }
        return range.assetURI == nil && range.assetListURI == nil ? nil : TimeCut.tolerance
    }

    private static func isOutside(
        _ range: AssetDateRange, _ likelyLength: Double?, part: Range<Double>
    ) -> Bool {
        // A cue that is played before the beginning or after the end does not depend on its date (CUE, appendix D.2).
        let cue = range.attributes.first { $0.name == "CUE" }?.value ?? ""
        guard let start = range.start, !cue.contains("PRE"), !cue.contains("POST") else { return false }
        let end = range.end ?? likelyLength.map { start + $0 }
        let isOver = end.map { $0 <= part.lowerBound } ?? false
        return start >= part.upperBound || isOver && start < part.lowerBound
    }

    /// Whether a line belongs to the part: all lines but date ranges outside of it.
    package func keeps(_ tag: String) -> Bool {
        guard tag.hasPrefix(Self.prefix),
            let list = try? AttributeList(parsing: String(tag.dropFirst(Self.prefix.count)))
        else { return true }
        return !outside.contains(list["ID"] ?? "")
    }

    /// The date ranges of the part among lines outside of it.
    package func dateRanges(among tags: some Sequence<String>) -> [String] {
        tags.filter { $0.hasPrefix(Self.prefix) && keeps($0) }
    }
}
