import AssetStore
import MediaContainers
import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import AssetFiles

@Suite("A file that is made of an asset", .timeLimit(.minutes(3)), .enabled(if: EncodedStream.isPossible))
struct WholeFileTests {
    @Test("is the same read from any place, in pieces of any size", arguments: [AssetFileFormat.mp4, .ts])
    func pieces(_ format: AssetFileFormat) async throws {
        try await FilmFixture.run(.packets) { film async throws in
            let file = try film.store.file(of: film.token, AssetFileChoice(format))
            let whole = try film.bytes(file)
            #expect(UInt64(whole.count) == file.length)
            #expect(try film.bytes(file, by: 7777) == whole)
            for start in [1, file.length / 2, file.length - 1, file.length] {
                #expect(try film.bytes(file, from: start) == Array(whole[Int(start)...]))
            }
            let behind = AssetFileReader(file, in: film.store).ready(at: file.length + 1, count: 1)
            #expect(try behind?.read().isEmpty == true)
            let (made, expected) = (try await film.decoded(file), try await DecodedFilm.read(film.source))
            #expect(made.pictures == expected.pictures && made.sound == expected.sound)
            #expect(abs(file.duration - 6) < 0.15)
        }
    }

    @Test("of fragmented MP4 in the clear leaves the samples in their files")
    func fragments() async throws {
        try await FilmFixture.run(.fragments) { film async throws in
            let file = try film.store.file(of: film.token, AssetFileChoice(.mp4))
            let (reader, start) = (AssetFileReader(file, in: film.store), UInt64(file.headSize))
            #expect(reader.ready(at: start, count: 1) == nil)
            try reader.load(at: start)
            guard case .file(let stored, _, let count)? = reader.ready(at: start, count: 1 << 20) else {
                Issue.record("samples are in memory")
                return
            }
            #expect(count > 0 && count < stored.size)
            let whole = try film.bytes(file)
            #expect(UInt64(whole.count) == file.length)
            #expect(try film.bytes(file, from: start + 1, by: 7777) == Array(whole[(Int(start) + 1)...]))
            let (made, expected) = (try await film.decoded(file), try await DecodedFilm.read(film.source))
            #expect(made.pictures == expected.pictures && made.sound == expected.sound)
        }
    }

    @Test("continues over discontinuities", arguments: [AssetFileFormat.mp4, .ts])
    func discontinuous(_ format: AssetFileFormat) async throws {
        try await FilmFixture.run(.discontinuous) { film async throws in
            let file = try film.store.file(of: film.token, AssetFileChoice(format))
            let expected = try await DecodedFilm.read(film.source)
            #expect(try await film.decoded(file).pictures == expected.pictures)
            #expect(abs(file.duration - 12) < 0.2)
        }
    }

    @Test("exists for each stretch without a change of codecs")
    func parts() async throws {
        try await FilmFixture.run(.changing) { film async throws in
            var choice = AssetFileChoice(.mp4)
            let error = refusal { _ = try film.store.file(of: film.token, choice) }
            #expect(error?.contains("codecChanges") == true && error?.contains("at: 6") == true)
            for (part, seconds) in [(1, 6.0), (2, 4.0)] {
                choice.part = part
                #expect(abs(try film.store.file(of: film.token, choice).duration - seconds) < 0.2)
            }
            for part in [0, 3] {
                choice.part = part
                #expect(
                    refusal { _ = try film.store.file(of: film.token, choice) }
                        == "noSuchPart(\(part), of: 2)")
            }
        }
    }

    @Test("exists for each stretch also where codecs change inside of a discontinuity")
    func unannouncedParts() async throws {
        try await FilmFixture.run(.changing) { folder in
            let text = String(decoding: try folder.read("index.m3u8"), as: UTF8.self)
            let joined = text.replacing("#EXT-X-DISCONTINUITY\n", with: "")
            try folder.write(Array(joined.utf8), to: "index.m3u8")
        } _: { film async throws in
            var choice = AssetFileChoice(.mp4)
            #expect(
                refusal { _ = try film.store.file(of: film.token, choice) }?.contains("at: 6") == true)
            for (part, seconds) in [(1, 6.0), (2, 4.0)] {
                choice.part = part
                let file = try film.store.file(of: film.token, choice)
                #expect(abs(file.duration - seconds) < 0.2)
                let pictures = try await film.decoded(file).pictures.count
                #expect(abs(Double(pictures) / 25 - seconds) < 0.1)
            }
        }
    }

    @Test("skips lost segments only on request")
    func gaps() async throws {
        try await FilmFixture.run(.packets) { folder in
            let text = String(decoding: try folder.read("index.m3u8"), as: UTF8.self)
            try folder.write(Array(text.replacing("1.ts", with: "#EXT-X-GAP\n1.ts").utf8), to: "index.m3u8")
        } _: { film async throws in
            var choice = AssetFileChoice(.mp4)
            #expect(
                refusal { _ = try film.store.file(of: film.token, choice) }
                    == #"gap(rendition: "video", at: 2.0)"#)
            let token = film.token
            try film.store.catalog.write(.asset(token)) { session in
                try session.execute("UPDATE unit SET start = start + 3")
            }
            #expect(
                refusal { _ = try film.store.file(of: token, choice) }
                    == #"gap(rendition: "video", at: 5.0)"#)
            choice.skipsGaps = true
            #expect(try await film.decoded(film.store.file(of: film.token, choice)).pictures.count == 100)
            #expect(try film.manifest.segments.count == 4)
        }
    }

    @Test("counts as a play of an encrypted asset when it is read, and not when it is made")
    func plays() async throws {
        try await FilmFixture.run(.encrypted) { film async throws in
            let file = try film.store.file(of: film.token, AssetFileChoice(.mp4))
            #expect(try film.store.reader.requireAsset(film.token).license.lastHandedOutAt == nil)
            _ = try film.bytes(file)
            await film.store.stop()
            let license = try StoreReader(root: film.store.paths.root).requireAsset(film.token).license
            #expect(license.lastHandedOutAt != nil)
        }
    }

    @Test("has the chosen tracks, and its name lists them")
    func tracks() async throws {
        try await FilmFixture.run(.packets) { film async throws in
            let whole = try film.store.file(of: film.token, AssetFileChoice(.mp4))
            let sound = try film.store.file(of: film.token, AssetFileChoice(.m4a))
            let mute = try film.store.file(of: film.token, AssetFileChoice(.mp4, audio: []))
            let expected = try await DecodedFilm.read(film.source)
            let (heard, seen) = (try await film.decoded(sound), try await film.decoded(mute))
            #expect(heard.sound == expected.sound)
            let folder = try TemporaryDirectory()
            let packets = try await ProbedPackets(folder.write(film.bytes(sound), to: "sound.m4a"))
            #expect(packets.times["video"] == nil && packets.times["audio"]?.isEmpty == false)
            #expect(seen.pictures == expected.pictures && seen.sound != expected.sound)
            #expect(Set([whole, sound, mute].map(\.entityTag)).count == 3)
        }
    }

    @Test("has sound of a separate rendition", arguments: [AssetFileFormat.mp4, .ts])
    func separate(_ format: AssetFileFormat) async throws {
        try await FilmFixture.run(.separate) { film async throws in
            let whole = try film.store.file(of: film.token, AssetFileChoice(format))
            let (made, expected) = (try await film.decoded(whole), try await DecodedFilm.read(film.source))
            #expect(made.pictures == expected.pictures)
            #expect(format == .ts || made.sound == expected.sound)
        }
    }

    @Test("reports a segment that has changed since the layout was made")
    func changed() async throws {
        try await FilmFixture.run(.packets) { film async throws in
            let file = try film.store.file(of: film.token, AssetFileChoice(.mp4))
            let path = film.store.paths.rendition(film.token, "video")
            let other = try #require(try DurableWrite.read(path.appending("0.ts")))
            try DurableWrite.write(other, to: path.appending("1.ts"))
            let error = refusal { _ = try film.bytes(file) }
            #expect(error == #"changed(rendition: "video", segment: 1)"#)
        }
    }

    @Test("has the chapters that the stream lists, in order, without those that have no time")
    func chapters() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            let list =
                #"[{"start-time":4,"titles":[{"title":"Two"}]},{"start-time":0},{"titles":[]},{"start-time":-1}]"#
            fixture.origin.serve("/chapters.json", text: list, contentType: "application/json")
            let tag =
                #"#EXT-X-SESSION-DATA:DATA-ID="com.apple.hls.chapters",FORMAT=JSON,URI="chapters.json""#
            fixture.origin.serve(
                "/master.m3u8", text: Playlists.master(tag, Playlists.variant("v/index.m3u8", 1000)))
            let token = try await fixture.download("/master.m3u8").token
            let chapters = AssetChapters(store: fixture.store, token: token).list
            #expect(chapters.map(\.start) == [0, 4] && chapters.map(\.title) == ["2", "Two"])
        }
    }
}
