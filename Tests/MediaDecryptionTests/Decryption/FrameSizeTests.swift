import TestSupport
import Testing

@testable import MediaDecryption
@testable import StoreModel

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

    @Test("empty boxes are skipped, and shorter ones are refused")
    func boxes() throws {
        func clear(_ bytes: [UInt8]) throws -> [UInt8] {
            let cipher = try ContentCipher([UInt8](repeating: 1, count: 16))
            var reader = FragmentReader(tracks: [:]) { _ in cipher }
            return try reader.all(of: bytes)
        }
        let empty: [UInt8] = [0, 0, 0, 8] + Array("free".utf8)
        #expect(try clear(empty + empty) == empty + empty)
        for size in [UInt8(2), 7] {
            let wrong = [0, 0, 0, size] + Array("free".utf8)
            #expect(throws: (any Error).self) { try clear(wrong + empty) }
            #expect(throws: (any Error).self) { try clear(wrong) }
            #expect(try clear(wrong.dropLast() + []) == wrong.dropLast())
        }
        let long = [0, 0, 0, 1] + Array("free".utf8) + [0, 0, 0, 0, 0, 0, 0, 20, 1, 2, 3, 4]
        let open = [0, 0, 0, 0] + Array("mdat".utf8) + [1, 2, 3]
        #expect(try clear(long + empty + open) == long + empty + open)
    }

    @Test("the boxes of a fragment's head have 16 MB at most", arguments: [0, 1])
    func heads(more: Int) throws {
        let cipher = try ContentCipher([UInt8](repeating: 1, count: 16))
        var reader = FragmentReader(tracks: [:]) { _ in cipher }
        let free = SampleMedia.box("free", [UInt8](repeating: 0, count: 16 << 20 - 16 + more))
        let source = EncryptedBytes(SampleMedia.box("moof", free))
        if more == 0 {
            guard case .bytes = try reader.read(at: 0, count: 9, from: source) else { throw Stuck(place: 0) }
        } else {
            #expect(throws: StoreError.self) { try reader.read(at: 0, count: 9, from: source) }
        }
    }
}
