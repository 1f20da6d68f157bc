internal import HLSPlaylist
internal import HTTPTypes
internal import Transfers

/// How many bytes a download will take.
public struct SizeEstimate: Sendable, Equatable {
    /// The source of the figures, the most exact first.
    public enum Method: String, Sendable {
        /// EXT-X-BYTERANGE tells the size of each part.
        case byteRanges = "byte-ranges"
        /// The origin told the sizes of some segments.
        case sampled
        /// AVERAGE-BANDWIDTH times duration.
        case averageBandwidth = "average-bandwidth"
        /// BANDWIDTH, which is the peak, times duration.
        case bandwidth
    }

    /// Bytes, at least.
    public var low: Int64
    /// Bytes, most likely.
    public var likely: Int64
    /// Bytes, at most.
    public var high: Int64
    /// The least exact method that was needed.
    public var method: Method
}

/// Estimates the size of a plan.
package struct SizeEstimator: Sendable {
    package let origin: Origin

    package init(origin: Origin) {
        self.origin = origin
    }
    package static let samples = 6
    /// How long an origin may take to tell the size of a segment.
    private static let patience = Duration.seconds(5)

    package func estimate(_ plan: DownloadPlan) async throws(StoreError) -> SizeEstimate {
        var total = SizeEstimate(low: 0, likely: 0, high: 0, method: .byteRanges)
        for rendition in plan.renditions where !rendition.units.isEmpty {
            let own = await size(of: rendition)
            total.low += own.low
            total.likely += own.likely
            total.high += own.high
            if own.method.rank > total.method.rank { total.method = own.method }
        }
        return total
    }

    /// How many bytes one rendition will take.
    package func size(of rendition: PlannedRendition) async -> SizeEstimate {
        if let exact = rendition.record(at: 0).expectedBytes {
            return SizeEstimate(low: exact, likely: exact, high: exact, method: .byteRanges)
        }
        let segments = rendition.units.filter { $0.kind == .segment && $0.state != .gap }
        let sizes = await sampledSizes(segments)
        if sizes.count > 0 { return Self.fromSamples(sizes, count: segments.count) }
        return Self.fromBandwidth(rendition)
    }

    private func sampledSizes(_ segments: [UnitRecord]) async -> [Int64] {
        let step = max(1, segments.count / Self.samples)
        let chosen = stride(from: step / 2, to: segments.count, by: step).map { segments[$0] }
        return await withTaskGroup(of: Int64?.self) { group in
            for unit in chosen { group.addTask { await self.size(of: unit) } }
            return await group.reduce(into: []) { sizes, size in if let size { sizes.append(size) } }
        }
    }

    private func size(of unit: UnitRecord) async -> Int64? {
        if let range = unit.range { return Int64(claimed: range.length) }
        var request = origin.request(unit.url, for: .segment)
        request.method = .head
        request.stallTimeout = Self.patience
        guard let (result, _) = try? await origin.loop.fetch(request), result.response.status == 200 else {
            return nil
        }
        return result.response.contentLength.map { Int64(claimed: $0) }
    }

    private static func fromSamples(_ sizes: [Int64], count: Int) -> SizeEstimate {
        let mean = Double(sizes.reduce(0, +)) / Double(sizes.count)
        let likely = mean * Double(count)
        if sizes.count >= count {
            return SizeEstimate(
                low: Int64(bytes: likely), likely: Int64(bytes: likely), high: Int64(bytes: likely),
                method: .sampled)
        }
        let variance =
            sizes.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) } / Double(sizes.count)
        let spread = max(likely * 0.05, 2 * (variance / Double(sizes.count)).squareRoot() * Double(count))
        return SizeEstimate(
            low: Int64(bytes: likely - spread), likely: Int64(bytes: likely),
            high: Int64(bytes: likely + spread),
            method: .sampled)
    }

    private static func fromBandwidth(_ rendition: PlannedRendition) -> SizeEstimate {
        let attributes = rendition.stream.selected.listings.first
        let duration = rendition.stream.playlist?.duration ?? 0
        let peak = Double(attributes?.integer("BANDWIDTH") ?? rendition.stream.selected.kind.usualBandwidth)
        let average = attributes?.integer("AVERAGE-BANDWIDTH").map { Double($0) }
        let likely = (average ?? peak * 0.8) * duration / 8
        let high = peak * duration / 8
        return SizeEstimate(
            low: Int64(bytes: likely * 0.5), likely: Int64(bytes: likely),
            high: Int64(bytes: max(high, likely)),
            method: average == nil ? .bandwidth : .averageBandwidth)
    }
}

extension SizeEstimate.Method {
    package var rank: Int {
        switch self {
        case .byteRanges: 0
        case .sampled: 1
        case .averageBandwidth: 2
        case .bandwidth: 3
        }
    }
}
