/// H.264 in a byte stream (ISO/IEC 14496-10) and in samples (ISO/IEC 14496-15, section 5).
struct AVCCodec: PictureCodec {
    /// The fields of a sequence parameter set that its slices need.
    private struct SliceShape {
        var hasSeparatePlanes: Bool
        var frameNumberBits: Int
        var mayHaveFields: Bool
    }

    private var sequences: [Int: SliceShape] = [:]
    /// The sequence parameter sets by the numbers of the picture parameter sets that name them.
    private var pictures: [Int: Int] = [:]

    var neededSets: [UInt8] { [7, 8] }
    var sequenceType: UInt8 { 7 }

    func isParameterSet(_ header: UInt8) -> Bool { (7...8).contains(header & 0x1F) }

    mutating func role(of unit: Range<Int>, in data: [UInt8]) -> UnitRole {
        let header = data[unit.lowerBound]
        switch header & 0x1F {
        case 1, 2, 5: return slice(unit, in: data).map { .slice($0) } ?? .trailing
        case 7, 8:
            guard unit.count <= ParameterSets.longest, let key = Self.key(of: unit, in: data) else {
                return .filler
            }
            return .parameters(key)
        case 9: return .delimiter
        case 12: return .filler
        case 6, 13...18: return .leading
        default: return .trailing
        }
    }

    /// The kind and number of a parameter set; `nil` for other units.
    static func key(of unit: Range<Int>, in data: [UInt8]) -> ParameterSets.Key? {
        let type = data[unit.lowerBound] & 0x1F
        guard (7...8).contains(type) else { return nil }
        let start = unit.lowerBound + (type == 7 ? 4 : 1)
        guard start < unit.upperBound else { return nil }
        var reader = BitReader(ByteStream.payload(data, start..<unit.upperBound, limit: 12))
        let id = reader.ue()
        guard !reader.isOverrun, id < (type == 7 ? 32 : 256) else { return nil }
        return ParameterSets.Key(type: type, id: id)
    }

    /// Reads the beginning of a slice header (section 7.3.3).
    private func slice(_ unit: Range<Int>, in data: [UInt8]) -> Slice? {
        var reader = BitReader(
            ByteStream.payload(data, unit.lowerBound + 1..<unit.upperBound, limit: 24))
        var slice = Slice()
        slice.isRandomAccess = data[unit.lowerBound] & 0x1F == 5
        slice.address = reader.ue()
        slice.isIntra = [2, 4].contains(reader.ue() % 5)
        slice.parameters = reader.ue()
        guard !reader.isOverrun else { return nil }
        if let shape = pictures[slice.parameters].flatMap({ sequences[$0] }) {
            if shape.hasSeparatePlanes { reader.skip(2) }
            slice.frame = reader.bits(shape.frameNumberBits)
            slice.isField = shape.mayHaveFields && reader.flag()
            slice.isBottom = slice.isField && reader.flag()
        }
        return slice
    }

    /// Looks for the message of a recovery point (annex D.1.8).
    func isRecoveryPoint(_ unit: Range<Int>, in data: [UInt8]) -> Bool {
        guard data[unit.lowerBound] & 0x1F == 6 else { return false }
        return SupplementalMessages.types(data, unit.lowerBound + 1..<unit.upperBound).contains(6)
    }

    mutating func note(_ key: ParameterSets.Key, _ unit: [UInt8]) {
        if key.type == 7 {
            sequences[key.id] = AVCSequence(unit).map {
                SliceShape(
                    hasSeparatePlanes: $0.hasSeparatePlanes, frameNumberBits: $0.frameNumberBits,
                    mayHaveFields: $0.mayHaveFields)
            }
        } else {
            pictures[key.id] = Self.sequence(of: unit)
        }
    }

    func isDependent(_ key: ParameterSets.Key, _ unit: [UInt8], on sequence: Int) -> Bool {
        key.type == 8 && Self.sequence(of: unit) == sequence
    }

    /// The number of the sequence parameter set that a picture parameter set names.
    private static func sequence(of unit: [UInt8]) -> Int {
        var reader = BitReader(ByteStream.payload(unit, 1..<unit.count, limit: 24))
        _ = reader.ue()
        return reader.ue()
    }

    func read(_ unit: Range<Int>, in data: [UInt8], into light: inout LightFacts) {
        guard data[unit.lowerBound] & 0x1F == 6 else { return }
        light.read(data, unit.lowerBound + 1..<unit.upperBound)
    }

    func description(
        _ sets: ParameterSets, isInBand: Bool, light: LightFacts
    ) -> (SampleDescription, PictureFacts)? {
        let lists = (sets.list(7), sets.list(8))
        guard let first = lists.0.first, let sequence = AVCSequence(first), lists.1.count < 256 else {
            return nil
        }
        var writer = ByteWriter()
        var facts = sequence.facts
        facts.light = light
        writer.pictureEntry("avc1", facts) { writer in
            writer.box("avcC") { Self.write(&$0, sequence, first: first, lists: lists) }
        }
        let profile = first[1...3].map { ASCIIHex.text($0) }.joined()
        let description = SampleDescription(
            entry: writer.bytes, codec: "avc1.\(profile)",
            shape: .video(width: sequence.facts.width, height: sequence.facts.height))
        return (description, facts)
    }

    /// Writes a decoder configuration record (ISO/IEC 14496-15, section 5.3.3.1).
    private static func write(
        _ writer: inout ByteWriter, _ sequence: AVCSequence, first: [UInt8],
        lists: (sequences: [[UInt8]], pictures: [[UInt8]])
    ) {
        writer.u8(1)
        writer.append(first[1...3])
        writer.u8(0xFC | 3)
        writer.u8(0xE0 | lists.sequences.count)
        for unit in lists.sequences { writer.unit(unit) }
        writer.u8(lists.pictures.count)
        for unit in lists.pictures { writer.unit(unit) }
        guard AVCSequence.highProfiles.contains(first[1]) else { return }
        writer.u8(0xFC | sequence.chromaFormat)
        writer.u8(0xF8 | (sequence.lumaDepth - 8))
        writer.u8(0xF8 | (sequence.chromaDepth - 8))
        writer.u8(0)
    }
}

extension ByteWriter {
    /// Appends a unit behind its length in 16 bits.
    mutating func unit(_ unit: [UInt8]) {
        u16(unit.count)
        append(unit)
    }
}

/// Two hexadecimal digits of a byte, for codec names.
enum ASCIIHex {
    static func text(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.utf8.count == 1 ? "0" + digits : digits
    }
}

/// The messages of supplemental enhancement information (ISO/IEC 14496-10, section 7.3.2.3).
enum SupplementalMessages {
    /// The types of the messages of a unit, without its header.
    static func types(_ data: [UInt8], _ range: Range<Int>) -> [Int] {
        var types: [Int] = []
        visit(ByteStream.payload(data, range, limit: 4096)) { type, _ in types.append(type) }
        return types
    }

    /// Calls `body` with the type and the content of each message.
    static func visit(_ payload: [UInt8], _ body: (Int, Range<Int>) -> Void) {
        var place = 0
        // The last byte has the stop bit.
        while place + 2 < payload.count {
            guard let type = number(payload, &place), let size = number(payload, &place) else { return }
            let end = min(payload.count, place + size)
            body(type, place..<end)
            place = end
        }
    }

    /// Reads a number that is written as bytes of 255 and a smaller one.
    private static func number(_ payload: [UInt8], _ place: inout Int) -> Int? {
        var value = 0
        while place < payload.count {
            let byte = Int(payload[place])
            place += 1
            value += byte
            if byte < 255 { return value }
        }
        return nil
    }
}
