import MediaContainers
import Testing

/// Transport streams that are cut into segments anywhere, lose packets, or have something beside their packets.
@Suite("Cut and damaged transport streams", .enabled(if: FFmpeg.runs, "ffmpeg is missing"))
struct TransportCutTests {
    /// Small, so that many cuts can be tried: pictures with B-frames, and sound of which frames cross packets.
    static let small =
        ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25"] + StreamShape.sound + StreamShape.encoder + [
            "-bf", "2", "-g", "12", "-c:a", "aac", "-b:a", "64k", "-t", "1.5",
        ]

    /// Reads segments one after the other, each with a look at the next; tracks are put together.
    static func joined(_ segments: [[UInt8]]) throws -> [TrackSamples] {
        var reader = TransportSamples()
        var joined: [TrackSamples] = []
        for (index, segment) in segments.enumerated() {
            let next = index + 1 < segments.count ? segments[index + 1] : []
            for track in try reader.read(segment, following: next) {
                guard let known = joined.firstIndex(where: { $0.number == track.number }) else {
                    joined.append(track)
                    continue
                }
                #expect(joined[known].descriptions == track.descriptions)
                joined[known].samples += track.samples
                joined[known].bytes += track.bytes
            }
        }
        return joined.sorted { $0.number < $1.number }
    }

    static func packets(_ bytes: [UInt8]) -> [[UInt8]] {
        stride(from: 0, to: bytes.count, by: 188).map { Array(bytes[$0..<$0 + 188]) }
    }

    private static func stream(of packet: [UInt8]) -> Int { Int(packet[1] & 0x1F) << 8 | Int(packet[2]) }

    @Test("two segments that are cut at any packet have the samples of the whole", arguments: 0..<8)
    func cutInTwo(_ remainder: Int) throws {
        let bytes = try FFmpeg.stream(Self.small)
        let whole = try Self.joined([bytes])
        let packets = bytes.count / 188
        for packet in stride(from: 3 + remainder, to: packets, by: 8) {
            let found = try Self.joined([Array(bytes[..<(packet * 188)]), Array(bytes[(packet * 188)...])])
            guard found == whole else {
                Issue.record("a cut at packet \(packet) of \(packets) changes samples")
                return
            }
        }
    }

    @Test(
        "two segments that are cut inside of a packet have the samples of the whole",
        arguments: [1, 3, 4, 100, 187])
    func cutInside(_ offset: Int) throws {
        let bytes = try FFmpeg.stream(Self.small)
        let whole = try Self.joined([bytes])
        for packet in stride(from: 4, to: bytes.count / 188, by: 7) {
            let place = packet * 188 + offset
            guard try Self.joined([Array(bytes[..<place]), Array(bytes[place...])]) == whole else {
                Issue.record("a cut inside of packet \(packet) changes samples")
                return
            }
        }
    }

    @Test("many segments have the samples of the whole", arguments: [7, 20, 61])
    func cutOften(_ length: Int) throws {
        let bytes = try FFmpeg.stream(Self.small)
        let segments = stride(from: 0, to: bytes.count, by: length * 188).map {
            Array(bytes[$0..<min(bytes.count, $0 + length * 188)])
        }
        #expect(try Self.joined(segments) == Self.joined([bytes]))
    }

    @Test("without a look at the next segment a picture ends with its segment, and the rest of it is noted")
    func cutWithoutLook() throws {
        let bytes = try FFmpeg.stream(Self.small)
        let pictures = Self.packets(bytes).enumerated().filter { Self.stream(of: $0.element) == 256 }
        let inside = try #require(pictures.dropFirst(20).first { $0.element[1] & 0x40 == 0 }).offset
        var reader = TransportSamples()
        let first = try #require(try reader.read(Array(bytes[..<(inside * 188)])).first)
        #expect(!reader.lacksBeginning)
        let second = try #require(try reader.read(Array(bytes[(inside * 188)...])).first)
        #expect(reader.lacksBeginning)
        let whole = try #require(try TransportSampleTests.tracks(bytes).first)
        let found = (first.samples + second.samples).map(\.decodeTime)
        #expect(found == whole.samples.map(\.decodeTime))
    }

    @Test("packets with something beside them, repeated ones and noise before them change nothing")
    func shapes() throws {
        let bytes = try FFmpeg.stream(Self.small)
        let whole = try Self.joined([bytes])
        let packets = Self.packets(bytes)
        let timed = Array(packets.map { [0, 0, 0x12, 0x34] + $0 }.joined())
        let checked = Array(packets.map { $0 + [UInt8](repeating: 0x47, count: 16) }.joined())
        let repeated = Array(
            packets.enumerated().map { $0.offset % 9 == 5 ? $0.element + $0.element : $0.element }.joined())
        let noisy: [UInt8] = [9, 0x47, 8] + bytes
        for stream in [timed, checked, repeated, noisy, bytes + [0x47, 1, 2]] {
            #expect(try Self.joined([stream]) == whole)
        }
    }

    /// Samples by their times.
    private static func contents(_ track: TrackSamples) -> [Int64: [UInt8]] {
        var (place, contents) = (0, [Int64: [UInt8]]())
        for sample in track.samples {
            contents[sample.decodeTime] = Array(track.bytes[place..<(place + Int(sample.size))])
            place += Int(sample.size)
        }
        return contents
    }

    @Test(
        "a lost packet costs the picture or the PES packet of sound that it is of, and nothing else",
        arguments: [nil, -2, 12])
    func lost(_ cut: Int?) throws {
        let bytes = try FFmpeg.stream(Self.small)
        let whole = try Self.joined([bytes]).map { ($0.number, Self.contents($0)) }
        for lost in stride(from: 10, to: bytes.count / 188 - 10, by: 5) {
            var packets = Self.packets(bytes)
            let stream = Self.stream(of: packets[lost])
            guard stream >= 256 else { continue }
            packets.remove(at: lost)
            let end = cut.map { lost + $0 } ?? packets.count
            let segments = [packets[..<end], packets[end...]].filter { !$0.isEmpty }.map {
                Array($0.joined())
            }
            for (track, (number, contents)) in zip(try Self.joined(segments), whole) {
                let found = Self.contents(track)
                let lacking = contents.count - found.count
                let strange = found.filter { contents[$0] != $1 }.keys.sorted()
                #expect(strange.isEmpty, "packet \(lost): \(number) has others at \(strange)")
                #expect(
                    number == stream ? (1...16).contains(lacking) : lacking == 0,
                    "packet \(lost): \(number) lacks \(lacking)")
            }
        }
    }

    @Test("times go on where the 33 bits of time stamps begin anew")
    func wraps() throws {
        let late = ["-output_ts_offset", "95443", "-muxdelay", "0", "-muxpreload", "0"]
        let bytes = try FFmpeg.stream(StreamShape.plain + late)
        let tracks = try Self.joined([bytes])
        let wrap = Int64(1) << 33
        for track in tracks {
            let times = track.samples.map {
                ($0.decodeTime + Int64($0.presentationOffset)) * 90_000 / Int64(track.timescale)
            }
            let (first, last) = (times.min() ?? 0, times.max() ?? 0)
            #expect(first < wrap && last > wrap && last - first < 4 * 90_000)
            #expect(track.samples.allSatisfy { $0.duration == track.samples[0].duration })
        }
        var near = TransportSamples(near: 3 * wrap)
        let first = try #require(try near.read(bytes).first?.samples.first?.decodeTime)
        #expect(first == tracks[0].samples[0].decodeTime + 2 * wrap)
    }

    @Test("a segment without tables is read with those of the segment before, and not alone")
    func tables() throws {
        let bytes = try FFmpeg.stream(Self.small)
        let media = Self.packets(bytes).filter { Self.stream(of: $0) >= 256 }
        #expect(throws: SampleError.lacksConfiguration) {
            try TransportSampleTests.tracks(Array(media.joined()))
        }
        var reader = TransportSamples()
        _ = try reader.read(bytes)
        #expect(try reader.read(Array(media.joined())).count == 2)
        let late =
            media.prefix(40)
            + Self.packets(bytes).filter { Self.stream(of: $0) < 256 || Self.stream(of: $0) == 4096 }
        #expect(try Self.joined([Array((late + media.dropFirst(40)).joined())]).count == 2)
    }

    @Test("segments without parameter sets are read with the descriptions of those before")
    func descriptions() throws {
        let recipe = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25", "-t", "1"]
        for codec in [
            ["-c:v", "libx264", "-threads", "1"], ["-c:v", "libx265", "-x265-params", "log-level=error"],
        ] {
            let bytes = try FFmpeg.stream(recipe + codec + ["-preset", "ultrafast", "-pat_period", "0.1"])
            let whole = try #require(try Self.joined([bytes]).first)
            let starts = Self.packets(bytes).indices.filter { index in
                let packet = bytes[(index * 188)...]
                return packet[index * 188 + 1] & 0x5F == 0x41
            }
            let second = Array(bytes[(starts[12] * 188)...])
            // The second segment names its streams, as all do.
            let segment = Array(bytes[..<(3 * 188)]) + second
            var reader = TransportSamples()
            #expect(try reader.read(segment).isEmpty && reader.lacksParameterSets)
            #expect(try reader.read(bytes).first?.samples.count == whole.samples.count)
            #expect(!reader.lacksParameterSets)
            reader = TransportSamples(knowing: whole.descriptions)
            let track = try #require(try reader.read(segment).first)
            #expect(track.samples == Array(whole.samples[12...]))
            #expect(track.descriptions == whole.descriptions)
        }
    }

    @Test("pictures of another size get a description of their own")
    func sizes() throws {
        let large = ["-f", "lavfi", "-i", "testsrc2=s=128x96:r=25"] + StreamShape.encoder + ["-t", "1"]
        let later = ["-output_ts_offset", "10"]
        let bytes = try FFmpeg.stream(Self.small) + FFmpeg.stream(large + later)
        let track = try #require(try Self.joined([bytes]).first)
        #expect(
            track.descriptions.map(\.shape) == [
                .video(width: 64, height: 48), .video(width: 128, height: 96),
            ])
        #expect(Set(track.samples.map(\.description)) == [0, 1])
        #expect(track.samples.first { $0.description == 1 }?.isSync == true)
    }
}
