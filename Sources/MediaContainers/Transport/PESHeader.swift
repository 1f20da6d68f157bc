/// The header of a PES packet (ISO/IEC 13818-1, section 2.4.3.6).
struct PESHeader {
    /// Bytes before the payload.
    let length: Int
    /// The time stamps, of 33 bits.
    private(set) var presentation: Int64?
    private(set) var decoding: Int64?

    /// How far bytes go that should be a header.
    enum Reading {
        case whole(PESHeader)
        /// More bytes are needed.
        case part
        /// No PES packet.
        case broken
    }

    /// Streams whose packets have no optional header.
    private static let plain: Set<UInt8> = [0xBC, 0xBE, 0xBF, 0xF0, 0xF1, 0xF2, 0xF8, 0xFF]

    static func read(_ bytes: ArraySlice<UInt8>) -> Reading {
        let at = bytes.startIndex
        guard zip(bytes, [0, 0, 1] as [UInt8]).allSatisfy({ $0 == $1 }) else { return .broken }
        guard bytes.count >= 6 else { return .part }
        guard !plain.contains(bytes[at + 3]) else { return .whole(PESHeader(length: 6)) }
        guard bytes.count >= 9 else { return .part }
        let length = 9 + Int(bytes[at + 8])
        guard bytes.count >= length else { return .part }
        // Streams of MPEG-1 have other headers, which are not possible in a transport stream.
        guard bytes[at + 6] & 0xC0 == 0x80 else { return .broken }
        return .whole(PESHeader(bytes, length: length))
    }

    private init(length: Int) { self.length = length }

    private init(_ bytes: ArraySlice<UInt8>, length: Int) {
        let at = bytes.startIndex
        self.length = length
        let flags = bytes[at + 7]
        if flags & 0x80 != 0, length >= 14 { presentation = Self.time(bytes, at + 9) }
        if flags & 0xC0 == 0xC0, length >= 19 { decoding = Self.time(bytes, at + 14) }
    }

    private static func time(_ bytes: ArraySlice<UInt8>, _ at: Int) -> Int64 {
        let high = Int64(bytes[at] >> 1 & 7) << 30
        let middle = Int64(bytes[at + 1]) << 22 | Int64(bytes[at + 2] >> 1) << 15
        return high | middle | Int64(bytes[at + 3]) << 7 | Int64(bytes[at + 4] >> 1)
    }
}

/// Unwraps time stamps of 33 bits along a stream.
struct StampClock: Sendable {
    private(set) var last: Int64?

    private static let range = Int64(1) << 33

    init(near time: Int64?) { last = time }

    /// The nearest time to the last one.
    mutating func unwrap(_ stamp: Int64) -> Int64 {
        let time = last.map { Self.nearest(stamp, to: $0) } ?? stamp
        last = time
        return time
    }

    /// The time with this stamp that is nearest to another time.
    static func nearest(_ stamp: Int64, to time: Int64) -> Int64 {
        let ahead = (stamp &- time) & (range - 1)
        return time &+ (ahead >= range / 2 ? ahead - range : ahead)
    }
}
