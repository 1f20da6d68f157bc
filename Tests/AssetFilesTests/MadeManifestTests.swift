import AssetStore
import TestSupport
import Testing

@testable import AssetFiles

@Suite("A DASH manifest of samples at known times", .timeLimit(.minutes(1)))
struct MadeManifestTests {
    private static let picture = MadeTrack.picture(width: 160)
    private static let sound = MadeTrack.sound(rate: 48_000)

    /// The lines of a multivariant playlist with variants, and sound apart.
    private func master(_ variants: [(name: String, size: String)], sound: [String] = []) -> [String] {
        let group = sound.isEmpty ? "" : ",AUDIO=\"a\""
        return sound
            + variants.enumerated().flatMap { index, variant in
                [
                    "#EXT-X-STREAM-INF:BANDWIDTH=\(1000 * (index + 1)),RESOLUTION=\(variant.size)\(group)",
                    "\(variant.name).m3u8",
                ]
            }
    }

    private func media(_ name: String, _ title: String, _ language: String, _ more: String = "") -> String {
        "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"\(title)\",LANGUAGE=\"\(language)\""
            + ",URI=\"\(name).m3u8\"" + more
    }

    @Test("names the parts of a stream, with the numbers and the times of its segments")
    func parts() async throws {
        var stream = MadeRendition.even([Self.picture, Self.sound])
        stream.first = 7
        try await FilmFixture.run(made: [stream]) { film async throws in
            let manifest = try film.manifest
            let expected = [
                #"type="static" mediaPresentationDuration="PT8.0S""#, "profile:isoff-live:2011",
                #"<Period id="0" start="PT0.0S" duration="PT8.0S"><AdaptationSet id="0" contentType="video""#,
                #"<AdaptationSet id="1" contentType="audio""#,
                #"<Representation id="video" codecs="avc1.42001E" bandwidth=""#,
                #" width="160" height="90"><SegmentTemplate timescale="90000" "#,
                #"presentationTimeOffset="900000" "#,
                #"startNumber="7" media="video/$Number$.m4s?container=fmp4&amp;tracks=video""#,
                #" initialization="video/init-0.mp4?container=fmp4&amp;tracks=audio""#,
                #"<Representation id="video-sound" codecs="mp4a" bandwidth=""#,
                #"<SegmentTimeline><S t="900000" d="360000"/><S t="1260000" d="360000"/></SegmentTimeline>"#,
            ]
            for part in expected { #expect(manifest.text.contains(part), "\(part) in \(manifest.text)") }
            #expect(manifest.count(#"value="main""#) == 2 && manifest.count("<SegmentList") == 0)
            // What is stored by the length of the playlist, in bits of a second.
            let bytes = try #require(try film.row()).storedBytes
            #expect(manifest.count(" bandwidth=\"\(bytes)\"") == 2)
        }
    }

    @Test("lists segments one by one where one is lost; the one before lasts until the next one begins")
    func lost() async throws {
        var stream = MadeRendition.even([Self.picture], count: 3)
        stream.segments[1].tags = "#EXT-X-GAP\n"
        try await FilmFixture.run(made: [stream]) { film async throws in
            let manifest = try film.manifest
            #expect(manifest.text.contains("profile:isoff-main:2011"))
            #expect(manifest.segments.map(\.time) == [900_000, 1_620_000])
            #expect(manifest.segments.map(\.duration) == [720_000, 360_000])
            #expect(manifest.text.contains(#"<SegmentURL media="video/2.m4s?decrypt=1"/>"#))
            #expect(manifest.text.contains(#"<Initialization sourceURL="video/init-0.mp4?decrypt=1"/>"#))
            #expect(manifest.count("<SegmentURL ") == 2)
        }
    }

    @Test("has variants in one set if a player may switch between them, else in several")
    func interchangeable() async throws {
        let plain = MadeRendition.even([Self.picture], name: "a")
        let cases: [(String, MadeRendition, Int)] = [
            ("another size", .even([.picture(width: 320)], name: "b"), 1),
            ("a millisecond later", .even([Self.picture], name: "b", from: 900_090), 1),
            ("more than that", .even([Self.picture], name: "b", from: 900_091), 2),
            ("a millisecond earlier", .even([Self.picture], name: "b", from: 899_910), 1),
            ("another codec", .even([.picture(width: 160, type: "avc3")], name: "b"), 2),
            ("one segment less", .even([Self.picture], name: "b", count: 1), 2),
            ("one segment more", .even([Self.picture], name: "b", count: 3), 2),
        ]
        for (name, other, sets) in cases {
            let lines = master([("a", "160x90"), ("b", "320x180")])
            try await FilmFixture.run(made: [plain, other], master: lines) { film async throws in
                let manifest = try film.manifest
                #expect(manifest.count("<Representation ") == 2, "\(name)")
                #expect(manifest.count("<AdaptationSet ") == sets, "\(name)")
            }
        }
    }

    @Test("has sound of each language and name in a set of its own, of which the default is the main one")
    func languages() async throws {
        let names = ["d", "e", "f"]
        let sound = [
            media("d", "Deutsch", "de", ",DEFAULT=YES"), media("e", "English", "en"),
            media("f", "A & B <C>", "en"),
        ]
        var renditions = names.map { MadeRendition.even([Self.sound], name: $0) }
        renditions.append(.even([Self.picture], name: "v"))
        let lines = master([("v", "160x90")], sound: sound)
        try await FilmFixture.run(made: renditions, master: lines) { film async throws in
            let manifest = try film.manifest
            #expect(manifest.count("<AdaptationSet ") == 4 && manifest.count(#"contentType="audio""#) == 3)
            #expect(manifest.count(#"value="main""#) == 2 && manifest.count(#"value="alternate""#) == 2)
            #expect(manifest.count(#" lang="en"><Label>"#) == 2)
            #expect(manifest.text.contains("<Label>A &amp; B &lt;C>"))
            #expect(manifest.text.contains(#"id="video-90p" codecs="avc1.42001E" bandwidth="1000""#))
        }
    }

    @Test("has one timeline for discontinuities that are coded alike, ten seconds after its beginning")
    func oneTimeline() async throws {
        var stream = MadeRendition.even([Self.picture, Self.sound], from: 9_000_000)
        stream.segments[1].start = 450_000
        stream.segments[1].tags = "#EXT-X-DISCONTINUITY\n"
        try await FilmFixture.run(made: [stream]) { film async throws in
            let manifest = try film.manifest
            #expect(manifest.count("<Period ") == 1 && manifest.text.contains(#"duration="PT8.0S""#))
            #expect(manifest.segments.map(\.time) == [900_000, 1_260_000, 900_000, 1_260_000])
            #expect(manifest.segments.allSatisfy { $0.duration == 360_000 })
            let address = "video/1.m4s?container=fmp4&amp;tracks=audio&amp;at=1260000"
            #expect(manifest.text.contains(#"<SegmentURL media="\#(address)"/>"#))
            let section = "video/init-0.mp4?container=fmp4&amp;tracks=video&amp;at=0"
            #expect(manifest.count(#"<Initialization sourceURL="\#(section)"/>"#) == 1)
        }
    }

    @Test("has one period if only pictures change their size, and several if sound changes its rate")
    func uniform() async throws {
        let cases: [([MadeTrack], Int)] = [
            ([.picture(width: 320), Self.sound], 1), ([Self.picture, .sound(rate: 44_100)], 2),
            ([.picture(width: 160, type: "avc3"), Self.sound], 2), ([Self.picture], 1),
        ]
        for (tracks, periods) in cases {
            var stream = MadeRendition.even([Self.picture, Self.sound])
            stream.segments[1].tracks = tracks
            stream.segments[1].tags = "#EXT-X-DISCONTINUITY\n"
            try await FilmFixture.run(made: [stream]) { film async throws in
                #expect(try film.manifest.count("<Period ") == periods, "\(tracks)")
            }
        }
    }

    @Test("cuts subtitles where the first stream begins a period, which lasts as long as its longest stream")
    func periods() async throws {
        var pictures = MadeRendition.even([Self.picture], name: "v")
        var sound = MadeRendition.even([Self.sound], name: "s", from: 922_500)
        for index in 0..<2 { sound.segments[index].listed = 4.5 }
        (pictures.segments[1].start, sound.segments[1].start) = (1_800_000, 1_800_000)
        pictures.segments[1].tags = "#EXT-X-DISCONTINUITY\n"
        sound.segments[1].tags = "#EXT-X-DISCONTINUITY\n"
        sound.segments[1].tracks = [.sound(rate: 44_100)]
        let lines = master([("v", "160x90")], sound: [media("s", "Deutsch", "de")])
        try await FilmFixture.run(made: [pictures, sound], master: lines) { film async throws in
            let folder = try TemporaryDirectory()
            let file = try folder.write(Array("WEBVTT\n\n00:01.000 --> 00:07.000\nHier\n".utf8), to: "a.vtt")
            try await film.store.tracks.addSubtitles(
                [SubtitleSource(source: file, language: "de")], to: film.token)
            let text = try film.manifest.text
            // From 10 s of the pictures to 14.25 s of the sound, and then four seconds.
            #expect(text.contains(#"<Period id="0" start="PT0.0S" duration="PT4.25S">"#), "\(text)")
            #expect(text.contains(#"<Period id="1" start="PT4.25S" duration="PT4.0S">"#))
            #expect(text.contains(#"mediaPresentationDuration="PT8.25S""#))
            #expect(text.contains(#"presentationTimeOffset="1800000""#))
            #expect(text.contains("subtitles-de.vtt?t=0.0,4.0<") && text.contains("subtitles-de.vtt?t=4.0<"))
            #expect(text.ranges(of: #"<AdaptationSet id="2" contentType="text""#).count == 2)
        }
    }
}
