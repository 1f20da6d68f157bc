import Testing

@testable import MediaContainers

@Suite("The configuration of AAC") struct CodecAACConfigurationTests {
    private func bytes(_ fields: [(Int, Int)]) -> [UInt8] {
        var bits = BitWriter()
        for (value, count) in fields { bits.put(value, count) }
        return bits.bytes
    }

    private func read(_ bytes: [UInt8]) -> AACConfiguration? {
        var reader = BitReader(bytes)
        return AACConfiguration(&reader)
    }

    private func made(of fields: [(Int, Int)]) -> AACConfiguration? { read(bytes(fields)) }

    /// A configuration without any extension.
    private func plain(object: Int = 2, rate: Int = 6, channels: Int = 2) -> [(Int, Int)] {
        [(object, 5), (rate, 4), (channels, 4), (0, 3)]
    }

    @Test("is that of the core where SBR or PS is told before it", arguments: [5, 29])
    func extensions(named: Int) throws {
        // 24 kHz and two channels; 48 kHz with the extension; the core is AAC-LC.
        let fields = [(named, 5), (6, 4), (2, 4), (3, 4), (2, 5), (0, 3)]
        let found = try #require(made(of: fields))
        #expect(found.object == 2 && found.namedObject == named)
        #expect(found.rate == 24_000 && found.channels == 2 && found.channelNumber == 2)
        #expect(found.frameSamples == 1024 && found.bytes == bytes(fields))
        #expect(found.description.codec == "mp4a.40.\(named)")
        let told = [(named, 5), (6, 4), (2, 4), (15, 4), (48_000, 24), (2, 5), (0, 3)]
        #expect(made(of: told)?.object == 2)
        #expect(made(of: [(named, 5), (6, 4), (2, 4), (13, 4), (2, 5), (0, 3)]) == nil, "no rate")
        #expect(made(of: [(named, 5), (6, 4), (2, 4), (3, 4), (named, 5), (0, 3)]) == nil, "no core")
    }

    @Test("is of the four kinds of AAC with one layer, and of no others")
    func objects() {
        for object in 1...4 {
            let found = made(of: plain(object: object))
            #expect(found?.object == object && found?.namedObject == object)
        }
        for object in [0, 6, 17, 22, 23, 30] { #expect(made(of: plain(object: object)) == nil, "\(object)") }
        // The object 34 has six more bits: it is MP3.
        #expect(made(of: [(31, 5), (2, 6), (6, 4), (2, 4), (0, 3)]) == nil)
    }

    @Test("has one of 13 rates, or tells another one up to 192 kHz")
    func rates() {
        for (index, rate) in AACConfiguration.rates.enumerated() {
            #expect(made(of: plain(rate: index))?.rate == rate)
        }
        #expect(made(of: plain(rate: 13)) == nil && made(of: plain(rate: 14)) == nil)
        func told(_ rate: Int) -> Int? { made(of: [(2, 5), (15, 4), (rate, 24), (2, 4), (0, 3)])?.rate }
        for rate in [1, 44_056, 192_000] { #expect(told(rate) == rate) }
        #expect(told(0) == nil && told(192_001) == nil)
    }

    @Test("has a number for its channels")
    func channels() {
        let channels = [1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 8, 11: 7, 12: 8, 13: 24, 14: 8]
        for number in 1...15 {
            let found = made(of: plain(channels: number))
            #expect(found?.channels == channels[number], "\(number)")
            #expect(found == nil || found?.channelNumber == number)
        }
    }

    @Test("ends with its last bit, behind the delay of a core coder, and is nothing when it is cut")
    func end() throws {
        let fields = [(2, 5), (6, 4), (2, 4), (1, 1), (1, 1), (0x2AAA, 14), (0, 1)]
        let found = try #require(made(of: fields + [(3, 2), (255, 8)]))
        #expect(found.bytes == bytes(fields) && found.frameSamples == 960)
        #expect(read(Array(bytes(fields).dropLast())) == nil)
        #expect(read([]) == nil && read([0x13]) == nil && read([0x13, 0x10])?.bytes == [0x13, 0x10])
        let extended = bytes([(5, 5), (6, 4), (2, 4), (3, 4), (2, 5), (0, 3)])
        for count in 0..<extended.count { #expect(read(Array(extended.prefix(count))) == nil) }
    }

    /// A pair in front, one channel at the side, a pair behind, and low frequencies; up to the comment.
    private let element = [
        (3, 4), (1, 2), (6, 4), (1, 4), (1, 4), (1, 4), (1, 2), (1, 3), (1, 4),
        (1, 1), (9, 4), (0, 1), (1, 1), (5, 3),
        (1, 1), (2, 4), (0, 1), (3, 4), (1, 1), (4, 4), (5, 4), (6, 4), (1, 1), (7, 4),
    ]

    @Test("has the channels of an element where their number is 0, wherever it begins", arguments: 0...8)
    func elements(shift: Int) throws {
        // The bits before the comment are filled up to 88, from the beginning of the configuration.
        let fields = plain(channels: 0) + element + [(0, 3), (3, 8), (0x414243, 24)]
        let whole = bytes(fields)
        try #require(whole.count == 15)
        var reader = BitReader(bytes([(0, shift)] + fields + [(255, 8)]))
        reader.skip(shift)
        let configuration = AACConfiguration(&reader)
        let found = try #require(configuration)
        #expect(found.channels == 6 && found.channelNumber == 0 && found.bytes == whole)
        #expect(reader.position == shift + 120)
        let block = try #require(found.elements).block
        #expect(block == bytes([(5, 3)] + element) + [3, 0x41, 0x42, 0x43])
        for count in 0..<whole.count { #expect(read(Array(whole.prefix(count))) == nil, "\(count) bytes") }
    }

    @Test("needs an element with channels where their number is 0")
    func emptyElement() {
        let empty = [(0, 4), (1, 2), (6, 4), (0, 4), (0, 4), (0, 4), (0, 2), (0, 3), (0, 4), (0, 3), (0, 16)]
        #expect(made(of: plain(channels: 0) + empty) == nil)
        func built(_ rate: Int, _ channels: Int, _ elements: ProgramElements? = nil) -> AACConfiguration? {
            AACConfiguration(
                object: 2, rateIndex: rate, configuration: channels, elements: elements, named: nil)
        }
        for channels in [0, 8, 9, 10, 15] { #expect(built(6, channels) == nil) }
        #expect(built(6, 2)?.bytes == [0x13, 0x10] && built(12, 2)?.rate == 7350 && built(13, 2) == nil)
        var reader = BitReader(bytes(element + [(0, 20)]))
        let elements = ProgramElements(&reader, base: 0)
        #expect(built(6, 0, elements)?.channels == 6)
    }

    @Test("names SBR only where the doubled rate is one of AAC, for AAC-LC with a number of channels")
    func doubled() {
        func named(_ object: Int, _ rate: Int, _ name: Int) -> Int? {
            AACConfiguration(
                object: object, rateIndex: rate, configuration: 2, elements: nil, named: name)?.namedObject
        }
        #expect(named(2, 6, 5) == 5 && named(2, 6, 29) == 29 && named(2, 11, 5) == 5)
        #expect(named(2, 5, 5) == 2, "32 kHz would become 64 kHz")
        #expect(named(2, 12, 5) == 2, "14,700 Hz is no rate of AAC")
        #expect(named(1, 6, 5) == 1 && named(2, 6, 2) == 2)
    }
}
