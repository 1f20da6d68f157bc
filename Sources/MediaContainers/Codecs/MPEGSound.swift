/// MPEG-1 and MPEG-2 audio of all layers (ISO/IEC 11172-3 and 13818-3).
enum MPEGSound {
    /// Bit rates in kbit/s of MPEG-1 layers 1 to 3, then of MPEG-2 layers 1 and 2.
    private static let bitRates: [[Int]] = [
        [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
        [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
        [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
        [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
        [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    ]

    /// A frame's header (ISO/IEC 11172-3, section 2.4.1.3).
    struct Header {
        /// Whether it is MPEG-1, with twice the rates of MPEG-2.
        let isFirst: Bool
        let layer: Int
        let rate: Int
        let channels: Int
        let length: Int

        /// Reads a header of 4 bytes; `nil` for other bytes.
        init?(_ head: ArraySlice<UInt8>) {
            let at = head.startIndex
            guard head.count >= 4, head[at] == 0xFF, head[at + 1] & 0xE0 == 0xE0 else { return nil }
            let version = Int(head[at + 1] >> 3 & 3)
            layer = 4 - Int(head[at + 1] >> 1 & 3)
            let (rateIndex, frequency) = (Int(head[at + 2] >> 4), Int(head[at + 2] >> 2 & 3))
            guard version != 1, layer < 4, frequency < 3, (1...14).contains(rateIndex) else { return nil }
            isFirst = version == 3
            let table = isFirst ? layer - 1 : layer == 1 ? 3 : 4
            let bits = bitRates[table][rateIndex - 1] * 1000
            rate = [44_100, 48_000, 32_000][frequency] / (isFirst ? 1 : version == 2 ? 2 : 4)
            channels = head[at + 3] >> 6 == 3 ? 1 : 2
            let padding = Int(head[at + 2] >> 1 & 1)
            let words = layer == 3 && !isFirst ? 72 : 144
            length = layer == 1 ? (12 * bits / rate + padding) * 4 : words * bits / rate + padding
        }

        /// The samples of a frame.
        var samples: Int { layer == 1 ? 384 : layer == 3 && !isFirst ? 576 : 1152 }
    }

    static func look(_ data: [UInt8], at place: Int) -> SoundLook {
        guard place + 4 <= data.count else { return .partial }
        guard let header = Header(data[place..<place + 4]) else { return .nothing }
        let end = place + header.length
        guard end <= data.count else { return .partial }
        let format = SoundFormat(
            rate: header.rate, channels: header.channels, key: header.isFirst ? 0x6B : 0x69)
        return .frame(
            SoundFrame(
                length: header.length, payloads: [data[place..<end]], samples: header.samples,
                format: format))
    }

    static func description(of frame: SoundFrame) -> SampleDescription? {
        let format = frame.format
        var writer = ByteWriter()
        writer.soundEntry("mp4a", format) { $0.elementaryDescriptor(object: format.key, configuration: []) }
        return SampleDescription(
            entry: writer.bytes, codec: "mp4a.\(ASCIIHex.text(UInt8(format.key)))",
            shape: .audio(sampleRate: format.rate, channels: format.channels))
    }
}
