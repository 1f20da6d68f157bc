import AssetStore
import Foundation
import TestSupport
import Testing

@testable import OfflineServer

@Suite("Interstitials", .fewAtOnce, .timeLimit(.minutes(2)))
struct InterstitialCommandTests {
    /// A stream with an interstitial that has a list of two assets, of which one does not exist.
    private func origin() throws -> (OriginServer, String) {
        let origin = try OriginServer()
        let segments = (0..<2).map { "#EXTINF:4,\ns\($0).ts\n" }.joined() + "#EXT-X-ENDLIST\n"
        let head = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n"
        let range =
            "#EXT-X-DATERANGE:ID=\"a\",CLASS=\"com.apple.hls.interstitial\","
            + "START-DATE=\"2026-01-01T00:00:00Z\",X-ASSET-LIST=\"ads.json\"\n"
        for folder in ["main", "ad"] {
            for number in 0..<2 {
                origin.serve("/\(folder)/s\(number).ts", bytes: SampleStream.clearVideo(number))
            }
        }
        origin.serve("/main/i.m3u8", text: head + range + segments)
        origin.serve("/ad/i.m3u8", text: head + segments)
        origin.serve(
            "/main/ads.json",
            text: #"{"ASSETS": [{"URI": "../ad/i.m3u8", "DURATION": 8}, {"URI": "no.m3u8", "DURATION": 1}]}"#)
        return (origin, origin.url("/main/i.m3u8"))
    }

    @Test("download keeps them, stays until they are there, and the server names them by its own name")
    func kept() async throws {
        let (origin, url) = try origin()
        let program = try Program()
        let outcome = try await program.run("download", url, "--interstitials", "keep", "--json")
        #expect(outcome.status == 0)
        let lines = outcome.lines.map { Outcome.object($0) }
        let token = try #require(lines.first?["token"] as? String)
        #expect((lines.first?["lost"] as? [String])?.count == 1)
        #expect(lines.last?["token"] as? String == token && lines.last?["state"] as? String == "complete")
        origin.stop()
        try await withSite(in: program.store) { site async throws in
            let assets = try site.server.store.reader.assets()
            #expect(assets.count == 2 && assets.allSatisfy { $0.state == .complete })
            let media = try await site.get("/assets/\(token)/video/media.m3u8").text
            #expect(media.contains("X-ASSET-LIST=\"../interstitials/0.json\""))
            let list = try await site.get("/assets/\(token)/interstitials/0.json")
            let uris = (list.object["ASSETS"] as? [[String: Any]])?.compactMap { $0["URI"] as? String }
            let path = try #require(uris?.first?.dropFirst(site.server.url.count))
            #expect(uris?.count == 1 && uris?.first?.hasPrefix("\(site.server.url)/assets/") == true)
            #expect(try await site.get(String(path)).status == 200)
            #expect(try await site.get("/assets/\(token)/interstitials/1.json").status == 404)
        }
    }

    @Test("a server that demands its token has it in the addresses of a list")
    func guarded() async throws {
        let (origin, url) = try origin()
        let program = try Program()
        let outcome = try await program.run("download", url, "--interstitials", "keep", "--json")
        let token = try #require(outcome.lines.first.map { Outcome.object($0) }?["token"] as? String)
        origin.stop()
        try await withSite(in: program.store) {
            $0.server.requiresToken = true
        } _: { site async throws in
            let secret = try #require(APIToken.existing(site.server.store.paths.apiToken))
            let list = try await site.get("/t/\(secret)/assets/\(token)/interstitials/0.json")
            let uri = (list.object["ASSETS"] as? [[String: Any]])?.first?["URI"] as? String
            #expect(uri?.hasPrefix("\(site.server.url)/t/\(secret)/assets/") == true)
            let path = try #require(uri?.dropFirst(site.server.url.count))
            #expect(try await site.get(String(path)).status == 200)
        }
    }

    @Test("the API takes the same values, and no others")
    func wishes() async throws {
        let (origin, url) = try origin()
        try await withSite { site async throws in
            let body = #"{"url": "\#(url)", "interstitials": "keep"}"#
            #expect(try await site.post("/api/v1/assets", body).status == 201)
            let reader = site.server.store.reader
            try await eventually { try reader.assets().count == 2 }
            let other = #"{"url": "\#(url)", "interstitials": "perhaps"}"#
            #expect(try await site.post("/api/v1/assets", other).status == 400)
        }
        let usage = try await Program().run("download", url, "--interstitials", "perhaps")
        #expect(usage.status == 64)
        origin.stop()
    }
}
