import Testing

@testable import MediaContainers

@Suite("Scaling lists of H.264") struct CodecScalingListTests {
    /// A sequence parameter set of 20 by 12 blocks in which one of the scaling lists has all its values.
    private func unit(chroma: Int, list: Int) -> [UInt8] {
        var bits = BitWriter()
        for byte in [100, 0, 40] { bits.put(byte, 8) }
        bits.ue(3)
        bits.ue(chroma)
        if chroma == 3 { bits.put(false) }
        bits.ue(0)
        bits.ue(0)
        bits.put(0b01, 2)
        for index in 0..<(chroma == 3 ? 12 : 8) {
            bits.put(index == list)
            guard index == list else { continue }
            // The difference 1 has the code 010: no value is 0, which would end the list.
            for _ in 0..<(index < 6 ? 16 : 64) { bits.put(0b010, 3) }
        }
        bits.ue(5)
        bits.ue(2)
        bits.ue(1)
        bits.put(false)
        bits.ue(19)
        bits.ue(11)
        // Whole frames, direct inference; no cropping, no usability information, and the stop bit.
        bits.put(0b11001, 5)
        return [0x67] + bits.bytes
    }

    private func expect(_ unit: [UInt8], chroma: Int, _ name: String) throws {
        let found = try #require(AVCSequence(unit), "\(name)")
        #expect(found.id == 3 && found.chromaFormat == chroma && found.frameNumberBits == 9, "\(name)")
        #expect(found.facts.width == 320 && found.facts.height == 192 && !found.mayHaveFields, "\(name)")
    }

    @Test("have 16 values each of the first six, and 64 values each of the others")
    func lists() throws {
        for chroma in 0...3 {
            for list in 0..<(chroma == 3 ? 12 : 8) {
                try expect(unit(chroma: chroma, list: list), chroma: chroma, "\(chroma), list \(list)")
            }
        }
    }

    @Test("are eight, and twelve where color is not sampled more coarsely")
    func none() throws {
        for chroma in 0...3 { try expect(unit(chroma: chroma, list: -1), chroma: chroma, "\(chroma)") }
    }

    @Test("belong to sets that are nothing before their size is whole")
    func short() {
        let whole = unit(chroma: 1, list: -1)
        for count in whole.indices {
            #expect(AVCSequence(Array(whole.prefix(count))) == nil, "\(count) bytes")
        }
    }
}

@Suite("A sequence of H.265 with its description") struct CodecHEVCSequenceTests {
    private typealias Form = HandmadeSequence

    /// Sets of pictures that are made of the one before, by the bits of its pictures and of one more: 1 for a picture
    /// that is used, 01 for one that is kept for later, and 00 for one that is dropped.
    private static let predictions = [
        ["1111", "11111"], ["10011", "1111"], ["011001", "1111"], ["00000000", "01"], ["01010101", "11111"],
        ["1010000", "01001", "111"],
    ]

    @Test("counts the pictures that a set takes over from the one before it", arguments: predictions)
    func predicted(sets: [String]) throws {
        let found = try #require(HEVCSequence(Form(before: 2, after: 1, predictions: sets).unit))
        #expect(found.facts.width == 640 && found.facts.height == 360)
        #expect(found.facts.pictureTicks == 3600 && found.facts.reorderDepth == 2)
    }

    @Test("may have 16 pictures before and 16 after, and is used without what follows where it has more")
    func most() throws {
        func ticks(_ before: Int, _ after: Int) throws -> Int? {
            try #require(HEVCSequence(Form(before: before, after: after).unit)).facts.pictureTicks
        }
        for (before, after) in [(0, 0), (16, 0), (0, 16), (16, 16)] {
            #expect(try ticks(before, after) == 3600, "\(before), \(after)")
        }
        #expect(try ticks(17, 0) == nil && ticks(0, 17) == nil)
    }

    private func described(_ vision: DolbyVision?, isInBand: Bool) throws -> SampleDescription {
        var sets = ParameterSets()
        sets[.init(type: 33, id: 0)] = Form().unit
        let codec = HEVCCodec(dolbyVision: vision)
        let made = try #require(codec.description(sets, isInBand: isInBand, light: LightFacts()))
        return made.0
    }

    private func entryType(_ description: SampleDescription) -> String {
        String(decoding: description.entry[4..<8], as: UTF8.self)
    }

    @Test("has the entry of H.265 without Dolby Vision", arguments: [("hvc1", false), ("hev1", true)])
    func plain(name: String, isInBand: Bool) throws {
        let description = try described(nil, isInBand: isInBand)
        #expect(entryType(description) == name && description.codec == "\(name).1.6.L93.90")
        #expect(description.shape == .video(width: 640, height: 360))
        #expect(description.entry.firstRange(of: "dvcC".utf8) == nil)
        #expect(description.entry.firstRange(of: "dvvC".utf8) == nil)
    }

    @Test(
        "has an entry of its own where only decoders of Dolby Vision show it",
        arguments: [("dvh1", false), ("dvhe", true)])
    func onlyDolby(name: String, isInBand: Bool) throws {
        // Profile 5, level 6.
        let vision = try #require(DolbyVision(descriptor: [1, 0, 0x0A, 0x35, 0x00]))
        let description = try described(vision, isInBand: isInBand)
        #expect(entryType(description) == name && description.codec == "\(name).05.06")
        #expect(description.entry.firstRange(of: "dvcC".utf8) != nil)
    }

    @Test(
        "keeps the entry of H.265 where other decoders show it too",
        arguments: [(4, "dvcC"), (8, "dvvC")] as [(UInt8, String)])
    func alsoDolby(profile: UInt8, box: String) throws {
        let vision = try #require(DolbyVision(descriptor: [1, 0, profile << 1, 0x35, 0x10]))
        let description = try described(vision, isInBand: false)
        #expect(entryType(description) == "hvc1" && description.codec == "hvc1.1.6.L93.90")
        #expect(description.entry.firstRange(of: box.utf8) != nil)
    }

    @Test("has no description without a sequence, or with one that can't be read")
    func broken() {
        func isDescribed(_ unit: [UInt8]?) -> Bool {
            var sets = ParameterSets()
            sets[.init(type: 33, id: 0)] = unit
            return HEVCCodec().description(sets, isInBand: false, light: LightFacts()) != nil
        }
        let whole = Form().unit
        #expect(isDescribed(whole) && !isDescribed(nil))
        for count in [1, 15, 16] { #expect(!isDescribed(Array(whole.prefix(count)))) }
    }

    @Test("has Dolby Vision by a descriptor of five bytes, and of seven where another stream has the base")
    func descriptors() throws {
        #expect(DolbyVision(descriptor: [1, 0, 0x10, 0x35]) == nil)
        var writer = ByteWriter()
        let vision = try #require(DolbyVision(descriptor: [1, 0, 0x0E, 0x36, 0x12, 0x34, 0x20]))
        vision.write(&writer)
        let expected: [UInt8] = [0, 0, 0, 32] + Array("dvcC".utf8) + [1, 0, 0x0E, 0x36, 0x20]
        #expect(Array(writer.bytes.prefix(13)) == expected)
    }
}

/// A sequence parameter set of H.265 for pictures of 640 by 360 with a rate of 25.
private struct HandmadeSequence {
    var before = 0
    var after = 0
    var predictions: [String] = []

    var unit: [UInt8] {
        var bits = BitWriter()
        // One layer, whose facts are those of the Main profile at level 3.1.
        for byte in [0x01, 0x01, 0x60, 0, 0, 0, 0x90, 0, 0, 0, 0, 0, 93] { bits.put(byte, 8) }
        for number in [0, 1, 640, 360] { bits.ue(number) }
        bits.put(false)
        for number in [0, 0, 4] { bits.ue(number) }
        bits.put(true)
        for number in [4, 2, 0] + [0, 3, 0, 3, 0, 0] { bits.ue(number) }
        // No scaling lists, no asymmetric partitions, no offsets, no pulses.
        bits.put(0, 4)
        putReferences(&bits)
        // No long-term pictures; prediction over time, smoothing; the usability information has only the rate.
        bits.put(0b0111, 4)
        bits.put(0, 4 + 3 + 1)
        bits.put(true)
        bits.put(1, 32)
        bits.put(25, 32)
        bits.put(0b001, 3)
        return [0x42, 1] + escaped(bits.bytes)
    }

    private func putReferences(_ bits: inout BitWriter) {
        bits.ue(1 + predictions.count)
        bits.ue(before)
        bits.ue(after)
        for _ in 0..<before + after {
            bits.ue(1)
            bits.put(true)
        }
        for prediction in predictions {
            bits.put(0b10, 2)
            bits.ue(1)
            for bit in prediction { bits.put(bit == "1") }
        }
    }

    /// The bytes without start codes in them.
    private func escaped(_ bytes: [UInt8]) -> [UInt8] {
        var zeros = 0
        return bytes.flatMap { byte -> [UInt8] in
            let escapes = zeros >= 2 && byte <= 3
            zeros = byte == 0 ? (escapes ? 1 : zeros + 1) : 0
            return escapes ? [3, byte] : [byte]
        }
    }
}
