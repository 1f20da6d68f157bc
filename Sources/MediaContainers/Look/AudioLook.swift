/// A look at packed audio (RFC 8216bis, section 3.4): do frames follow each other?
enum AudioLook {
    /// The largest number of bytes before the first frame that may be the rest of another one, if frames follow.
    private static let longestRest = 8192

    /// Judges bytes that may be audio frames, with or without ID3 tags before; `nil` for other bytes.
    static func judge<Source: MediaBytes>(_ source: Source) throws(Source.Failure) -> MediaVerdict? {
        var window = ByteWindow(source)
        let start = try ID3.end(of: &window)
        guard let first = try frame(&window, start) else { return nil }
        // One frame proves little: it must be followed by another one, or by the end.
        let second = try frame(&window, start + first.length)
        guard second?.format == first.format || start + first.length == source.count else { return nil }
        return try judge(&window, from: start, as: first.format)
    }

    /// Finds audio frames in bytes that begin inside of one; `nil` without any.
    static func findFrames<Source: MediaBytes>(in source: Source) throws(Source.Failure) -> MediaFormat? {
        var window = ByteWindow(source)
        let beginning = try source.read(at: 0, count: longestRest)
        for start in beginning.indices.dropFirst() where beginning[start] == 0xFF || beginning[start] == 0x0B
        {
            guard let first = try frame(&window, start),
                let second = try frame(&window, start + first.length), second.format == first.format,
                let third = try frame(&window, start + first.length + second.length),
                third.format == first.format,
                case .media(let format) = try judge(&window, from: start, as: first.format)
            else { continue }
            // A page is no rest of a frame.
            let isText = start >= 16 && TextLook.kind(Array(beginning.prefix(min(start, 32)))) != nil
            return isText ? nil : format
        }
        return nil
    }

    /// The offset at which packed audio begins behind a picture or a page: at frames, or at a tag with frames behind
    /// it; `nil` if there is none in these bytes.
    static func start(in bytes: [UInt8]) -> Int? {
        // One piece holds all bytes, wherever frames point.
        var window = ByteWindow(ArrayBytes(bytes), pieceSize: bytes.count)
        for place in bytes.indices.dropFirst() {
            switch bytes[place] {
            case 0xFF, 0x0B: if hasFrames(&window, place) { return place }
            case 0x49:
                // Only one tag is read, since the search finds those behind it.
                let length = ID3.length(&window, place)
                if let length, hasFrames(&window, place + length) { return place }
            default: continue
            }
        }
        return nil
    }

    /// Whether there are three consecutive frames of one kind, or fewer up to the end.
    private static func hasFrames<Source: MediaBytes>(
        _ window: inout ByteWindow<Source>, _ start: Int
    ) throws(Source.Failure) -> Bool {
        guard var (format, end) = try frame(&window, start).map({ ($0.format, start + $0.length) }) else {
            return false
        }
        for _ in 0..<2 where end < window.source.count {
            guard let next = try frame(&window, end), next.format == format else { return false }
            (format, end) = (next.format, end + next.length)
        }
        return true
    }

    private static func judge<Source: MediaBytes>(
        _ window: inout ByteWindow<Source>, from start: Int, as format: MediaFormat
    ) throws(Source.Failure) -> MediaVerdict {
        var offset = start
        var lost = 0
        let count = window.source.count
        let most = max(min(4096, (count - start) / 3), (count - start) / 10)
        while offset + 4 <= count, lost <= most {
            if let frame = try frame(&window, offset), frame.format == format {
                // The last frame may be cut.
                offset += frame.length
            } else {
                // Tags may stand between frames, and behind them.
                let next = try ID3.end(of: &window, from: offset)
                lost += next > offset ? 0 : 1
                offset = max(next, offset + 1)
            }
        }
        return lost <= most ? .media(format) : .undecodable(.framesLost)
    }

    /// The frame that begins at an offset.
    private static func frame<Source: MediaBytes>(
        _ window: inout ByteWindow<Source>, _ offset: Int
    ) throws(Source.Failure) -> (format: MediaFormat, length: Int)? {
        let available = min(8, window.source.count - offset)
        guard available >= 6 else { return nil }
        return try window.withBytes(at: offset, available) { bytes, place in
            let head = bytes[place..<place + available]
            return adts(head) ?? MPEGSound.Header(head).map { (.mpegAudio, $0.length) }
                ?? DolbyHeader(head).map { ($0.isEnhanced ? .eac3 : .ac3, $0.length) }
        } ?? nil
    }

    /// ISO/IEC 13818-7, section 6.2.
    private static func adts(_ head: ArraySlice<UInt8>) -> (MediaFormat, Int)? {
        let at = head.startIndex
        guard head.count >= 6, head[at] == 0xFF, head[at + 1] & 0xF6 == 0xF0, head[at + 2] >> 2 & 0xF < 13
        else {
            return nil
        }
        let length = Int(head[at + 3] & 3) << 11 | Int(head[at + 4]) << 3 | Int(head[at + 5]) >> 5
        return length >= 7 ? (.adts, length) : nil
    }
}

/// ID3 tags, which may stand before packed audio, between its frames and behind them.
enum ID3 {
    /// The end of the tags at an offset; the offset itself without any.
    static func end<Source: MediaBytes>(
        of window: inout ByteWindow<Source>, from start: Int = 0
    ) throws(Source.Failure) -> Int {
        var offset = start
        while let length = try length(&window, offset) { offset += length }
        return offset
    }

    /// The length of the tag at an offset; `nil` without one.
    fileprivate static func length<Source: MediaBytes>(
        _ window: inout ByteWindow<Source>, _ offset: Int
    ) throws(Source.Failure) -> Int? {
        // Version 1 has 128 bytes and stands at the end.
        if offset + 128 == window.source.count, try window.number(at: offset, 3) == 0x544147 { return 128 }
        guard try window.number(at: offset, 3) == 0x494433, let head = try window.bytes(at: offset, 10) else {
            return nil
        }
        let size = head.suffix(4).reduce(0) { $0 << 7 | Int($1 & 0x7F) }
        let hasFooter = head[head.startIndex + 5] & 0x10 != 0
        let length = 10 + size + (hasFooter ? 10 : 0)
        return offset + length <= window.source.count ? length : nil
    }
}
