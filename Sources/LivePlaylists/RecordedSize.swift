package import HLSPlaylist

/// The size of a rendition's recording, by the limits within which it is read again.
package struct RecordedSize: Sendable, Equatable {
    private var bytes: Int
    private var segments: Int
    private var attributes: Int

    /// - Parameter playlist: all of it, or a piece with a head of its own.
    package init(_ playlist: MediaPlaylist) {
        bytes = playlist.serialized.count
        segments = playlist.segments.count
        attributes = playlist.attributeCount
    }

    /// The size with one piece more. The piece's head counts, too: the sum is never less than the bytes that are
    /// read.
    package func adding(_ piece: RecordedSize) -> RecordedSize {
        var sum = self
        sum.bytes += piece.bytes
        sum.segments += piece.segments
        sum.attributes += piece.attributes
        return sum
    }

    /// Whether it is within the limits, with a sixteenth to spare.
    package func fits(_ limits: ParseLimits) -> Bool {
        bytes <= Self.most(limits.bytes) && segments <= Self.most(limits.segments)
            && attributes <= Self.most(limits.attributes)
    }

    private static func most(_ limit: Int) -> Int { limit - limit / 16 }
}
