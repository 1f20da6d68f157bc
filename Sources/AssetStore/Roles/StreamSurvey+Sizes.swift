internal import HLSPlaylist

/// Sizes that are found out before a download begins.
extension StreamSurvey {
    /// The largest number of renditions that are measured, beginning with the largest: each costs some requests.
    private static let mostSampled = 8

    /// Asks the origin for the sizes of some segments of each rendition whose playlist does not tell its size, if the
    /// size may decide something. If the origin does not tell, the size stays unknown.
    func measure(_ plan: inout DownloadPlan, origin: Origin) async throws(StoreError) {
        guard plan.recording == nil else { return }
        let rows = plan.renditions.enumerated().map { $1.record(at: $0) }
        let open = rows.indices.filter { rows[$0].expectedBytes == nil && rows[$0].hasPlaylist }
        guard !open.isEmpty, try keeper.mayLimit(rows) else { return }
        let estimator = SizeEstimator(origin: origin)
        let largest = open.sorted { Self.weight(rows[$0]) > Self.weight(rows[$1]) }.prefix(Self.mostSampled)
        for index in largest {
            let size = await estimator.size(of: plan.renditions[index])
            guard !Task.isCancelled else { throw StoreError(.stopped(.cancelled)) }
            if size.method == .sampled { plan.renditions[index].likelyBytes = size.likely }
        }
    }

    private static func weight(_ row: RenditionRecord) -> Double {
        Double(row.bandwidth ?? row.kind.usualBandwidth) * row.duration
    }
}
