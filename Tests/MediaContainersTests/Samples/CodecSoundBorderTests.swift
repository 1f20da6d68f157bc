import Testing

@testable import MediaContainers

@Suite("Frames of MPEG audio") struct CodecMPEGSoundTests {
    /// A header with what it tells.
    struct Form: Sendable {
        let head: [UInt8]
        let length: Int
        let rate: Int
        let samples: Int
        var channels = 2
        var name = "mp4a.6B"
    }

    /// MPEG-1, MPEG-2 and its extension to low rates, of all layers.
    private static let forms = [
        Form(head: [0xFF, 0xFB, 0x90, 0x00], length: 417, rate: 44_100, samples: 1152),
        Form(head: [0xFF, 0xFB, 0x92, 0xC0], length: 418, rate: 44_100, samples: 1152, channels: 1),
        Form(head: [0xFF, 0xFD, 0xA4, 0x40], length: 576, rate: 48_000, samples: 1152),
        Form(head: [0xFF, 0xFF, 0xC4, 0x80], length: 384, rate: 48_000, samples: 384),
        Form(head: [0xFF, 0xFF, 0xC6, 0x00], length: 388, rate: 48_000, samples: 384),
        Form(head: [0xFF, 0xF3, 0x80, 0x00], length: 208, rate: 22_050, samples: 576, name: "mp4a.69"),
        Form(head: [0xFF, 0xF5, 0xE0, 0x00], length: 1044, rate: 22_050, samples: 1152, name: "mp4a.69"),
        Form(head: [0xFF, 0xF7, 0x14, 0x00], length: 64, rate: 24_000, samples: 384, name: "mp4a.69"),
        Form(head: [0xFF, 0xE3, 0x18, 0x00], length: 72, rate: 8000, samples: 576, name: "mp4a.69"),
    ]

    @Test("have the length that version, layer and rates give, and are partial before it", arguments: forms)
    func lengths(form: Form) throws {
        let bytes = [9, 9] + form.head + [UInt8](repeating: 0, count: form.length - 4)
        let frame = try #require(MPEGSound.look(bytes, at: 2).frame)
        #expect(frame.length == form.length && frame.samples == form.samples)
        #expect(frame.payloads.map { Array($0) } == [Array(bytes.dropFirst(2))])
        #expect(frame.format.rate == form.rate && frame.format.channels == form.channels)
        let description = try #require(MPEGSound.description(of: frame))
        #expect(description.codec == form.name)
        #expect(description.shape == .audio(sampleRate: form.rate, channels: form.channels))
        for count in [2, 5, 6, bytes.count - 1] {
            #expect(MPEGSound.look(Array(bytes.prefix(count)), at: 2).outcome == "partial", "\(count) bytes")
        }
    }

    @Test(
        "are told from other bytes by four bytes",
        arguments: [
            [0xFE, 0xFB, 0x90, 0], [0xFF, 0xDB, 0x90, 0], [0xFF, 0xEB, 0x90, 0], [0xFF, 0xF9, 0x90, 0],
            [0xFF, 0xFB, 0x9C, 0], [0xFF, 0xFB, 0x00, 0], [0xFF, 0xFB, 0xF0, 0],
        ] as [[UInt8]])
    func refused(head: [UInt8]) {
        #expect(MPEGSound.look(head, at: 0).outcome == "nothing")
        #expect(MPEGSound.look(Array(head.dropLast()), at: 0).outcome == "partial")
    }
}

@Suite("Opus in transport streams") struct CodecOpusTests {
    private func made(_ configuration: Int) throws -> OpusStream {
        try #require(OpusStream(configuration: configuration))
    }

    @Test("begins with its mark, which takes two bytes")
    func mark() throws {
        let stream = try made(2)
        for bytes in [[0x7F, 0xC0], [0x7E, 0xE0], [0, 0]] as [[UInt8]] {
            #expect(stream.look(bytes, at: 0).outcome == "nothing")
            #expect(stream.look([1] + bytes, at: 1).outcome == "nothing")
        }
        for bytes in [[], [0x7F], [0x7F, 0xE0], [0x7E], [0x7F, 0xE0, 1]] as [[UInt8]] {
            #expect(stream.look(bytes, at: 0).outcome == "partial")
        }
        #expect(stream.look([0x7F, 0xE0, 0], at: 0).outcome == "nothing", "a packet without a byte")
    }

    @Test("has a packet behind the samples to trim and behind an extension")
    func control() throws {
        let stream = try made(2)
        let units: [[UInt8]] = [
            [0x7F, 0xE0, 1, 8], [0x7F, 0xF0, 1, 0, 9, 8], [0x7F, 0xE8, 1, 0, 9, 8],
            [0x7F, 0xF8, 1, 0, 9, 0, 9, 8], [0x7F, 0xE4, 1, 0, 8], [0x7F, 0xE4, 1, 2, 7, 7, 8],
            [0x7F, 0xFC, 1, 0, 9, 0, 9, 2, 7, 7, 8],
        ]
        for unit in units {
            let frame = try #require(stream.look(unit + [0x7F], at: 0).frame)
            #expect(frame.length == unit.count && frame.samples == 960)
            #expect(frame.payloads.map { Array($0) } == [[8]])
            for count in unit.indices {
                #expect(stream.look(Array(unit.prefix(count)), at: 0).outcome == "partial", "\(count) bytes")
            }
        }
    }

    /// What a sample entry tells of channels that several streams have: their number, the family, the streams, those
    /// of them with two channels, and the channel of each output.
    private static let maps: [[UInt8]] = [
        [2, 255, 2, 0, 0, 1], [1, 0], [2, 0], [3, 1, 2, 1, 0, 2, 1], [4, 1, 2, 2, 0, 1, 2, 3],
        [5, 1, 3, 2, 0, 4, 1, 2, 3], [6, 1, 4, 2, 0, 4, 1, 2, 3, 5], [7, 1, 4, 3, 0, 4, 1, 2, 3, 5, 6],
        [8, 1, 5, 3, 0, 6, 1, 2, 3, 4, 5, 7],
    ]

    @Test(
        "has a sample entry that maps its streams to channels where these are not one or two",
        arguments: 0...8)
    func channels(configuration: Int) throws {
        let stream = try made(configuration)
        let frame = try #require(stream.look([0x7F, 0xE0, 1, 8], at: 0).frame)
        let description = try #require(stream.description(of: frame))
        let map = Self.maps[configuration]
        let content: [UInt8] = [0, map[0], 0, 0, 0, 0, 0xBB, 0x80, 0, 0] + map.dropFirst()
        let box: [UInt8] = [0, 0, 0, UInt8(content.count + 8)] + Array("dOps".utf8) + content
        #expect(Array(description.entry.suffix(box.count)) == box)
        #expect(description.codec == "opus")
        #expect(description.shape == .audio(sampleRate: 48_000, channels: Int(map[0])))
    }

    @Test("has up to 8 channels")
    func most() {
        #expect(OpusStream(configuration: -1) == nil && OpusStream(configuration: 9) == nil)
    }
}

@Suite("Frames of Dolby Digital") struct CodecDolbyTests {
    /// A frame of E-AC-3 of 16 bytes, with 1, 2, 3 or 6 blocks.
    private func frame(_ blocks: Int, type: Int = 0, substream: Int = 0) -> [UInt8] {
        let code = [1: 0, 2: 1, 3: 2, 6: 3][blocks] ?? 0
        return [0x0B, 0x77, UInt8(type << 6 | substream << 3), 7, UInt8(code << 4 | 4), 0x80]
            + [UInt8](repeating: 0x55, count: 10)
    }

    private func frames(_ count: Int, _ blocks: Int, type: Int = 0) -> [UInt8] {
        (0..<count).flatMap { _ in frame(blocks, type: type) }
    }

    private func look(_ bytes: [UInt8]) -> SoundLook { DolbySound.look([1, 2, 3] + bytes, at: 3) }

    @Test("are samples of six blocks, in one frame or in several", arguments: [1, 2, 3, 6])
    func blocks(blocks: Int) throws {
        let whole = frames(6 / blocks, blocks)
        let found = try #require(look(whole).frame)
        #expect(found.length == whole.count && found.samples == 1536)
        #expect(found.payloads.map { Array($0) } == [whole])
        // The next sample begins with an independent frame, or where other bytes follow.
        for next in [frame(blocks), [UInt8](repeating: 0, count: 8)] {
            #expect(look(whole + next).frame?.length == whole.count)
        }
        for count in 0..<whole.count {
            #expect(look(Array(whole.prefix(count))).outcome == "partial", "\(count) bytes")
        }
    }

    @Test("are nothing where other bytes follow before six blocks, and partial where they may go on")
    func broken() {
        let five = frames(5, 1)
        let plain: [UInt8] = [0x0B, 0x77, 0, 0, 0, 0x40, 0x40, 0]
        #expect(look(five).outcome == "partial")
        #expect(look(five + [UInt8](repeating: 0, count: 7)).outcome == "partial")
        #expect(look(five + [UInt8](repeating: 0, count: 8)).outcome == "nothing")
        #expect(look(five + plain).outcome == "nothing", "a frame of AC-3")
        #expect(look(frame(6, type: 1)).outcome == "nothing", "a frame that depends on another one")
        #expect(look(frame(6, substream: 1)).outcome == "nothing", "a frame of a second program")
    }

    @Test("take along the substreams between them, up to 96 frames")
    func substreams() throws {
        for other in [frame(6, type: 1), frame(6, substream: 1), frame(6, type: 2, substream: 1)] {
            #expect(look(frame(6) + other + frame(6)).frame?.length == 32)
            #expect(look(frame(3) + other + frame(3) + other + frame(3)).frame?.length == 64)
        }
        for (dependents, length) in [(94, 95 * 16), (95, 96 * 16), (96, 96 * 16), (200, 96 * 16)] {
            let found = try #require(look(frame(6) + frames(dependents, 6, type: 1)).frame)
            #expect(found.length == length && found.samples == 1536)
        }
        #expect(look(frame(3) + frames(95, 6, type: 1) + frame(3)).outcome == "nothing")
    }

    @Test("of AC-3 are samples on their own")
    func plain() {
        let whole = [0x0B, 0x77, 0, 0, 0, 0x40] + [UInt8](repeating: 0x40, count: 122)
        #expect(look(whole).frame?.length == 128 && look(whole + whole).frame?.length == 128)
        #expect(look(whole).frame?.samples == 1536)
        for count in [0, 7, 8, 127] { #expect(look(Array(whole.prefix(count))).outcome == "partial") }
        #expect(look([UInt8](repeating: 0, count: 7)).outcome == "partial")
        #expect(look([UInt8](repeating: 0, count: 8)).outcome == "nothing")
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
