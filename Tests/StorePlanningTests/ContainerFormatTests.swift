import ModelTestSupport
import TestSupport
import Testing

@testable import StoreModel
@testable import StorePlanning

/// The format of segments, by their addresses and first bytes.
struct ContainerFormatTests {
    @Test(
        "the extension and the map tell the format",
        arguments: [
            (String?.some("ts"), false, RenditionKind.variant, ContainerFormat?.some(.ts)),
            ("TS", false, .variant, .ts),
            ("ts", true, .variant, .ts), ("m4s", true, .variant, .m4s), ("mp4", true, .variant, .m4s),
            ("mp4", false, .variant, .mp4), ("jpg", true, .variant, .m4s), (String?.none, true, .audio, .m4s),
            ("aac", false, .audio, .aac), ("eac3", false, .audio, .ec3), ("webvtt", false, .subtitles, .vtt),
            (String?.none, false, .subtitles, .vtt), ("php", false, .subtitles, .vtt),
            ("jpg", false, .variant, nil),
            (String?.none, false, .variant, nil),
        ])
    func byExtension(_ text: String?, _ hasMap: Bool, _ kind: RenditionKind, _ expected: ContainerFormat?) {
        #expect(ContainerFormat(pathExtension: text, hasInitialization: hasMap, kind: kind) == expected)
    }

    @Test("the first bytes tell the format")
    func sniffing() {
        let tag: [UInt8] = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 3, 9, 9, 9]
        let samples: [([UInt8], ContainerFormat?)] = [
            (Media.ts(3), .ts), (Array(Media.ts(3).prefix(100)), .ts), (Media.fragment(1), .mp4),
            (Media.initialization(), .mp4), (Media.box("styp", 8), .mp4), (Media.box("sidx", 8), .mp4),
            (Media.box("mdat", 8), .mp4), (Media.box("free", 8), .mp4),
            (Array("WEBVTT\n".utf8), .vtt), ([0xEF, 0xBB, 0xBF] + Array("WEBVTT".utf8), .vtt),
            ([0xFF, 0xF1, 0x50, 0x80], .aac), (tag + [0xFF, 0xF1, 0x50, 0x80], .aac),
            ([0xFF, 0xFB, 0x90], .mp3),
            ([0x0B, 0x77, 0, 0, 0, 8 << 3], .ac3), ([0x0B, 0x77, 0, 0, 0, 16 << 3], .ec3), (Media.page, nil),
            ([], nil),
            ([0x47] + [UInt8](repeating: 0, count: 300), nil), (Array("ID3".utf8), nil),
        ]
        for (bytes, expected) in samples {
            #expect(ContainerFormat(sniffing: bytes) == expected, "\(bytes.prefix(16))")
        }
    }
}
