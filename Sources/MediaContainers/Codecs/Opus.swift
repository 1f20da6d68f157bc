/// Opus in access units with control headers, as transport streams have it.
struct OpusStream: Sendable, Equatable {
    /// The number of channels that the descriptor names; 0 for two that are independent.
    let configuration: Int

    /// More bytes than a packet of 8 channels has, in whole steps of the length.
    private static let largest = 255 << 8
    private static let streams = [2, 1, 1, 2, 2, 3, 4, 4, 5]
    private static let coupled = [0, 0, 1, 1, 2, 2, 2, 3, 3]
    private static let maps: [[UInt8]] = [
        [0], [0, 1], [0, 2, 1], [0, 1, 2, 3], [0, 4, 1, 2, 3], [0, 4, 1, 2, 3, 5], [0, 4, 1, 2, 3, 5, 6],
        [0, 6, 1, 2, 3, 4, 5, 7],
    ]

    /// The configuration of a number of channels; `nil` beyond 8.
    init?(configuration: Int) {
        guard (0...8).contains(configuration) else { return nil }
        self.configuration = configuration
    }

    private var channels: Int { configuration == 0 ? 2 : configuration }

    func look(_ data: [UInt8], at place: Int) -> SoundLook {
        guard place + 2 <= data.count else { return .partial }
        guard data[place] == 0x7F, data[place + 1] & 0xE0 == 0xE0 else { return .nothing }
        let flags = data[place + 1]
        var (start, size, step) = (place + 2, 0, 255)
        while step == 255 {
            guard size <= Self.largest else { return .nothing }
            guard start < data.count else { return .partial }
            step = Int(data[start])
            size += step
            start += 1
        }
        for trim in [UInt8(0x10), 8] where flags & trim != 0 { start += 2 }
        if flags & 4 != 0 {
            guard start < data.count else { return .partial }
            start += 1 + Int(data[start])
        }
        guard start + size <= data.count else { return .partial }
        guard let samples = Self.samples(data[start..<start + size]) else { return .nothing }
        let format = SoundFormat(rate: 48_000, channels: channels, key: configuration)
        return .frame(
            SoundFrame(
                length: start + size - place, payloads: [data[start..<start + size]], samples: samples,
                format: format))
    }

    /// The length of a packet in samples at 48 kHz (RFC 6716, section 3.1); `nil` for an invalid packet.
    static func samples(_ packet: ArraySlice<UInt8>) -> Int? {
        guard let head = packet.first else { return nil }
        let configuration = Int(head >> 3)
        let frame =
            switch configuration {
            case 0..<12: [480, 960, 1920, 2880][configuration % 4]
            case 12..<16: [480, 960][configuration % 2]
            default: [120, 240, 480, 960][configuration % 4]
            }
        let frames =
            head & 3 < 3 ? [1, 2, 2][Int(head & 3)] : packet.dropFirst().first.map { Int($0 & 0x3F) }
        guard let frames, (1...48).contains(frames), frames * frame <= 5760 else { return nil }
        return frames * frame
    }

    /// The sample entry (Encapsulation of Opus in ISO Base Media File Format, section 4.3).
    func description(of frame: SoundFrame) -> SampleDescription? {
        let family = configuration == 0 ? 255 : configuration > 2 ? 1 : 0
        var writer = ByteWriter()
        writer.soundEntry("Opus", frame.format) { writer in
            writer.box("dOps") { box in
                box.u8(0)
                box.u8(channels)
                // Transport streams tell no samples to skip.
                box.u16(0)
                box.u32(48_000)
                box.u16(0)
                box.u8(family)
                guard family > 0 else { return }
                box.u8(Self.streams[configuration])
                box.u8(Self.coupled[configuration])
                box.append(Self.maps[channels - 1])
            }
        }
        return SampleDescription(
            entry: writer.bytes, codec: "opus", shape: .audio(sampleRate: 48_000, channels: channels))
    }
}
