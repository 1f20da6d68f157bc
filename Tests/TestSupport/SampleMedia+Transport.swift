extension SampleMedia {
    /// A program association and a program map table, a packet each: the map is stream 4096, a video stream is 256.
    public static var tables: [UInt8] { tables(0x1B) }

    /// The same with a stream of another type (ISO/IEC 13818-1, table 2-34).
    public static func tables(_ type: UInt8) -> [UInt8] {
        let association: [UInt8] = [0, 0, 0xB0, 13, 0, 1, 0xC1, 0, 0, 0, 1, 0xF0, 0, 1, 2, 3, 4]
        let map: [UInt8] = [
            0, 2, 0xB0, 18, 0, 1, 0xC1, 0, 0, 0xE1, 0, 0xF0, 0, type, 0xE1, 0, 0xF0, 0, 1, 2, 3, 4,
        ]
        return packet(0, begins: true, association) + packet(4096, begins: true, map)
    }

    /// A transport packet with a payload that is filled up with 0xFF.
    public static func packet(_ stream: Int, begins: Bool, _ payload: [UInt8], scrambled: Bool = false)
        -> [UInt8]
    {
        let head = [
            0x47, UInt8(stream >> 8) | (begins ? 0x40 : 0), UInt8(stream & 0xFF), scrambled ? 0x90 : 0x10,
        ]
        return head + payload + [UInt8](repeating: 0xFF, count: 184 - payload.count)
    }

    /// Packets of stream 256 in which nothing begins.
    public static func continuations(_ count: Int, scrambled: Bool = false) -> [UInt8] {
        (0..<count).flatMap {
            packet(256, begins: false, OriginResource.pattern(184, seed: UInt64($0)), scrambled: scrambled)
        }
    }

    /// The packets of a transport stream with four bytes before each, as recorders of discs write them.
    public static func withTimes(_ stream: [UInt8]) -> [UInt8] {
        packets(of: stream).flatMap { [0, 0, 0x12, 0x34] + $0 }
    }

    /// The packets of a transport stream with sixteen bytes of a checksum behind each.
    public static func withChecksums(_ stream: [UInt8]) -> [UInt8] {
        packets(of: stream).flatMap { $0 + [UInt8](repeating: 0xEE, count: 16) }
    }

    private static func packets(of stream: [UInt8]) -> [ArraySlice<UInt8>] {
        stride(from: 0, to: stream.count, by: 188).map { stream[$0..<min($0 + 188, stream.count)] }
    }
}
