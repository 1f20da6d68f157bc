internal import HLSPlaylist

/// A date range of an asset (EXT-X-DATERANGE, RFC 8216bis, section 4.4.5.1), with its place in the presentation.
public struct AssetDateRange: Sendable, Equatable {
    /// ID.
    public var id: String
    /// CLASS.
    public var classAttribute: String?
    /// Seconds from the beginning of the presentation, negative before it; `nil` without a date to go by.
    public var start: Double?
    /// Where it ends, likewise; `nil` when it says nothing of it.
    public var end: Double?
    /// All attributes with their values as they were written, without the quotes. What leads to the network is left
    /// out.
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
struct DateRangeIndex {
    private let playlist: MediaPlaylist
    /// Where segments with EXT-X-PROGRAM-DATE-TIME begin: seconds since 1970, and of the presentation; and the seconds until
    /// the next one.
    private let anchors: [(date: Double, place: Double, length: Double)]

    init(_ playlist: MediaPlaylist) {
        self.playlist = playlist
        var place = 0.0
        var anchors: [(date: Double, place: Double, length: Double)] = []
        for segment in playlist.segments {
            if let date = segment.programDateTime.flatMap(DateTime.seconds(parsing:)) {
                anchors.append((date, place, 0))
            }
            if !anchors.isEmpty { anchors[anchors.endIndex - 1].length += segment.duration }
            place += segment.duration
        }
        self.anchors = anchors
    }

    /// Each date range once, with all that the playlist says of it.
    var ranges: [AssetDateRange] {
        var order: [String] = []
        var merged: [String: AttributeList] = [:]
        for range in playlist.dateRanges {
            if merged[range.id] == nil { order.append(range.id) }
            merged[range.id, default: AttributeList()].add(range)
        }
        let lists = order.compactMap { merged[$0] }.sorted { (date($0) ?? 0) < (date($1) ?? 0) }
        return lists.enumerated().map { number, list in range(list, followers: lists[(number + 1)...]) }
    }

    private func date(_ list: AttributeList) -> Double? {
        list["START-DATE"].flatMap(DateTime.seconds(parsing:))
    }

    private func range(_ list: AttributeList, followers: ArraySlice<AttributeList>) -> AssetDateRange {
        let start = date(list)
        return AssetDateRange(
            id: list["ID"] ?? "", classAttribute: list["CLASS"], start: start.flatMap(place),
            end: end(list, start: start, followers: followers).flatMap(place),
            attributes: list.pairs.filter { !Self.leadsAway($0) }.map {
                .init(name: $0.name, value: $0.value.text)
            })
    }

    private func end(
        _ list: AttributeList, start: Double?, followers: ArraySlice<AttributeList>
    ) -> Double? {
        if let date = list["END-DATE"].flatMap(DateTime.seconds(parsing:)) { return date }
        if let start, let duration = list.decimal("DURATION") { return start + duration }
        guard list.isYes("END-ON-NEXT") else { return nil }
        return followers.first { $0["CLASS"] == list["CLASS"] }.flatMap(date)
    }

    /// The place of a date in the presentation: in the last stretch that has it, else by the latest date before it. Dates
    /// may go back, as where advertisements have their own.
    func place(_ date: Double) -> Double? {
        let earlier = anchors.filter { $0.date <= date }
        let latest = earlier.lazy.map { $0.date }.max()
        let anchor = earlier.last { date < $0.date + $0.length } ?? earlier.last { $0.date == latest }
        return (anchor ?? anchors.first).map { $0.place + date - $0.date }
    }

    /// The date of a place in the presentation, by the last segment before it that has one.
    func date(at place: Double) -> Timestamp? {
        guard let anchor = anchors.last(where: { $0.place <= place }) ?? anchors.first else { return nil }
        let seconds = anchor.date + place - anchor.place
        return abs(seconds) < 1e11 ? Timestamp(milliseconds: Int64((seconds * 1000).rounded())) : nil
    }

    private static func leadsAway(_ pair: AttributeList.Pair) -> Bool {
        ["X-ASSET-URI", "X-ASSET-LIST"].contains(pair.name) || pair.value.text.contains("://")
    }
}

extension StoreReader {
    /// The date ranges of an asset, as its main rendition has them; `nil` when there is no such asset.
    public func dateRanges(of token: AssetToken) throws(StoreError) -> [AssetDateRange]? {
        guard let catalog, try catalog.asset(token) != nil else { return nil }
        let rows = (try catalog.renditions(of: [token])[token] ?? []).filter { $0.hasPlaylist }
        for row in rows.filter({ $0.kind == .variant }) + rows.filter({ $0.kind != .variant }) {
            guard let playlist = try source(of: token, row.name)?.playlist, !playlist.dateRanges.isEmpty
            else {
                continue
            }
            return DateRangeIndex(playlist).ranges
        }
        return []
    }
}
