internal import ASCII

/// Why a text was refused as WebVTT.
public struct WebVTTError: Error, Sendable, Hashable {
    /// The kinds of errors.
    public enum Code: Sendable, Hashable {
        /// No byte.
        case empty
        /// The text is UTF-16; WebVTT is UTF-8 (WebVTT §4).
        case utf16
        /// The text is a web page, usually a login or error page.
        case webPage
        /// The text looks like SubRip.
        case subRip
        /// The text does not begin with `WEBVTT` and a blank or line end (WebVTT §6.1).
        case missingSignature
        /// MP4 without a track of `wvtt` or `stpp` that its initialization section describes.
        case unknownContainer
        /// The text is not a subtitle file of a known format.
        case unknownFormat
        /// More bytes than `WebVTTLimits.bytes`.
        case tooManyBytes
        /// More cues than `WebVTTLimits.cues`.
        case tooManyCues
    }

    /// The kind of error.
    public var code: Code

    /// An error.
    public init(_ code: Code) {
        self.code = code
    }

    /// Why bytes without a signature are no WebVTT.
    init(explaining bytes: [UInt8]) {
        let start = bytes.prefix(1024).drop { $0.isWhitespace || $0 >= 0x80 }
        if bytes.isEmpty {
            code = .empty
        } else if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            code = .utf16
        } else if start.first == .lessThan {
            code = .webPage
        } else if WebVTTError.looksLikeSubRip(start) {
            code = .subRip
        } else {
            code = .missingSignature
        }
    }

    /// A number, a line end, and digits with a colon.
    private static func looksLikeSubRip(_ text: ArraySlice<UInt8>) -> Bool {
        var reader = ByteReader(text)
        guard reader.digits() != nil else { return false }
        guard let byte = reader.next, byte.isWhitespace else { return false }
        reader.skipWhitespace()
        return reader.digits() != nil && reader.skip(.colon)
    }
}

extension WebVTTError: CustomStringConvertible {
    /// One sentence for a person.
    public var description: String {
        switch code {
        case .empty: "the subtitle file is empty"
        case .utf16: "the subtitle file is UTF-16, and WebVTT must be UTF-8"
        case .webPage: "the answer is a web page, not subtitles"
        case .subRip: "the subtitle file is SubRip, not WebVTT"
        case .missingSignature: "the subtitle file does not begin with WEBVTT"
        case .unknownContainer: "the MP4 file has no text track that can be read"
        case .unknownFormat: "the file is no WebVTT, SubRip, ASS or TTML"
        case .tooManyBytes: "the subtitle file is too large"
        case .tooManyCues: "the subtitle file has too many cues"
        }
    }
}

/// How much a WebVTT file may hold; more is refused.
public struct WebVTTLimits: Sendable, Hashable {
    /// Bytes: 256 MiB.
    public var bytes = 256 << 20
    /// Cues: 2,000,000.
    public var cues = 2_000_000
    /// The largest number of regions, style sheets and header lines, of each: 10,000. Further ones are left out with
    /// a warning.
    public var blocks = 10_000

    /// The limits named at each property.
    public init() {}
}
