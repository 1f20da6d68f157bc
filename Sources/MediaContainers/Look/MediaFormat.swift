/// A media format of HLS (RFC 8216bis, section 3.1), recognized by its bytes.
public enum MediaFormat: String, Sendable, CaseIterable {
    /// MPEG-2 transport stream (ISO/IEC 13818-1).
    case transportStream = "ts"
    /// MP4 boxes: fragments, an initialization section, or a whole movie (ISO/IEC 14496-12).
    case mp4
    /// ADTS frames (ISO/IEC 13818-7).
    case adts = "aac"
    /// MPEG audio frames (ISO/IEC 11172-3).
    case mpegAudio = "mp3"
    /// AC-3 frames (ETSI TS 102 366).
    case ac3
    /// E-AC-3 frames (ETSI TS 102 366, annex E).
    case eac3 = "ec3"
    /// WebVTT text.
    case webVTT = "vtt"
    /// A JPEG, PNG or WebP picture of an image playlist.
    case picture
}

/// A kind of bytes that is not a media format of HLS, recognized by its beginning.
public enum ForeignFormat: String, Sendable, CaseIterable {
    case png = "PNG"
    case jpeg = "JPEG"
    case gif = "GIF"
    case bmp = "BMP"
    case webp = "WebP"
    case html = "HTML"
    case json = "JSON"
    case gzip
    case zlib = "deflate"
    case zip = "ZIP"
    case pdf = "PDF"
    case matroska = "Matroska/WebM"
    case ogg = "Ogg"
    case flac = "FLAC"
    case flv = "FLV"
    case wave = "RIFF"
    case programStream = "MPEG program stream"
    case annexB = "H.264/H.265 without a container"
    case obu = "AV1 without a container"
    case loas = "LOAS"
    case asf = "ASF"
    case ac4 = "AC-4"
    case amr = "AMR"
    case ivf = "IVF"
    case mxf = "MXF"
    case caf = "CAF"
    case ttml = "TTML"
    case text = "text"

    /// Whether it can carry media that some players may support.
    public var isMedia: Bool {
        switch self {
        case .matroska, .ogg, .flac, .flv, .wave, .programStream, .annexB, .obu, .loas, .asf, .ac4, .amr,
            .ivf,
            .mxf, .caf, .ttml:
            true
        case .png, .jpeg, .gif, .bmp, .webp, .html, .json, .gzip, .zlib, .zip, .pdf, .text: false
        }
    }
}

extension ForeignFormat {
    /// Recognizes bytes by their beginning; some 64 of them are enough, text needs some hundred.
    public init?(head: [UInt8]) {
        if let found = Self.signatures.first(where: { Self.matches(head, $0.1) }) {
            self = found.0
        } else if head.count >= 2, head[0] & 0x0F == 8, head[0] >> 4 <= 7,
            (Int(head[0]) << 8 | Int(head[1])) % 31 == 0,
            head[1] & 0x20 == 0
        {
            self = .zlib
        } else if Self.isNetworkUnit(head) {
            self = .annexB
        } else if Self.isAudioSync(head) {
            self = .loas
        } else if let text = TextLook.kind(head) {
            self = text
        } else {
            return nil
        }
    }

    /// Whether bytes begin with a start code and the header of a unit of H.264 or H.265 (their annex B).
    private static func isNetworkUnit(_ head: [UInt8]) -> Bool {
        let zeros = head.prefix(4).prefix { $0 == 0 }.count
        guard (2...3).contains(zeros), head.count > zeros + 1, head[zeros] == 1 else { return false }
        return head[zeros + 1] < 0x80 && head[zeros + 1] > 0
    }

    /// Whether bytes are frames of an AudioSyncStream (ISO/IEC 14496-3, section 1.7.2): two consecutive ones, or one
    /// up to the end.
    private static func isAudioSync(_ head: [UInt8]) -> Bool {
        func next(after place: Int) -> Int? {
            guard place + 3 <= head.count, head[place] == 0x56, head[place + 1] & 0xE0 == 0xE0 else {
                return nil
            }
            return place + 3 + (Int(head[place + 1] & 0x1F) << 8 | Int(head[place + 2]))
        }
        guard let second = next(after: 0) else { return false }
        return second == head.count || next(after: second) != nil
    }

    /// Bytes at the beginning; `nil` stands for any byte.
    private static let signatures: [(ForeignFormat, [UInt8?])] = [
        (.png, [0x89, 0x50, 0x4E, 0x47]), (.jpeg, [0xFF, 0xD8, 0xFF]), (.gif, bytes("GIF8")),
        (.webp, bytes("RIFF") + [nil, nil, nil, nil] + bytes("WEBP")), (.wave, bytes("RIFF")),
        (.bmp, bytes("BM") + [nil, nil, nil, nil, 0, 0, 0, 0]), (.gzip, [0x1F, 0x8B, 0x08]),
        (.zip, [0x50, 0x4B, 0x03, 0x04]), (.pdf, bytes("%PDF")), (.matroska, [0x1A, 0x45, 0xDF, 0xA3]),
        (.ogg, bytes("OggS")), (.flac, bytes("fLaC")), (.flv, bytes("FLV") + [1]),
        (.programStream, [0, 0, 1, 0xBA]), (.obu, [0x12, 0, 0x0A]), (.asf, [0x30, 0x26, 0xB2, 0x75]),
        (.ac4, [0xAC, 0x40]), (.ac4, [0xAC, 0x41]), (.amr, bytes("#!AMR")),
        (.ivf, bytes("DKIF")), (.mxf, [0x06, 0x0E, 0x2B, 0x34]), (.caf, bytes("caff")),
    ]

    private static func bytes(_ text: StaticString) -> [UInt8?] { "\(text)".utf8.map { $0 } }

    private static func matches(_ head: [UInt8], _ signature: [UInt8?]) -> Bool {
        guard head.count >= signature.count else { return false }
        return signature.indices.allSatisfy { signature[$0] == nil || signature[$0] == head[$0] }
    }
}
