import MediaContainers
import TestSupport
import Testing

@Suite("Sound that is missing in a file", .enabled(if: FFmpeg.runs))
struct SilenceTests {
    /// Four seconds of sound, of which the third is missing.
    private func source(_ recipe: [String], from start: Double = 2, to end: Double = 3) throws
        -> [TrackSamples]
    {
        var reader = TransportSamples()
        let tone = ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000", "-t", "4"]
        let track = try reader.read(FFmpeg.stream(tone + recipe))[0]
        let first = track.samples[0].decodeTime
        func place(_ seconds: Double) -> Int {
            let time = first + Int64(seconds * Double(track.timescale))
            return track.samples.firstIndex { $0.decodeTime >= time } ?? track.samples.count
        }
        let (left, right) = (place(start), place(end))
        return [track.part(0..<left), track.part(right..<track.samples.count)]
    }

    private func movie(_ parts: [TrackSamples]) throws -> [UInt8] {
        try MadeFilm(parts.map { [$0] }).whole
    }

    /// The sound that ffmpeg decodes, as numbers of 16 bits of one channel.
    private func decoded(_ file: [UInt8], _ name: String) throws -> [Int16] {
        let folder = try TemporaryDirectory()
        let path = try folder.write(file, to: name)
        let bytes = try FFmpeg.file("sound.raw", ["-i", path, "-ac", "1", "-f", "s16le"])
        return stride(from: 0, to: bytes.count - 1, by: 2).map {
            Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
        }
    }

    @Test(
        "is silence of its codec for AAC-LC, as long as the missing sound",
        arguments: ["mono", "stereo", "3.0", "4.0", "5.0", "5.1"])
    func silence(_ layout: String) throws {
        let parts = try source(["-af", "aformat=channel_layouts=\(layout)", "-c:a", "aac", "-b:a", "200k"])
        for (name, file) in [
            ("film.mp4", try movie(parts)), ("film.ts", try MadeTransport(parts.map { [$0] }).whole),
        ] {
            let sound = try decoded(file, name)
            #expect(abs(sound.count - 4 * 48_000) < 3000)
            // Behind the frame that fades out nothing is heard.
            #expect(sound[100_000..<140_000].allSatisfy { $0 == 0 }, "\(name)")
            #expect(sound[150_000..<180_000].contains { abs(Int($0)) > 100 })
        }
    }

    @Test("does not move later sound, and has whole frames without a gap")
    func times() throws {
        let parts = try source(["-c:a", "aac"])
        let tables = ReadTables(bytes: try movie(parts))
        let times = tables.times(of: 0)
        let expected = parts.flatMap { $0.samples.map(\.decodeTime) }
        let first = try #require(expected.first)
        #expect(Set(expected.map { Int($0 - first) }).isSubset(of: times))
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 1024 })
        #expect(times.count == expected.count + tables.samples(of: 0).count { $0.count < 10 })
    }

    @Test("is a longer frame of other codecs, and where less than a frame is missing")
    func others() throws {
        let dolby = ReadTables(bytes: try movie(source(["-c:a", "ac3"])))
        let times = dolby.times(of: 0)
        #expect(zip(times, times.dropFirst()).count { $1 - $0 != 1536 } == 1)
        #expect(times.last ?? 0 > 180_000)
        let short = try MadeFilm([[MadeMedia.sound()], [MadeMedia.sound(from: 94 * 1024 + 900)]])
        #expect(ReadTables(bytes: short.whole).times(of: 0).count == 188)
    }
}
