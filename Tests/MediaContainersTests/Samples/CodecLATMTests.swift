import Testing

@testable import MediaContainers

@Suite("AAC in LOAS frames") struct CodecLATMTests {
    /// What a `StreamMuxConfig` may say.
    struct Form: Sendable {
        var version = 0
        var isLaterKind = false
        var hasSameTimes = true
        var subframes = 1
        var programs = 1
        var layers = 1
        var lengthType = 0
        /// AAC-LC at 24 kHz with two channels.
        var configuration = 0x1310
        /// The bits of the configuration, as version 1 tells them.
        var length = 16
        /// The bytes of the number of other data's bits.
        var other: [Int] = []
        var hasChecksum = false
    }

    private func put(_ form: Form, _ bits: inout BitWriter) {
        bits.put(form.version, 1)
        if form.version == 1 {
            bits.put(form.isLaterKind)
            bits.put(1, 2)
            bits.put(0x1234, 16)
        }
        bits.put(form.hasSameTimes)
        bits.put(form.subframes - 1, 6)
        bits.put(form.programs - 1, 4)
        bits.put(form.layers - 1, 3)
        if form.version == 1 {
            bits.put(0, 2)
            bits.put(form.length, 8)
        }
        bits.put(form.configuration, 16)
        if form.version == 1 { bits.put(0, max(0, form.length - 16)) }
        bits.put(form.lengthType, 3)
        bits.put(0xFF, 8)
        bits.put(!form.other.isEmpty)
        if form.version == 1, !form.other.isEmpty { bits.put(form.other.count - 1, 2) }
        for (index, byte) in form.other.enumerated() {
            if form.version == 0 { bits.put(index + 1 < form.other.count) }
            bits.put(byte, 8)
        }
        bits.put(form.hasChecksum)
        if form.hasChecksum { bits.put(0x77, 8) }
    }

    /// The content of a frame; without a form it goes on with that of the frame before.
    private func content(_ form: Form?, _ payloads: [[UInt8]]) -> [UInt8] {
        var bits = BitWriter()
        bits.put(form == nil)
        if let form { put(form, &bits) }
        for payload in payloads {
            for _ in 0..<payload.count / 255 { bits.put(255, 8) }
            bits.put(payload.count % 255, 8)
            for byte in payload { bits.put(Int(byte), 8) }
        }
        return bits.bytes
    }

    private func frame(_ content: [UInt8]) -> [UInt8] {
        [0x56, 0xE0 | UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
    }

    private func payload(_ count: Int, _ seed: UInt8 = 1) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) ^ seed }
    }

    private func look(_ bytes: [UInt8]) -> SoundLook {
        var codec = LATM()
        return codec.look(bytes, at: 0)
    }

    /// Fields of all kinds that stand before the payloads.
    private static let forms = [
        Form(), Form(other: [9]), Form(other: [1, 2]), Form(hasChecksum: true),
        Form(other: [1, 2, 3], hasChecksum: true), Form(version: 1), Form(version: 1, length: 21),
        Form(version: 1, length: 255), Form(version: 1, other: [9]),
        Form(version: 1, other: [1, 2, 3, 4], hasChecksum: true),
    ]

    @Test("have their payload behind all fields of the configuration", arguments: forms)
    func fields(form: Form) throws {
        let bytes = frame(content(form, [payload(20)]))
        var codec = LATM()
        let look = codec.look(bytes, at: 0)
        let found = try #require(look.frame)
        #expect(found.length == bytes.count && found.samples == 1024)
        #expect(found.payloads.map { Array($0) } == [payload(20)])
        #expect(found.format.rate == 24_000 && found.format.channels == 2)
        let description = try #require(codec.description(of: found))
        #expect(description.codec == "mp4a.40.2")
        #expect(description.shape == .audio(sampleRate: 24_000, channels: 2))
    }

    @Test("have as many payloads as the configuration says, each with its length", arguments: [1, 2, 3, 64])
    func subframes(count: Int) throws {
        let payloads = (0..<count).map { payload(3 + $0, UInt8($0)) }
        let found = try #require(look(frame(content(Form(subframes: count), payloads))).frame)
        #expect(found.payloads.map { Array($0) } == payloads)
    }

    @Test("have lengths that go on behind each byte of 255", arguments: [1, 2, 254, 255, 256, 509, 510, 600])
    func lengths(count: Int) throws {
        let found = try #require(look(frame(content(Form(), [payload(count)]))).frame)
        #expect(found.payloads.map { Array($0) } == [payload(count)])
    }

    @Test("may end with the last byte of their payload, and not before it")
    func end() throws {
        // With three bytes for the length of other data, the payload begins with a whole byte.
        var whole = content(Form(other: [0, 0, 0]), [payload(5)])
        try #require(whole.count == 9 + 1 + 5 && whole[9] == 5)
        #expect(look(frame(whole)).frame?.payloads.map(\.count) == [5])
        whole[9] = 6
        #expect(look(frame(whole)).outcome == "nothing")
    }

    @Test("are nothing where their content is cut")
    func cut() {
        let whole = content(Form(hasChecksum: true), [payload(9)])
        for count in 1..<whole.count {
            #expect(look(frame(Array(whole.prefix(count)))).outcome == "nothing", "\(count) bytes")
        }
        let endless = content(Form(other: [0, 0, 0]), []) + [255, 255, 255]
        #expect(look(frame(endless)).outcome == "nothing")
    }

    @Test("go on with the configuration of the frame before, and are nothing without one")
    func same() throws {
        var codec = LATM()
        let later = frame(content(nil, [payload(7), payload(8)]))
        let lone = codec.look(later, at: 0)
        #expect(lone.outcome == "nothing")
        let first = frame(content(Form(subframes: 2), [payload(1), payload(2)]))
        let looks = [codec.look(first, at: 0), codec.look(first + later, at: first.count)]
        #expect(looks.map { $0.frame?.payloads.map(\.count) } == [[1, 2], [7, 8]])
        // Seven bits fill the last byte: without it, one bit is missing.
        let short = codec.look(frame(Array(content(nil, [payload(1), payload(2)]).dropLast())), at: 0)
        #expect(short.outcome == "nothing")
    }

    @Test(
        "are nothing with several programs or layers, other framing, or another codec",
        arguments: [
            Form(version: 1, isLaterKind: true), Form(hasSameTimes: false), Form(programs: 2),
            Form(layers: 2), Form(lengthType: 1), Form(configuration: 0x3310), Form(configuration: 0x1690),
            Form(version: 1, configuration: 0x3310), Form(version: 1, length: 15),
        ])
    func refused(form: Form) {
        #expect(look(frame(content(form, [payload(20)]))).outcome == "nothing")
    }

    @Test("begin with their mark and a length above 0, and are partial until their last byte")
    func borders() {
        let whole = frame(content(Form(), [payload(20)]))
        for count in 0..<whole.count {
            #expect(look(Array(whole.prefix(count))).outcome == "partial", "\(count) bytes")
        }
        #expect(look(whole).outcome == "frame" && look(whole + [0x56]).frame?.length == whole.count)
        #expect(look([0x57] + whole.dropFirst()).outcome == "nothing")
        #expect(look([0x56, 0xC0] + whole.dropFirst(2)).outcome == "nothing")
        #expect(look([0x56, 0xE0, 0]).outcome == "nothing" && look([0x56, 0xE0, 0, 1]).outcome == "nothing")
    }
}

extension SoundLook {
    fileprivate var outcome: String {
        switch self {
        case .frame: "frame"
        case .partial: "partial"
        case .nothing: "nothing"
        }
    }

    fileprivate var frame: SoundFrame? {
        if case .frame(let frame) = self { frame } else { nil }
    }
}
