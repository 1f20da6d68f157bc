/// The form in which samples with one description lie in a transport stream (ISO/IEC 13818-1).
struct StreamForm: Sendable {
    /// How the bytes of a sample become those of the stream.
    enum Wrapping: Sendable, Equatable {
        /// Units behind start codes.
        case units(UnitForm)
        /// Frames behind ADTS headers.
        case adts(ADTSForm)
        /// As they are.
        case plain
    }

    /// The type of the stream (table 2-34).
    let type: UInt8
    /// The kind of its PES packets, of the first stream of its kind.
    let packetKind: UInt8
    /// What the program map says of it besides.
    private(set) var descriptors: [UInt8] = []
    let wrapping: Wrapping

    /// - Returns: `nil` for codecs that have no place in a transport stream, and for configurations that have none.
    init?(_ description: SampleDescription) {
        let entry = description.entry
        guard entry.count >= 8 else { return nil }
        let name = String(decoding: entry[4..<8], as: UTF8.self)
        switch name {
        case "avc1", "avc3", "dva1", "dvav", "hvc1", "hev1", "dvh1", "dvhe":
            guard let form = UnitForm(entry) else { return nil }
            (type, packetKind, wrapping) = (form.isHEVC ? 0x24 : 0x1B, 0xE0, .units(form))
            if form.isHEVC { register("HEVC") }
            addDolbyVision(of: entry)
        case "ac-3":
            (type, packetKind, wrapping) = (0x81, 0xBD, .plain)
            register("AC-3")
        case "ec-3":
            (type, packetKind, wrapping) = (0x87, 0xBD, .plain)
            register("EAC3")
        case ".mp3": (type, packetKind, wrapping) = (3, 0xC0, .plain)
        case "mp4a":
            let head = SampleEntryHead(entry, .audio)
            guard let box = head.boxes.first(where: { $0.name == "esds" })?.content,
                let decoder = DecoderDescriptor(Array(entry[box]))
            else { return nil }
            packetKind = 0xC0
            switch decoder.object {
            case 0x40, 0x66...0x68:
                guard let form = ADTSForm(decoder.configuration) else { return nil }
                (type, wrapping) = (0x0F, .adts(form))
            case 0x69, 0x6B: (type, wrapping) = (decoder.object == 0x6B ? 3 : 4, .plain)
            default: return nil
            }
        default: return nil
        }
    }

    private mutating func register(_ name: String) { descriptors += [5, 4] + Array(name.utf8) }

    /// The configuration of Dolby Vision, of which the descriptor has the first five bytes.
    private mutating func addDolbyVision(of entry: [UInt8]) {
        let boxes = SampleEntryHead(entry, .video).boxes
        guard let box = boxes.first(where: { ["dvcC", "dvvC"].contains($0.name) })?.content, box.count >= 5
        else { return }
        descriptors += [0xB0, 5] + entry[box.prefix(5)]
    }

    /// Bytes of a PES packet's payload that a sample takes at most.
    ///
    /// - Parameter bringsSets: whether parameter sets come with it.
    func size(of sample: Int, bringsSets: Bool) -> Int {
        switch wrapping {
        case .units(let form): sample + form.delimiter.count + (bringsSets ? form.sets.count : 0)
        case .adts(let form): sample + form.overhead
        case .plain: sample
        }
    }

    /// Whether a sample of a size has a place in the stream.
    func holds(_ size: Int) -> Bool {
        switch wrapping {
        case .units: true
        case .adts(let form): size + form.overhead < 1 << 13
        // PES packets of sound tell their length in 16 bits.
        case .plain: size < 0xFF00
        }
    }

    /// Appends a sample.
    ///
    /// - Parameter bringsSets: whether parameter sets come with it, unless it has its own.
    func write(
        _ bytes: [UInt8], _ range: Range<Int>, bringsSets: Bool, to payload: inout [UInt8]
    ) {
        switch wrapping {
        case .units(let form): form.write(bytes, range, bringsSets: bringsSets, to: &payload)
        case .adts(let form): form.write(bytes[range], to: &payload)
        case .plain: payload += bytes[range]
        }
    }
}

extension SampleDescription {
    /// The type of a stream of such samples in a transport stream (ISO/IEC 13818-1, table 2-34); `nil` if there is none.
    public var transportStreamType: UInt8? { StreamForm(self)?.type }
}

/// AAC frames behind headers of their own (ISO/IEC 14496-3, annex 1.A.2.2).
struct ADTSForm: Sendable, Equatable {
    private let header: [UInt8]
    /// The program configuration that frames need in front where nothing else tells their channels.
    private let elements: [UInt8]

    /// - Returns: `nil` for a configuration that such headers can't tell.
    init?(_ configuration: [UInt8]) {
        var reader = BitReader(configuration)
        guard let aac = AACConfiguration(&reader), aac.frameSamples == 1024, aac.channelNumber < 8,
            let rate = AACConfiguration.rates.firstIndex(of: aac.rate)
        else { return nil }
        var bits = BitWriter()
        bits.put(0xFFF1, 16)
        bits.put(aac.object - 1, 2)
        bits.put(rate, 4)
        bits.put(0, 1)
        bits.put(aac.channelNumber, 3)
        // The length, which comes later, lies in the middle of these.
        bits.put(0, 4 + 13)
        bits.put(0x7FF, 11)
        bits.put(0, 2)
        header = bits.bytes
        elements = aac.channelNumber == 0 ? aac.elements?.block ?? [] : []
    }

    /// Bytes that come in front of a frame at most.
    var overhead: Int { header.count + elements.count }

    func write(_ frame: ArraySlice<UInt8>, to payload: inout [UInt8]) {
        let hasOwn = frame.first.map { $0 >> 5 == 5 } ?? true
        let length = header.count + (hasOwn ? 0 : elements.count) + frame.count
        let start = payload.count
        payload += header
        payload[start + 3] |= UInt8(truncatingIfNeeded: length >> 11)
        payload[start + 4] = UInt8(truncatingIfNeeded: length >> 3)
        payload[start + 5] |= UInt8(truncatingIfNeeded: length << 5)
        if !hasOwn { payload += elements }
        payload += frame
    }
}

/// Units of H.264 and H.265 behind start codes (annex B), of which each picture begins with a delimiter.
struct UnitForm: Sendable, Equatable {
    let isHEVC: Bool
    /// The delimiter of an access unit that may have slices of all types.
    let delimiter: [UInt8]
    /// The parameter sets behind their start codes.
    private(set) var sets: [UInt8] = []
    private var known: Set<[UInt8]> = []

    private static let startCode: [UInt8] = [0, 0, 0, 1]

    /// - Returns: `nil` where lengths of units do not take four bytes, which alone are as long as start codes.
    init?(_ entry: [UInt8]) {
        guard SampleDescription.hasUsualLengths(entry) else { return nil }
        isHEVC = entry[4] == UInt8(ascii: "h") || entry[6] == UInt8(ascii: "h")
        delimiter = Self.startCode + (isHEVC ? [0x46, 1, 0x50] : [9, 0xF0])
        for (_, unit) in (ParameterSets(entry: entry)?.sets ?? [:]).sorted(by: { $0.key < $1.key }) {
            sets += Self.startCode + unit
            known.insert(unit)
        }
    }

    private func type(_ header: UInt8) -> UInt8 { isHEVC ? header >> 1 & 0x3F : header & 0x1F }

    private func isDelimiter(_ header: UInt8) -> Bool { type(header) == (isHEVC ? 35 : 9) }

    private func isSet(_ header: UInt8) -> Bool {
        isHEVC ? (32...34).contains(type(header)) : (7...8).contains(type(header))
    }

    func write(
        _ bytes: [UInt8], _ range: Range<Int>, bringsSets: Bool, to payload: inout [UInt8]
    ) {
        payload += delimiter
        if bringsSets, !hasSets(bytes, range), !hasOtherSets(bytes, 0..<range.lowerBound) { payload += sets }
        visit(bytes, range) { unit in
            guard !isDelimiter(bytes[unit.lowerBound]) else { return }
            payload += Self.startCode
            payload += bytes[unit]
        }
    }

    private func hasSets(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
        var found = false
        visit(bytes, range) { unit in found = found || isSet(bytes[unit.lowerBound]) }
        return found
    }

    /// Whether samples have sets that replace those of the description.
    private func hasOtherSets(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
        var found = false
        visit(bytes, range) { unit in
            guard !found, isSet(bytes[unit.lowerBound]) else { return }
            found = !known.contains(Array(bytes[unit]))
        }
        return found
    }

    /// Calls `body` with the range of each unit that lies in the bytes as a whole.
    private func visit(_ bytes: [UInt8], _ range: Range<Int>, _ body: (Range<Int>) -> Void) {
        var place = range.lowerBound
        while place + 4 < range.upperBound {
            let length = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            let start = place + 4
            guard length <= range.upperBound - start else { return }
            if length > 0 { body(start..<start + length) }
            place = start + length
        }
    }
}
