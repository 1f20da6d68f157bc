import Testing

@testable import StoreModel

@Suite("The format of a segment by its first bytes")
struct SegmentFormatTests {
    @Test(
        "is that of the frame of sound which it begins with",
        arguments: [
            // AC-3, and E-AC-3 from a bsid of 11 on; the bsid is in the sixth byte.
            ([0x0B, 0x77], .ac3), ([0x0B, 0x77, 0, 0, 0], .ac3), ([0x0B, 0x77, 0, 0, 0, 0x50], .ac3),
            ([0x0B, 0x77, 0, 0, 0, 0x58], .ec3), ([0x0B, 0x77, 0, 0, 0, 0x80], .ec3),
            ([0x0B, 0x76, 0, 0, 0, 0x50], nil), ([0x0C, 0x77, 0, 0, 0, 0x50], nil),
            // ADTS, of MPEG-4 and MPEG-2, with a checksum and without.
            ([0xFF, 0xF0], .aac), ([0xFF, 0xF1], .aac), ([0xFF, 0xF8], .aac), ([0xFF, 0xF9], .aac),
            // MPEG audio of layer III, of MPEG-1, MPEG-2 and MPEG-2.5.
            ([0xFF, 0xFB], .mp3), ([0xFF, 0xF3], .mp3), ([0xFF, 0xE3], .mp3),
            ([0xFF, 0xC3], nil), ([0xFF, 0x00], nil), ([0xFE, 0xF1], nil),
            // Too little of a frame.
            ([0x0B], nil), ([0xFF], nil), ([], nil),
        ] as [([UInt8], ContainerFormat?)])
    func sound(_ bytes: [UInt8], _ format: ContainerFormat?) {
        #expect(ContainerFormat(sniffing: bytes) == format)
    }

    @Test(
        "is converted for players that want fragmented MP4, unless it is that, text or a picture",
        arguments: [
            (.ts, true), (.aac, true), (.mp3, true), (.ac3, true), (.ec3, true), (.m4s, false), (.mp4, false),
            (.vtt, false), (.jpg, false), (.png, false), (.webp, false),
        ] as [(ContainerFormat, Bool)])
    func converted(_ format: ContainerFormat, _ isConverted: Bool) {
        #expect(format.isConverted == isConverted)
    }

    @Test("is found behind an ID3 tag and a byte order mark")
    func preambles() {
        let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 2, 0, 0]
        #expect(ContainerFormat(sniffing: tag + [0xFF, 0xF1]) == .aac)
        #expect(ContainerFormat(sniffing: tag) == nil)
        #expect(ContainerFormat(sniffing: [0xEF, 0xBB, 0xBF] + Array("WEBVTT\n".utf8)) == .vtt)
    }

    @Test("is a transport stream when each packet begins with its byte")
    func transport() {
        let packet = [0x47] + [UInt8](repeating: 0, count: 187)
        #expect(ContainerFormat(sniffing: [0x47]) == .ts && ContainerFormat(sniffing: packet) == .ts)
        #expect(ContainerFormat(sniffing: packet + [0x47]) == .ts)
        #expect(ContainerFormat(sniffing: packet + [0x48]) == nil)
    }

    @Test("is MP4 by a box, and a picture by its signature")
    func boxesAndPictures() {
        #expect(ContainerFormat(sniffing: [0, 0, 0, 24] + Array("ftypiso6".utf8)) == .mp4)
        #expect(ContainerFormat(sniffing: [0, 0, 0, 24] + Array("abcdiso6".utf8)) == nil)
        #expect(ContainerFormat(sniffing: [0xFF, 0xD8, 0xFF, 0xE0]) == .jpg)
        #expect(ContainerFormat(sniffing: [0x89, 0x50, 0x4E, 0x47]) == .png)
        #expect(ContainerFormat(sniffing: Array("RIFF\0\0\0\0WEBP".utf8)) == .webp)
        #expect(ContainerFormat(sniffing: Array("RIFF\0\0\0\0WAVE".utf8)) == nil)
    }
}
