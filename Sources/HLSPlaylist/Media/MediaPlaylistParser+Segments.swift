internal import ASCII

extension MediaPlaylistParser {
    /// Reads EXTINF (RFC 8216bis §4.4.4.1). The comma may be missing. Attributes behind a blank, as in IPTV channel
    /// lists, are skipped. If two EXTINF tags come before one URI, the later one counts.
    mutating func readDuration(from value: Int, _ line: Line) throws(PlaylistError) {
        let comma = bytes[value..<line.end].firstIndex(of: .comma) ?? line.end
        let end = bytes[value..<comma].firstIndex(where: \.isBlank) ?? comma
        guard let seconds = DecimalText.decimal(bytes[value..<end]), seconds >= 0, seconds <= 1e9 else {
            throw failure(.badDuration, line)
        }
        let title = comma < line.end ? TextRange(comma + 1, line.end) : .none
        duration = (seconds, TextRange(value, end), title)
    }

    mutating func readByteRange(from value: Int, _ line: Line) throws(PlaylistError) {
        guard let range = ByteRangeText(bytes[value..<line.end]) else { throw failure(.badByteRange, line) }
        pending.byteRange = range
    }

    mutating func readKey(from value: Int, _ line: Line) throws(PlaylistError) {
        guard let key = EncryptionKey(try attributes(from: value, line)) else {
            throw failure(.missingAttribute("METHOD"), line)
        }
        keys.apply(key)
        guard keys.inForce.count <= limits.keyFormats else {
            throw failure(.overLimit(.keyFormats(limits.keyFormats)), line)
        }
        try spend(keys.inForce.count, line)
    }

    /// EXT-X-MAP (RFC 8216bis §4.4.4.5). An omitted offset is 0.
    mutating func readMap(from value: Int, _ line: Line) throws(PlaylistError) {
        let list = try attributes(from: value, line)
        guard let uri = list["URI"] else { throw failure(.missingAttribute("URI"), line) }
        var range: ByteRange?
        if let text = list["BYTERANGE"] {
            range = ByteRangeText(text.utf8)?.resolved(from: 0)
            if range == nil { throw failure(.badByteRange, line) }
        }
        try spend(keys.inForce.count, line)
        sections.apply(InitializationSection(uri: uri, byteRange: range, keys: keys.inForce))
    }

    mutating func readDateRange(from value: Int, _ line: Line) throws(PlaylistError) {
        var tag = TextRange(line.start, line.end)
        guard let list = try optionalAttributes(from: value, line) else {
            return try keep(tag, line)
        }
        if bytes[value..<line.end].contains(.openBrace) {
            tag = try replacing(tag, with: "#EXT-X-DATERANGE:" + list.verbatim)
        }
        try keep(tag, line)
        if let range = DateRange(list, line: line.number) { header.dateRanges.append(range) }
    }

    /// EXT-X-PART. If BYTERANGE has no offset, the range begins at the end of the range of the part before if the URI
    /// is the same, otherwise at 0.
    mutating func readPart(from value: Int, _ line: Line) throws(PlaylistError) {
        let list = try attributes(from: value, line)
        guard let uri = list["URI"] else { throw failure(.missingAttribute("URI"), line) }
        guard store.parts.count < limits.segments else {
            throw failure(.overLimit(.segments(limits.segments)), line)
        }
        var range: ByteRange?
        if let text = list["BYTERANGE"] {
            let start = lastPartEnd?.uri == uri ? lastPartEnd?.end ?? 0 : 0
            range = ByteRangeText(text.utf8)?.resolved(from: start)
            guard let range else { throw failure(.badByteRange, line) }
            lastPartEnd = (uri, range.end)
        }
        store.parts.append(
            PartialSegment(
                uri: uri, duration: list.decimal("DURATION") ?? 0, byteRange: range,
                isIndependent: list.isYes("INDEPENDENT"), isGap: list.isYes("GAP")))
    }

    mutating func readSkip(from value: Int, _ line: Line) throws(PlaylistError) {
        let list = try attributes(from: value, line)
        guard let count = list.integer("SKIPPED-SEGMENTS"), count <= limits.segments else {
            throw failure(.badInteger, line)
        }
        skipped = count
        lowLatency.skip = Skip(
            skippedSegments: count,
            recentlyRemovedDateRanges: list.list("RECENTLY-REMOVED-DATERANGES", separator: .tab))
    }
}
