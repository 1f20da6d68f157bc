import AssetStore
import MediaContainers
import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import AssetFiles

@Suite("A reader of a file that is made of an asset", .timeLimit(.minutes(1)))
struct ReadAheadTests {
    /// Three segments of pictures, which lie one behind the other in the file.
    private static let stream = MadeRendition.even([.picture(width: 160)], count: 3)

    /// A file of the segments, where the first of them begins in it, and how many bytes each has.
    private func layout(of film: FilmFixture) throws -> (file: AssetFile, start: UInt64, size: UInt64) {
        let file = try film.store.file(of: film.token, AssetFileChoice(.mp4))
        let size = UInt64(Self.stream.segments[0].samples()[0].bytes.count)
        #expect(file.length == UInt64(file.headSize) + 3 * size)
        return (file, UInt64(file.headSize), size)
    }

    @Test("opens the segment of an offset when it is loaded, and tells once where that has begun")
    func loading() async throws {
        try await FilmFixture.run(made: [Self.stream]) { film async throws in
            let (file, start, size) = try layout(of: film)
            let reader = AssetFileReader(file, in: film.store)
            #expect(reader.ready(at: start - 1, count: 1) != nil && reader.ready(at: start, count: 1) == nil)
            #expect(reader.takeTurn() == nil)
            try reader.load(at: start + 3)
            #expect(reader.takeTurn() == start + 3 && reader.takeTurn() == nil)
            for offset in [start, start + size - 1] { #expect(reader.ready(at: offset, count: 1) != nil) }
            #expect(reader.ready(at: start + size, count: 1) == nil)
            // The head has no segment, and the end has none.
            for offset in [0, start - 1, file.length] { try reader.load(at: offset) }
            #expect(reader.takeTurn() == nil && reader.ready(at: start, count: 1) != nil)
            try reader.load(at: start + size)
            #expect(reader.takeTurn() == start + size && reader.ready(at: start, count: 1) == nil)
        }
    }

    @Test("opens the next segment ahead if the response goes so far, and then no other one")
    func ahead() async throws {
        try await FilmFixture.run(made: [Self.stream]) { film async throws in
            let (file, start, size) = try layout(of: film)
            let (second, third) = (start + size, start + 2 * size)
            let reader = AssetFileReader(file, in: film.store)
            try reader.load(at: start)
            #expect(reader.takeTurn() == start)
            reader.loadAhead(of: start, upTo: second)
            #expect(reader.ready(at: second, count: 1) == nil)
            reader.loadAhead(of: start + 1, upTo: second + 1)
            // One is open ahead already.
            reader.loadAhead(of: start, upTo: file.length)
            #expect(reader.ready(at: third, count: 1) == nil && reader.takeTurn() == nil)
            #expect(reader.ready(at: start, count: 1) != nil)
            #expect(reader.ready(at: second + 5, count: 1) != nil)
            #expect(reader.takeTurn() == second + 5 && reader.takeTurn() == nil)
            #expect(reader.ready(at: start, count: 1) == nil)
            reader.loadAhead(of: second, upTo: file.length)
            // A segment that is open ahead is not read again.
            try reader.load(at: third)
            #expect(reader.takeTurn() == nil && reader.ready(at: second, count: 1) != nil)
            #expect(reader.ready(at: third, count: 1) != nil && reader.takeTurn() == third)
            reader.loadAhead(of: third, upTo: file.length)
            #expect(reader.ready(at: file.length, count: 1) != nil && reader.takeTurn() == nil)
        }
    }

    @Test("gives the same bytes with segments that were opened ahead", arguments: [1, 7, 10_000])
    func same(_ count: Int) async throws {
        var renditions = [MadeRendition.even([.picture(width: 160)], name: "v", count: 3)]
        renditions.append(.even([.sound(rate: 48_000)], name: "s", count: 3))
        let master = [
            "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"Deutsch\",LANGUAGE=\"de\",URI=\"s.m3u8\"",
            "#EXT-X-STREAM-INF:BANDWIDTH=1000,RESOLUTION=160x90,AUDIO=\"a\"", "v.m3u8",
        ]
        try await FilmFixture.run(made: renditions, master: master) { film async throws in
            let file = try film.store.file(of: film.token, AssetFileChoice(.mp4))
            let reader = AssetFileReader(file, in: film.store)
            var bytes: [UInt8] = []
            while UInt64(bytes.count) < file.length {
                let offset = UInt64(bytes.count)
                reader.loadAhead(of: offset, upTo: file.length)
                if reader.ready(at: offset, count: count) == nil { try reader.load(at: offset) }
                let piece = try #require(reader.ready(at: offset, count: count)).read()
                try #require(!piece.isEmpty && piece.count <= count)
                bytes += piece
            }
            #expect(try film.bytes(file) == bytes && UInt64(bytes.count) == file.length)
        }
    }

    @Test("keeps nothing of a segment that it can't open ahead, and tells why when that is loaded")
    func damaged() async throws {
        try await FilmFixture.run(made: [Self.stream]) { film async throws in
            let (file, start, size) = try layout(of: film)
            let folder = film.store.paths.rendition(film.token, "video")
            try DurableWrite.write([1, 2, 3], to: folder.appending("1.m4s"))
            try FileSystem.unlink(folder.appending("2.m4s"))
            let reader = AssetFileReader(file, in: film.store)
            try reader.load(at: start)
            reader.loadAhead(of: start, upTo: file.length)
            #expect(reader.ready(at: start + size, count: 1) == nil)
            let unreadable = refusal { try reader.load(at: start + size) }
            #expect(unreadable?.hasPrefix(#"unreadable(rendition: "video", segment: 1"#) == true)
            let changed = refusal { try reader.load(at: start + 2 * size) }
            #expect(changed == #"changed(rendition: "video", segment: 2)"#)
            #expect(reader.ready(at: start, count: 1) != nil)
        }
    }
}
