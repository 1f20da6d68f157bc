#if DEBUG || FUZZING
    @testable internal import MediaContainers

    /// The samples of a file, made of arbitrary bytes.
    ///
    /// The first five bytes choose the tracks, the size of parameter sets, the timescale of pictures and the first time;
    /// four of the others are a sample each.
    struct FileScript {
        /// The codec of each track, of which no more than the first one has pictures.
        private(set) var codecs: [MadeCodec] = []
        /// The samples of each track, segment by segment.
        private(set) var segments: [[TrackSamples]] = []
        /// The discontinuity of each segment.
        private(set) var discontinuities: [Int] = []
        /// Whether samples have any content, times and timescales, which only a writer must bear. Others are such that
        /// a reader finds them again.
        let isWild: Bool

        /// Bytes of media that a script makes at most.
        private static let most = 1 << 15
        private static let headLength = 5

        private let bytes: [UInt8]
        private let pictureScale: UInt32
        private var clocks: [Int64]
        private var forms: [Int]
        /// The two descriptions that samples of each track can have.
        private let descriptions: [[SampleDescription]]
        private var frames = 0
        private var size = 0

        init?(_ bytes: [UInt8]) {
            guard bytes.count >= Self.headLength + 4 else { return nil }
            let head = bytes[..<Self.headLength].map { Int($0) }
            self.bytes = bytes
            isWild = head[0] & 1 == 1
            pictureScale = [90_000, 24_000, 1000, 30_000][head[3] & 3]
            let hasPictures = head[0] & 8 != 0
            for index in 0...(head[0] >> 1 & 3) {
                let sounds: [MadeCodec] = [.lowComplexity, .efficient, .enhanced, .layer3]
                let pictures: MadeCodec =
                    head[0] & 0x10 == 0 ? .avc(padding: head[2]) : .hevc(padding: head[2])
                let sound = sounds[head[1] >> (2 * index) & 3]
                // Sound of AAC-LC would be silent for hours, which takes long and shows nothing.
                let known: MadeCodec = isWild && sound == .lowComplexity ? .efficient : sound
                codecs.append(index == 0 && hasPictures ? pictures : known)
            }
            descriptions = codecs.map { codec in (0...1).compactMap { codec.description($0) } }
            clocks = []
            forms = [Int](repeating: 0, count: codecs.count)
            let first = Int64(head[4]) << (isWild ? 52 : 20)
            clocks = codecs.map { first / 90_000 * Int64(scale(of: $0)) }
            begin(isNew: false)
            for place in stride(from: Self.headLength, to: bytes.count - 3, by: 4) where size < Self.most {
                take(bytes[place..<place + 4].map { Int($0) })
            }
        }

        private func scale(of codec: MadeCodec) -> UInt32 { codec.isSound ? codec.rate : pictureScale }

        private mutating func begin(isNew: Bool) {
            discontinuities.append((discontinuities.last ?? 0) + (isNew ? 1 : 0))
            segments.append(
                codecs.enumerated().map { index, codec in
                    TrackSamples(
                        number: index, timescale: scale(of: codec),
                        descriptions: descriptions[index])
                })
        }

        /// Adds a sample: what it is, its size, its time, and where in the script its content begins.
        private mutating func take(_ command: [Int]) {
            let (what, track) = (command[0] >> 5, command[0] % codecs.count)
            if command[0] & 8 != 0 {
                begin(isNew: command[0] & 16 != 0)
                if isWild { beginWildly(command) }
            }
            let codec = codecs[track]
            if what == 6 { forms[track] ^= 1 }
            let isSync = !codec.isPicture || command[0] & 4 != 0
            let content = content(command)
            frames += 1
            let sample = isWild ? content : codec.sample(content, frames, isSync: isSync, isRich: what == 7)
            size += sample.count
            let last = segments.count - 1
            var made = MediaSample(
                decodeTime: 0, duration: 0, size: UInt32(sample.count), isSync: isSync,
                description: UInt8(forms[track]))
            time(&made, command, track)
            segments[last][track].samples.append(made)
            segments[last][track].bytes += sample
        }

        private func content(_ command: [Int]) -> [UInt8] {
            var count = command[1] < 200 ? command[1] * 5 : (command[1] - 199) * 1500
            if isWild, codecs[command[0] % codecs.count].isSound {
                // Few frames are larger than a transport stream can have, and none is empty.
                count = max(1, command[1] < 255 ? min(count, 8000) : count)
            }
            var (made, place) = ([UInt8](), 4 * command[3] % bytes.count)
            while made.count < count {
                made += bytes[place..<min(bytes.count, place + count - made.count)]
                place = 0
            }
            return made
        }

        /// A segment whose times and timescales are any.
        private mutating func beginWildly(_ command: [Int]) {
            for track in codecs.indices {
                clocks[track] = min(1 << 60, Int64(command[2] + track) << Int64(command[3] % 53))
                let scale = max(1, UInt32(command[1]) << UInt32(command[0] >> 5 * 4 & 31))
                segments[segments.count - 1][track].timescale =
                    command[2] & 1 == 0 ? scale : .max - UInt32(command[1])
            }
        }

        private mutating func time(_ sample: inout MediaSample, _ command: [Int], _ track: Int) {
            let codec = codecs[track]
            guard !isWild else {
                sample.decodeTime = clocks[track]
                sample.duration = UInt32(truncatingIfNeeded: command[2] << (command[1] & 31))
                let shift = Int32(truncatingIfNeeded: command[3] << (command[2] & 31))
                sample.presentationOffset = codec.isSound ? 0 : shift
                clocks[track] += Int64(sample.duration)
                return
            }
            let usual = codec.isSound ? codec.duration : Int64(pictureScale) / 25
            switch command[0] >> 5 {
            case 4: clocks[track] += usual * Int64(command[2]) / 16
            case 5: clocks[track] = max(0, clocks[track] - usual * Int64(command[2]) / 128)
            default: break
            }
            sample.decodeTime = clocks[track]
            sample.duration = UInt32(usual)
            if !codec.isSound { sample.presentationOffset = Int32(usual) * Int32(command[3] & 15) / 2 }
            clocks[track] += usual
        }
    }

    /// A codec of which any bytes make samples.
    enum MadeCodec: Equatable {
        /// Pictures whose parameter sets have so many bytes more, times 16.
        case avc(padding: Int)
        case hevc(padding: Int)
        /// AAC-LC, whose gaps a file fills.
        case lowComplexity
        /// AAC with SBR.
        case efficient
        /// E-AC-3.
        case enhanced
        /// MPEG-1 layer 3.
        case layer3

        var isPicture: Bool {
            switch self {
            case .avc, .hevc: true
            default: false
            }
        }
        var isSound: Bool { !isPicture }
        /// Samples of sound per second.
        var rate: UInt32 { self == .efficient ? 24_000 : 48_000 }
        /// How long a frame of sound is, in samples of sound.
        var duration: Int64 {
            switch self {
            case .enhanced: 1536
            case .layer3: 1152
            default: 1024
            }
        }

        /// A description; each codec has two.
        func description(_ form: Int) -> SampleDescription? {
            switch self {
            case .avc:
                var known = ParameterSets()
                for unit in sets(form) {
                    AVCCodec.key(of: unit.indices, in: unit).map { known[$0] = unit }
                }
                return AVCCodec().description(known, isInBand: false, light: LightFacts())?.0
            case .hevc:
                var known = ParameterSets()
                for unit in sets(form) {
                    HEVCCodec.key(of: unit.indices, in: unit).map { known[$0] = unit }
                }
                return HEVCCodec().description(known, isInBand: false, light: LightFacts())?.0
            case .lowComplexity, .efficient:
                return AACConfiguration(
                    object: 2, rateIndex: self == .efficient ? 6 : 3, configuration: 1 + form, elements: nil,
                    named: self == .efficient ? 5 : nil)?.description
            case .enhanced: return frame([UInt8(form)]).flatMap { DolbySound.description(of: $0) }
            case .layer3: return frame([UInt8(form)]).flatMap { MPEGSound.description(of: $0) }
            }
        }

        private func frame(_ content: [UInt8]) -> SoundFrame? {
            let bytes = sample(content, 0, isSync: true, isRich: false)
            let look = self == .enhanced ? DolbySound.look(bytes, at: 0) : MPEGSound.look(bytes, at: 0)
            guard case .frame(let frame) = look else { return nil }
            return frame
        }

        /// The parameter sets of a description.
        func sets(_ form: Int) -> [[UInt8]] {
            var bits = BitWriter()
            switch self {
            case .avc(let padding):
                for (value, count) in [(0x67_4200_1E, 32), (1, 1), (13, 7), (3, 3), (1, 1), (0, 1)] {
                    bits.put(value, count)
                }
                for (value, count) in [
                    (form == 0 ? 1 : 2, form == 0 ? 1 : 3), (1, 1), (3, 2), (0, 2), (1, 1),
                ] {
                    bits.put(value, count)
                }
                return [bits.bytes, [0x68, 0xCE] + [UInt8](repeating: 0xAA, count: 16 * padding + 1)]
            case .hevc(let padding):
                for (value, count) in [
                    (0x4201, 16), (1, 8), (0x160, 16), (0, 24), (0x90, 8), (0, 40), (93, 8),
                ] {
                    bits.put(value, count)
                }
                for (value, count) in [(1, 1), (2, 3), (form + 4, 5), (4, 5), (0, 1), (3, 2), (1, 1)] {
                    bits.put(value, count)
                }
                let sequence = Array(bits.bytes.prefix(2)) + Self.escaped(Array(bits.bytes.dropFirst(2)))
                let picture = [0x44, 1, 0xC1] + [UInt8](repeating: 0xAA, count: 16 * padding + 1)
                return [[0x40, 1, 0x0C, 0x01, 0xFF], sequence, picture]
            default: return []
            }
        }

        /// Keeps start codes out of bytes, and zeros from their end.
        private static func escaped(_ bytes: [UInt8]) -> [UInt8] {
            var (made, zeros) = ([UInt8](), 0)
            for byte in bytes {
                if zeros >= 2, byte <= 3 {
                    made.append(3)
                    zeros = 0
                }
                zeros = byte == 0 ? zeros + 1 : 0
                made.append(byte)
            }
            return made + [0x80]
        }
    }

    extension MadeCodec {
        /// A sample with a content of any bytes, as MP4 has it.
        ///
        /// - Parameters:
        ///   - number: that of the picture.
        ///   - isRich: whether a picture comes with parameter sets and other units.
        func sample(_ content: [UInt8], _ number: Int, isSync: Bool, isRich: Bool) -> [UInt8] {
            switch self {
            case .avc:
                var bits = BitWriter()
                bits.put(isSync ? 0x65 : 0x41, 8)
                for (value, count) in [(1, 1), (isSync ? 8 : 6, isSync ? 7 : 5), (1, 1), (number, 16)] {
                    bits.put(value, count)
                }
                return units(
                    of: bits.bytes, content, before: isRich ? [[9, 0xF0], [0x6E]] : [],
                    after: isRich ? [0x74] : nil)
            case .hevc:
                let slice: [UInt8] = isSync ? [0x26, 1, 0xAF] : [2, 1, 0xD0]
                return units(
                    of: slice, content, before: isRich ? [[0x46, 1, 0x50], [0x52, 1]] : [],
                    after: isRich ? [0x50, 1] : nil)
            case .lowComplexity, .efficient: return Array(content.prefix(8000)) + [1]
            case .enhanced:
                let words = min(2047, 3 + content.count / 2)
                let head = [0x0B, 0x77, UInt8(words >> 8), UInt8(words & 0xFF)]
                let channels = content.first.map { $0 & 1 } ?? 0
                return padded(head + [0x34 | channels << 1, 0x80] + content, to: 2 * words + 2)
            case .layer3:
                let index = 1 + content.count / 8 % 14
                let rate = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320][index - 1]
                let mode: UInt8 = content.first.map { $0 & 1 } == 1 ? 0xC0 : 0
                return padded([0xFF, 0xFB, UInt8(index << 4 | 4), mode] + content, to: 3 * rate)
            }
        }

        private func padded(_ bytes: [UInt8], to count: Int) -> [UInt8] {
            bytes.prefix(count) + [UInt8](repeating: 0x55, count: max(0, count - bytes.count))
        }

        /// Units behind their lengths.
        private func units(
            of slice: [UInt8], _ content: [UInt8], before: [[UInt8]], after: [UInt8]?
        ) -> [UInt8] {
            let content = Self.escaped([0xFF] + content)
            var units = before.map { $0.count == 1 ? $0 + content.prefix(20) + [0x80] : $0 }
            if case .hevc = self, before.count > 1 { units[1] += [0x80] }
            units.append(slice + content)
            if let after { units.append(after + content.suffix(40)) }
            return units.flatMap { unit in
                [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: unit.count >> $0) } + unit
            }
        }
    }
#endif
