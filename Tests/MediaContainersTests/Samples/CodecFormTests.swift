import TestSupport
import Testing

@testable import MediaContainers

@Suite("The name of a codec for CODECS")
struct CodecNameTests {
    /// The name that a sample entry with one box gives.
    private func name(
        _ entry: String, _ box: String = "free", _ content: [UInt8] = [], handler: String = "vide"
    ) throws -> String {
        let fixed = [UInt8](repeating: 0, count: handler == "vide" ? 78 : 28)
        let bytes = SampleMedia.box(entry, fixed + SampleMedia.box(box, content))
        let list = SampleMedia.box("stsd", [0, 0, 0, 0, 0, 0, 0, 1] + bytes)
        let handlerBox = SampleMedia.box(
            "hdlr", [UInt8](repeating: 0, count: 8) + Array(handler.utf8) + [UInt8](repeating: 0, count: 13))
        let clock = SampleMedia.fullBox("mdhd", flags: 0, [0, 0, 1000, 0, 0])
        let media = SampleMedia.box(
            "mdia", clock + handlerBox + SampleMedia.box("minf", SampleMedia.box("stbl", list)))
        let header = SampleMedia.fullBox("tkhd", flags: 3, [0, 0, 1, 0, 0] + [Int](repeating: 0, count: 15))
        let movie = SampleMedia.box("moov", SampleMedia.box("trak", header + media))
        return try #require(try MovieTrack.all(in: movie).first?.descriptions.first).codec
    }

    @Test("has profile, constraints and level of H.264 in two digits each")
    func avc() throws {
        #expect(try name("avc1", "avcC", [1, 0x64, 0, 0x1F, 0xFF]) == "avc1.64001F")
        #expect(try name("avc3", "avcC", [1, 0x4D, 0x40, 0x0A]) == "avc3.4D400A")
        #expect(try name("avc1", "avcC", [1, 0x64, 0]) == "avc1" && name("avc1") == "avc1")
    }

    @Test("has profile, compatibility, tier, level and constraints of H.265, these without zeros behind them")
    func hevc() throws {
        func hevc(_ profile: UInt8, _ flags: [UInt8], _ constraints: [UInt8], _ level: UInt8) throws -> String
        {
            try name("hvc1", "hvcC", [1, profile] + flags + constraints + [level])
        }
        #expect(try hevc(0x01, [0x60, 0, 0, 0], [0x90, 0, 0, 0, 0, 0], 93) == "hvc1.1.6.L93.90")
        #expect(
            try hevc(0x62, [0x20, 0, 0, 0], [0xB0, 0, 0, 0, 0, 8], 153) == "hvc1.A2.4.H153.B0.0.0.0.0.8")
        #expect(try hevc(0xC3, [0, 0, 0, 1], [0, 0, 0, 0, 0, 0], 30) == "hvc1.C3.80000000.L30")
        #expect(try name("hev1", "hvcC", [UInt8](repeating: 1, count: 12)) == "hev1")
    }

    @Test("has profile and level of Dolby Vision, AV1 and VP9")
    func others() throws {
        #expect(try name("dvh1", "dvcC", [1, 0, 10, 0x30]) == "dvh1.05.06")
        #expect(try name("dvhe", "dvvC", [1, 0, 0x11, 0x08]) == "dvhe.08.33")
        #expect(try name("dvh1", "dvcC", [1, 0, 10]) == "dvh1")
        #expect(try name("av01", "av1C", [0x81, 0x08, 0x0C]) == "av01.0.08M.08")
        #expect(try name("av01", "av1C", [0x81, 0x2D, 0xC0]) == "av01.1.13H.10")
        #expect(
            try name("av01", "av1C", [0x81, 0x5F, 0x60]) == "av01.2.31M.12"
                && name("av01", "av1C", [0x81, 8]) == "av01")
        #expect(try name("vp09", "vpcC", [1, 0, 0, 0, 2, 51, 0xA2]) == "vp09.02.51.10")
        #expect(try name("vp09", "vpcC", [1, 0, 0, 0, 2, 51]) == "vp09")
        #expect(try name("Opus", handler: "soun") == "opus" && name("fLaC", handler: "soun") == "flac")
        #expect(try name("ec-3", handler: "soun") == "ec-3")
    }

    @Test("has the object type of MPEG audio, after any optional fields")
    func audio() throws {
        func descriptor(_ tag: UInt8, _ content: [UInt8], long: Bool = false) -> [UInt8] {
            [tag] + (long ? [0x80, 0x80, 0x80] : []) + [UInt8(content.count)] + content
        }
        func audio(_ object: UInt8, _ word: [UInt8], flags: UInt8 = 0, long: Bool = false) throws -> String {
            let decoder = descriptor(5, word, long: long)
            let configuration = descriptor(
                4, [object] + [UInt8](repeating: 0, count: 12) + decoder, long: long)
            let fields: [UInt8] =
                (flags & 0x80 > 0 ? [1, 2] : []) + (flags & 0x40 > 0 ? [3, 7, 8, 9] : [])
                + (flags & 0x20 > 0 ? [5, 6] : [])
            let stream = descriptor(3, [0, 1, flags] + fields + configuration, long: long)
            return try name("mp4a", "esds", [0, 0, 0, 0] + stream, handler: "soun")
        }
        for flags: UInt8 in [0, 0x80, 0x40, 0x20, 0xE0] {
            for long in [false, true] {
                #expect(try audio(0x40, [0x12, 0x10], flags: flags, long: long) == "mp4a.40.2")
            }
        }
        #expect(try audio(0x40, [0x2B, 0x11]) == "mp4a.40.5" && audio(0x40, [0xEB, 0x11]) == "mp4a.40.29")
        #expect(try audio(0x40, [0xF9, 0x40]) == "mp4a.40.42" && audio(0x40, [0xF8, 0x00]) == "mp4a.40.32")
        #expect(try audio(0x6B, [0x12, 0x10]) == "mp4a.6B" && audio(0x40, [0x12]) == "mp4a.40")
        #expect(try name("mp4a", handler: "soun") == "mp4a")
        #expect(try name("mp4a", "esds", [0, 0, 0, 0, 4, 1, 0x40], handler: "soun") == "mp4a")
    }
}

@Suite("Units of a byte stream")
struct ByteStreamTests {
    private func units(_ bytes: [UInt8]) throws -> [[UInt8]] {
        try ByteStream.units(in: bytes).map { Array(bytes[$0.start..<$0.end]) }
    }

    @Test("are the bytes between start codes, without trailing zeros, and are not empty")
    func borders() throws {
        #expect(try units([0, 0, 1, 9, 0, 0, 1, 7, 8]) == [[9], [7, 8]])
        #expect(try units([0, 0, 0, 1, 9, 0, 0, 0, 0, 1, 7, 0, 0]) == [[9], [7]])
        #expect(
            try units([0, 0, 1, 0, 0, 1, 7]) == [[7]] && units([0, 0, 1]) == [] && units([0, 0, 1, 0]) == [])
        #expect(
            try units([]) == [] && units([0, 0]) == [] && units([9, 0, 1, 7]) == []
                && units([5, 5, 0, 0, 1, 2]) == [[2]])
        #expect(try units([0, 0, 1, 5, 0, 1, 0, 0, 1, 6]) == [[5, 0, 1], [6]])
    }

    @Test("lose the bytes that keep start codes out of them, and nothing else")
    func payload() {
        func payload(_ bytes: [UInt8], limit: Int = .max) -> [UInt8] {
            ByteStream.payload(bytes, 0..<bytes.count, limit: limit)
        }
        #expect(payload([0, 0, 3, 1]) == [0, 0, 1] && payload([0, 0, 3, 0, 0, 3, 3]) == [0, 0, 0, 0, 3])
        #expect(
            payload([0, 3, 0, 0, 4]) == [0, 3, 0, 0, 4] && payload([3, 3, 0, 0, 0, 3]) == [3, 3, 0, 0, 0])
        #expect(payload([0, 0, 3, 1], limit: 2) == [0, 0] && payload([1, 2, 3], limit: 0) == [])
    }
}

@Suite("The head of a frame of Dolby Digital")
struct DolbyHeadTests {
    @Test("takes six bytes, and is refused if a field has a reserved value")
    func borders() {
        let plain: [UInt8] = [0x0B, 0x77, 0x12, 0x34, 0x14, 0x40]
        #expect(DolbyHeader(plain[...])?.length == 768 && DolbyHeader(plain.dropLast()) == nil)
        for (place, value) in [(0, 0x0A), (1, 0x76), (4, 0xC0), (4, 0x26)] as [(Int, UInt8)] {
            var other = plain
            other[place] = value
            #expect(DolbyHeader(other[...]) == nil)
        }
        for (identification, rate) in [(8, 48_000), (9, 24_000), (10, 12_000), (6, 48_000)] as [(UInt8, Int)]
        {
            var other = plain
            other[5] = identification << 3
            #expect(DolbyHeader(other[...])?.rate == rate)
        }
        let enhanced: [UInt8] = [0x0B, 0x77, 0, 0x3F, 0x34, 0x80]
        #expect(DolbyHeader(enhanced[...])?.length == 128)
        for (code, rate) in [
            (0x00, 48_000), (0x40, 44_100), (0x80, 32_000), (0xC0, 24_000), (0xD0, 22_050), (0xE0, 16_000),
        ] as [(UInt8, Int)] {
            var other = enhanced
            other[4] = code
            #expect(DolbyHeader(other[...])?.rate == rate)
        }
        for (place, value) in [(4, 0xF0), (5, 0x88), (2, 0xC0)] as [(Int, UInt8)] {
            var other = enhanced
            other[place] = value
            #expect(DolbyHeader(other[...]) == nil)
        }
        #expect(
            DolbyHeader([0x0B, 0x77, 0, 1, 0x34, 0x80]) == nil
                && DolbyHeader([0x0B, 0x77, 0, 2, 0x34, 0x80])?.length == 6)
    }
}
