import MediaContainers
import TestSupport
import Testing

@Suite("A look at media")
struct MediaLookTests {
    @Test("recognizes whole media", arguments: Sample.all)
    func whole(_ sample: Sample) {
        #expect(look(sample.bytes, sample.role) == .media(sample.format))
    }

    @Test("recognizes each of several media in a row", arguments: Sample.all, 2...4)
    func inARow(_ sample: Sample, _ count: Int) {
        let bytes = (0..<count).flatMap { _ in sample.bytes }
        #expect(look(bytes, sample.role) == .media(sample.format))
    }

    @Test("accepts media in every role except that of an initialization section", arguments: Sample.all)
    func otherRoles(_ sample: Sample) {
        for role in [MediaExpectation.Role.segment, .subtitles, .picture] {
            #expect(look(sample.bytes, role) == .media(sample.format))
        }
    }

    @Test("finds no media in nothing, and none in zeros", arguments: [0, 1, 16, 511, 512, 188 * 20])
    func nothing(_ count: Int) {
        let zeros = [UInt8](repeating: 0, count: count)
        #expect(look(zeros) == .undecodable(count == 0 ? .empty : .zeros))
    }

    @Test(
        "finds no media in random bytes of any length", arguments: [1, 7, 16, 188, 500, 5000, 100_000])
    func chance(_ count: Int) {
        for seed in 0..<50 {
            let verdict = look(OriginResource.pattern(count, seed: UInt64(seed) &* 7919))
            if case .media(let format) = verdict {
                Issue.record("\(count) random bytes are taken for \(format)")
            }
        }
    }

    @Test("calls bytes that begin with zeros unknown, not zeros")
    func zerosThenMore() {
        let bytes = [UInt8](repeating: 0, count: 600) + OriginResource.pattern(600)
        #expect(look(bytes) == .unrecognized)
    }

    @Test(
        "takes a picture for media where a picture is wanted, and nowhere else",
        arguments: [
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] as [UInt8], ForeignFormat.png),
            ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg),
            (Array("RIFF".utf8) + [4, 0, 0, 0] + Array("WEBP".utf8), .webp),
        ])
    func pictures(_ head: [UInt8], _ format: ForeignFormat) {
        let bytes = head + OriginResource.pattern(400)
        #expect(look(bytes, .picture) == .media(.picture))
        #expect(look(bytes) == .foreign(format))
    }

    @Test("reads a file of a terabyte in small pieces, even if its boxes claim huge sizes")
    func boundedReads() {
        for type in ["moof", "moov", "mdat", "free"] {
            let size = SampleMedia.number64(1 << 40)
            let head: [UInt8] = [0, 0, 0, 1] + Array(type.utf8) + size
            let bytes = EndlessBytes(head, count: 1 << 40)
            let role = type == "moov" ? MediaExpectation.Role.initialization : .segment
            let verdict: MediaVerdict = type == "mdat" ? .undecodable(.noFragment) : .media(.mp4)
            #expect(MediaLook(expecting: MediaExpectation(role)).judge(bytes) == verdict)
            #expect(bytes.largestRead <= 16 << 20)
        }
    }

    @Test("stops early on bytes that are not media, also in a long file")
    func endless() {
        let bytes = EndlessBytes([0xFF, 0xF1], count: 1 << 40)
        let look = MediaLook(expecting: MediaExpectation(.segment))
        #expect(look.judge(bytes) == .unrecognized)
        #expect(Disguise.find(in: bytes, expecting: MediaExpectation(.segment)) == nil)
        #expect(bytes.largestRead <= 4 << 20)
    }
}
