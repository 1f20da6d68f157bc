import AssetStore
import SidebandSubtitles
import TestSupport
import Testing

@testable import OfflineServer

@Suite("A part of a subtitle track", .fewAtOnce, .timeLimit(.minutes(2)))
struct SubtitlePartTests {
    private let file = """
        WEBVTT

        00:01.000 --> 00:03.000
        one <00:02.000>by one

        00:05.000 --> 00:08.000
        two

        """

    @Test("has the cues of its time, which count from its start and end with it")
    func part() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        try await withSite { site in
            let token = try await site.download(url)
            await site.server.store.untilSettled(token)
            let source = SubtitleSource(
                source: try site.folder.write(Array(file.utf8), to: "a.vtt"), language: "de")
            try await site.server.store.tracks.addSubtitles([source], to: token)
            let address = "/assets/\(token)/subtitles/de.vtt"
            let whole = try await site.get(address).text
            #expect(whole.contains("00:00:01.000 --> 00:00:03.000"))
            let first = try await site.get("\(address)?t=0.0,6").text
            #expect(first.contains("00:00:05.000 --> 00:00:06.000") && first.contains("one"))
            let second = try await site.get("\(address)?t=6").text
            #expect(second.contains("00:00:00.000 --> 00:00:02.000") && !second.contains("one"))
            #expect(try await site.get("\(address)?t=,6").text == first)
            let text = try await site.get("\(address)?t=1.5,4").text
            #expect(text.contains("00:00:00.000 --> 00:00:01.500") && text.contains("<00:00:00.500>"))
            #expect(try await site.get(address).text == whole, "each part is cached under a key of its own")
            for query in ["t=x", "t=4,4", "t=,0", "t=-1", "t=1,2,3", "t=", "t=,", "t=3,"] {
                #expect(try await site.get("\(address)?\(query)").status == 400)
            }
        }
        origin.stop()
    }
}
