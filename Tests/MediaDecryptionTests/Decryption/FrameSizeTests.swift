import Testing

@testable import MediaDecryption

@Suite("Sizes in encrypted media")
struct FrameSizeTests {
    @Test(
        "frames of AC-3 have the length of ETSI TS 102 366, table 4.13",
        arguments: [
            (0x00, 128), (0x01, 128), (0x1C, 1536), (0x24, 2560), (0x25, 2560), (0x26, nil), (0x3F, nil),
            (0x40, 138), (0x41, 140), (0x5C, 1670), (0x5D, 1672), (0x64, 2786), (0x66, nil),
            (0x80, 192), (0x9C, 2304), (0xA5, 3840), (0xA6, nil), (0xC0, nil), (0xFF, nil),
        ] as [(UInt8, Int?)])
    func frames(_ code: UInt8, _ size: Int?) {
        #expect(AC3Frame.size(code) == size)
    }

    @Test("boxes of nothing but their head are passed over, and shorter ones are none")
    func boxes() throws {
        func clear(_ bytes: [UInt8]) throws -> [UInt8] {
            let cipher = try ContentCipher([UInt8](repeating: 1, count: 16))
            var reader = FragmentReader(tracks: [:]) { _ in cipher }
            return try reader.all(of: bytes)
        }
        let empty: [UInt8] = [0, 0, 0, 8] + Array("free".utf8)
        #expect(try clear(empty + empty) == empty + empty)
        for size in [UInt8(2), 7] {
            #expect(throws: (any Error).self) { try clear([0, 0, 0, size] + Array("free".utf8) + empty) }
        }
    }
}
