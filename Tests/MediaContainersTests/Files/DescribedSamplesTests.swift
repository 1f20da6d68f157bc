import MediaContainers
import TestSupport
import Testing

/// Samples that are written into a track that was begun with other descriptions.
@Suite("Samples of another description", .enabled(if: FFmpeg.runs, "ffmpeg is missing"))
struct DescribedSamplesTests {
    private static func pictures(_ size: String) throws -> TrackSamples {
        let picture = ["-f", "lavfi", "-i", "testsrc2=s=\(size):r=25"]
        return try #require(
            try TransportSampleTests.tracks(
                FFmpeg.stream(picture + StreamShape.encoder + ["-t", "1", "-g", "10", "-bf", "0"])
            ).first)
    }

    @Test("bring their parameter sets along before each picture with which decoding can begin")
    func sets() throws {
        let (small, large) = (try Self.pictures("64x48"), try Self.pictures("128x96"))
        let writer = FragmentWriter(tracks: [OutputTrack(number: 1, of: small)])
        let movie = try MovieTrack.all(in: writer.initializationSection)
        let segment = writer.segment([large], sequenceNumber: 1)
        let read = try #require(try SegmentFragments(segment, movie: movie).samples(of: segment).first)
        #expect(read.samples.count == large.samples.count)
        #expect(read.samples.allSatisfy { $0.description == 0 })
        for (made, source) in zip(read.samples, large.samples) {
            #expect((made.size > source.size) == source.isSync)
        }
        // The first unit is the sequence parameter set.
        #expect(read.bytes[4] & 31 == 7)
        #expect(large.samples.count(where: \.isSync) == 3)
        var expected = large.withParameterSets
        (expected.descriptions, expected.number) = (movie[0].descriptions, 1)
        let isSame = read == expected
        #expect(isSame)
    }

    @Test("stay as they are where they have the description of the track")
    func same() throws {
        let small = try Self.pictures("64x48")
        let writer = FragmentWriter(tracks: [OutputTrack(number: 1, of: small)])
        let movie = try MovieTrack.all(in: writer.initializationSection)
        let segment = writer.segment([small], sequenceNumber: 1)
        let read = try #require(try SegmentFragments(segment, movie: movie).samples(of: segment).first)
        #expect(read.bytes == small.bytes)
    }

    @Test("have times in the timescale of the track")
    func timescale() throws {
        var other = MadeMedia.sound(from: 44_100, count: 500)
        other.timescale = 44_100
        let writer = FragmentWriter(tracks: [OutputTrack(number: 1, of: MadeMedia.sound())])
        let movie = try MovieTrack.all(in: writer.initializationSection)
        let segment = writer.segment([other], sequenceNumber: 1)
        let read = try SegmentFragments(segment, movie: movie).tracks[0].samples
        #expect(read[0].decodeTime == 48_000)
        let expected: Double = 48_000 + 499 * 1024 * 48_000 / 44_100
        #expect(abs(Double(read[499].decodeTime) - expected) < 1)
    }
}
