import AssetStore
import Foundation
import TestSupport
import Testing

@testable import OfflineServer

@Suite("Live streams", .fewAtOnce, .timeLimit(.minutes(2)))
struct LiveServingTests {
    private static let segment = SampleStream.clearVideo(0)

    /// A playlist of so many segments of a second each.
    private func page(_ count: Int, header: String = "", isEnd: Bool = false) -> String {
        let lines = (0..<count).map { "#EXTINF:1,\ns\($0).ts\n" }.joined()
        return "#EXTM3U\n#EXT-X-TARGETDURATION:1\n\(header)\(lines)\(isEnd ? "#EXT-X-ENDLIST\n" : "")"
    }

    /// An origin with a stream that has four segments so far.
    private func origin() throws -> (OriginServer, String) {
        let origin = try OriginServer()
        for number in 0..<9 {
            origin.serve("/s\(number).ts", bytes: Self.segment, contentType: "video/mp2t")
        }
        origin.serve("/live.m3u8", text: page(4))
        return (origin, origin.url("/live.m3u8"))
    }

    @Test(
        "it is served while it grows, as EVENT or as a window, and as VOD in the end, under the same address",
        arguments: ["", "#EXT-X-PLAYLIST-TYPE:EVENT\n"])
    func growing(_ header: String) async throws {
        let (origin, url) = try origin()
        origin.serve("/live.m3u8", text: page(4, header: header))
        try await withSite { site in
            let body = #"{"url": "\#(url)", "live": true, "from_start": true}"#
            let reply = try await site.post("/api/v1/assets", body)
            let token = try #require((reply.object["token"] as? String).flatMap { AssetToken($0) })
            let media = "/assets/\(token)/video/media.m3u8"
            let event = try await site.get(media).text
            #expect(event.contains("#EXT-X-PLAYLIST-TYPE:EVENT") && !event.contains("ENDLIST"))
            #expect(event.contains("3.ts"))
            let master = try await site.get("/assets/\(token)/master.m3u8?DVR=2&start=live").text
            #expect(master.contains("media.m3u8?start=live&DVR=2.0"))
            let window = try await site.get("\(media)?start=live&DVR=2.0").text
            // Two seconds are less than the three target durations before the end at which players begin.
            #expect(
                window.contains("#EXT-X-MEDIA-SEQUENCE:1\n")
                    && window.contains("#EXT-X-START:TIME-OFFSET=-3"))
            let named = try await site.get("\(media)?keys=clearkey").text
            #expect(named.contains("#EXT-X-PLAYLIST-TYPE:EVENT") && !named.contains("ENDLIST"))
            let stored = try await site.get("\(media)?keys=clearkey&available=1").text
            #expect(stored.contains("#EXT-X-PLAYLIST-TYPE:VOD") && stored.contains("ENDLIST"))
            #expect(try await site.get("/assets/\(token)/video/3.ts").body == Self.segment)
            let asset = try await site.get("/api/v1/assets/\(token)").object
            #expect((asset["live"] as? [String: Any])?["recording"] as? Bool == true)
            origin.serve("/live.m3u8", text: page(6, header: header))
            try await eventually { try await site.get(media).text.hasSuffix("5.ts\n") }
            origin.serve("/live.m3u8", text: page(9, header: header, isEnd: true))
            let reader = site.server.store.reader
            try await eventually { try reader.progress(of: token)?.state == .complete }
            let whole = try await site.get(media).text
            #expect(whole.contains("#EXT-X-PLAYLIST-TYPE:VOD") && whole.hasSuffix("8.ts\n#EXT-X-ENDLIST\n"))
            #expect(try await site.get("\(media)?DVR").text == whole)
        }
        origin.stop()
    }

    @Test("an interrupt ends a recording: its listed segments are stored, and it is complete")
    func interrupt() async throws {
        let (origin, url) = try origin()
        let program = try Program()
        let running = try await program.start(["download", url, "--live", "--from-start", "--json"])
        _ = try await running.line(1)
        try await eventually { origin.requests(for: "/live.m3u8").count > 1 }
        running.signal(SIGINT)
        let outcome = try await running.end()
        #expect(outcome.status == 0)
        let last = Outcome.object(outcome.lines.last ?? "")
        #expect(last["state"] as? String == "complete" && last["duration"] as? Double == 4)
        #expect((last["live"] as? [String: Any])?["end"] as? String == "stopped")
        origin.stop()
    }

    @Test(
        "status and list show how long a recording is, and download names an older recording that has ended")
    func status() async throws {
        let (origin, url) = try origin()
        let program = try Program()
        let words = ["download", url, "--live", "--from-start", "--json"]
        let running = try await program.start(words)
        let token = try #require(Outcome.object(try await running.line(0))["token"] as? String)
        try await eventually {
            try await program.run("status", token).output.firstMatch(
                of: /\n  recording since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d, 0:04, \d+ kB stored\n/) != nil
        }
        let shown = try await program.run("status", token).output
        #expect(!shown.contains("100%") && !shown.contains(" left"))
        #expect(try await program.run("list").output.contains("downloading, recording  -"))
        running.signal(SIGINT)
        #expect(try await running.end().status == 0)
        let again = try await program.start(words.dropLast())
        try await eventually {
            try again.errors().contains(
                "\(token) is an older recording of the same address, which has ended and stays as it is")
        }
        // An interrupt before the first segment is stored would end a recording of nothing.
        let listed = try await program.run("list").output
        let second = try #require(listed.firstMatch(of: /([0-9A-Z]{26}).* downloading, recording/)).1
        try await eventually {
            try await program.run("status", "\(second)").output.contains(/recording since .*, 0:0[1-9]/)
        }
        again.signal(SIGINT)
        #expect(try await again.end().status == 0)
        origin.stop()
    }

    @Test("options for recordings need --live")
    func usage() async throws {
        let outcome = try await Program().run("download", "http://127.0.0.1:1/x.m3u8", "--duration", "5s")
        #expect(outcome.status == 64 && outcome.errors.contains("--live"))
    }
}
