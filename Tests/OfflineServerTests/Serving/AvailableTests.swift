import AssetStore
import Foundation
import TestSupport
import Testing

@testable import OfflineServer

/// The stored part of an incomplete asset.
@Suite("Playing stored segments", .fewAtOnce, .timeLimit(.minutes(2)))
struct AvailableTests {
    /// Runs `body` with an asset that lacks the third video segment.
    private func withHole(_ body: (Site, AssetToken) async throws -> Void) async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        origin.fault("/video/2.ts", .status(404))
        try await withSite { site in
            let token = try await site.download(url)
            await site.server.store.untilSettled(token)
            try await body(site, token)
        }
        origin.stop()
    }

    @Test("its playlists list the same stretches in every rendition, and nothing else")
    func stretches() async throws {
        try await withHole { site, token in
            let base = "/assets/\(token)"
            let master = try await site.get("\(base)/master.m3u8?available=1").text
            #expect(master.contains("video-360p/media.m3u8?available=1"))
            for (folder, suffix) in [("video-360p", "ts"), ("audio-en", "m4s"), ("subtitles-en", "vtt")] {
                let text = try await site.get("\(base)/\(folder)/media.m3u8?available=1").text
                let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#EXT-X-KEY") }
                #expect(lines.filter { !$0.hasPrefix("#") } == ["0.\(suffix)", "1.\(suffix)", "3.\(suffix)"])
                #expect(lines.count { $0 == "#EXT-X-DISCONTINUITY" } == 1)
                #expect(lines.last == "#EXT-X-ENDLIST")
            }
            let video = try await site.get("\(base)/video-360p/media.m3u8?available=1").text
            #expect(video.lowercased().contains("iv=0x00000000000000000000000000000003"))
            for number in [0, 1, 3] {
                let reply = try await site.get("\(base)/video-360p/\(number).ts")
                let isRight = reply.body == SampleStream.video(number)
                #expect(isRight)
            }
        }
    }

    @Test("a track that is cut along the video has the stretches that the video has")
    func tracks() async throws {
        try await withHole { site, token in
            let file = try site.folder.write(
                Array("WEBVTT\n\n00:06.000 --> 00:07.000\nZeile\n".utf8), to: "a.vtt")
            try await site.server.store.tracks.addSubtitles(
                [SubtitleSource(source: file, language: "de")], to: token)
            let base = "/assets/\(token)"
            let master = try await site.get("\(base)/master.m3u8?available=1").text
            let address = try #require(
                master.firstMatch(of: /subtitles\/subtitles-de[^"]*/).map { String($0.output) })
            let whole = try await site.get("\(base)/subtitles/de/media.m3u8").text
            let text = try await site.get("\(base)/\(address)").text
            let lines = text.split(separator: "\n")
            #expect(lines.filter { !$0.hasPrefix("#") } == ["0.vtt", "1.vtt", "3.vtt"])
            #expect(lines.count { $0 == "#EXT-X-DISCONTINUITY" } == 1 && !text.contains("#EXT-X-GAP"))
            #expect(whole.split(separator: "\n").count { !$0.hasPrefix("#") } == SampleStream.segments)
            #expect(try await site.get("\(base)/subtitles/de/3.vtt").text.contains("Zeile"))
        }
    }

    @Test("in the clear they lead to segments in the clear, and need no keys")
    func clear() async throws {
        try await withHole { site, token in
            let base = "/assets/\(token)"
            for query in ["available=1&decrypt=1", "decrypt=1&available=1"] {
                let master = try await site.get("\(base)/master.m3u8?\(query)").text
                #expect(master.contains("video-360p/media.m3u8?decrypt=1&available=1"))
                let list = try await site.get("\(base)/video-360p/media.m3u8?\(query)").text
                #expect(!list.contains("EXT-X-KEY"))
                let names = list.split(separator: "\n").filter { !$0.hasPrefix("#") }
                #expect(names == ["0.ts?decrypt=1", "1.ts?decrypt=1", "3.ts?decrypt=1"])
            }
        }
    }

    @Test("the whole playlist stays the same, and a missing segment is refused at once")
    func missing() async throws {
        try await withHole { site, token in
            let whole = try await site.get("/assets/\(token)/video-360p/media.m3u8").text
            #expect(
                whole.split(separator: "\n").filter { $0.hasSuffix(".ts") }.count == SampleStream.segments)
            let reply = try await site.get("/assets/\(token)/video-360p/2.ts")
            #expect(reply.status == 503 && reply["Retry-After"] != nil)
            #expect((reply.object["detail"] as? String)?.contains("failed") == true)
        }
    }

    @Test("the asset object lists the stretches exactly")
    func ranges() async throws {
        try await withHole { site, token in
            let object = try await site.get("/api/v1/assets/\(token)").object
            let ranges = try #require(object["time_ranges"] as? [[String: Double]])
            #expect(ranges == [["start": 0, "duration": 4], ["start": 6, "duration": 2]])
            let playable = try #require(object["playable"] as? [String: Any])
            #expect(playable["from_start_until"] as? Double == 4)
        }
    }
}
