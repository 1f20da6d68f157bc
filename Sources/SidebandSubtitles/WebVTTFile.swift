/// A parsed WebVTT file: its track, its header, and warnings.
///
/// ```swift
/// let file = try WebVTTFile(parsing: bytes)
/// print(file.track.cues.count, file.warnings.count)
/// ```
public struct WebVTTFile: Sendable {
    /// The cues, regions and styles.
    public internal(set) var track = SubtitleTrack()
    /// Whether it begins with `WEBVTT`. Only a segment may lack this.
    public internal(set) var hasSignature = true
    /// The header's first timestamp map that can be read, if any (RFC 8216bis §3.1.4).
    public internal(set) var timestampMap: TimestampMap?
    /// The text behind `WEBVTT` on its line, if there is any, and the other header lines, such as `Kind: captions`.
    public internal(set) var headerLines: [String] = []
    /// The first 1,000 warnings, by line.
    public internal(set) var warnings: [WebVTTWarning] = []
    /// How many warnings there were.
    public internal(set) var warningCount = 0

    /// Reads a WebVTT file by the rules of WebVTT §6.1: a bad block costs that block and no other.
    ///
    /// - Throws: an error when the text is no WebVTT file, or exceeds `limits`.
    public init(parsing bytes: [UInt8], limits: WebVTTLimits = .init()) throws(WebVTTError) {
        self = try WebVTTFile(parsing: bytes, limits: limits, needsSignature: true)
    }

    /// - Parameters:
    ///   - needsSignature: whether the text is a file of its own: one without signature, or with too many cues, is
    ///     refused. A segment without signature is read as blocks, and its first cues are kept.
    ///   - regions: the names of regions that are defined elsewhere.
    init(
        parsing bytes: [UInt8], limits: WebVTTLimits, needsSignature: Bool, regions: Set<String> = []
    ) throws(WebVTTError) {
        guard bytes.count <= limits.bytes else { throw WebVTTError(.tooManyBytes) }
        var parser = WebVTTParser(bytes, limits: limits, regions: regions)
        let hasSignature = parser.skipSignature()
        if hasSignature {
            parser.readHeader()
        } else if needsSignature {
            throw WebVTTError(explaining: bytes)
        } else {
            parser.warn(.missingSignature)
        }
        do throws(WebVTTError) {
            try parser.readBlocks()
        } catch {
            if needsSignature { throw error }
            parser.warn(.tooManyCues)
        }
        self = parser.file
        self.hasSignature = hasSignature
        warnings = parser.warnings.first
        warningCount = parser.warnings.count
    }
}

extension WebVTTFile {
    /// Makes an empty file.
    init() {}
}
