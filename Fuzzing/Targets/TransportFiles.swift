#if DEBUG || FUZZING
    @testable internal import MediaContainers

    extension FuzzTarget {
        static let transportFiles = [
            FuzzTarget("transport-file", tokens: scriptTokens) { bytes throws(Finding) in
                guard let script = FileScript(bytes), let made = try MadeFile(script) else { return }
                try made.check()
            }
        ]

        private static let scriptTokens = [
            "\u{8}\0\0\0\0", "\u{E}\u{4}\0\0\u{1}", "\u{1E}\u{9}\u{40}\u{1}\0", "\u{9}\0\0\0\0",
            "\u{4}\u{10}\0\0\0",
            "\u{4}@\u{10}\0", "\0@\u{10}\0", "\u{1}\u{1}\u{1}\u{1}", "\u{4}\u{7F}\0\u{4}",
            "\u{C}\u{7F}\0\u{4}",
            "\u{1C}@\0\u{8}", "\u{60}@\0\0", "dp\u{10}\u{2}",
        ]
    }

    /// A transport stream that is made of a script, with what must be in it.
    private struct MadeFile {
        /// A sample of the file.
        struct Expected {
            var sample: MediaSample
            var bytes: [UInt8]
            var form: Int
            /// Ticks of 90 kHz on the timeline of the file.
            var decoding: Int64
            var presentation: Int64
        }

        let script: FileScript
        let shifts: [Double]
        let layout: TransportLayout
        private let bytes: [UInt8]
        /// The samples of each track.
        private var expected: [[Expected]] = []

        /// - Returns: `nil` for samples that no transport stream can have.
        init?(_ script: FileScript) throws(Finding) {
            self.script = script
            let indexes = script.segments.map { segment in
                segment.enumerated().map { index, track in
                    SampleIndex.Track(track, kind: script.codecs[index].isSound ? .audio : .video)
                }
            }
            shifts = Self.shifts(indexes, script)
            let tracks = script.segments[0].enumerated().map { OutputTrack(number: UInt32($0 + 1), of: $1) }
            var builder = TransportLayoutBuilder(tracks: tracks)
            do throws(MovieLayoutError) {
                for track in tracks.indices {
                    for (number, index) in indexes.enumerated() where !index[track].samples.isEmpty {
                        try builder.add(index[track], to: track, segment: number, shift: shifts[number])
                    }
                }
                layout = try builder.layout()
            } catch {
                try Finding.expect(script.isWild || error == .empty, "usual samples have a place: \(error)")
                return nil
            }
            var bytes: [UInt8] = []
            for (number, block) in layout.blocks.enumerated() {
                let made = layout.bytes(ofBlock: number) { script.segments[$0.segment][$0.track] }
                try Finding.expect(made?.count == block.length, "a block is as long as was said")
                try Finding.expect(block.offset == bytes.count, "blocks follow each other")
                bytes += made ?? []
            }
            self.bytes = bytes
            expected = tracks.indices.map(samples)
        }

        /// The shifts of segments, whose tracks are of one rendition.
        private static func shifts(_ indexes: [[SampleIndex.Track]], _ script: FileScript) -> [Double] {
            var place = 0.0
            let pieces = zip(indexes, script.discontinuities).map { index, discontinuity in
                let spans = index.compactMap(\.presentation)
                let (start, end) = (spans.map(\.start).min() ?? 0, spans.map(\.end).max() ?? 0)
                defer { place += end - start }
                return MovieTimeline.Piece(
                    stream: 0, discontinuity: discontinuity, place: place, duration: end - start,
                    start: start,
                    end: end, wraps: true)
            }
            return MovieTimeline(pieces).shifts
        }

        /// The samples that a track of the file has: those of the script but overlapping sound, and silence.
        private func samples(of track: Int) -> [Expected] {
            var (made, clock) = ([Expected](), SampleClock())
            let isSound = script.codecs[track].isSound
            let scale = script.segments[0][track].timescale
            func ticks(_ time: Int64) -> Int64 { Ticks.scaled(time, from: scale, to: 90_000) }
            func take(_ sample: MediaSample, _ bytes: [UInt8], _ form: Int) {
                guard let sample = clock.place(sample, isSound: isSound) else { return }
                made.append(
                    Expected(
                        sample: sample, bytes: bytes, form: form, decoding: ticks(sample.decodeTime),
                        presentation: ticks(sample.decodeTime + Int64(sample.presentationOffset))))
            }
            for (segment, shift) in zip(script.segments, shifts) {
                let (source, shift) = (segment[track], Ticks.nearest(shift, scale))
                var offset = 0
                for sample in source.samples {
                    let moved = sample.moved(from: source.timescale, to: scale, by: shift)
                    let form = Int(sample.description)
                    if isSound, let silence = SilentFrame(source.descriptions[form]) {
                        let filling = silence.samples(after: clock, before: moved, timescale: scale)
                        for frame in filling { take(frame, silence.bytes, form) }
                    }
                    take(moved, Array(source.bytes[offset..<offset + Int(sample.size)]), form)
                    offset += Int(sample.size)
                }
            }
            return made
        }
    }

    extension MadeFile {
        func check() throws(Finding) {
            let held = try HeldFile(bytes)
            try checkSize()
            var origin: Int64?
            for (track, codec) in script.codecs.enumerated() {
                let packets = held.streams[ProgramWriter.firstStream + track] ?? []
                if codec.isPicture {
                    try checkPictures(packets, track, &origin)
                } else {
                    try checkSound(packets, track, &origin)
                }
            }
            guard !script.isWild else { return }
            let isAhead = held.streams.values.joined().allSatisfy { packet in
                packet.clock.map { HeldFile.difference(packet.stamps.decoding, $0) > 0 } ?? true
            }
            try Finding.expect(isAhead, "samples come before their time")
            try checkReading(origin ?? 0)
        }

        /// The file is as large as its samples and what packets need.
        private func checkSize() throws(Finding) {
            let samples = expected.joined()
            let sets = script.codecs.flatMap { codec in (0...1).flatMap { codec.sets($0) } }.map(\.count)
            let content =
                samples.reduce(0) { $0 + $1.bytes.count + 64 } + samples.count * (sets.max() ?? 0) * 2
            let packets =
                content / 184 + 2 * samples.count + layout.blocks.count * (2 + layout.map.count / 184)
            try Finding.expect(bytes.count <= 188 * packets, "the file is little larger than its samples")
            try Finding.expect(UInt64(bytes.count) == layout.length, "the file has its length")
            try Finding.expect(layout.duration >= 0, "it does not play for less than nothing")
        }

        /// Checks a time: all have the same distance to those that are expected.
        private func checkTime(
            _ stamp: Int64, _ time: Int64, _ origin: inout Int64?, _ name: String
        ) throws(Finding) {
            let known = HeldFile.difference(stamp, time)
            try Finding.expect(origin == nil || origin == known, "\(name) are kept")
            origin = known
        }

        private func checkPictures(
            _ packets: [HeldFile.Packet], _ track: Int, _ origin: inout Int64?
        ) throws(Finding) {
            let own = expected[track]
            try Finding.expect(packets.count == own.count, "each picture is a PES packet")
            var decoding: Int64?
            for (packet, picture) in zip(packets, own) {
                try checkTime(
                    packet.stamps.presentation, picture.presentation, &origin, "times of presentation")
                try checkTime(packet.stamps.decoding, picture.decoding, &decoding, "times of decoding")
                try Finding.expect(packet.isRandomAccess == picture.sample.isSync, "marks are kept")
                let isEarly = HeldFile.difference(packet.stamps.presentation, packet.stamps.decoding) >= 0
                try Finding.expect(script.isWild || isEarly, "pictures are decoded before they are shown")
                try checkUnits(packet.payload, picture, script.codecs[track])
            }
        }

        /// A picture has a delimiter, parameter sets where decoding can begin, and its units.
        private func checkUnits(
            _ payload: [UInt8], _ picture: Expected, _ codec: MadeCodec
        ) throws(Finding) {
            let units = codec.units(in: picture.bytes).filter { !codec.isDelimiter($0) }
            let code: [UInt8] = [0, 0, 0, 1]
            let content = units.flatMap { code + $0 }
            let sets = codec.sets(picture.form).flatMap { code + $0 }
            let delimiter: [UInt8] = codec.isHEVC ? [0, 0, 0, 1, 0x46, 1, 0x50] : [0, 0, 0, 1, 9, 0xF0]
            let isPlain = Self.holds(payload, delimiter + content)
            try Finding.expect(
                isPlain || Self.holds(payload, delimiter + sets + content), "a picture has its units")
            let needsSets = picture.sample.isSync && !script.isWild
            try Finding.expect(!isPlain || !needsSets, "parameter sets come where decoding can begin")
        }

        /// Whether nothing but zeros follows bytes.
        private static func holds(_ payload: [UInt8], _ bytes: [UInt8]) -> Bool {
            payload.starts(with: bytes) && payload.dropFirst(bytes.count).allSatisfy { $0 == 0 }
        }

        private func checkSound(
            _ packets: [HeldFile.Packet], _ track: Int, _ origin: inout Int64?
        ) throws(Finding) {
            var rest = expected[track][...]
            for packet in packets {
                var payload = packet.payload[...]
                guard let first = rest.first else { throw Finding(description: "sound is not made up") }
                try checkTime(packet.stamps.presentation, first.presentation, &origin, "times of sound")
                while !payload.isEmpty, let frame = rest.first {
                    let head = script.codecs[track].head(of: frame)
                    guard payload.starts(with: head + frame.bytes) else { break }
                    payload = payload.dropFirst(head.count + frame.bytes.count)
                    rest = rest.dropFirst()
                }
                try Finding.expect(payload.isEmpty, "a frame has its bytes")
            }
            try Finding.expect(rest.isEmpty, "no frame is lost")
        }
    }

    extension MadeFile {
        /// The package's reader finds the samples.
        private func checkReading(_ origin: Int64) throws(Finding) {
            var reader = TransportSamples()
            let tracks: [TrackSamples]
            do throws(SampleError) { tracks = try reader.read(bytes) } catch {
                throw Finding(description: "the file can be read: \(error)")
            }
            for (number, own) in expected.enumerated() where !own.isEmpty {
                let codec = script.codecs[number]
                guard let read = tracks.first(where: { $0.number == ProgramWriter.firstStream + number })
                else {
                    throw Finding(description: "each track is found")
                }
                try Finding.expect(read.samples.count == own.count, "each sample is found")
                var place = 0
                for (sample, known) in zip(read.samples, own) {
                    let bytes = Array(read.bytes[place..<place + Int(sample.size)])
                    place += Int(sample.size)
                    try Finding.expect(
                        codec.content(of: bytes) == codec.content(of: known.bytes), "a sample has its bytes")
                    try Finding.expect(sample.isSync == known.sample.isSync, "it can be decoded as before")
                    let shown = sample.decodeTime + Int64(sample.presentationOffset)
                    let time = Ticks.scaled(shown, from: read.timescale, to: 90_000)
                    let distance = HeldFile.difference(time, known.presentation &+ origin)
                    let tolerance = codec.isSound ? codec.duration * 45_000 / Int64(codec.rate) + 8 : 0
                    try Finding.expect(abs(distance) <= tolerance, "it has its time")
                }
            }
        }
    }

    extension MadeCodec {
        fileprivate var isHEVC: Bool {
            if case .hevc = self { true } else { false }
        }

        fileprivate func isDelimiter(_ unit: ArraySlice<UInt8>) -> Bool {
            unit.first.map { isHEVC ? $0 >> 1 & 0x3F == 35 : $0 & 0x1F == 9 } ?? false
        }

        private func isSet(_ unit: ArraySlice<UInt8>) -> Bool {
            unit.first.map { isHEVC ? (32...34).contains($0 >> 1 & 0x3F) : (7...8).contains($0 & 0x1F) }
                ?? false
        }

        /// The units of a sample that lie in it as a whole.
        fileprivate func units(in sample: [UInt8]) -> [ArraySlice<UInt8>] {
            var (units, place) = ([ArraySlice<UInt8>](), 0)
            while place + 4 < sample.count {
                let length = sample[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
                guard length <= sample.count - place - 4 else { break }
                if length > 0 { units.append(sample[place + 4..<place + 4 + length]) }
                place += 4 + length
            }
            return units
        }

        /// A sample without what readers and writers may add or leave out.
        fileprivate func content(of sample: [UInt8]) -> [UInt8] {
            guard isPicture else { return sample }
            return units(in: sample).filter { !isDelimiter($0) && !isSet($0) }.flatMap { [1] + $0 }
        }

        /// The bytes in front of a frame of sound.
        fileprivate func head(of frame: MadeFile.Expected) -> [UInt8] {
            guard self == .lowComplexity || self == .efficient else { return [] }
            let (length, channels) = (7 + frame.bytes.count, 1 + frame.form)
            let rate = self == .efficient ? 6 : 3
            return [
                0xFF, 0xF1, UInt8(0x40 | rate << 2 | channels >> 2),
                UInt8(channels << 6 & 0xC0 | length >> 11),
                UInt8(truncatingIfNeeded: length >> 3), UInt8(truncatingIfNeeded: length << 5) | 0x1F, 0xFC,
            ]
        }
    }
#endif
