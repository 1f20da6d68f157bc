import AssetStore
import TestSupport
import Testing

@testable import AssetFiles

extension FilmFixture {
    /// A DASH manifest as far as tests look at it.
    struct Manifest {
        var text: String
        /// The time and the duration of each segment, in ticks of 90 kHz.
        var segments: [(time: Int, duration: Int)]

        /// How often a text occurs.
        func count(_ part: String) -> Int { text.ranges(of: part).count }
    }

    var manifest: Manifest {
        get throws {
            let text = String(decoding: try AssetManifest(of: token, in: store).bytes(), as: UTF8.self)
            let segments = text.matches(of: #/<S t="(\d+)" d="(\d+)"/>/#).map {
                (time: Int($0.1) ?? -1, duration: Int($0.2) ?? -1)
            }
            return Manifest(text: text, segments: segments)
        }
    }
}

@Suite("A DASH manifest", .timeLimit(.minutes(3)), .enabled(if: EncodedStream.isPossible))
struct ManifestTests {
    @Test("has pictures and sound of one stream apart, each segment as long as until the next one begins")
    func muxed() async throws {
        try await FilmFixture.run(.packets) { film async throws in
            let manifest = try film.manifest
            #expect(manifest.count("<AdaptationSet ") == 2 && manifest.count("<Period ") == 1)
            #expect(
                manifest.count(#"contentType="video""#) == 1 && manifest.count(#"contentType="audio""#) == 1)
            #expect(manifest.text.contains(#"width="160" height="90""#) && manifest.count(" width=") == 1)
            #expect(manifest.count("tracks=video") == 2 && manifest.count("tracks=audio") == 2)
            #expect(manifest.segments.count == 6)
            let pictures = manifest.segments.prefix(3)
            #expect(zip(pictures, pictures.dropFirst()).allSatisfy { $0.time + $0.duration == $1.time })
            #expect(pictures.allSatisfy { abs($0.duration - 180_000) < 18_000 }, "\(manifest.text)")
        }
    }

    @Test("names segments that are stored as fragmented MP4 directly")
    func stored() async throws {
        try await FilmFixture.run(.separate) { film async throws in
            let manifest = try film.manifest
            #expect(manifest.count(#"contentType="video""#) == 1 && manifest.count("container=fmp4") == 0)
            #expect(manifest.text.contains("/$Number$.m4s?decrypt=1"))
            #expect(manifest.text.contains("profile:isoff-live") && manifest.text.contains(#"lang="de""#))
        }
    }

    @Test("puts discontinuities that are coded alike on one timeline, and lists their segments")
    func discontinuous() async throws {
        try await FilmFixture.run(.discontinuous) { film async throws in
            let manifest = try film.manifest
            #expect(manifest.count("<Period ") == 1 && manifest.text.contains("profile:isoff-main"))
            #expect(manifest.count("<SegmentURL ") == 12 && manifest.segments.count == 12)
            let pictures = manifest.segments.prefix(6)
            #expect(
                zip(pictures, pictures.dropFirst()).allSatisfy { abs($0.time + $0.duration - $1.time) < 9000 }
            )
            #expect((pictures.first?.time ?? 0) >= 900_000, "ten seconds before the first")
        }
    }

    @Test("has a period for each discontinuity where codecs change, with only its own segments")
    func changing() async throws {
        try await FilmFixture.run(.changing) { film async throws in
            let periods = try film.manifest.text.split(separator: "<Period ").dropFirst()
            #expect(periods.count == 2)
            for (period, codec, count, size) in zip4(periods, ["mp4a.40.2", "ac-3"], [3, 1], [160, 320]) {
                #expect(period.contains(codec) && period.contains("width=\"\(size)\""))
                #expect(period.ranges(of: "<S t=").count == count * 2)
            }
            #expect(periods.last?.contains(#"start="PT6"#) == true)
        }
    }

    @Test("has in each period its part of every subtitle track")
    func subtitles() async throws {
        try await FilmFixture.run(.changing) { film async throws in
            let folder = try TemporaryDirectory()
            let file = try folder.write(Array("WEBVTT\n\n00:05.000 --> 00:07.000\nHier\n".utf8), to: "a.vtt")
            try await film.store.tracks.addSubtitles(
                [SubtitleSource(source: file, language: "de")], to: film.token)
            let periods = try film.manifest.text.split(separator: "<Period ").dropFirst()
            let parts = try periods.map { period in
                let address = try #require(
                    period.firstMatch(of: #/subtitles/subtitles-de\.vtt\?([^<]*)</BaseURL>/#))
                return String(address.1)
            }
            #expect(parts.count == 2 && parts.first?.hasPrefix("t=0.0,") == true)
            let border = parts.first?.split(separator: ",").last.flatMap { Double($0) }
            #expect(border.map { abs($0 - 6) < 0.1 } == true && parts.last == border.map { "t=\($0)" })
            #expect(periods.allSatisfy { $0.contains(#"contentType="text""#) })
        }
    }

    private func zip4(
        _ texts: ArraySlice<Substring>, _ codecs: [String], _ counts: [Int], _ sizes: [Int]
    ) -> [(Substring, String, Int, Int)] {
        zip(Array(texts), codecs.indices).map { ($0, codecs[$1], counts[$1], sizes[$1]) }
    }

    @Test("writes times with three digits, and escapes names")
    func words() {
        #expect(ManifestWriter.text(1.23456) == "1.235" && ManifestWriter.text(-1) == "0.0")
    }
}
