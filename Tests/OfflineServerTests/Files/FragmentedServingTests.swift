import AssetStore
import Foundation
import TestSupport
import Testing

@testable import OfflineServer

@Suite(
    "Everything as fragmented MP4", .fewAtOnce, .timeLimit(.minutes(5)),
    .enabled(if: EncodedStream.isPossible))
struct FragmentedServingTests {
    @Test("plays like the stream", arguments: EncodedStream.films)
    func plays(_ stream: EncodedStream) async throws {
        try await withSite { site in
            let (token, source, folder) = try await stream.add(to: site)
            let url = "\(site.server.url)/assets/\(token)/master.m3u8?container=fmp4"
            let made = try await DecodedFilm.read(url)
            let expected = try await DecodedFilm.read(source)
            #expect(made.pictures == expected.pictures)
            #expect(!made.sound.isEmpty)
            _ = folder
        }
    }

    @Test("has a DASH manifest that plays like the stream", arguments: EncodedStream.films)
    func manifest(_ stream: EncodedStream) async throws {
        try await withSite { site in
            let (token, source, folder) = try await stream.add(to: site)
            let reply = try await site.get("/assets/\(token)/manifest.mpd")
            #expect(reply.status == 200 && reply["Content-Type"] == "application/dash+xml")
            let made = try await DecodedFilm.read("\(site.server.url)/assets/\(token)/manifest.mpd")
            let expected = try await DecodedFilm.read(source)
            #expect(made.pictures == expected.pictures)
            #expect(!made.sound.isEmpty)
            let packets = try await ProbedPackets("\(site.server.url)/assets/\(token)/manifest.mpd")
            let sound = try await ProbedPackets(source).times["audio"]?.count ?? 0
            // ffprobe may leave the last packet of a representation out, which ffmpeg plays.
            #expect(sound > 200 && abs((packets.times["audio"]?.count ?? 0) - sound) <= 1)
            _ = folder
        }
    }

    @Test(
        "lists switchable variants as one set in its DASH manifest, and subtitles with their names"
    )
    func adaptationSets() async throws {
        try await withSite { site in
            let (token, _, folder) = try await EncodedStream.several.add(to: site)
            let text = try await site.get("/assets/\(token)/manifest.mpd").text
            #expect(text.ranges(of: "<AdaptationSet ").count == 3)
            #expect(text.ranges(of: #"contentType="video""#).count == 1)
            #expect(text.contains(#"width="160""#) && text.contains(#"width="80""#))
            #expect(
                text.contains(#"contentType="audio" mimeType="audio/mp4" segmentAlignment="true" lang="de""#))
            #expect(
                text.contains(
                    #"contentType="text" mimeType="text/vtt" lang="en"><Label>English &amp; more</Label>"#))
            let address = try #require(text.firstMatch(of: /<BaseURL>(subtitles\/[^<]*\.vtt)</)?.1)
            #expect(try await site.get("/assets/\(token)/\(address)").text.contains("Hello"))
            let packets = try await ProbedPackets("\(site.server.url)/assets/\(token)/manifest.mpd")
            #expect(packets.times["video"]?.isEmpty == false && packets.times["audio"]?.isEmpty == false)
            _ = folder
        }
    }

    @Test(
        "has packed audio without time stamps at the times of its playlist, from the first segment to the last"
    )
    func packedAudio() async throws {
        try await withSite { site in
            let (token, _, folder) = try await EncodedStream.sound.add(to: site)
            let packets = try await ProbedPackets(
                "\(site.server.url)/assets/\(token)/master.m3u8?container=fmp4")
            let times = (packets.times["audio"] ?? []).sorted()
            #expect(times.count > 200 && times[0] < 0.1 && abs((times.last ?? 0) - 6) < 0.1)
            #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 < 0.03 })
            _ = folder
        }
    }

    @Test("has a period for each discontinuity in its DASH manifest where codecs change")
    func periods() async throws {
        try await withSite { site in
            let (token, _, folder) = try await EncodedStream.changing.add(to: site)
            let text = try await site.get("/assets/\(token)/manifest.mpd").text
            #expect(text.ranges(of: "<Period ").count == 2)
            #expect(text.contains("ac-3") && text.contains("mp4a.40.2"))
            _ = folder
        }
    }

    @Test("has no key in its playlists of media that are converted in the clear")
    func keys() async throws {
        try await withSite { site in
            let (token, _, folder) = try await EncodedStream.encrypted.add(to: site)
            #expect(try await site.get("/assets/\(token)/master.m3u8").text.contains("EXT-X-SESSION-KEY"))
            let list = try await site.get("/assets/\(token)/master.m3u8?container=fmp4")
            #expect(list.status == 200 && !list.text.contains("KEY"))
            _ = folder
        }
    }

    @Test("has an initialization section for each discontinuity, and keeps the clock of the source")
    func playlist() async throws {
        try await withSite { site in
            let (token, _, folder) = try await EncodedStream.discontinuous.add(to: site)
            let base = "/assets/\(token)/video"
            let list = try await site.get("\(base)/media.m3u8?container=fmp4").text
            #expect(list.contains(#"#EXT-X-MAP:URI="init-0.mp4?container=fmp4""#))
            #expect(list.contains(#"#EXT-X-MAP:URI="init-1.mp4?container=fmp4""#))
            #expect(list.contains("0.m4s?container=fmp4") && !list.contains(".ts"))
            let section = try await site.get("\(base)/init-1.mp4?container=fmp4")
            #expect(section.status == 200 && section["Content-Type"] == "video/mp4")
            let segment = try await site.get("\(base)/3.m4s?container=fmp4")
            #expect(segment.status == 200 && segment["Content-Type"] == "video/iso.segment")
            // ffmpeg begins transport streams 1.4 seconds after the time that it was given.
            let time = try #require(segment.body.firstRange(of: Array("tfdt".utf8))).upperBound + 4
            let ticks = segment.body[time..<time + 8].reduce(0) { $0 << 8 | Int($1) }
            #expect(abs(Double(ticks) / 90_000 - 1001.4) < 0.1)
            #expect(try await site.get("\(base)/99.m4s?container=fmp4").status == 404)
            #expect(try await site.get("\(base)/init-7.mp4?container=fmp4").status == 404)
            _ = folder
        }
    }

    @Test("is made of encrypted media while the license is valid")
    func license() async throws {
        try await withSite { site in
            let (token, _, folder) = try await EncodedStream.encrypted.add(to: site)
            let list = try await site.get("/assets/\(token)/video/media.m3u8?container=fmp4")
            #expect(list.status == 200 && !list.text.contains("EXT-X-KEY"))
            #expect(try await site.get("/assets/\(token)/video/0.m4s?container=fmp4").status == 200)
            try await site.server.store.revokeLicense(of: token)
            #expect(try await site.get("/assets/\(token)/video/1.m4s?container=fmp4").status == 403)
            _ = folder
        }
    }
}
