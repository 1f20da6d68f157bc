import TestSupport
import Testing

@testable import StoreModel
@testable import StorePlanning

@Suite("A segment by its first bytes")
struct MediaHeadTests {
    private let tag: [UInt8] = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 3, 9, 9, 9]

    @Test("does not hide media if it is sound, text, or media that are known")
    func plain() {
        let heads: [[UInt8]] = [
            [0xFF, 0xF1, 0x50, 0x80], [0xFF, 0xFB, 0x90], [0x0B, 0x77, 0, 0, 0, 8 << 3],
            [0x0B, 0x77, 0, 0, 0, 16 << 3], Array("WEBVTT\n".utf8), Media.ts(3), Media.fragment(1),
            tag + [0xFF, 0xF1, 0x50, 0x80],
        ]
        for head in heads { #expect(!MediaHead.mayHideMedia(head), "\(head.prefix(8))") }
    }

    @Test("does not hide media if it is of a foreign format that carries media itself")
    func foreign() {
        #expect(!MediaHead.mayHideMedia(Array("fLaC".utf8) + [0, 0, 0, 34]))
        #expect(!MediaHead.mayHideMedia(Array("OggS".utf8) + [0, 2, 0, 0]))
    }

    @Test("may hide media behind a picture, a page, a tag or something unknown")
    func disguised() {
        let heads: [[UInt8]] = [
            [0xFF, 0xD8, 0xFF, 0xE0], [0x89, 0x50, 0x4E, 0x47], Media.page, tag + Media.ts(3),
            [0x01, 0x02, 0x03, 0xF4],
        ]
        for head in heads { #expect(MediaHead.mayHideMedia(head), "\(head.prefix(8))") }
    }

    @Test("has 512 bytes, or all of fewer")
    func length() {
        let bytes = [UInt8](repeating: 7, count: 513)
        #expect(unsafe MediaHead.head(of: bytes.span.bytes).count == 512)
        #expect(unsafe MediaHead.head(of: [UInt8](bytes.dropFirst(2)).span.bytes).count == 511)
    }
}
