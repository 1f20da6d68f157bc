import Testing

/// The kinds of stream that origins have.
enum Shape: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case transportStream = "a media playlist of MPEG-TS segments"
    case byteRanges = "a multivariant playlist over one fragmented MP4 file, cut by byte ranges"
    case encrypted = "AES-128 whose IV is the media sequence number"
    case discontinuity = "two clips with a discontinuity between them"
    case oddities = "BOM, CRLF, EXT-X-DEFINE, a query and an unknown extension"
    case demuxed = "two encrypted variants, two audio and three subtitle renditions"

    var testDescription: String { rawValue }
}
