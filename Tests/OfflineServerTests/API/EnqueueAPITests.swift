import AssetStore
import Foundation
import TestSupport
import Testing

@testable import OfflineServer

@Suite("Entering many assets", .fewAtOnce, .timeLimit(.minutes(2)))
struct EnqueueAPITests {
    @Test(
        "a list of downloads is entered as a whole",
        arguments: [
            #"["URL/a?secret=1", {"url": "URL/b", "name": "B"}]"#,
            #"{"assets": ["URL/a?secret=1", {"url": "URL/b", "name": "B"}], "hold": true}"#,
        ])
    func list(_ body: String) async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        try await withSite { site in
            let folder = url.replacing("/master.m3u8", with: "")
            let text = body.replacing("URL/a", with: url).replacing("URL/b", with: url)
            let reply = try await site.post("/api/v1/assets", text)
            #expect(reply.status == 201 && !reply.text.contains("secret") && !folder.isEmpty)
            let entries = try #require(reply.object["assets"] as? [[String: String]])
            let tokens = entries.compactMap { $0["token"].flatMap { AssetToken($0) } }
            #expect(tokens.count == 2)
            for (entry, token) in zip(entries, tokens) {
                #expect(entry["playlist_url"] == "\(site.server.url)/assets/\(token)/master.m3u8")
                await site.server.store.untilSettled(token)
                #expect(try site.server.store.reader.requireAsset(token).availability.offline)
            }
            #expect(try site.server.store.reader.asset(tokens[1])?.name == "B")
        }
        origin.stop()
    }

    @Test("a list without anything to add is 200 and makes nothing; an address alone makes an asset")
    func nothingLacks() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        try await withSite { site in
            for (status, count) in [(201, 1), (200, 0)] {
                let reply = try await site.post("/api/v1/assets", #"{"assets": ["\#(url)"], "next": 1}"#)
                #expect(reply.status == status)
                #expect((reply.object["assets"] as? [Any])?.count == count)
                #expect(reply.object["ready"] as? Int == 1)
            }
            let again = try await site.post("/api/v1/assets", #"{"url": "\#(url)"}"#)
            #expect(again.status == 201 && again["Location"] != nil && again.object["existing"] is String)
            let document = try await site.get("/api/v1/openapi.json").object
            let paths = document["paths"] as? [String: [String: Any]]
            let operation = paths?["/assets"]?["post"] as? [String: Any]
            let responses = try #require(operation?["responses"] as? [String: Any])
            #expect(responses["200"] != nil && responses["201"] != nil)
        }
        origin.stop()
    }

    @Test(
        "a list with one invalid download is refused as a whole",
        arguments: [
            (#"["http://a", 1]"#, 400), (#"[{"name": "x"}]"#, 400), (#"["http://a", "ftp://b"]"#, 422),
            (#"{"assets": 1}"#, 400), (#"[{"url": "http://a", "purchase": true, "rental": "1d"}]"#, 400),
        ])
    func badList(_ body: String, _ status: Int) async throws {
        try await withSite { site in
            let reply = try await site.post("/api/v1/assets", body)
            #expect(reply.status == status)
            #expect(try site.server.store.reader.assets().isEmpty)
        }
    }

    @Test("a player of an entered asset gets its playlist as soon as the stream has been read")
    func played() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        try await withSite {
            $0.engine.maximumDownloads = 1
        } _: { site in
            origin.fault("/video/0.ts", .holdHeader)
            let urls = Array(repeating: "\"\(url)\"", count: 9).joined(separator: ",")
            let reply = try await site.post("/api/v1/assets", "[\(urls)]")
            let entries = try #require(reply.object["assets"] as? [[String: String]])
            let token = try #require(entries.last?["token"])
            let master = try await site.get("/assets/\(token)/master.m3u8")
            #expect(master.status == 200 && master.text.contains("#EXT-X-STREAM-INF"))
            origin.release()
        }
        origin.stop()
    }

    @Test("a stream that can't be read in time, or at all, is 503 with Retry-After and the reason")
    func notYet() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        origin.fault("/master.m3u8", .holdHeader, times: 1)
        try await withSite {
            $0.server.patience = .milliseconds(50)
        } _: { site in
            let token = try #require(
                try await site.post("/api/v1/assets", #"{"url": "\#(url)"}"#).object["token"] as? String)
            #expect(await origin.waitForRequests(1))
            let early = try await site.get("/assets/\(token)/master.m3u8")
            #expect(early.status == 503 && early["Retry-After"] == "2")
            #expect(early["Content-Type"] == "application/problem+json")
            #expect(
                early.object["detail"] as? String
                    == ("The stream's playlists have not been read yet; the asset is resolving."))
            for name in [
                "media.m3u8", "media.m3u8?decrypt=1", "media.m3u8?keys=clearkey", "0.ts", "0.ts?decrypt=1",
            ] {
                let reply = try await site.get("/assets/\(token)/video-360p/\(name)")
                #expect(reply.status == 503 && reply["Retry-After"] == "2", "\(name)")
            }
            _ = try await site.post("/api/v1/assets/\(token)/pause", "{}")
            #expect(try await site.get("/assets/\(token)/master.m3u8")["Retry-After"] == "60")
            origin.release()
        }
        origin.stop()
    }
}
