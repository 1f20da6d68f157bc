/// A look at packed audio (RFC 8216bis, section 3.4): do frames follow each other?
enum AudioLook {
    /// Bytes before the first frame that may be the rest of another one, if there are frames behind them.
    private static let longestRest = 8192

    /// Judges bytes that may be frames of audio, behind ID3 tags or not; `nil` when they are none.
    static func judge<Source: MediaBytes>(_ source: Source) throws(Source.Failure) -> MediaVerdict? {
        var window = ByteWindow(source)
        let start = try ID3.end(of: &window)
        guard let first = try frame(&window, start) else { return nil }
        // One frame proves little: another one follows, or the end.
        let second = try frame(&window, start + first.length)
        guard second?.format == first.format || start + first.length == source.count else { return nil }
        return try judge(&window, from: start, as: first.format)
    }

    /// Finds frames of audio in bytes that begin inside of one; `nil` when there are none.
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

    /// Where packed audio begins behind a picture or a page: at frames, or at a tag with frames behind it; `nil` when there
    /// is none in these bytes.
    static func start(in bytes: [UInt8]) -> Int? {
        // One piece has all of them, wherever frames lead.
        var window = ByteWindow(ArrayBytes(bytes), pieceSize: bytes.count)
        for place in bytes.indices.dropFirst() {
            switch bytes[place] {
            case 0xFF, 0x0B: if hasFrames(&window, place) { return place }
            case 0x49:
                // One tag alone, since those behind it come by themselves.
                let length = ID3.length(&window, place)
                if let length, hasFrames(&window, place + length) { return place }
            default: continue
            }
        }
        return nil
    }

    /// Whether three frames of one kind follow each other, or fewer up to the end.
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
        let most = max(4096, (count - start) / 10)
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
        return try window.with(offset, available) { bytes, place in
            let head = bytes[place..<place + available]
            return adts(head) ?? mpeg(head) ?? dolby(head)
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

    /// Bit rates in kbit/s of MPEG-1 layers 1 to 3, then of MPEG-2 layers 1 and 2 (ISO/IEC 11172-3 and 13818-3).
    private static let bitRates: [[Int]] = [
        [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
        [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
        [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
        [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
        [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    ]

    /// ISO/IEC 11172-3, section 2.4.1.3.
    private static func mpeg(_ head: ArraySlice<UInt8>) -> (MediaFormat, Int)? {
        let at = head.startIndex
        guard head[at] == 0xFF, head[at + 1] & 0xE0 == 0xE0 else { return nil }
        let version = Int(head[at + 1] >> 3 & 3)
        let layer = 4 - Int(head[at + 1] >> 1 & 3)
        let (rateIndex, frequency) = (Int(head[at + 2] >> 4), Int(head[at + 2] >> 2 & 3))
        guard version != 1, layer < 4, frequency < 3, (1...14).contains(rateIndex) else { return nil }
        let isFirst = version == 3
        let table = isFirst ? layer - 1 : layer == 1 ? 3 : 4
        let bits = bitRates[table][rateIndex - 1] * 1000
        let rate = [44_100, 48_000, 32_000][frequency] / (isFirst ? 1 : version == 2 ? 2 : 4)
        let padding = Int(head[at + 2] >> 1 & 1)
        if layer == 1 { return (.mpegAudio, (12 * bits / rate + padding) * 4) }
        let samples = layer == 3 && !isFirst ? 72 : 144
        return (.mpegAudio, samples * bits / rate + padding)
    }

    /// ETSI TS 102 366, table 4.13: words of 16 bits at 48 kHz and 32 kHz are in proportion, at 44.1 kHz they are not.
    private static let ac3Rates = [
        32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
    ]

    private static func dolby(_ head: ArraySlice<UInt8>) -> (MediaFormat, Int)? {
        let at = head.startIndex
        guard head[at] == 0x0B, head[at + 1] == 0x77 else { return nil }
        if head[at + 5] >> 3 > 10 {
            return (.eac3, 2 * ((Int(head[at + 2] & 7) << 8 | Int(head[at + 3])) + 1))
        }
        let (rate, code) = (Int(head[at + 4] >> 6), Int(head[at + 4] & 0x3F))
        guard rate < 3, code / 2 < ac3Rates.count else { return nil }
        let kilobits = ac3Rates[code / 2]
        switch rate {
        case 0: return (.ac3, kilobits * 4)
        case 1: return (.ac3, 2 * (kilobits * 1000 * 1536 / 44_100 / 16 + code % 2))
        default: return (.ac3, kilobits * 6)
        }
    }
}

/// ID3 tags, which may stand before packed audio, between its frames and behind them.
enum ID3 {
    /// Where the tags that begin at an offset end; the offset itself when there is none.
    static func end<Source: MediaBytes>(
        of window: inout ByteWindow<Source>, from start: Int = 0
    ) throws(Source.Failure) -> Int {
        var offset = start
        while let length = try length(&window, offset) { offset += length }
        return offset
    }

    /// The length of the tag that begins at an offset; `nil` when there is none.
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
