/// One access unit of a track, in the form in which MP4 stores it (ISO/IEC 14496-12, section 3.1).
public struct MediaSample: Sendable, Equatable {
    /// The decoding time of the sample, in ticks of its track's timescale.
    ///
    /// Times are those of the source and never wrap: a transport stream's 33 bits are unwrapped along the segment.
    public var decodeTime: Int64
    /// Presentation time minus decode time, in ticks; negative where the source says so (`ctts` version 1).
    public var presentationOffset: Int32
    /// The time until the next sample is decoded, in ticks; of the last sample of a segment, the best estimate.
    public var duration: UInt32
    /// The sample's length in bytes.
    public var size: UInt32
    /// Whether decoding can begin here.
    public var isSync: Bool
    /// The index of its description in ``TrackSamples/descriptions``.
    public var description: UInt8

    /// A sample of a track.
    public init(
        decodeTime: Int64, presentationOffset: Int32 = 0, duration: UInt32, size: UInt32, isSync: Bool,
        description: UInt8 = 0
    ) {
        (self.decodeTime, self.presentationOffset, self.duration) = (decodeTime, presentationOffset, duration)
        (self.size, self.isSync, self.description) = (size, isSync, description)
    }
}
