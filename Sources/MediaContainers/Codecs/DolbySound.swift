/// AC-3 and E-AC-3 (ETSI TS 102 366).
enum DolbySound {
    /// Frames that one sample has at most: six of one block, each with 8 independent and dependent substreams.
    private static let mostFrames = 6 * 16

    static func look(_ data: [UInt8], at place: Int) -> SoundLook {
        guard place + 8 <= data.count else { return .partial }
        guard let header = DolbyHeader(data[place..<place + 8]), header.isIndependent else { return .nothing }
        guard header.isEnhanced else {
            let end = place + header.length
            return end <= data.count
                ? .frame(frame(header, data[place..<end], blocks: 6, frames: 1)) : .partial
        }
        return group(from: header, in: data, at: place)
    }

    /// A sample of E-AC-3: six blocks of the first substream, with the frames of all others (annex F.6).
    private static func group(from first: DolbyHeader, in data: [UInt8], at place: Int) -> SoundLook {
        var (end, blocks, frames) = (place, 0, 0)
        while frames < mostFrames {
            guard end < data.count else { break }
            guard end + 8 <= data.count else { return .partial }
            guard let header = DolbyHeader(data[end..<end + 8]), header.isEnhanced else { break }
            if header.isIndependent {
                guard blocks < 6 else { break }
                blocks += header.blocks
            }
            guard end + header.length <= data.count else { return .partial }
            end += header.length
            frames += 1
        }
        guard blocks >= 6 else { return end == data.count ? .partial : .nothing }
        return .frame(frame(first, data[place..<end], blocks: blocks, frames: frames))
    }

    private static func frame(
        _ header: DolbyHeader, _ payload: ArraySlice<UInt8>, blocks: Int, frames: Int
    ) -> SoundFrame {
        let key =
            (header.isEnhanced ? 1 << 24 : 0) | header.rateCode << 20 | header.channelMode << 16
            | header.lowFrequency << 15 | frames << 6 | header.sizeCode >> 1
        return SoundFrame(
            length: payload.count, payloads: [payload], samples: blocks * 256,
            format: SoundFormat(rate: header.rate, channels: header.channels, key: key))
    }

    static func description(of frame: SoundFrame) -> SampleDescription? {
        guard let payload = frame.payloads.first, let header = DolbyHeader(payload) else { return nil }
        return header.isEnhanced ? enhanced(payload, frame.format) : plain(header, frame.format)
    }

    /// Annex F.3 and F.4: `ac-3` with `dac3`.
    private static func plain(_ header: DolbyHeader, _ format: SoundFormat) -> SampleDescription {
        var bits = BitWriter()
        bits.put(header.rateCode, 2)
        bits.put(header.identification, 5)
        bits.put(header.mode, 3)
        bits.put(header.channelMode, 3)
        bits.put(header.lowFrequency, 1)
        bits.put(header.sizeCode >> 1, 5)
        bits.put(0, 5)
        return entry("ac-3", box: "dac3", bits.bytes, format: format)
    }

    private static func entry(
        _ type: String, box: String, _ content: [UInt8], format: SoundFormat
    ) -> SampleDescription {
        var writer = ByteWriter()
        writer.soundEntry(type, format) { $0.box(box) { $0.append(content) } }
        return SampleDescription(
            entry: writer.bytes, codec: type,
            shape: .audio(sampleRate: format.rate, channels: format.channels))
    }

    /// All frames of a sample.
    private static func information(_ payload: ArraySlice<UInt8>) -> [DolbyInformation] {
        var (list, rest) = ([DolbyInformation](), payload)
        while list.count < mostFrames, let next = DolbyInformation(rest), next.header.length <= rest.count {
            list.append(next)
            rest = rest.dropFirst(next.header.length)
        }
        return list
    }

    /// Annex F.5 and F.6: `ec-3` with `dec3`, and the addition of ETSI TS 103 420, section 8.3.
    private static func enhanced(_ payload: ArraySlice<UInt8>, _ format: SoundFormat) -> SampleDescription {
        let frames = information(payload)
        let blocks = frames.filter(\.header.isIndependent).reduce(0) { $0 + $1.header.blocks }
        let rate = payload.count * 8 * format.rate / (max(1, blocks) * 256) / 1000
        let programs = Self.programs(frames)
        var bits = BitWriter()
        bits.put(min(rate, 0x1FFF), 13)
        bits.put(programs.count - 1, 3)
        for program in programs { program.write(&bits) }
        if let complexity = frames.compactMap(\.objectComplexity).first {
            bits.put(1, 8)
            bits.put(complexity, 8)
        }
        var told = format
        if let first = programs.first { told.channels += first.addedChannels }
        return entry("ec-3", box: "dec3", bits.bytes, format: told)
    }

    /// An independent substream with its dependent ones.
    private struct Program {
        let main: DolbyInformation
        var dependents: [DolbyInformation] = []

        /// Places of channels by the bits of a channel map, as `chan_loc` counts them.
        private static let places = [5, 6, 7, 8, 9, 10, 11, 12, 14]
        private static let pairs: Set<Int> = [5, 6, 9, 10, 11]

        /// The places that dependent substreams add.
        private var added: [Int] {
            let map = dependents.reduce(0) { $0 | ($1.channelMap ?? 0) }
            return Self.places.indices.filter { map >> (15 - Self.places[$0]) & 1 == 1 }
        }

        var addedChannels: Int { added.reduce(0) { $0 + (Self.pairs.contains(Self.places[$1]) ? 2 : 1) } }

        func write(_ bits: inout BitWriter) {
            bits.put(main.header.rateCode, 2)
            bits.put(main.header.identification, 5)
            bits.put(0, 2)
            bits.put(main.mode, 3)
            bits.put(main.header.channelMode, 3)
            bits.put(main.header.lowFrequency, 1)
            bits.put(0, 3)
            bits.put(min(dependents.count, 15), 4)
            if dependents.isEmpty {
                bits.put(0, 1)
            } else {
                bits.put(added.reduce(0) { $0 | 1 << $1 }, 9)
            }
        }
    }

    /// The programs of the first round of frames.
    private static func programs(_ frames: [DolbyInformation]) -> [Program] {
        var programs: [Program] = []
        for (index, frame) in frames.enumerated() {
            if index > 0, frame.header.isIndependent { break }
            if frame.header.streamType != 1 {
                programs.append(Program(main: frame))
            } else if !programs.isEmpty {
                programs[programs.count - 1].dependents.append(frame)
            }
        }
        return Array(programs.prefix(8))
    }
}
