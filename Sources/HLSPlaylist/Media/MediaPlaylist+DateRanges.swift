extension MediaPlaylist {
    /// Each date range once, in the order of their first tags, with all that its tags say together
    /// (RFC 8216bis §4.4.5.1).
    public var mergedDateRanges: [AttributeList] {
        var order: [String] = []
        var merged: [String: AttributeMerger] = [:]
        for range in dateRanges {
            if merged[range.id] == nil { order.append(range.id) }
            merged[range.id, default: AttributeMerger()].add(range.attributes)
        }
        return order.compactMap { merged[$0]?.list }
    }
}
