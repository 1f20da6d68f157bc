internal import ASCII

/// Reads a media playlist, line by line, into segment records.
struct MediaPlaylistParser: TagReader {
    let bytes: [UInt8]
    let limits: ParseLimits
    var scope: VariableScope
    var attributeBudget: Int
    var store: SegmentStore
    var header = MediaPlaylist.Header()
    var lowLatency = MediaPlaylist.LowLatency()
    var keys = KeyTracker()
    var ranges = ByteRangeTracker()
    var sections = InitializationSectionTable()
    /// The segment whose tags are being read.
    var pending = PendingSegment()
    /// The last EXTINF while its URI line has not been read.
    var duration: (seconds: Double, text: TextRange, title: TextRange)?
    var discontinuities: Int32 = 0
    var bitrate: Int32 = -1
    var skipped = 0
    var lastPartEnd: (uri: String, end: Int)?
    /// The first URI line without EXTINF.
    private var looseURI: Line?

    init(bytes: [UInt8], limits: ParseLimits, scope: VariableScope) {
        self.bytes = bytes
        self.limits = limits
        self.scope = scope
        attributeBudget = limits.attributes
        store = SegmentStore(bytes: bytes)
    }

    mutating func parse() throws(PlaylistError) -> MediaPlaylist {
        var scanner = LineScanner(bytes: bytes, limit: limits.lineLength)
        store.records.reserveCapacity(min(limits.segments, bytes.count / 48))
        while let line = try scanner.next() {
            if bytes[line.start] != .hash {
                try readURI(line)
            } else if let found = Tag.find(in: bytes, line: line) {
                try read(found.tag, value: found.value, line)
            } else if bytes[line.start..<line.end].starts(with: [.hash, 0x45, 0x58, 0x54]) {
                try keep(TextRange(line.start, line.end), line)
            }
        }
        return try finish()
    }

    private mutating func finish() throws(PlaylistError) -> MediaPlaylist {
        if let looseURI, store.records.isEmpty { throw failure(.missingDuration, looseURI) }
        store.mediaSequence = header.mediaSequence + skipped
        store.discontinuitySequence = header.discontinuitySequence
        let last = store.records.last
        header.trailingTags = store.tags[Int(last?.tagsEnd ?? 0)...].map(store.text)
        header.variables = scope.values
        header.attributeCount = limits.attributes - attributeBudget
        lowLatency.trailingParts = Array(store.parts[Int(last?.partsEnd ?? 0)...])
        return MediaPlaylist(
            serialized: bytes, segments: SegmentList(store), initializationSections: sections.list,
            header: header, lowLatency: lowLatency)
    }

    /// Adds the pending segment with the URI of this line. A URI without EXTINF is skipped, as in most players.
    private mutating func readURI(_ line: Line) throws(PlaylistError) {
        guard let duration else {
            looseURI = looseURI ?? line
            return
        }
        guard store.records.count < limits.segments else {
            throw failure(.overLimit(.segments(limits.segments)), line)
        }
        var record = SegmentRecord(
            duration: duration.seconds, durationText: duration.text, title: duration.title)
        record.uri = try uri(line)
        record.line = Int32(truncatingIfNeeded: line.number)
        record.dateTime = pending.dateTime
        record.isGap = pending.isGap
        record.isDiscontinuity = pending.isDiscontinuity
        record.discontinuities = discontinuities
        record.keySet = keys.current(in: &store.keySets)
        record.initializationSection = sections.current
        record.tagsEnd = Int32(truncatingIfNeeded: store.tags.count)
        record.partsEnd = Int32(truncatingIfNeeded: store.parts.count)
        try addByteRange(to: &record, line)
        store.records.append(record)
        pending = PendingSegment()
        self.duration = nil
    }

    /// Keeps a line for `otherTags`.
    mutating func keep(_ tag: TextRange, _ line: Line) throws(PlaylistError) {
        guard store.tags.count < limits.otherTags else {
            throw failure(.overLimit(.otherTags(limits.otherTags)), line)
        }
        store.tags.append(tag)
    }

    private mutating func addByteRange(to record: inout SegmentRecord, _ line: Line) throws(PlaylistError) {
        guard let text = pending.byteRange else {
            record.bitrate = bitrate
            return
        }
        guard let range = ranges.resolve(text, uri: record.uri, store: store) else {
            throw failure(.badByteRange, line)
        }
        record.byteRange = Int32(truncatingIfNeeded: store.byteRanges.count)
        store.byteRanges.append(range)
    }

    private mutating func uri(_ line: Line) throws(PlaylistError) -> TextRange {
        let range = TextRange(line.start, line.end)
        guard bytes[line.start..<line.end].contains(.openBrace) else { return range }
        return try replacing(range, with: scope.substitute(store.uri(range), line: line.number))
    }

    /// The range of the text after variable substitution; `range` itself if nothing was substituted.
    mutating func replacing(_ range: TextRange, with text: String) throws(PlaylistError) -> TextRange {
        if text.utf8.elementsEqual(bytes[range.bytes]) { return range }
        store.replacements.append(text)
        return TextRange(replacement: store.replacements.count - 1)
    }
}

/// The values of a segment's tags that are read before its URI line.
struct PendingSegment {
    var byteRange: ByteRangeText?
    var dateTime = TextRange.none
    var isGap = false
    var isDiscontinuity = false
}
