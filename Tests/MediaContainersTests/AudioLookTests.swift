import MediaContainers
import TestSupport
import Testing

@Suite("A look at packed audio")
struct AudioLookTests {
    @Test(
        "knows the lengths of MPEG frames, of every version and layer",
        arguments: [
            ("MPEG-1 layer 1, 448 kbit/s at 32 kHz", [0xFF, 0xFF, 0xE8, 0x00] as [UInt8], 672),
            ("MPEG-1 layer 2, 256 kbit/s at 48 kHz", [0xFF, 0xFD, 0xC4, 0x00], 768),
            ("MPEG-1 layer 3, 128 kbit/s at 44.1 kHz", [0xFF, 0xFB, 0x90, 0x00], 417),
            ("the same with padding", [0xFF, 0xFB, 0x92, 0x00], 418),
            ("the same with a checksum", [0xFF, 0xFA, 0x90, 0x00], 417),
            ("MPEG-1 layer 3, 320 kbit/s at 48 kHz", [0xFF, 0xFB, 0xE4, 0x00], 960),
            ("MPEG-2 layer 1, 256 kbit/s at 24 kHz", [0xFF, 0xF7, 0xE4, 0x00], 512),
            ("MPEG-2 layer 2, 160 kbit/s at 24 kHz", [0xFF, 0xF5, 0xE4, 0x00], 960),
            ("MPEG-2 layer 3, 64 kbit/s at 22.05 kHz", [0xFF, 0xF3, 0x80, 0x00], 208),
            ("MPEG-2.5 layer 3, 8 kbit/s at 8 kHz", [0xFF, 0xE3, 0x18, 0x00], 72),
        ])
    func mpeg(_ name: String, _ header: [UInt8], _ length: Int) {
        let bytes = SampleMedia.frames(header, length: length, count: 40)
        #expect(look(bytes) == .media(.mpegAudio), "\(name)")
    }

    @Test(
        "knows the lengths of AC-3 frames, also at 44.1 kHz, where they are in no proportion",
        arguments: [
            (0x00, 128), (0x14, 768), (0x25, 2560), (0x40, 138), (0x41, 140), (0x54, 834), (0x55, 836),
            (0x5C, 1670), (0x5D, 1672), (0x65, 2788), (0x80, 192), (0xA4, 3840),
        ])
    func ac3(_ code: Int, _ length: Int) {
        let header: [UInt8] = [0x0B, 0x77, 0x12, 0x34, UInt8(code), 0x40]
        #expect(look(SampleMedia.frames(header, length: length, count: 30)) == .media(.ac3))
    }

    @Test(
        "knows the lengths of E-AC-3 frames", arguments: [(0, 0x3F, 128), (1, 0xFF, 1024), (7, 0xFF, 4096)])
    func eac3(_ high: UInt8, _ low: UInt8, _ length: Int) {
        let bytes = SampleMedia.frames([0x0B, 0x77, high, low, 0x34, 0x80], length: length, count: 30)
        #expect(look(bytes) == .media(.eac3))
    }

    @Test("knows ADTS frames of MPEG-2 and MPEG-4, with checksums and without")
    func adts() {
        for second: UInt8 in [0xF0, 0xF1, 0xF8, 0xF9] {
            let header: [UInt8] = [0xFF, second, 0x50, 0x80, 0x25, 0x9F, 0xFC]
            let bytes = SampleMedia.frames(header, length: 0x25 << 3 | 4, count: 30)
            #expect(look(bytes) == .media(.adts))
        }
    }

    @Test("passes over tags before, between and behind frames")
    func tags() {
        let tag = SampleMedia.id3(200)
        let old = Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125)
        for frames in [SampleMedia.adts([300, 400, 500]), SampleMedia.mp3(4), SampleMedia.ac3(4)] {
            let plain = look(frames)
            #expect(look(tag + frames) == plain && look(tag + tag + frames) == plain)
            #expect(look(tag + frames + tag + frames + old) == plain)
        }
    }

    @Test("knows a tag with a footer, and finds no frame behind a tag that is longer than the segment")
    func oddTags() {
        let frames = SampleMedia.mp3(30)
        var withFooter = SampleMedia.id3(60)
        withFooter[5] = 0x10
        #expect(look(withFooter + Array("3DI".utf8) + withFooter[3..<10] + frames) == .media(.mpegAudio))
        let long: [UInt8] = Array("ID3".utf8) + [4, 0, 0, 0x7F, 0x7F, 0x7F, 0x7F]
        #expect(look(long + [UInt8](repeating: 1, count: 300)) == .unrecognized)
    }

    @Test("accepts a single frame, and a last frame that is cut")
    func few() {
        #expect(look(SampleMedia.mp3(1)) == .media(.mpegAudio))
        #expect(look(SampleMedia.mp3(3).dropLast(200)) == .media(.mpegAudio))
        #expect(look(SampleMedia.adts([300, 300]).dropLast(100)) == .media(.adts))
    }

    @Test("takes frames that go on inside of one", arguments: [1, 100, 299])
    func goesOn(_ missing: Int) {
        #expect(look(SampleMedia.adts([Int](repeating: 300, count: 40)).dropFirst(missing)) == .media(.adts))
        #expect(look(SampleMedia.mp3(40).dropFirst(missing)) == .media(.mpegAudio))
    }

    @Test("passes over little that is no frame, and misses more")
    func framesLost() {
        let frames = SampleMedia.adts([Int](repeating: 500, count: 40))
        let noise = OriginResource.pattern(30_000, seed: 4).map { $0 & 0x7F }
        #expect(look(frames + noise.prefix(3000) + frames) == .media(.adts))
        #expect(look(frames + noise) == .undecodable(.framesLost))
        #expect(look(frames + noise + frames) == .undecodable(.framesLost))
    }
}

private func look(_ bytes: ArraySlice<UInt8>) -> MediaVerdict { look(Array(bytes)) }
