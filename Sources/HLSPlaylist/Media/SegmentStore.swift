internal import ASCII

/// The data that the segments of a playlist are made from.
struct SegmentStore {
    let bytes: [UInt8]
    var records: [SegmentRecord] = []
    var replacements: [String] = []
    var byteRanges: [ByteRange] = []
    var keySets: [[EncryptionKey]] = []
    var tags: [TextRange] = []
    var parts: [PartialSegment] = []
    /// The media sequence number of the first record, and the discontinuity sequence number of the playlist.
    var mediaSequence = 0
    var discontinuitySequence = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    func text(_ range: TextRange) -> String {
        if let index = range.replacement { return replacements[index] }
        return String(decoding: bytes[range.bytes], as: UTF8.self)
    }

    /// The text of a URI. Bytes that are not UTF-8 are percent-encoded, so that the server gets them back.
    func uri(_ range: TextRange) -> String {
        if let index = range.replacement { return replacements[index] }
        return String(uriBytes: bytes[range.bytes])
    }

    func segment(at index: Int) -> MediaSegment {
        let record = records[index]
        let previous = index > 0 ? records[index - 1] : nil
        return MediaSegment(
            uri: uri(record.uri),
            mediaSequence: mediaSequence + index,
            duration: record.duration,
            durationText: text(record.durationText),
            title: record.title.isNone ? nil : text(record.title),
            byteRange: record.byteRange < 0 ? nil : byteRanges[Int(record.byteRange)],
            isDiscontinuity: record.isDiscontinuity,
            discontinuitySequence: discontinuitySequence + Int(record.discontinuities),
            initializationSection: record.initializationSection < 0 ? nil : Int(record.initializationSection),
            keys: record.keySet < 0 ? [] : keySets[Int(record.keySet)],
            programDateTime: record.dateTime.isNone ? nil : text(record.dateTime),
            isGap: record.isGap,
            bitrate: record.bitrate < 0 ? nil : Int(record.bitrate),
            parts: Array(parts[Int(previous?.partsEnd ?? 0)..<Int(record.partsEnd)]),
            otherTags: tags[Int(previous?.tagsEnd ?? 0)..<Int(record.tagsEnd)].map(text),
            line: Int(record.line))
    }
}

extension String {
    /// The text of a URI; bytes that are not UTF-8 are percent-encoded.
    init<Bytes: Collection<UInt8>>(uriBytes bytes: Bytes) {
        self =
            String(validating: bytes, as: UTF8.self)
            ?? bytes.reduce(into: "") { text, byte in
                if byte < 0x80 {
                    text.unicodeScalars.append(Unicode.Scalar(byte))
                } else {
                    text += String(decoding: Hexadecimal.percentEncoded(byte), as: UTF8.self)
                }
            }
    }
}
