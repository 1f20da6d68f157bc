/// How the samples of a track are coded: a sample entry, as `stsd` lists it (ISO/IEC 14496-12, section 8.5.2).
///
/// A reader makes the whole entry, a writer copies it: writers need to know no codec.
public struct SampleDescription: Sendable, Hashable {
    /// The sample entry box with its header and its children, for example `avc1` with `avcC`; never encrypted.
    public var entry: [UInt8]
    /// The codec as RFC 6381 names it, for example `avc1.64001F` or `mp4a.40.2`.
    public var codec: String
    /// The shape of its pictures or sound.
    public var shape: Shape

    /// The picture or sound of the samples, as track headers tell it.
    public enum Shape: Sendable, Hashable {
        /// Pictures with their coded size in pixels.
        case video(width: Int, height: Int)
        /// Sound with its sampling rate in Hz and its channels.
        case audio(sampleRate: Int, channels: Int)
        /// Text, or other media without these properties.
        case other
    }

    /// A description with a finished sample entry.
    public init(entry: [UInt8], codec: String, shape: Shape) {
        (self.entry, self.codec, self.shape) = (entry, codec, shape)
    }
}
