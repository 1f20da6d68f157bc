import TestSupport
import Testing

@testable import MediaContainers

@Suite("The borders of a look")
struct LookBorderTests {
    private func look(_ sample: [UInt8], behind entry: [UInt8], handler: String = "vide") -> MediaVerdict {
        let movie = SampleMedia.movie([(1, handler, entry)])
        let outline = MovieOutline.read(ArrayBytes(movie))
        let start = outline.map { MediaExpectation.Start.movie($0, isOld: false) } ?? .unknown
        return MediaLook(expecting: MediaExpectation(.segment, start: start)).judge(
            ArrayBytes(SampleMedia.fragment([sample])))
    }

    private func unit(_ head: [UInt8]) -> [UInt8] { SampleMedia.units([head]) }

    @Test(
        "takes units of H.265 with parts of pictures for pictures, by their type, layer and time",
        arguments: 0..<64)
    func hevc(type: Int) {
        let verdict = look(unit([UInt8(type << 1), 1]), behind: SampleMedia.hevcEntry())
        #expect((verdict == .media(.mp4)) == (type < 10 || (16...21).contains(type)))
    }

    @Test("accepts every H.265 unit that encoders make")
    func impossible() {
        let entry = SampleMedia.hevcEntry()
        let picture = unit([0x26, 1])
        // The first bit, the time, layers beyond 31; behind each stands a picture.
        for head: [UInt8] in [[0xA6, 1], [0x26, 0], [0x27, 1], [0x27, 0xF9]] {
            #expect(look(unit(head) + picture, behind: entry) == .undecodable(.foreignSamples("H.265")))
        }
        for head: [UInt8] in [[0x26, 9], [0x26, 0xF9], [0x26, 7]] {
            #expect(look(unit(head) + picture, behind: entry) == .media(.mp4))
        }
    }

    @Test("takes units of H.264 with parts of pictures for pictures", arguments: 0..<32)
    func avc(type: Int) {
        let verdict = look(unit([UInt8(type), 0x88]), behind: SampleMedia.avcEntry())
        #expect((verdict == .media(.mp4)) == [1, 5].contains(type))
        let broken = look(unit([UInt8(type) | 0x80, 0x88]), behind: SampleMedia.avcEntry())
        #expect(broken == .undecodable(.foreignSamples("H.264")))
    }

    @Test("tells FLAC and Dolby by both of their first bytes")
    func sounds() {
        for head: [UInt8] in [[0xFF, 0xF7], [0xFE, 0xF8], [0xFF, 0xFA], [0, 0]] {
            let verdict = look(head + [1, 2, 3, 4], behind: SampleMedia.soundEntry("fLaC"), handler: "soun")
            #expect(verdict == .undecodable(.foreignSamples("FLAC")))
        }
        for head: [UInt8] in [[0xFF, 0xF8], [0xFF, 0xF9]] {
            #expect(look(head, behind: SampleMedia.soundEntry("fLaC"), handler: "soun") == .media(.mp4))
        }
        for head: [UInt8] in [[0x0B, 0x76], [0x0A, 0x77]] {
            let verdict = look(head, behind: SampleMedia.soundEntry("ac-3"), handler: "soun")
            #expect(verdict == .undecodable(.foreignSamples("Dolby Digital")))
        }
        // A sample of one byte says nothing.
        #expect(look([9], behind: SampleMedia.soundEntry("fLaC"), handler: "soun") == .media(.mp4))
    }

    @Test("ends after some thousand units, and what it has not seen is no defect", arguments: [2046, 2047])
    func manyUnits(seen: Int) throws {
        let good = unit([0x26, 1])
        // Parameter sets of H.265, and behind them a unit that no encoder makes.
        let bad = unit([0x40, 1]) + unit([0xA6, 1])
        let size = bad.count
        var probes = [SampleProbe](
            repeating: SampleProbe(track: 1, coding: .hevc(lengthSize: 4), offset: size, size: good.count),
            count: seen)
        probes.append(SampleProbe(fragment: 1, track: 1, coding: .hevc(lengthSize: 4), offset: 0, size: size))
        var look = SampleLook(ArrayBytes(bad + good))
        #expect(look.defect(probes) == (seen == 2046 ? .foreignSamples("H.265") : nil))
    }

    @Test("passes over a tenth of long audio that is no frame, and misses more")
    func lostFrames() {
        let frames = SampleMedia.adts([Int](repeating: 500, count: 400))
        let noise = OriginResource.pattern(60_000, seed: 4).map { $0 & 0x7F }
        #expect(MediaContainersTests.look(frames + noise.prefix(20_000) + frames) == .media(.adts))
        #expect(
            MediaContainersTests.look(frames + noise.prefix(50_000) + frames) == .undecodable(.framesLost))
    }

    @Test("takes text in UTF-16 for text whose blanks are its only letters of ASCII")
    func wideText() {
        let wide = { (text: String) in
            [0xFF, 0xFE] + text.utf16.flatMap { unit -> [UInt8] in [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
        }
        let text = String(repeating: "字幕 ", count: 20)
        #expect(MediaContainersTests.look(wide(text), .subtitles) == .foreign(.text))
        #expect(
            MediaContainersTests.look(wide(String(repeating: "字幕字幕字幕字 ", count: 20)), .subtitles)
                == .foreign(.text))
        let rare = wide(String(repeating: "字幕字幕字幕字幕字幕字幕字幕字幕字 ", count: 20))
        #expect(MediaContainersTests.look(rare, .subtitles) != .foreign(.text))
        #expect(MediaContainersTests.look(wide("\u{1}" + text), .subtitles) != .foreign(.text))
    }
}
