extension SampleMedia {
    /// A transport stream of one elementary stream, 256, with its tables and a time stamp in each packet.
    ///
    /// - Parameters:
    ///   - type: the stream type (ISO/IEC 13818-1, table 2-34): 0x1B is H.264, 0x24 H.265, 0x0F AAC.
    ///   - seconds: from the first time stamp to the last one.
    ///   - start: the first time stamp in seconds.
    public static func program(
        _ type: UInt8, seconds: Double, from start: Double = 10, packets: Int = 40
    ) -> [UInt8] {
        (0..<packets).reduce(into: tables(type)) { bytes, number in
            let time = start + seconds * Double(number) / Double(packets - 1)
            let head: [UInt8] = [0, 0, 1, type == 0x0F ? 0xC0 : 0xE0, 0, 0, 0x80, 0x80, 5]
            bytes += packet(256, begins: true, head + stamp(Int(time * 90_000)))
        }
    }

    /// A presentation time stamp in ticks of 90 kHz (ISO/IEC 13818-1, section 2.4.3.7).
    private static func stamp(_ ticks: Int) -> [UInt8] {
        [
            UInt8(0x21 | (ticks >> 30 & 7) << 1), UInt8(ticks >> 22 & 0xFF), UInt8(ticks >> 14 & 0xFE | 1),
            UInt8(ticks >> 7 & 0xFF), UInt8(ticks << 1 & 0xFE | 1),
        ]
    }
}
