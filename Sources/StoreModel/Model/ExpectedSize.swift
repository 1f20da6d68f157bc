/// The expected size of a complete rendition, from the known facts. Pure.
package struct ExpectedSize: Sendable, Equatable {
    /// How much the figure is worth.
    package enum Basis: Sendable {
        /// The playlist tells the length of each part, or all of it is stored.
        case exact
        /// By sizes of segments: those that are stored, or some that the origin was asked for.
        case measured
        /// By the bit rate that a playlist declares, or by too few segments.
        case declared
    }

    package var bytes: Int64
    var basis: Basis
    /// Segments that must be stored before their mean tells the size of all.
    static let enoughSegments = 3
    /// The share of a measured estimate that is almost certainly needed.
    package static let certainShare = 0.95

    /// The expected size of a rendition; `nil` while nothing about it is known.
    package init?(_ row: RenditionRecord) {
        if row.isComplete {
            self.init(row.storedBytes, .exact)
        } else if let exact = row.expectedBytes {
            self.init(min(exact, .largestSize), .exact)
        } else if let likely = row.likelyBytes, row.segments > 0 {
            self.init(Self.blended(row, likely), .measured)
        } else if row.storedSegments > 0 {
            let isEnough = row.storedSegments >= min(Self.enoughSegments, row.segments)
            let all = Double(row.storedBytes) / Double(row.storedSegments) * Double(row.segments)
            self.init(Int64(bytes: all), isEnough ? .measured : .declared)
        } else if let bandwidth = row.bandwidth {
            self.init(Int64(bytes: Double(bandwidth) / 8 * row.duration), .declared)
        } else {
            return nil
        }
    }

    private init(_ bytes: Int64, _ basis: Basis) { (self.bytes, self.basis) = (bytes, basis) }

    /// Blends two estimates of the missing bytes: the samples count most at first, the stored bytes in the end.
    private static func blended(_ row: RenditionRecord, _ likely: Int64) -> Int64 {
        let (stored, all) = (Double(row.storedSegments), Double(row.segments))
        let sampled = Double(likely) / all
        let measured = stored > 0 ? Double(row.storedBytes) / stored : sampled
        let share = stored / all
        let each = sampled * (1 - share) + measured * share
        return Int64(bytes: Double(row.storedBytes) + each * (all - stored))
    }

    /// The bytes that a rendition is known to need still; 0 if too little is known. A mere claim of a bit rate makes
    /// no asset wait for space, and causes no eviction.
    ///
    /// - Parameter share: the share of a measured estimate that counts.
    package static func knownNeed(_ row: RenditionRecord, share: Double = certainShare) -> UInt64 {
        guard let size = ExpectedSize(row) else { return 0 }
        let missing = Double(max(0, size.bytes - row.storedBytes))
        switch size.basis {
        case .exact: return UInt64(missing)
        case .measured: return UInt64(missing * share)
        case .declared: return 0
        }
    }
}
