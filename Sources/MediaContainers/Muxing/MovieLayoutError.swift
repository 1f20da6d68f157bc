/// Why segments can't be put into one file.
public enum MovieLayoutError: Error, Sendable, Equatable {
    /// The codec of a track changes at this segment, by the number that was passed to the builder.
    case codecChanges(segment: Int, from: String, to: String)
    /// The file has no form for the codec of a segment, by the number that the builder was given.
    case unsupportedCodec(segment: Int, codec: String)
    /// More samples, chunks or descriptions than a file may have.
    case tooLarge
    /// No track has a sample.
    case empty
}
