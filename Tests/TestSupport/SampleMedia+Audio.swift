extension SampleMedia {
    /// ADTS frames of these lengths in bytes (ISO/IEC 13818-7): AAC-LC, 44.1 kHz, two channels.
    public static func adts(_ lengths: [Int], seed: UInt64 = 1) -> [UInt8] {
        lengths.enumerated().flatMap { index, length in
            let size = [UInt8(0x80 | length >> 11), UInt8(length >> 3 & 0xFF), UInt8(length & 7) << 5 | 0x1F]
            let head = [0xFF, 0xF1, 0x50] + size + [0xFC]
            return head + OriginResource.pattern(length - 7, seed: seed &* 1000 &+ UInt64(index))
        }
    }

    /// As many frames, each with this header and so many bytes in all.
    public static func frames(_ header: [UInt8], length: Int, count: Int, seed: UInt64 = 1) -> [UInt8] {
        (0..<count).flatMap { index in
            header
                + OriginResource.pattern(length - header.count, seed: seed &* 1000 &+ UInt64(index))
        }
    }

    /// MPEG-1 audio, layer 3, of 128 kbit/s at 44.1 kHz, without padding (ISO/IEC 11172-3).
    public static func mp3(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        frames([0xFF, 0xFB, 0x90, 0x00], length: 417, count: count, seed: seed)
    }

    /// AC-3 of 192 kbit/s at 48 kHz (ETSI TS 102 366).
    public static func ac3(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        frames([0x0B, 0x77, 0x12, 0x34, 0x14, 0x40], length: 768, count: count, seed: seed)
    }

    /// E-AC-3 in frames of 512 bytes (ETSI TS 102 366, annex E).
    public static func eac3(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        frames([0x0B, 0x77, 0x00, 0xFF, 0x34, 0x80], length: 512, count: count, seed: seed)
    }

    /// An ID3 tag, version 2.4, of so many bytes with its header; at most some 16,000.
    public static func id3(_ count: Int) -> [UInt8] {
        let size = count - 10
        return Array("ID3".utf8) + [4, 0, 0, 0, 0, UInt8(size >> 7), UInt8(size & 0x7F)]
            + [UInt8](repeating: 0, count: size)
    }
}
