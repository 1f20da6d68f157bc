import Foundation
import TestSupport
import Testing

@testable import OfflineServer

@Suite("probe", .fewAtOnce, .timeLimit(.minutes(2)))
struct ProbeTests {
    /// A stream with two variants, audio, subtitles and a key.
    private func publish(on origin: OriginServer) -> String {
        origin.serve(
            "/master.m3u8",
            text: """
                #EXTM3U
                #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",LANGUAGE="en",NAME="English",DEFAULT=YES,CHANNELS="2",URI="en.m3u8"
                #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",LANGUAGE="de",NAME="Deutsch",URI="de.m3u8",\
                CHARACTERISTICS="public.accessibility.describes-video"
                #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",LANGUAGE="fr",NAME="Français",FORCED=YES,URI="fr.m3u8"
                #EXT-X-STREAM-INF:BANDWIDTH=800000,AVERAGE-BANDWIDTH=600000,RESOLUTION=640x360,FRAME-RATE=25.000,\
                CODECS="avc1.4d401e,mp4a.40.2",AUDIO="a",SUBTITLES="s"
                low.m3u8?token=S3CRET
                #EXT-X-STREAM-INF:BANDWIDTH=4200000,RESOLUTION=1920x1080,FRAME-RATE=29.97,AUDIO="a",SUBTITLES="s"
                high.m3u8?token=S3CRET

                """)
        let key = "#EXT-X-KEY:METHOD=AES-128,URI=\"k.key?token=S3CRET\"\n"
        for name in ["low", "high"] {
            origin.serve(
                "/\(name).m3u8",
                text: "#EXTM3U\n#EXT-X-TARGETDURATION:10\n\(key)#EXTINF:10,\n0.ts\n#EXT-X-ENDLIST\n")
        }
        return origin.url("/master.m3u8")
    }

    /// The words of a line, columns being apart by two blanks or more.
    private func cells(_ line: Substring) -> [String] {
        line.components(separatedBy: "  ").map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
    }

    @Test("shows a table of variants with the highest first, one of renditions, and one of keys")
    func tables() async throws {
        let origin = try OriginServer()
        let url = publish(on: origin)
        let program = try Program()
        let outcome = try await program.run("probe", url)
        let rows = outcome.lines.map(cells)
        #expect(rows[0] == [url] && rows[1] == ["can be downloaded"] && rows[2] == ["length 0:10, not live"])
        let expected = [
            ["PICTURE", "FPS", "PEAK", "AVERAGE", "SIZE", "CODECS", "AUDIO", "SUBTITLES"],
            ["1920x1080", "29.97", "4.2 Mbit/s", "-", "~4.2 MB", "-", "a", "s"],
            [
                "640x360", "25", "800 kbit/s", "600 kbit/s", "~750 kB", "avc1.4d401e,mp4a.40.2", "a", "s",
            ], ["TYPE", "LANGUAGE", "NAME", "GROUP", "NOTES"],
            ["audio", "en", "English", "a", "default, 2 channels"],
            ["audio", "de", "Deutsch", "a", "describes the video"],
            ["subtitles", "fr", "Français", "s", "forced"], ["ENCRYPTION", "KEY SYSTEM", "KEY"],
            ["AES-128", "identity", "k.key"],
        ]
        #expect(Array(rows.dropFirst(3)) == expected)
        #expect(!outcome.output.contains("EXT-X") && !outcome.output.contains("BANDWIDTH="))
        origin.stop()
    }

    @Test(
        "shows the tags as they stand with --verbose and --json, with the variants' addresses, less their queries"
    )
    func tags() async throws {
        let origin = try OriginServer()
        let url = publish(on: origin)
        let program = try Program()
        let verbose = try await program.run("probe", url, "--verbose").output
        #expect(verbose.contains("  STREAM-INF: BANDWIDTH=4200000 RESOLUTION=1920x1080 FRAME-RATE=29.97"))
        #expect(verbose.contains(" high.m3u8\n"))
        let json = try await program.run("probe", url, "--json")
        let variants = json.object["variants"] as? [[String: String]]
        #expect(variants?.map { $0["uri"] } == ["low.m3u8", "high.m3u8"])
        #expect(variants?.first?["FRAME-RATE"] == "25.000")
        #expect(!verbose.contains("S3CRET") && !json.output.contains("S3CRET"))
        origin.stop()
    }

    @Test("looks at the next variant when the first one's playlist is not there, and says so")
    func absent() async throws {
        let origin = try OriginServer()
        let url = publish(on: origin)
        origin.remove("/low.m3u8")
        let program = try Program()
        let outcome = try await program.run("probe", url)
        #expect(outcome.output.contains("length 0:10, not live\n"))
        #expect(
            outcome.output.contains("can't be read: variant 640x360 (800 kbit/s): the origin answered 404"))
        let json = try await program.run("probe", url, "--json").object
        #expect((json["lost"] as? [String])?.count == 1 && json["eligible"] as? Bool == true)
        origin.remove("/high.m3u8")
        let none = try await program.run("probe", url)
        #expect(none.status == 1 && none.errors.contains("/low.m3u8"))
        origin.stop()
    }

    @Test("says of a live stream that it is, and of a key system which one it is")
    func reasons() async throws {
        let origin = try OriginServer()
        origin.serve("/live.m3u8", text: "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n0.ts\n")
        let key = #"#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://x",KEYFORMAT="com.apple.streamingkeydelivery""#
        origin.serve(
            "/drm.m3u8", text: "#EXTM3U\n#EXT-X-TARGETDURATION:4\n\(key)\n#EXTINF:4,\n0.ts\n#EXT-X-ENDLIST\n")
        let program = try Program()
        let live = try await program.run("probe", origin.url("/live.m3u8")).output
        #expect(live.contains("can't be downloaded: the stream is live"))
        #expect(live.contains("live: it has no end yet\n") && !live.contains("length"))
        let drm = try await program.run("probe", origin.url("/drm.m3u8")).output
        #expect(drm.contains("can't be downloaded: the stream is encrypted for FairPlay only"))
        #expect(drm.contains("SAMPLE-AES  FairPlay    skd://x\n"))
        origin.stop()
    }
}
