import AssetStore
import SystemPackage
import TestSupport
import Testing

@testable import AssetFiles

@Suite(
    "A transport stream that is made of an asset", .timeLimit(.minutes(3)),
    .enabled(if: EncodedStream.isPossible))
struct TransportFileTests {
    /// The times of packets in order, from the first of all.
    private func times(_ packets: ProbedPackets) -> [[Double]] {
        let first = packets.times.values.compactMap { $0.min() }.min() ?? 0
        return ["video", "audio"].map { (packets.times[$0] ?? []).sorted().map { $0 - first } }
    }

    private func probed(_ film: FilmFixture, _ file: AssetFile) async throws -> ProbedPackets {
        let folder = try TemporaryDirectory()
        return try await ProbedPackets(folder.write(film.bytes(file), to: "film.ts"))
    }

    @Test(
        "has the pictures and the frames of sound of fragmented MP4 at their times, and an exact length",
        arguments: [EncodedStream.fragments, .separate])
    func fragments(_ stream: EncodedStream) async throws {
        try await FilmFixture.run(stream) { film async throws in
            let file = try film.store.file(of: film.token, AssetFileChoice(.ts))
            let whole = try film.bytes(file)
            #expect(UInt64(whole.count) == file.length && whole.count % 188 == 0)
            #expect(try film.bytes(file, by: 7777) == whole)
            for start in [1, file.length / 2, file.length - 1, file.length] {
                #expect(try film.bytes(file, from: start) == Array(whole[Int(start)...]))
            }
            let expected = try await DecodedFilm.read(film.source)
            #expect(try await film.decoded(file).pictures == expected.pictures)
            let movie = try film.store.file(of: film.token, AssetFileChoice(.mp4))
            #expect(abs(file.duration - movie.duration) < 0.1)
            let own = times(try await probed(film, file))
            let source = times(try await ProbedPackets(film.source))
            for (own, source) in zip(own, source) {
                #expect(own.count == source.count)
                #expect(zip(own, source).allSatisfy { abs($0 - $1) <= 0.001 })
            }
        }
    }

    @Test("can be sound alone, or pictures alone")
    func tracks() async throws {
        try await FilmFixture.run(.separate) { film async throws in
            let mute = try film.store.file(of: film.token, AssetFileChoice(.ts, audio: []))
            let packets = try await probed(film, mute)
            #expect(packets.times["audio"] == nil && packets.times["video"]?.count == 150)
            let whole = try film.store.file(of: film.token, AssetFileChoice(.ts))
            #expect(mute.entityTag != whole.entityTag)
        }
        try await FilmFixture.run(.packets) { film async throws in
            let mute = try film.store.file(of: film.token, AssetFileChoice(.ts, audio: []))
            #expect(try await probed(film, mute).times["audio"] == nil)
        }
        try await FilmFixture.run(.sound) { film async throws in
            let sound = try film.store.file(of: film.token, AssetFileChoice(.ts))
            let packets = try await probed(film, sound)
            let expected = try await ProbedPackets(film.source)
            #expect(packets.times["video"] == nil)
            #expect(packets.times["audio"]?.count == expected.times["audio"]?.count)
        }
    }

    @Test("is split into one file for each stretch without a change of codecs")
    func parts() async throws {
        try await FilmFixture.run(.changing) { film async throws in
            for (part, seconds) in [(1, 6.0), (2, 4.0)] {
                let file = try film.store.file(of: film.token, AssetFileChoice(.ts, part: part))
                #expect(abs(file.duration - seconds) < 0.2)
                #expect(try await film.decoded(file).pictures.count == Int(seconds * 25))
            }
            let whole = refusal { _ = try film.store.file(of: film.token, AssetFileChoice(.ts)) }
            #expect(whole?.contains("codecChanges") == true && whole?.contains("at: 6") == true)
            let error = refusal { _ = try film.store.file(of: film.token, AssetFileChoice(.ts, part: 3)) }
            #expect(error == "noSuchPart(3, of: 2)")
        }
    }

    @Test("reports a segment that has changed since the layout")
    func changed() async throws {
        try await FilmFixture.run(.fragments) { film async throws in
            let file = try film.store.file(of: film.token, AssetFileChoice(.ts))
            let path = film.store.paths.rendition(film.token, "video")
            let other = try #require(try DurableWrite.read(path.appending("0.m4s")))
            try DurableWrite.write(other, to: path.appending("1.m4s"))
            #expect(refusal { _ = try film.bytes(file) } == #"changed(rendition: "video", segment: 1)"#)
        }
    }
}
