internal import ASCII

/// Reads the blocks of a WebVTT file (WebVTT §6.1).
///
/// "Collect a WebVTT block" is one loop in the standard. Here each kind of block is a function, with the same result:
/// only the first two lines of a block decide its kind.
struct WebVTTParser {
    private let limits: WebVTTLimits
    private let bytes: [UInt8]
    private var scanner: LineScanner
    private var regionNames: Set<String>
    private var latestSettings: (source: ArraySlice<UInt8>, stored: StoredSettings?)?
    private(set) var file = WebVTTFile()
    private(set) var warnings = WarningList()

    /// - Parameter regions: the names of regions that are defined before the text.
    init(_ bytes: [UInt8], limits: WebVTTLimits, regions: Set<String> = []) {
        self.bytes = bytes
        self.limits = limits
        regionNames = regions
        scanner = LineScanner(bytes, from: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
    }

    mutating func warn(_ code: WebVTTWarning.Code) {
        warnings.add(code, line: max(scanner.number, 1))
    }

    /// Passes the first line when it is the signature.
    mutating func skipSignature() -> Bool {
        guard let line = scanner.next() else { return false }
        let text = bytes[line.range]
        let rest = text.dropFirst(6)
        guard text.starts(with: "WEBVTT"), rest.isEmpty || rest.first == .space || rest.first == .tab else {
            scanner.putBack(line)
            return false
        }
        let comment = rest.trimmed
        if !comment.isEmpty { keepHeaderLine(comment.startIndex..<comment.endIndex) }
        return true
    }

    /// Reads the lines up to the first blank line, or up to timings.
    mutating func readHeader() {
        while let line = scanner.next(), !line.isEmpty {
            if line.hasArrow { return scanner.putBack(line) }
            keepHeaderLine(line.range)
        }
    }

    private mutating func keepHeaderLine(_ range: Range<Int>) {
        if TimestampMap.isMap(bytes[range]) {
            let map = TimestampMap(bytes[range])
            if map == nil { warn(.unreadableTimestampMap) }
            file.timestampMap = file.timestampMap ?? map
        } else if hasRoom(file.headerLines.count) {
            file.headerLines.append(text(range))
        }
    }

    /// Reads everything after the header.
    mutating func readBlocks() throws(WebVTTError) {
        while let first = scanner.next() {
            if first.isEmpty { continue }
            if first.hasArrow {
                try readCue(identifier: nil, timings: first)
                continue
            }
            let number = scanner.number
            guard let second = scanner.next(), !second.isEmpty else {
                noteUnknownBlock(first, number)
                continue
            }
            if second.hasArrow {
                try readCue(identifier: first, timings: second)
            } else {
                readDefinition(keyword: first, number, body: second)
            }
        }
    }

    private mutating func readCue(identifier: Line?, timings: Line) throws(WebVTTError) {
        var reader = ByteReader(bytes, timings.range)
        guard let (start, end) = WebVTTParser.timings(&reader) else {
            warn(.unreadableTimings)
            return skipBlock()
        }
        guard file.track.cues.count < limits.cues else { throw WebVTTError(.tooManyCues) }
        if end < start { warn(.endBeforeStart) }
        let settings = settings(reader)
        let name = identifier.map { text($0.range) } ?? ""
        reserveCues()
        let cue = Cue(identifier: name, start: start, end: end, stored: settings, text: blockText())
        file.track.cues.append(cue)
    }

    private static func timings(_ reader: inout ByteReader) -> (CueTime, CueTime)? {
        reader.skipWhitespace()
        guard let start = CueTime(&reader) else { return nil }
        reader.skipWhitespace()
        guard reader.skip(.hyphen), reader.skip(.hyphen), reader.skip(.greaterThan) else { return nil }
        reader.skipWhitespace()
        guard let end = CueTime(&reader) else { return nil }
        return (start, end)
    }

    /// The settings behind the timings. Most cues have those of the cue before.
    private mutating func settings(_ reader: ByteReader) -> StoredSettings? {
        let source = bytes[reader.remainder]
        if source.isEmpty { return nil }
        if let latestSettings, latestSettings.source == source { return latestSettings.stored }
        let (settings, isClean) = CueSettings.parse(reader) { regionNames.contains($0) }
        let stored = StoredSettings.store(settings)
        if isClean { latestSettings = (source, stored) } else { warn(.unknownCueSetting) }
        return stored
    }

    /// A block whose first two lines are no timings.
    private mutating func readDefinition(keyword: Line, _ number: Int, body: Line) {
        let isStyle = isKeyword("STYLE", keyword)
        guard isStyle || isKeyword("REGION", keyword) else {
            noteUnknownBlock(keyword, number)
            return skipBlock()
        }
        guard file.track.cues.isEmpty else {
            warnings.add(.lateDefinition, line: number)
            return skipBlock()
        }
        scanner.putBack(body)
        let body = blockRange()
        if isStyle {
            if hasRoom(file.track.styles.count) { file.track.styles.append(text(body)) }
        } else {
            readRegion(body, line: number)
        }
    }

    private mutating func readRegion(_ body: Range<Int>, line: Int) {
        let (region, isClean) = CueRegion.parse(ByteReader(bytes, body))
        if !isClean { warnings.add(.unknownRegionSetting, line: line) }
        guard hasRoom(file.track.regions.count) else { return }
        file.track.regions.append(region)
        regionNames.insert(region.identifier)
    }

    private func isKeyword(_ keyword: StaticString, _ line: Line) -> Bool {
        let text = bytes[line.range]
        return text.starts(with: keyword) && text.dropFirst(keyword.utf8CodeUnitCount).trimmed.isEmpty
    }
}

// MARK: - Lines of a block

extension WebVTTParser {
    /// Passes the lines up to a blank line, or up to timings.
    private mutating func skipBlock() {
        _ = blockRange()
    }

    /// The text of the lines up to a blank line, or up to timings.
    private mutating func blockText() -> String {
        text(blockRange())
    }

    /// The range of the lines up to a blank line, or up to timings, without the last line end.
    private mutating func blockRange() -> Range<Int> {
        let start = scanner.position
        var end = start
        while let line = scanner.next(), !line.isEmpty {
            if line.hasArrow {
                scanner.putBack(line)
                warnings.add(.missingBlankLine, line: scanner.number + 1)
                break
            }
            end = line.end
        }
        return start..<end
    }

    private mutating func text(_ range: Range<Int>) -> String {
        if range.isEmpty { return "" }
        let text = DecodedText(bytes, range, rewriting: scanner.needsRewriting)
        if text.wasRepaired { warn(.invalidUTF8) }
        return text.string
    }

    private mutating func noteUnknownBlock(_ first: Line, _ number: Int) {
        let text = bytes[first.range]
        let isNote = text.starts(with: "NOTE") && (text.count == 4 || bytes[first.start + 4].isWhitespace)
        if !isNote { warnings.add(.unknownBlock, line: number) }
    }

    private mutating func hasRoom(_ count: Int) -> Bool {
        if count >= limits.blocks { warn(.tooManyBlocks) }
        return count < limits.blocks
    }

    /// Makes room for as many cues as the text so far lets expect, so that a long list is not moved often.
    private mutating func reserveCues() {
        let count = file.track.cues.count
        guard count == file.track.cues.capacity, count >= 256 else { return }
        let expected = Double(count) * Double(bytes.count) / Double(max(scanner.position, 1))
        file.track.cues.reserveCapacity(min(limits.cues, max(count + count / 8, Int(expected * 1.05))))
    }
}
