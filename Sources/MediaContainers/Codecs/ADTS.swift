/// AAC in ADTS frames (ISO/IEC 14496-3, annex 1.A.2.2).
struct ADTS: Sendable {
    /// The object that CODECS names: 5 with SBR, 29 with PS. Frames do not tell it.
    var namedObject: Int?
    /// The last program configuration element, for frames whose channel configuration is 0.
    private var elements: ProgramElements?

    init(namedObject: Int? = nil) { self.namedObject = namedObject }

    /// A frame's header.
    private struct Header {
        let object: Int
        let rateIndex: Int
        let configuration: Int
        let hasChecksum: Bool
        let length: Int
        let blocks: Int

        /// Reads a header of 7 bytes; `nil` for other bytes.
        init?(_ data: [UInt8], at place: Int) {
            guard data[place] == 0xFF, data[place + 1] & 0xF6 == 0xF0 else { return nil }
            hasChecksum = data[place + 1] & 1 == 0
            object = Int(data[place + 2] >> 6) + 1
            rateIndex = Int(data[place + 2] >> 2 & 0xF)
            configuration = Int(data[place + 2] & 1) << 2 | Int(data[place + 3] >> 6)
            length = Int(data[place + 3] & 3) << 11 | Int(data[place + 4]) << 3 | Int(data[place + 5] >> 5)
            blocks = Int(data[place + 6] & 3) + 1
            guard AACConfiguration.rates.indices.contains(rateIndex), length > size else { return nil }
        }

        /// Bytes before the first block.
        var size: Int { hasChecksum ? 9 + 2 * (blocks - 1) : 7 }

        /// The parameters that decide the sample entry.
        var key: Int { object << 8 | rateIndex << 4 | configuration }
    }

    mutating func look(_ data: [UInt8], at place: Int) -> SoundLook {
        guard place + 7 <= data.count else { return .partial }
        guard let header = Header(data, at: place) else { return .nothing }
        guard place + header.length <= data.count else { return .partial }
        let payloads = Self.payloads(of: header, in: data, at: place)
        guard !payloads.isEmpty else { return .nothing }
        if header.configuration == 0 { readElements(payloads[0]) }
        let rate = AACConfiguration.rates[header.rateIndex]
        let channels = elements?.channels ?? AACConfiguration.channels(header.configuration)
        let isWhole = payloads.count == 1
        return .frame(
            SoundFrame(
                length: header.length, payloads: payloads,
                samples: isWhole ? 1024 * header.blocks : 1024,
                format: SoundFormat(rate: rate, channels: channels, key: header.key)))
    }

    /// The blocks of a frame; several only where the header tells their places.
    private static func payloads(of header: Header, in data: [UInt8], at place: Int) -> [ArraySlice<UInt8>] {
        let (start, end) = (place + header.size, place + header.length)
        guard header.blocks > 1, header.hasChecksum else { return [data[start..<end]] }
        var starts = [start]
        for block in 1..<header.blocks {
            let at = place + 5 + 2 * block
            starts.append(start + (Int(data[at]) << 8 | Int(data[at + 1])))
        }
        // A checksum stands behind each block.
        let ends = (starts.dropFirst() + [end]).map { $0 - 2 }
        let isRising = zip(starts, ends).allSatisfy { $0 < $1 } && starts.allSatisfy { $0 < end }
        return isRising ? zip(starts, ends).map { data[$0..<$1] } : []
    }

    /// Reads the element that stands first in a block.
    private mutating func readElements(_ block: ArraySlice<UInt8>) {
        var reader = BitReader(block)
        guard reader.bits(3) == 5 else { return }
        elements = ProgramElements(&reader, base: 0) ?? elements
    }

    func description(of frame: SoundFrame) -> SampleDescription? {
        let key = frame.format.key
        let configuration = key & 0xF
        return AACConfiguration(
            object: key >> 8, rateIndex: key >> 4 & 0xF, configuration: configuration,
            elements: configuration == 0 ? elements : nil, named: namedObject)?.description
    }
}
