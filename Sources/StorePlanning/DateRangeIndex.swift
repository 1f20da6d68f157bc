package import HLSPlaylist

/// A date range of an asset (EXT-X-DATERANGE, RFC 8216bis, section 4.4.5.1), with its place in the presentation.
public struct AssetDateRange: Sendable, Equatable {
    /// ID.
    public var id: String
    /// CLASS.
    public var classAttribute: String?
    /// Seconds from the beginning of the presentation, negative before it; `nil` without a date to go by.
    public var start: Double?
    /// The end in seconds of the presentation; `nil` without one.
    public var end: Double?
    /// All attributes with their values as written, without the quotes. Addresses in the network are left out.
    public var attributes: [Attribute]

    /// A name and its value.
    public struct Attribute: Sendable, Equatable {
        /// The name, such as `X-COM-EXAMPLE`.
        public var name: String
        /// The value.
        public var value: String
    }
}

/// The date ranges of a playlist in the order of their beginnings. Pure.
package struct DateRangeIndex {
    /// The start of a segment with EXT-X-PROGRAM-DATE-TIME.
    private struct Anchor {
        /// Seconds since 1970.
        var date: Double
        /// Seconds of the presentation.
        var place: Double
        /// Seconds until the next one.
        var length = 0.0
    }

    private let playlist: MediaPlaylist
    /// In the order of the presentation.
    private let anchors: [Anchor]
    /// The numbers of the anchors in the order of their dates.
    private let dated: [Int]
    /// The stretches of the presentation, by dates.
    private let stretches: StretchIndex

    package init(_ playlist: MediaPlaylist) {
        self.playlist = playlist
        var place = 0.0
        var anchors: [Anchor] = []
        for segment in playlist.segments {
            if let date = segment.programDateTime.flatMap(DateTime.seconds(parsing:)) {
                anchors.append(Anchor(date: date, place: place))
            }
            if !anchors.isEmpty { anchors[anchors.endIndex - 1].length += segment.duration }
            place += segment.duration
        }
        self.anchors = anchors
        dated = anchors.indices.sorted { (anchors[$0].date, $0) < (anchors[$1].date, $1) }
        stretches = StretchIndex(anchors.map { $0.date..<$0.date + $0.length })
    }

    /// Each date range once, with all that the playlist says of it.
    package var ranges: [AssetDateRange] {
        let lists = playlist.mergedDateRanges.map { (list: $0, start: Self.date($0)) }
            .sorted { ($0.start ?? 0) < ($1.start ?? 0) }
        // By their classes, when those begin that come behind.
        var next: [String?: Double?] = [:]
        var ranges: [AssetDateRange] = []
        for (list, start) in lists.reversed() {
            ranges.append(range(list, start: start, next: next[list["CLASS"]] ?? nil))
            next.updateValue(start, forKey: list["CLASS"])
        }
        return ranges.reversed()
    }

    private static func date(_ list: AttributeList) -> Double? {
        list["START-DATE"].flatMap(DateTime.seconds(parsing:))
    }

    /// - Parameter next: when the next one of its class begins.
    private func range(_ list: AttributeList, start: Double?, next: Double?) -> AssetDateRange {
        AssetDateRange(
            id: list["ID"] ?? "", classAttribute: list["CLASS"], start: start.flatMap(place),
            end: Self.end(list, start: start, next: next).flatMap(place),
            attributes: list.pairs.filter { !Self.leadsAway($0) }.map {
                .init(name: $0.name, value: $0.value.text)
            })
    }

    private static func end(_ list: AttributeList, start: Double?, next: Double?) -> Double? {
        if let date = list["END-DATE"].flatMap(DateTime.seconds(parsing:)) { return date }
        if let start, let duration = list.decimal("DURATION") { return start + duration }
        return list.isYes("END-ON-NEXT") ? next : nil
    }

    /// The place of a date in the presentation: in the last stretch that contains it, otherwise by the latest date
    /// before it. Dates may go back, for example if advertisements have dates of their own.
    package func place(_ date: Double) -> Double? {
        let earlier = dated.boundary { anchors[$0].date > date }
        let latest = earlier > 0 ? anchors[dated[earlier - 1]] : nil
        let anchor = stretches.last(at: date).map { anchors[$0] } ?? latest ?? anchors.first
        return anchor.map { $0.place + date - $0.date }
    }

    /// The date of a place in the presentation, by the last segment before it that has one.
    package func date(at place: Double) -> Timestamp? {
        let next = anchors.boundary { $0.place > place }
        guard let anchor = next > 0 ? anchors[next - 1] : anchors.first else { return nil }
        return Timestamp(sinceEpoch: anchor.date + place - anchor.place)
    }

    private static func leadsAway(_ pair: AttributeList.Pair) -> Bool {
        ["X-ASSET-URI", "X-ASSET-LIST"].contains(pair.name) || pair.value.text.contains("://")
    }
}

extension Timestamp {
    /// A date in seconds since 1970; `nil` when it is thousands of years away.
    package init?(sinceEpoch seconds: Double) {
        guard abs(seconds) < 1e11 else { return nil }
        self.init(milliseconds: Int64((seconds * 1000).rounded()))
    }
}
