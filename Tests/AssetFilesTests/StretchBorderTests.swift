import AssetStore
import MediaContainers
import SystemPackage
import TestSupport
import Testing

@testable import AssetFiles

@Suite("The segments of a transport stream as one file", .timeLimit(.minutes(1)))
struct StretchBorderTests {
    private static let segments = MadePackets.sound([MadePackets.stereo, MadePackets.stereo])

    @Test("are loaded one by one; the end of the file is ready before any of them")
    func borders() async throws {
        try await FilmFixture.run(segments: Self.segments, "ts") { film async throws in
            let file = try film.store.file(of: film.token, AssetFileChoice(.ts))
            let second = UInt64(Self.segments[0].count)
            #expect(file.length == second + UInt64(Self.segments[1].count))
            let reader = AssetFileReader(file, in: film.store)
            let end = try #require(reader.ready(at: file.length, count: 1))
            #expect(try end.read().isEmpty)
            try reader.load(at: file.length)
            for offset in [0, second - 1, second, file.length - 1] {
                #expect(reader.ready(at: offset, count: 1) == nil, "\(offset)")
            }
            try reader.load(at: file.length - 1)
            let first = try #require(reader.ready(at: second, count: 10))
            #expect(try first.read().count == 10)
            let last = try #require(reader.ready(at: file.length - 1, count: 10))
            #expect(try last.read().count == 1)
            #expect(reader.ready(at: second - 1, count: 1) == nil)
            try reader.load(at: second - 1)
            let border = try #require(reader.ready(at: second - 1, count: 10))
            #expect(try border.read().count == 1)
            #expect(reader.ready(at: 0, count: 1) != nil && reader.ready(at: second, count: 1) == nil)
        }
    }
}

@Suite("Segments of a transport stream that are read in order", .timeLimit(.minutes(1)))
struct ReadOnceTests {
    private static let headers = [[UInt8]](repeating: MadePackets.stereo, count: 3)
    private static let segments = MadePackets.sound(headers)

    @Test("are read once each: of the next segment, the bytes that were read ahead are used")
    func once() async throws {
        try await FilmFixture.run(segments: Self.segments, "ts") { film async throws in
            let folder = film.store.paths.rendition(film.token, "video")
            var sampler = try film.sampler
            for place in 0..<3 {
                let segment = try sampler.segment(at: place)
                let samples = segment.tracks.first?.samples ?? []
                #expect(samples.count == 3 && segment.clearSize == Self.segments[place].count)
                #expect(samples.first?.decodeTime == Int64(480_000 + place * 4608))
                if place < 2 { try FileSystem.unlink(folder.appending("\(place + 1).ts")) }
            }
        }
    }

    @Test("are read again when they were forgotten")
    func forgotten() async throws {
        try await FilmFixture.run(segments: Self.segments, "ts") { film async throws in
            let folder = film.store.paths.rendition(film.token, "video")
            var sampler = try film.sampler
            _ = try sampler.segment(at: 0)
            try FileSystem.unlink(folder.appending("1.ts"))
            sampler.forget()
            let refused = refusal { _ = try sampler.segment(at: 1) }
            #expect(refused != nil)
        }
    }
}
