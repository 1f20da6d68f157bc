/// The samples of one track of one segment, in decoding order, with their bytes.
public struct TrackSamples: Sendable, Equatable {
    /// The number that the source gives the track: a packet identifier, a `track_ID`, or 0 for packed audio.
    public var number: Int
    /// Ticks per second of all times of the track: 90,000 for video of a transport stream, the sampling rate for sound.
    public var timescale: UInt32
    /// The language in the source (ISO 639-2), for example `deu`; `nil` without one.
    public var language: String?
    /// The sample entries that the samples use; at least one when there is a sample.
    public var descriptions: [SampleDescription]
    /// The samples in decoding order.
    public var samples: [MediaSample]
    /// The bytes of all samples, one after the other without gaps.
    public var bytes: [UInt8]

    /// The samples of one track.
    public init(
        number: Int, timescale: UInt32, language: String? = nil, descriptions: [SampleDescription] = [],
        samples: [MediaSample] = [], bytes: [UInt8] = []
    ) {
        (self.number, self.timescale, self.language) = (number, timescale, language)
        (self.descriptions, self.samples, self.bytes) = (descriptions, samples, bytes)
    }
}
