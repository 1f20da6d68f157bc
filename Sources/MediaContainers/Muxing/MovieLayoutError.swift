/// Why segments can't be put into one file.
public enum MovieLayoutError: Error, Sendable, Equatable {
    /// The codec of a track is another one from this segment on, by the number that the builder was given.
    case codecChanges(segment: Int, from: String, to: String)
    /// More samples, chunks or descriptions than a file may have.
    case tooLarge
    /// No track has a sample.
    case empty
}
