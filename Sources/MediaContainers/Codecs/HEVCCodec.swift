/// H.265 in a byte stream (ISO/IEC 23008-2) and in samples (ISO/IEC 14496-15, section 8).
struct HEVCCodec: PictureCodec {
    /// The Dolby Vision data of a transport stream, in the form of its configuration box; `nil` without it.
    var dolbyVision: DolbyVision?

    var neededSets: [UInt8] { [32, 33, 34] }
    var sequenceType: UInt8 { 33 }

    func isParameterSet(_ header: UInt8) -> Bool { (32...34).contains(header >> 1 & 0x3F) }

    func role(of unit: Range<Int>, in data: [UInt8]) -> UnitRole {
        guard unit.count >= 2 else { return .filler }
        let (header, second) = (data[unit.lowerBound], data[unit.lowerBound + 1])
        let type = header >> 1 & 0x3F
        let isBaseLayer = header & 1 == 0 && second >> 3 == 0
        switch type {
        case 0..<32:
            guard isBaseLayer, unit.count >= 3 else { return .trailing }
            var slice = Slice()
            slice.isFirst = data[unit.lowerBound + 2] & 0x80 != 0
            slice.isRandomAccess = (16...21).contains(type)
            slice.isIntra = slice.isRandomAccess
            return .slice(slice)
        case 32...34:
            guard isBaseLayer else { return .leading }
            guard unit.count <= ParameterSets.longest, let key = Self.key(of: unit, in: data) else {
                return .filler
            }
            return .parameters(key)
        case 35: return .delimiter
        case 38: return .filler
        case 39, 41...44, 48...55: return .leading
        default: return .trailing
        }
    }

    /// The kind and number of a parameter set; `nil` for other units.
    static func key(of unit: Range<Int>, in data: [UInt8]) -> ParameterSets.Key? {
        let type = data[unit.lowerBound] >> 1 & 0x3F
        guard (32...34).contains(type), unit.count > 2, let id = id(of: unit, type: type, in: data) else {
            return nil
        }
        return ParameterSets.Key(type: type, id: id)
    }

    private static func id(of unit: Range<Int>, type: UInt8, in data: [UInt8]) -> Int? {
        var reader = BitReader(
            ByteStream.payload(data, unit.lowerBound + 2..<unit.upperBound, limit: 128))
        switch type {
        case 32: return reader.bits(4)
        case 33:
            reader.skip(4)
            let layers = reader.bits(3)
            reader.skip(97)
            HEVCSequence.skipLayers(&reader, count: layers)
        default: break
        }
        let id = reader.ue()
        return reader.isOverrun || id >= 64 ? nil : id
    }

    func isRecoveryPoint(_ unit: Range<Int>, in data: [UInt8]) -> Bool { false }

    func note(_ key: ParameterSets.Key, _ unit: [UInt8]) {}

    func isDependent(_ key: ParameterSets.Key, _ unit: [UInt8], on sequence: Int) -> Bool {
        guard key.type == 34 else { return false }
        var reader = BitReader(ByteStream.payload(unit, 2..<unit.count, limit: 24))
        _ = reader.ue()
        return reader.ue() == sequence
    }

    func read(_ unit: Range<Int>, in data: [UInt8], into light: inout LightFacts) {
        guard data[unit.lowerBound] >> 1 & 0x3F == 39, unit.count > 2 else { return }
        light.read(data, unit.lowerBound + 2..<unit.upperBound)
    }

    func description(
        _ sets: ParameterSets, isInBand: Bool, light: LightFacts
    ) -> (SampleDescription, PictureFacts)? {
        guard let first = sets.list(33).first, let sequence = HEVCSequence(first) else { return nil }
        let type = entryType(isInBand: isInBand)
        var writer = ByteWriter()
        var facts = sequence.facts
        facts.light = light
        writer.pictureEntry(type, facts) { writer in
            writer.box("hvcC") { Self.write(&$0, sequence, sets: sets, isInBand: isInBand) }
            dolbyVision?.write(&writer)
        }
        let description = SampleDescription(
            entry: writer.bytes, codec: dolbyVision?.codec(type) ?? Self.codec(type, sequence.profile),
            shape: .video(width: sequence.facts.width, height: sequence.facts.height))
        return (description, facts)
    }

    /// Pictures that other decoders can't show have an entry of their own.
    private func entryType(isInBand: Bool) -> String {
        let isOnlyDolby = dolbyVision.map { $0.profile == 5 } ?? false
        if isOnlyDolby { return isInBand ? "dvhe" : "dvh1" }
        return isInBand ? "hev1" : "hvc1"
    }

    /// Writes a decoder configuration record (ISO/IEC 14496-15, section 8.3.3.1).
    private static func write(
        _ writer: inout ByteWriter, _ sequence: HEVCSequence, sets: ParameterSets, isInBand: Bool
    ) {
        writer.u8(1)
        writer.append(sequence.profile)
        writer.u16(0xF000)
        writer.u8(0xFC)
        writer.u8(0xFC | sequence.chromaFormat)
        writer.u8(0xF8 | (sequence.lumaDepth - 8))
        writer.u8(0xF8 | (sequence.chromaDepth - 8))
        writer.u16(0)
        writer.u8(sequence.layers << 3 | (sequence.isNested ? 4 : 0) | 3)
        writer.u8(3)
        for type in UInt8(32)...34 {
            let units = sets.list(type)
            writer.u8((isInBand ? 0 : 0x80) | type)
            writer.u16(units.count)
            for unit in units { writer.unit(unit) }
        }
    }

    /// The name of a codec (ISO/IEC 14496-15, annex E.3).
    private static func codec(_ type: String, _ profile: [UInt8]) -> String {
        let space = ["", "A", "B", "C"][Int(profile[0] >> 6)]
        let compatible = profile[1..<5].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let reversed = (0..<32).reduce(UInt32(0)) { $0 | (compatible >> $1 & 1) << (31 - $1) }
        let tier = profile[0] & 0x20 == 0 ? "L" : "H"
        let limits = profile[5..<11].reversed().drop { $0 == 0 }.reversed()
        let head = "\(type).\(space)\(profile[0] & 0x1F).\(String(reversed, radix: 16, uppercase: true))"
        return limits.reduce("\(head).\(tier)\(profile[11])") {
            "\($0).\(String($1, radix: 16, uppercase: true))"
        }
    }
}

/// The configuration of Dolby Vision, as program maps (tag 0xB0) and `dvcC` boxes have it.
struct DolbyVision: Sendable, Hashable {
    let profile: Int
    private let level: Int
    private let compatibility: Int
    private let hasBase: Bool
    private let hasEnhancement: Bool

    /// Reads the content of a descriptor of a program map.
    init?(descriptor: ArraySlice<UInt8>) {
        guard descriptor.count >= 5 else { return nil }
        var reader = BitReader(descriptor)
        reader.skip(16)
        (profile, level) = (reader.bits(7), reader.bits(6))
        reader.skip(1)
        (hasEnhancement, hasBase) = (reader.flag(), reader.flag())
        // A stream without a base layer names the stream that has it.
        if !hasBase { reader.skip(16) }
        compatibility = reader.bits(4)
    }

    func codec(_ type: String) -> String? {
        guard type.hasPrefix("dv") else { return nil }
        func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(type).\(twoDigits(profile)).\(twoDigits(level))"
    }

    /// Appends `dvcC`, or `dvvC` from profile 8 on.
    func write(_ writer: inout ByteWriter) {
        var bits = BitWriter()
        bits.put(0x0100, 16)
        bits.put(profile, 7)
        bits.put(level, 6)
        bits.put(true)
        bits.put(hasEnhancement)
        bits.put(hasBase)
        bits.put(compatibility, 4)
        writer.box(profile > 7 ? "dvvC" : "dvcC") { writer in
            writer.append(bits.bytes)
            writer.zeros(24 - bits.bytes.count)
        }
    }
}
