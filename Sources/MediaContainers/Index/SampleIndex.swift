/// The samples of one stored segment without their bytes, from which layouts of files are made.
///
/// Its encoded form takes some five bytes per sample.
public struct SampleIndex: Sendable, Equatable {
    /// The samples of one track.
    public struct Track: Sendable, Equatable {
        /// The number that the source gives the track.
        public var number: Int
        /// Ticks per second of all its times.
        public var timescale: UInt32
        /// The language that the source names (ISO 639-2).
        public var language: String?
        /// The purpose of its samples.
        public var kind: MovieTrack.Kind
        /// The first media time of the presentation, by the source's edit list, in ticks.
        public var presentationStart: Int64
        /// The delay of its presentation by the source's edit list, in ticks.
        public var delay: Int64
        /// The number of samples that must be decoded before one to get it right, as a negative number; 0 if unknown.
        public var rollDistance: Int
        /// The transformation of its pictures, nine numbers; empty for none.
        public var matrix: [UInt32]
        /// The sample entries that the samples use.
        public var descriptions: [SampleDescription]
        /// The samples in decoding order.
        public var samples: [MediaSample]

        /// The samples of one track.
        public init(
            _ samples: TrackSamples, kind: MovieTrack.Kind, presentationStart: Int64 = 0, delay: Int64 = 0,
            rollDistance: Int = 0, matrix: [UInt32] = []
        ) {
            (self.rollDistance, self.matrix) = (rollDistance, matrix)
            (number, timescale, language) = (samples.number, samples.timescale, samples.language)
            (self.kind, self.presentationStart, self.delay) = (kind, presentationStart, delay)
            (descriptions, self.samples) = (samples.descriptions, samples.samples)
        }

        init(
            number: Int, timescale: UInt32, language: String?, kind: MovieTrack.Kind,
            presentationStart: Int64, delay: Int64, rollDistance: Int, matrix: [UInt32],
            descriptions: [SampleDescription], samples: [MediaSample]
        ) {
            (self.rollDistance, self.matrix) = (rollDistance, matrix)
            (self.number, self.timescale, self.language) = (number, timescale, language)
            (self.kind, self.presentationStart, self.delay) = (kind, presentationStart, delay)
            (self.descriptions, self.samples) = (descriptions, samples)
        }
    }

    /// The tracks in the order of the reader.
    public var tracks: [Track]
    /// Bytes of the segment in the clear.
    public var clearSize: UInt64
    /// Whether its clock has 33 bits of 90 kHz, and wraps after 26.5 hours.
    public var wraps: Bool

    /// The index of a segment.
    public init(tracks: [Track], clearSize: UInt64, wraps: Bool) {
        (self.tracks, self.clearSize, self.wraps) = (tracks, clearSize, wraps)
    }
}
