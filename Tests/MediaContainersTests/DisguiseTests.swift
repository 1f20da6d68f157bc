import MediaContainers
import TestSupport
import Testing

@Suite("A disguise before media")
struct DisguiseTests {
    private func find(_ bytes: [UInt8], _ role: MediaExpectation.Role = .segment) -> Disguise? {
        Disguise.find(in: ArrayBytes(bytes), expecting: MediaExpectation(role))
    }

    private static let stream = SampleMedia.transportStream(30)
    private static let fragment = SampleMedia.fragment(samples: [500, 600])

    @Test("is found before a transport stream and before a fragment", arguments: SampleWrapping.all)
    func found(_ wrapping: SampleWrapping) {
        let before = wrapping.bytes
        #expect(find(before + Self.stream) == Disguise(format: wrapping.format, length: before.count))
        #expect(find(before + Self.fragment) == Disguise(format: wrapping.format, length: before.count))
    }

    @Test(
        "is found before packed audio, whose own tags stay", arguments: SampleWrapping.all.prefix(6), [0, 73])
    func audio(_ wrapping: SampleWrapping, _ tag: Int) {
        for frames in [SampleMedia.adts([300, 40, 411]), SampleMedia.mp3(4), SampleMedia.ac3(4)] {
            let media = (tag > 0 ? SampleMedia.id3(tag) : []) + frames
            let expected = Disguise(format: wrapping.format, length: wrapping.bytes.count)
            #expect(find(wrapping.bytes + media) == expected)
        }
    }

    @Test("is no damage before frames of audio")
    func damagedAudio() {
        let frames = SampleMedia.adts([300, 40, 411, 280])
        #expect(find(OriginResource.pattern(9000, seed: 3) + frames) == nil)
        #expect(find(frames + OriginResource.pattern(9000, seed: 3) + frames) == nil)
        #expect(find(SampleMedia.id3(73) + frames + OriginResource.pattern(9000, seed: 3)) == nil)
    }

    @Test("is found before an initialization section", arguments: SampleWrapping.all)
    func initialization(_ wrapping: SampleWrapping) {
        let bytes = wrapping.bytes + SampleMedia.initialization()
        #expect(
            find(bytes, .initialization) == Disguise(format: wrapping.format, length: wrapping.bytes.count))
        #expect(find(wrapping.bytes + Self.fragment, .initialization) == nil)
    }

    @Test("hides from no look that something is wrong", arguments: SampleWrapping.all)
    func refused(_ wrapping: SampleWrapping) {
        if case .media = look(wrapping.bytes + Self.stream) {
            Issue.record("\(wrapping.name) is taken for media")
        }
    }

    @Test("has media behind it that are whole")
    func damaged() {
        let picture = SampleWrapping.all[0].bytes
        #expect(find(picture) == nil)
        #expect(find(picture + Self.fragment.dropLast(1)) == nil)
        #expect(find(picture + SampleMedia.continuations(30)) == nil)
        #expect(find(picture + OriginResource.pattern(5000)) == nil)
    }

    @Test("is no beginning of media that are damaged later on")
    func damagedLater() {
        var fragments = Self.fragment + Self.fragment + Self.fragment
        fragments.removeSubrange(400..<450)
        #expect(look(fragments) != .media(.mp4) && find(fragments) == nil)
        let hole = SampleMedia.transportStream(4) + [UInt8](repeating: 1, count: 5000) + Self.stream
        #expect(look(hole) == .undecodable(.syncLost(at: 752)) && find(hole) == nil)
    }

    @Test("is longer than four packets of chance", arguments: 1...4)
    func chance(_ packets: Int) {
        let bytes =
            SampleWrapping.all[0].bytes + SampleMedia.transportStream(packets) + OriginResource.pattern(900)
        #expect(find(bytes) == nil)
    }

    @Test("may be long, but not longer than the searched range")
    func far() {
        let picture = [0x89, 0x50, 0x4E, 0x47] + [UInt8](repeating: 7, count: 2 << 20)
        #expect(find(picture + Self.stream)?.length == picture.count)
        #expect(find(picture + picture + picture + Self.stream) == nil)
    }
}

/// Something that hides media.
struct SampleWrapping: Sendable, CustomTestStringConvertible {
    let name: String
    let format: ForeignFormat?
    let bytes: [UInt8]
    var testDescription: String { name }

    static let all = [
        SampleWrapping(
            name: "a PNG", format: .png, bytes: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A] + noise(300)),
        SampleWrapping(
            name: "a PNG of one dot", format: .png, bytes: [0x89, 0x50, 0x4E, 0x47, 0x0D] + noise(63)),
        SampleWrapping(name: "a JPEG", format: .jpeg, bytes: [0xFF, 0xD8, 0xFF, 0xE0] + noise(700)),
        SampleWrapping(name: "a GIF", format: .gif, bytes: Array("GIF89a".utf8) + noise(36)),
        SampleWrapping(
            name: "a BMP", format: .bmp, bytes: Array("BM".utf8) + [9, 9, 0, 0, 0, 0, 0, 0] + noise(200)),
        SampleWrapping(
            name: "a page", format: .html, bytes: Array("<!DOCTYPE html><html><body>hi</body></html>\n".utf8)),
        SampleWrapping(name: "a tag", format: nil, bytes: SampleMedia.id3(73)),
        SampleWrapping(name: "a long tag", format: nil, bytes: SampleMedia.id3(9000)),
    ]

    private static func noise(_ count: Int) -> [UInt8] {
        OriginResource.pattern(count, seed: 12).map { $0 == 0x47 ? 0x48 : $0 }
    }
}
