/// Why media can't be read into samples.
public enum SampleError: Error, Sendable, Equatable {
    /// The bytes are no container that is known.
    case unknownContainer
    /// The bytes break their container's rules at an offset.
    case malformed(offset: Int, reason: String)
    /// A codec that MP4 has no place for, or that is not known; by its stream type or four-character code.
    case unsupportedCodec(String)
    /// The samples are still encrypted.
    case encrypted
    /// Initialization data is needed and not there: parameter sets, tables, or an initialization section.
    case lacksConfiguration
    /// More tracks, samples or bytes than a segment may have.
    case tooLarge
}
