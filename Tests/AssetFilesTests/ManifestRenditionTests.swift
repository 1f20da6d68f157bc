import AssetStore
import TestSupport
import Testing

@testable import AssetFiles

@Suite("The renditions in a DASH manifest", .timeLimit(.minutes(1)))
struct ManifestRenditionTests {
    private static let (picture, sound) = (MadeTrack.picture(width: 160), MadeTrack.sound(rate: 48_000))
    private static let renditions = [
        MadeRendition.even([picture], name: "v"), .even([sound], name: "d"), .even([sound], name: "e"),
    ]
    private static let group = "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\""
    private static let variant = "#EXT-X-STREAM-INF:BANDWIDTH=1000,RESOLUTION=160x90,AUDIO=\"a\""
    private static let master = [
        group + ",NAME=\"Deutsch\",LANGUAGE=\"de\",URI=\"d.m3u8\"",
        group + ",NAME=\"English\",LANGUAGE=\"en\",URI=\"e.m3u8\"", variant, "v.m3u8",
    ]

    private func rows(_ film: FilmFixture) throws -> [RenditionRecord] {
        try film.store.catalog.renditions.all(of: [film.token])[film.token] ?? []
    }

    /// How many adaptation sets have pictures, and how many have sound.
    private func sets(_ film: FilmFixture) throws -> [Int] {
        let manifest = try film.manifest
        return ["video", "audio"].map { manifest.count("contentType=\"\($0)\"") }
    }

    @Test("are not those that have failed")
    func failed() async throws {
        try await FilmFixture.run(made: Self.renditions, master: Self.master) { film async throws in
            #expect(try sets(film) == [1, 2])
            let id = try #require(try rows(film).first { $0.language == "en" }).id
            try film.store.catalog.write(.asset(film.token)) { session in
                try session.execute("UPDATE rendition SET failure = ? WHERE id = ?", ["gone", id])
            }
            #expect(try sets(film) == [1, 1])
            #expect(try film.manifest.count(#"lang="en""#) == 0)
        }
    }

    @Test("are not those that are neither whole nor needed; one that is needed has to be whole")
    func optional() async throws {
        try await FilmFixture.run(made: Self.renditions, master: Self.master) { film async throws in
            let row = try #require(try rows(film).first { $0.language == "en" })
            func need(_ isNeeded: Bool) throws {
                try film.store.catalog.write(.asset(film.token)) { session in
                    try session.execute("UPDATE rendition SET required = ? WHERE id = ?", [isNeeded, row.id])
                }
            }
            try need(false)
            #expect(try sets(film) == [1, 2])
            try film.store.catalog.units.markAbsent([
                AbsentRow(rendition: row.id, kind: .segment, number: 1, finding: .gone)
            ])
            #expect(try sets(film) == [1, 1])
            try need(true)
            let refused = refusal { _ = try film.manifest }
            #expect(refused?.hasPrefix("incomplete(rendition: \"\(row.name)\"") == true)
        }
    }

    @Test("have the sound of a variant with that variant, if it is not in a stream of its own")
    func carried() async throws {
        let stream = MadeRendition.even([Self.picture, Self.sound], name: "v")
        let master = [Self.group + ",NAME=\"Deutsch\",LANGUAGE=\"de\"", Self.variant, "v.m3u8"]
        try await FilmFixture.run(made: [stream], master: master) { film async throws in
            let carried = try rows(film).filter { !$0.hasPlaylist }
            #expect(carried.map(\.kind) == [.audio] && carried.map(\.language) == ["de"])
            #expect(try sets(film) == [1, 1])
        }
    }

    @Test("are those with pictures or sound; the segments of subtitles are in none")
    func subtitles() async throws {
        var files = Self.renditions[0].files
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:8\n#EXTINF:8,\nt.vtt\n#EXT-X-ENDLIST\n"
        let cue = "WEBVTT\n\n00:01.000 --> 00:02.000\nHier\n"
        let master = """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="Deutsch",LANGUAGE="de",URI="t.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=1000,RESOLUTION=160x90,SUBTITLES="s"
            v.m3u8

            """
        for (name, content) in [("t.m3u8", text), ("t.vtt", cue), ("master.m3u8", master)] {
            files.append((name, Array(content.utf8)))
        }
        try await FilmFixture.run(playlist: "master.m3u8", files: files) { film async throws in
            let kinds = try rows(film).filter(\.hasPlaylist).map(\.kind)
            #expect(kinds.contains(.subtitles) && kinds.contains(.variant) && kinds.count == 2)
            #expect(try sets(film) == [1, 0])
            #expect(try film.manifest.count("<Representation id=\"video-90p\"") == 1)
        }
    }

    @Test("name the codecs of their sound in the order of the stream")
    func codecs() async throws {
        let other = MadeTrack.sound(rate: 48_000, type: "alac")
        try await FilmFixture.run(made: [.even([Self.sound, other])]) { film async throws in
            let stream = try ManifestStream(try #require(try film.indexed()))
            #expect(stream.codecs == ["mp4a", "alac"] && stream.isSound)
            #expect(try film.manifest.count(#"codecs="mp4a,alac""#) == 1)
        }
        try await FilmFixture.run(made: [.even([Self.sound, Self.picture, other])]) { film async throws in
            let stream = try ManifestStream(try #require(try film.indexed()))
            #expect(stream.codecs == ["avc1.42001E", "mp4a", "alac"] && !stream.isSound)
            #expect(stream.parts.map(\.codecs) == [["avc1.42001E"], ["mp4a"]])
        }
    }
}
