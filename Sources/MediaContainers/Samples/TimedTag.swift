/// A timed ID3 tag, as transport streams carry them.
public struct TimedTag: Sendable, Equatable {
    /// The time of the tag, in ticks of 90 kHz, unwrapped.
    public let time: Int64
    /// The tag as it came.
    public let bytes: [UInt8]

    /// A tag with its time.
    public init(time: Int64, bytes: [UInt8]) { (self.time, self.bytes) = (time, bytes) }
}

extension TimedTag {
    /// The scheme of event messages whose content is an ID3 tag (Carriage of ID3 Timed Metadata in CMAF, section 2).
    private static let scheme = "https://aomedia.org/emsg/ID3"

    /// Writes an event message on the clock of the segment (ISO/IEC 23009-1, section 5.10.3.3), without a duration.
    func write(_ writer: inout ByteWriter, shift: Int64) {
        writer.box("emsg", version: 1) { writer in
            writer.u32(90_000)
            writer.u64(UInt64(max(0, time + shift)))
            writer.u32(UInt32.max)
            writer.u32(UInt32(truncatingIfNeeded: time))
            writer.text(Self.scheme + "\0\0")
            writer.append(bytes)
        }
    }
}
