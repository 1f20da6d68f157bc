/// The place of a text: in the playlist's bytes, or in the replacements made by variables.
struct TextRange {
    private var first: UInt32
    private var countAndFlag: UInt32

    static let none = TextRange(0, 0)
    private static let replacementFlag: UInt32 = 1 << 31

    /// Bytes of the playlist.
    init(_ start: Int, _ end: Int) {
        first = UInt32(truncatingIfNeeded: start)
        countAndFlag = UInt32(truncatingIfNeeded: end - start)
    }

    /// A text made by variables.
    init(replacement index: Int) {
        first = UInt32(truncatingIfNeeded: index)
        countAndFlag = TextRange.replacementFlag
    }

    var replacement: Int? { countAndFlag & TextRange.replacementFlag == 0 ? nil : Int(first) }
    var bytes: Range<Int> { Int(first)..<Int(first) + Int(countAndFlag) }
    var isNone: Bool { countAndFlag == 0 }
}

/// The stored form of a segment: places of texts and indices, some 80 bytes. -1 means "none".
struct SegmentRecord {
    var duration: Double
    var durationText: TextRange
    var title: TextRange
    var uri = TextRange.none
    var dateTime = TextRange.none
    var line: Int32 = 0
    var byteRange: Int32 = -1
    var initializationSection: Int32 = -1
    var keySet: Int32 = -1
    var bitrate: Int32 = -1
    /// The number of discontinuities up to this segment.
    var discontinuities: Int32 = 0
    /// The ends of this segment's tags and parts; they begin where those of the segment before end.
    var tagsEnd: Int32 = 0
    var partsEnd: Int32 = 0
    var isDiscontinuity = false
    var isGap = false
}
