#if DEBUG || FUZZING
    @testable internal import MediaContainers

    extension FuzzTarget {
        static let mediaSamples = [
            FuzzTarget("transport-samples", tokens: sampleTokens) { bytes throws(Finding) in
                // The bytes are packets without their first byte, behind tables that name streams of all kinds.
                let packets = SampleStream.packets(bytes)
                let whole = SampleStream.tables + packets
                let tracks = samples([whole])
                try check(tracks, whole.count)
                try Finding.expect(samples([whole]) == tracks, "samples stand")
                let middle = packets.count / 188 / 2 * 188
                let first = SampleStream.tables + packets[..<middle]
                try check(samples([first, Array(packets[middle...])]), whole.count)
                try checkClock(whole)
            },
            FuzzTarget("elementary-samples", tokens: sampleTokens) { bytes throws(Finding) in
                // The first two bytes select the stream type of the others, and the length of its PES packets.
                guard bytes.count > 2 else { return }
                let (kind, step) = (Int(bytes[0] & 0xF), 16 * Int(bytes[1]) + 8)
                let units = SampleStream.units(kind, bytes[2...], step)
                let whole = SampleStream.tables + units
                let tracks = samples([whole])
                try check(tracks, whole.count)
                let middle = units.count / 188 / 2 * 188
                let first = SampleStream.tables + units[..<middle]
                try check(samples([first, Array(units[middle...])]), whole.count)
                try checkClock(whole)
                try checkFragments(tracks)
            },
            FuzzTarget("packed-samples", tokens: sampleTokens) { bytes throws(Finding) in
                var reader = PackedSamples()
                if let track = try? reader.read(bytes) { try check([track], bytes.count) }
                if let track = try? reader.read(bytes) { try check([track], 2 * bytes.count) }
            },
            FuzzTarget("codec-configuration", tokens: ["\u{13}\u{10}", "\u{2B}\u{11}", "gM@\u{1E}"]) {
                bytes throws(Finding) in
                var reader = BitReader(bytes)
                if let configuration = AACConfiguration(&reader) {
                    var second = BitReader(configuration.bytes)
                    let again = AACConfiguration(&second)
                    try Finding.expect(again == configuration, "what is written is read as it was")
                }
                try checkEntries(bytes)
            },
        ]

        private static let sampleTokens = [
            "\0\0\u{1}", "\0\0\0\u{1}", "\u{7}GA\0\u{10}\0\0\u{1}\u{60}", "gM@\u{1E}", "h\u{60}", "e\u{60}",
            "\u{B}w",
            "ID3\u{4}\0\0\0\0\0\n", "V\u{60}", "\u{7F}\u{60}", "TAG", "PRIV", "@\u{1}", "B\u{1}", "D\u{1}",
            "&\u{1}",
        ]

        /// The tracks of segments that are read one after the other.
        private static func samples(_ segments: [[UInt8]]) -> [TrackSamples] {
            var reader = TransportSamples()
            return segments.indices.flatMap { index in
                let following = index + 1 < segments.count ? segments[index + 1] : []
                return (try? reader.read(segments[index], following: following)) ?? []
            }
        }

        /// A clock that was moved comes back.
        private static func checkClock(_ stream: [UInt8]) throws(Finding) {
            var moved = stream
            TransportClock(shift: 123_456_789).move(&moved)
            try Finding.expect(moved.count == stream.count, "the length stays")
            TransportClock(shift: -123_456_789).move(&moved)
            try Finding.expect(moved == stream, "the clock comes back")
        }

        /// Any tracks can be written into one that was begun with other descriptions.
        private static func checkFragments(_ tracks: [TrackSamples]) throws(Finding) {
            guard let first = tracks.first else { return }
            let writer = FragmentWriter(tracks: [OutputTrack(number: 1, of: first)])
            guard let movie = try? MovieTrack.all(in: writer.initializationSection) else { return }
            for track in tracks {
                let segment = writer.segment([track.withParameterSets], sequenceNumber: 1)
                let read = try? SegmentFragments(segment, movie: movie)
                let count = read?.tracks.first?.samples.count ?? 0
                try Finding.expect(count == track.samples.count, "all samples are in the fragment")
            }
        }

        /// Checks the properties of tracks from so many bytes.
        private static func check(_ tracks: [TrackSamples], _ count: Int) throws(Finding) {
            for track in tracks {
                let size = track.samples.reduce(0) { $0 + Int($1.size) }
                try Finding.expect(size == track.bytes.count, "samples have all bytes")
                try Finding.expect(track.bytes.count <= 2 * count, "samples are made of what was read")
                try Finding.expect(track.timescale > 0, "there is a clock")
                try Finding.expect(
                    track.samples.allSatisfy { $0.description < track.descriptions.count },
                    "each sample has a description")
                for description in track.descriptions {
                    let length = description.entry.prefix(4).reduce(0) { $0 << 8 | Int($1) }
                    try Finding.expect(length == description.entry.count, "an entry is one box")
                }
                guard case .audio? = track.descriptions.first?.shape else { continue }
                let times = track.samples.map(\.decodeTime)
                try Finding.expect(
                    zip(times, times.dropFirst()).allSatisfy { $0 < $1 }, "sound goes forward")
            }
        }

        /// Checks that a written sample entry reads back unchanged.
        private static func checkEntries(_ bytes: [UInt8]) throws(Finding) {
            guard bytes.count < 20_000 else { return }
            for (codec, types) in [(AVCCodec() as any PictureCodec, [7, 8]), (HEVCCodec(), [32, 33, 34])] {
                var sets = ParameterSets()
                for type in types {
                    let unit = [UInt8(types.count == 2 ? type : type << 1)] + bytes
                    if let key = types.count == 2
                        ? AVCCodec.key(of: unit.indices, in: unit) : HEVCCodec.key(of: unit.indices, in: unit)
                    {
                        sets[key] = unit
                    }
                }
                guard
                    let (description, facts) = codec.description(
                        sets, isInBand: false, light: LightFacts())
                else { continue }
                try Finding.expect(facts.width > 0 && facts.height > 0, "pictures have a size")
                let again = ParameterSets(entry: description.entry)
                try Finding.expect(again == sets, "parameter sets are read as they were written")
            }
        }
    }

    /// Makes transport streams of bytes.
    private enum SampleStream {
        /// H.264, H.265, AAC in ADTS and LATM, MPEG audio, AC-3, E-AC-3, Opus and timed tags.
        private static let types: [UInt8] = [0x1B, 0x24, 0x0F, 0x11, 0x03, 0x81, 0x87, 0x06, 0x15]

        static let tables: [UInt8] = {
            let association = section(0, [0, 1, 0xF0, 0])
            let opus: [UInt8] = [5, 4] + Array("Opus".utf8) + [0x7F, 2, 0x80, 2]
            let entries = types.enumerated().flatMap { index, type in
                [type, 0xE1, UInt8(index), 0xF0, type == 6 ? UInt8(opus.count) : 0] + (type == 6 ? opus : [])
            }
            let map = section(2, [0xE1, 0, 0xF0, 0] + entries)
            return packet(0, begins: true, [0] + association) + packet(4096, begins: true, [0] + map)
        }()

        private static func section(_ table: UInt8, _ content: [UInt8]) -> [UInt8] {
            let section = [table, 0xB0, UInt8(content.count + 9), 0, 1, 0xC1, 0, 0] + content
            let sum = CRC32.mpeg(section)
            return section + (0..<4).map { UInt8(truncatingIfNeeded: sum >> UInt32(24 - 8 * $0)) }
        }

        /// A packet without a counter that counts.
        private static func packet(_ stream: Int, begins: Bool, _ payload: [UInt8], _ counter: Int = 0)
            -> [UInt8]
        {
            let space = 184 - payload.count
            let head = [0x47, UInt8(stream >> 8) | (begins ? 0x40 : 0), UInt8(stream & 0xFF)]
            let control = [(space > 0 ? 0x30 : 0x10) | UInt8(counter & 0xF)]
            let field = space > 0 ? [UInt8(space - 1)] + [UInt8](repeating: 0, count: space - 1) : []
            return head + control + field + payload
        }

        /// Bytes as packets with valid first bytes.
        static func packets(_ bytes: [UInt8]) -> [UInt8] {
            stride(from: 0, to: bytes.count, by: 187).flatMap { place in
                let part = bytes[place..<min(bytes.count, place + 187)]
                return [0x47] + part + [UInt8](repeating: 0xFF, count: 187 - part.count)
            }
        }

        /// Bytes as PES packets of a stream, every second one with a time.
        static func units(_ kind: Int, _ bytes: ArraySlice<UInt8>, _ step: Int) -> [UInt8] {
            var (packets, counter, rest, number) = ([UInt8](), 0, bytes, 0)
            while !rest.isEmpty {
                let time: [UInt8] = [0x21, UInt8(number >> 6 & 0xFF), 1, UInt8(number << 2 & 0xFF), 1]
                let head: [UInt8] =
                    [0, 0, 1, 0xE0, 0, 0, 0x80] + (number % 2 == 0 ? [0x80, 5] + time : [0, 0])
                var unit = (head + rest.prefix(step))[...]
                var begins = true
                while !unit.isEmpty {
                    packets += packet(256 + kind, begins: begins, Array(unit.prefix(184)), counter)
                    (begins, counter, unit) = (false, counter + 1, unit.dropFirst(184))
                }
                (rest, number) = (rest.dropFirst(step), number + 1)
            }
            return packets
        }
    }
#else
    extension FuzzTarget {
        static let mediaSamples: [FuzzTarget] = []
        static let transportFiles: [FuzzTarget] = []
    }
#endif
