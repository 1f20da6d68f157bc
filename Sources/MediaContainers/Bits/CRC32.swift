/// The checksum of MPEG-2 tables (ISO/IEC 13818-1, annex A).
package enum CRC32 {
    /// The checksum of bytes; of a section with its checksum it is 0.
    package static func mpeg(_ bytes: some Sequence<UInt8>) -> UInt32 {
        bytes.reduce(0xFFFF_FFFF) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte) << 24) { sum, _ in
                sum & 0x8000_0000 == 0 ? sum << 1 : sum << 1 ^ 0x04C1_1DB7
            }
        }
    }
}
