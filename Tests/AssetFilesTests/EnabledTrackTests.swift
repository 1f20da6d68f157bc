import AssetStore
import MediaContainers
import TestSupport
import Testing

@testable import AssetFiles

@Suite("The tracks of a file that players take by themselves", .timeLimit(.minutes(1)))
struct EnabledTrackTests {
    private static let (picture, sound) = (MadeTrack.picture(width: 160), MadeTrack.sound(rate: 48_000))

    /// Whether each track of a file is enabled (ISO/IEC 14496-12, section 8.3.2: bit 0 of the flags).
    private func enabled(_ film: FilmFixture, _ format: AssetFileFormat) throws -> [Bool] {
        let file = try film.store.file(of: film.token, AssetFileChoice(format))
        let head = Array(try film.bytes(file).prefix(file.headSize))
        // The flags are the last three of the four bytes behind the name.
        return head.ranges(of: "tkhd".utf8).map { head[$0.upperBound + 3] & 1 == 1 }
    }

    @Test("are the first one with pictures and the first one with sound")
    func muxed() async throws {
        let stream = MadeRendition.even([Self.sound, .sound(rate: 44_100), Self.picture])
        try await FilmFixture.run(made: [stream]) { film async throws in
            #expect(try enabled(film, .mp4) == [true, true, false])
            #expect(try enabled(film, .m4a) == [true, false])
        }
    }

    @Test("are the pictures and the default sound, where sound is in renditions of its own")
    func separate() async throws {
        let renditions = [
            MadeRendition.even([Self.picture], name: "v"), .even([Self.sound], name: "d"),
            .even([Self.sound], name: "e"),
        ]
        let media = "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\""
        let master = [
            media + ",NAME=\"English\",LANGUAGE=\"en\",URI=\"e.m3u8\"",
            media + ",NAME=\"Deutsch\",LANGUAGE=\"de\",DEFAULT=YES,URI=\"d.m3u8\"",
            "#EXT-X-STREAM-INF:BANDWIDTH=1000,RESOLUTION=160x90,AUDIO=\"a\"", "v.m3u8",
        ]
        try await FilmFixture.run(made: renditions, master: master) { film async throws in
            #expect(try enabled(film, .mp4) == [true, true, false])
        }
    }
}

@Suite("The only part of an asset", .timeLimit(.minutes(1)))
struct OnlyPartTests {
    @Test("is the whole asset")
    func whole() async throws {
        let stream = MadeRendition.even([.picture(width: 160), .sound(rate: 48_000)])
        try await FilmFixture.run(made: [stream]) { film async throws in
            let whole = try film.store.file(of: film.token, AssetFileChoice(.mp4))
            let part = try film.store.file(of: film.token, AssetFileChoice(.mp4, part: 1))
            #expect(try film.bytes(part) == film.bytes(whole))
            let none = refusal { _ = try film.store.file(of: film.token, AssetFileChoice(.mp4, part: 2)) }
            #expect(none == "noSuchPart(2, of: 1)")
        }
    }
}
