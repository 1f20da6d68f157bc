extension MediaPlaylistParser {
    /// Reads tags that apply to segments; the two functions below recognize the others.
    mutating func read(_ tag: Tag, value: Int, _ line: Line) throws(PlaylistError) {
        switch tag {
        case .inf: try readDuration(from: value, line)
        case .byteRange: try readByteRange(from: value, line)
        case .programDateTime: pending.dateTime = TextRange(value, line.end)
        case .discontinuity:
            pending.isDiscontinuity = true
            discontinuities += 1
        case .gap: pending.isGap = true
        case .bitrate:
            bitrate = DecimalText.integer(bytes[value..<line.end]).map { Int32(clamping: $0) } ?? -1
        case .key: try readKey(from: value, line)
        case .map: try readMap(from: value, line)
        case .dateRange: try readDateRange(from: value, line)
        case .part: try readPart(from: value, line)
        case .streamInf, .iFrameStreamInf: throw failure(.mixedKinds, line)
        default: try readHeader(tag, value: value, line)
        }
    }

    /// Tags that apply to the playlist.
    private mutating func readHeader(_ tag: Tag, value: Int, _ line: Line) throws(PlaylistError) {
        switch tag {
        case .version: header.version = DecimalText.integer(bytes[value..<line.end])
        case .targetDuration: header.targetDuration = targetDuration(bytes[value..<line.end])
        case .mediaSequence: header.mediaSequence = try sequenceNumber(from: value, line)
        case .discontinuitySequence: header.discontinuitySequence = try sequenceNumber(from: value, line)
        case .playlistType:
            let text = String(decoding: bytes[value..<line.end], as: UTF8.self)
            header.playlistType = MediaPlaylist.PlaylistType(rawValue: text.uppercased())
        case .endList: header.hasEndList = true
        case .iFramesOnly: header.iFramesOnly = true
        case .imagesOnly: header.imagesOnly = true
        case .independentSegments: header.independentSegments = true
        case .start: header.start = try optionalAttributes(from: value, line).flatMap(StartPoint.init)
        case .define:
            let list = try attributes(from: value, line, isDefinition: true)
            try scope.define(list, line: line.number)
        default: try readLowLatency(tag, value: value, line)
        }
    }

    private mutating func readLowLatency(_ tag: Tag, value: Int, _ line: Line) throws(PlaylistError) {
        switch tag {
        case .serverControl:
            lowLatency.serverControl = try optionalAttributes(from: value, line).map(ServerControl.init)
        case .partInf:
            lowLatency.partTarget = try optionalAttributes(from: value, line)?.decimal("PART-TARGET")
        case .skip: try readSkip(from: value, line)
        case .preloadHint:
            let hint = try optionalAttributes(from: value, line).flatMap(PreloadHint.init)
            if let hint { lowLatency.preloadHints.append(hint) }
        case .renditionReport:
            let report = try optionalAttributes(from: value, line).flatMap(RenditionReport.init)
            if let report { lowLatency.renditionReports.append(report) }
        default: break
        }
    }

    /// EXT-X-MEDIA-SEQUENCE and EXT-X-DISCONTINUITY-SEQUENCE.
    private func sequenceNumber(from value: Int, _ line: Line) throws(PlaylistError) -> Int {
        guard let number = DecimalText.integer(bytes[value..<line.end]),
            number <= MediaPlaylist.largestSequenceNumber
        else { throw failure(.badInteger, line) }
        return number
    }

    /// A fraction, which the RFC does not allow, is rounded up.
    private func targetDuration(_ text: ArraySlice<UInt8>) -> Int? {
        guard let seconds = DecimalText.decimal(text), seconds >= 0, seconds <= 1e9 else { return nil }
        return WholeSeconds.roundedUp(seconds)
    }
}
