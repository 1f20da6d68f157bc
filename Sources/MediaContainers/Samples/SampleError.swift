/// Why media can't be read into samples.
public enum SampleError: Error, Sendable, Equatable {
    /// The bytes are of no known container.
    case unknownContainer
    /// The bytes break their container's rules at an offset.
    case malformed(offset: Int, reason: String)
    /// A codec that is unknown, or that MP4 does not support; by its stream type or four-character code.
    case unsupportedCodec(String)
    /// The samples are still encrypted.
    case encrypted
    /// Initialization data is needed and not there: parameter sets, tables, or an initialization section.
    case lacksConfiguration
    /// More tracks, samples or bytes than a segment may have.
    case tooLarge
}
