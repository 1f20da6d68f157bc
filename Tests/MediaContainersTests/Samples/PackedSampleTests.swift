import MediaContainers
import Testing

/// Packed audio, compared with the packets that ffmpeg reads in a transport stream of the same sound.
@Suite("Packed audio", .enabled(if: FFmpeg.runs, "ffmpeg is missing"))
struct PackedSampleTests {
    /// A tag with a time stamp (RFC 8216bis, section 3.4), of version 2.4 or 2.3.
    private static func tag(_ stamp: UInt64, version: UInt8 = 4) -> [UInt8] {
        let owner = Array("com.apple.streaming.transportStreamTimestamp".utf8) + [0]
        let frame =
            Array("PRIV".utf8) + [0, 0, 0, UInt8(owner.count + 8), 0, 0] + owner
            + (0..<8).map { UInt8(truncatingIfNeeded: stamp >> (56 - 8 * UInt64($0))) }
        return Array("ID3".utf8) + [version, 0, 0, 0, 0, 0, UInt8(frame.count)] + frame
    }

    private static func packed(_ codec: [String], _ format: String) throws -> [UInt8] {
        try FFmpeg.stream(StreamShape.sound + ["-t", "2", "-f", format] + codec, "sound.\(format)")
    }

    @Test(
        "frames are the samples of a transport stream with the same sound",
        arguments: [
            ("adts", ["-c:a", "aac", "-b:a", "64k"]), ("mp3", ["-c:a", "libmp3lame", "-write_xing", "0"]),
            ("ac3", ["-c:a", "ac3"]), ("eac3", ["-c:a", "eac3"]),
        ])
    func samples(_ format: String, _ codec: [String]) throws {
        let bytes = try Self.packed(codec, format)
        let stream = try FFmpeg.stream(StreamShape.sound + ["-t", "2"] + codec.prefix(4))
        let other = try #require(try TransportSampleTests.tracks(stream).first)
        var reader = PackedSamples()
        let track = try reader.read(Self.tag(1 << 33 - 90_000) + bytes)
        #expect(track.descriptions == other.descriptions)
        #expect(track.bytes == other.bytes)
        #expect(track.samples.map(\.size) == other.samples.map(\.size))
        #expect(track.samples[0].decodeTime == (1 << 33 - 90_000) * Int64(track.timescale) / 90_000)
        #expect(track.samples.allSatisfy { $0.duration == other.samples[0].duration })
    }

    @Test("continues at the end of the segment before, with a wrapped time stamp and without one")
    func segments() throws {
        let bytes = try Self.packed(["-c:a", "aac", "-b:a", "64k"], "adts")
        let whole = try PackedSamples.all([Self.tag(1 << 33 - 1920) + bytes])
        // The end of the tenth frame, and a place within the next one.
        let frames = Self.frames(bytes)
        let end = frames.prefix(10).reduce(0, +)
        let (first, second) = (Array(bytes[..<end]), Array(bytes[end...]))
        let stamp = UInt64(9 * 1920)
        #expect(try PackedSamples.all([Self.tag(1 << 33 - 1920) + first, Self.tag(stamp) + second]) == whole)
        #expect(try PackedSamples.all([Self.tag(1 << 33 - 1920, version: 3) + first, second]) == whole)
        let cut = [Self.tag(1 << 33 - 1920) + bytes[..<(end + 30)], Array(bytes[(end + 30)...])]
        #expect(try PackedSamples.all(cut) == whole)
    }

    private static func frames(_ bytes: [UInt8]) -> [Int] {
        var (place, lengths) = (0, [Int]())
        while place + 7 <= bytes.count {
            let length =
                Int(bytes[place + 3] & 3) << 11 | Int(bytes[place + 4]) << 3 | Int(bytes[place + 5] >> 5)
            lengths.append(length)
            place += length
        }
        return lengths
    }

    @Test("skips tags between frames and at the end, and refuses other bytes")
    func tags() throws {
        let bytes = try Self.packed(["-c:a", "aac", "-b:a", "64k"], "adts")
        let end = Self.frames(bytes).prefix(20).reduce(0, +)
        let tagged = bytes[..<end] + Self.tag(5) + bytes[end...] + Array("TAG".utf8)
        #expect(try PackedSamples.all([Array(tagged)]) == PackedSamples.all([bytes]))
        #expect(throws: SampleError.unknownContainer) { try PackedSamples.all([Array("<html></html>".utf8)]) }
        #expect(throws: SampleError.unknownContainer) { try PackedSamples.all([[]]) }
    }
}

extension PackedSamples {
    /// The samples of segments that are read one after the other.
    fileprivate static func all(_ segments: [[UInt8]]) throws -> [MediaSample] {
        var reader = PackedSamples()
        return try segments.flatMap { try reader.read($0).samples }
    }
}
