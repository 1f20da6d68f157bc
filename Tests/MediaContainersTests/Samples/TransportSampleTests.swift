import MediaContainers
import TestSupport
import Testing

/// Samples of transport streams, compared with the packets that ffmpeg reads.
@Suite("Samples of transport streams", .enabled(if: FFmpeg.runs, "ffmpeg is missing"))
struct TransportSampleTests {
    /// Reads one segment.
    static func tracks(_ bytes: [UInt8]) throws -> [TrackSamples] {
        var reader = TransportSamples()
        return try reader.read(bytes)
    }

    /// A picture with start codes, as ffmpeg's filters write it: four bytes before the first unit, three before others.
    private static func byteStream(_ sample: ArraySlice<UInt8>) -> [UInt8] {
        var (stream, rest) = ([UInt8](), sample)
        while rest.count > 4 {
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            stream += stream.isEmpty ? [0, 0, 0, 1] : [0, 0, 1]
            stream += rest.dropFirst(4).prefix(length)
            rest = rest.dropFirst(4 + length)
        }
        return stream
    }

    private static func packets(_ track: TrackSamples, asByteStream: Bool) -> [FFmpeg.Packet] {
        var place = 0
        return track.samples.map { sample in
            let bytes = track.bytes[place..<place + Int(sample.size)]
            place += Int(sample.size)
            let form = asByteStream ? byteStream(bytes) : Array(bytes)
            return FFmpeg.Packet(
                decoding: sample.decodeTime,
                presentation: sample.decodeTime + Int64(sample.presentationOffset),
                size: form.count, checksum: FFmpeg.checksum(form), isKey: sample.isSync)
        }
    }

    @Test("the pictures are those that ffmpeg reads", arguments: StreamShape.pictures)
    func pictures(_ shape: StreamShape) throws {
        let bytes = try shape.bytes
        let track = try #require(try Self.tracks(bytes).first)
        var expected = try FFmpeg.packets(bytes, "v:0", filter: shape.filter)
        var found = Self.packets(track, asByteStream: true)
        #expect(expected.count >= 50)
        #expect(track.descriptions.count == 1)
        #expect(track.bytes.count == track.samples.reduce(0) { $0 + Int($1.size) })
        if !shape.agreesOnKeys {
            for index in found.indices { found[index].isKey = false }
            for index in expected.indices { expected[index].isKey = false }
        }
        #expect(found == expected)
    }

    @Test("the frames of sound are those that ffmpeg reads", arguments: StreamShape.sounds)
    func sounds(_ shape: StreamShape) throws {
        let bytes = try shape.bytes
        let track = try #require(try Self.tracks(bytes).first)
        let expected = try FFmpeg.packets(bytes, "a:0", filter: shape.filter)
        let found = Self.packets(track, asByteStream: false)
        #expect(expected.count > 50)
        #expect(found.map(\.size) == expected.map(\.size))
        #expect(found.map(\.checksum) == expected.map(\.checksum))
        #expect(track.descriptions.count == 1)
        for (one, other) in zip(found, expected) {
            let ticks = Double(one.presentation) * 90_000 / Double(track.timescale)
            // ffmpeg rounds each time within a PES packet down.
            #expect(abs(ticks - Double(other.presentation)) < 3)
        }
        #expect(track.samples.allSatisfy { $0.isSync && $0.duration == track.samples[0].duration })
    }

    @Test("AAC in LATM becomes the samples of AAC in ADTS")
    func latm() throws {
        let recipe = StreamShape.sound + ["-t", "3", "-c:a", "aac", "-b:a", "64k"]
        let plain = try Self.tracks(FFmpeg.stream(recipe))
        let latm = try Self.tracks(FFmpeg.stream(recipe + ["-mpegts_flags", "latm", "-f", "mpegts"]))
        #expect(latm == plain)
        #expect(plain.first?.descriptions.first?.codec == "mp4a.40.2")
    }

    @Test(
        "sample entries have the configuration that ffmpeg writes",
        arguments: zip(
            [StreamShape.pictures[0], StreamShape.pictures[6]] + StreamShape.sounds[3...5]
                + [StreamShape.sounds[9]],
            ["avcC", "avcC", "dac3", "dac3", "dec3", "dOps"]))
    func configurations(_ shape: StreamShape, box: String) throws {
        let bytes = try shape.bytes
        let folder = try FFmpeg.file("copy.mp4", shape.recipe + ["-f", "mp4"])
        let track = try #require(try Self.tracks(bytes).first)
        let entry = try #require(track.descriptions.first?.entry)
        var (own, other) = (try Self.content(of: box, in: entry), try Self.content(of: box, in: folder))
        // ffmpeg's encoder tells MP4 the samples to skip, a transport stream does not.
        if box == "dOps" { for place in 2..<4 { (own[place], other[place]) = (0, 0) } }
        #expect(own == other)
    }

    @Test("the configuration of H.265 is that of ffmpeg's copy", arguments: [8, 9, 10])
    func hevcConfiguration(_ index: Int) throws {
        let bytes = try StreamShape.pictures[index].bytes
        let folder = try TemporaryDirectory()
        let path = try folder.write(bytes, to: "stream.ts")
        let copy = try FFmpeg.file("copy.mp4", ["-i", path, "-c", "copy", "-tag:v", "hvc1"])
        let entry = try #require(try Self.tracks(bytes).first?.descriptions.first?.entry)
        #expect(try Self.content(of: "hvcC", in: entry) == Self.content(of: "hvcC", in: copy))
    }

    @Test("the color, the mastering display and the light level of H.265 are in its sample entry")
    func light() throws {
        let options =
            "log-level=error:hdr10=1:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:max-cll=1000,400:"
            + "master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,500)"
        let codec = ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", options, "-t", "0.5"]
        let bytes = try FFmpeg.stream(StreamShape.picture + ["-pix_fmt", "yuv420p10le"] + codec)
        let entry = try #require(try Self.tracks(bytes).first?.descriptions.first?.entry)
        #expect(try Self.content(of: "colr", in: entry) == Array("nclx".utf8) + [0, 9, 0, 16, 0, 9, 0])
        let points = [13_250, 34_500, 7500, 3000, 34_000, 16_000, 15_635, 16_450]
        let mastering = points.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        #expect(try Self.content(of: "mdcv", in: entry) == mastering + [0, 0x98, 0x96, 0x80, 0, 0, 1, 0xF4])
        #expect(try Self.content(of: "clli", in: entry) == [3, 0xE8, 1, 0x90])
    }

    /// The content of the first box of a type, found by its name.
    private static func content(of box: String, in bytes: [UInt8]) throws -> [UInt8] {
        let name = Array(box.utf8)
        let place = try #require(
            bytes.indices.dropFirst(4).first { bytes[$0...].starts(with: name) }, "\(box) is there")
        let length = bytes[place - 4..<place].reduce(0) { $0 << 8 | Int($1) }
        return Array(bytes[(place + 4)..<(place - 4 + length)])
    }
}
