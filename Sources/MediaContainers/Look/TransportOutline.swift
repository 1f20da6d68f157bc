/// The facts of a transport stream by which a segment is compared with its neighbors.
public struct TransportOutline: Sendable, Equatable {
    /// The stream types of its video (ISO/IEC 13818-1, table 2-34), for encrypted samples those of the clear form;
    /// empty if it has only audio, or no packet of the video streams in its tables.
    public let pictures: Set<UInt8>
    /// Seconds from the first presentation time stamp to the last one, in the longest stream; `nil` if they are
    /// unknown.
    public let span: Double?

    /// The facts of a segment.
    public init(pictures: Set<UInt8>, span: Double?) { (self.pictures, self.span) = (pictures, span) }

    /// Reads the tables at the beginning, and the time stamps there and at the end.
    ///
    /// - Returns: `nil` where the tables do not tell the streams.
    public static func read<Source: MediaBytes>(_ source: Source) throws(Source.Failure) -> TransportOutline?
    {
        var window = ByteWindow(source)
        guard let (start, stride) = try TransportLook.place(of: &window) else { return nil }
        let packets = (source.count - start + stride - TransportPacket.size) / stride
        var reader = OutlineReader(stride: stride)
        reader.take(try source.read(at: start, count: min(packets, headPackets) * stride))
        let rest = max(0, packets - tailPackets)
        reader.take(try source.read(at: start + rest * stride, count: (packets - rest) * stride))
        return reader.outline
    }

    private static let headPackets = 700
    private static let tailPackets = 1400
}

/// Collects facts of streams from their packets.
private struct OutlineReader {
    let stride: Int
    private var maps: Set<Int> = []
    private var types: [Int: UInt8] = [:]
    private var isTold = false
    /// The streams with packets so far.
    private var seen: Set<Int> = []
    /// The first time stamp of each stream, and the ticks from it to the latest one.
    private var spans: [Int: (first: Int, span: Int)] = [:]

    init(stride: Int) { self.stride = stride }

    private static let pictures: [UInt8: UInt8] = [
        0x01: 0x01, 0x02: 0x02, 0x10: 0x10, 0x1B: 0x1B, 0x20: 0x20, 0x21: 0x21, 0x24: 0x24, 0x33: 0x33,
        0xD1: 0xD1, 0xDB: 0x1B, 0xEA: 0xEA,
    ]
    private static let ticks = 1 << 33
    private static let rate = 90_000.0

    var outline: TransportOutline? {
        guard isTold else { return nil }
        let known = Set(types.filter { seen.contains($0.key) }.values.compactMap { Self.pictures[$0] })
        let longest = spans.filter { types[$0.key] != nil }.values.map(\.span).max()
        return TransportOutline(pictures: known, span: longest.map { Double($0) / Self.rate })
    }

    mutating func take(_ bytes: [UInt8]) {
        for place in Swift.stride(from: 0, through: bytes.count - TransportPacket.size, by: stride)
        where bytes[place] == TransportPacket.sync {
            take(TransportPacket(bytes, at: place), bytes)
        }
    }

    private mutating func take(_ packet: TransportPacket, _ bytes: [UInt8]) {
        guard let payload = packet.payload else { return }
        seen.insert(packet.stream)
        guard packet.begins, payload.count >= 14 else { return }
        if packet.stream == 0 {
            maps.formUnion(TransportTable.programs(bytes, payload))
        } else if maps.contains(packet.stream) {
            guard case .whole(let streams)? = TransportTable.map(bytes, payload) else { return }
            isTold = true
            types.merge(streams) { known, _ in known }
        } else if let time = Self.time(bytes[payload]) {
            note(time, of: packet.stream)
        }
    }

    /// The presentation time stamp of a packet of an elementary stream that begins there (section 2.4.3.7).
    private static func time(_ payload: ArraySlice<UInt8>) -> Int? {
        guard case .whole(let header) = PESHeader.read(payload) else { return nil }
        return header.presentation.map(Int.init)
    }

    private mutating func note(_ time: Int, of stream: Int) {
        guard let known = spans[stream] else {
            spans[stream] = (time, 0)
            return
        }
        // Time stamps wrap after 26 hours; one before the first is of a picture that is shown earlier.
        let span = (time - known.first) & (Self.ticks - 1)
        if span < Self.ticks / 2 { spans[stream] = (known.first, max(known.span, span)) }
    }
}
