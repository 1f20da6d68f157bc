import AssetStore
import TestSupport
import Testing

@testable import OfflineServer

/// The possibilities of other sites' pages, over the wire.
@Suite("Pages of other origins", .fewAtOnce, .timeLimit(.minutes(2)))
struct PageTests {
    @Test("the page of an asset has its subtitles whole, which some browsers leave out of HLS")
    func subtitleTracks() async throws {
        try await withSample { site, token in
            let page = try await site.get("/watch/\(token)").text
            let found = try #require(
                page.firstMatch(of: #/<track kind="subtitles"[^>]* src="\.\.(/[^"]+\.vtt)">/#))
            let reply = try await site.get(String(found.1))
            #expect(reply.status == 200 && reply.text.hasPrefix("WEBVTT"))
        }
    }

    @Test("another name for this server is misdirected, also in an absolute-form target")
    func names() async throws {
        try await withSample { site, token in
            let path = "/assets/\(token)/master.m3u8"
            let port = site.server.port
            for target in [path, "/", "/api/v1/assets", "/assets/\(token)/video-360p/0.ts"] {
                let reply = try await site.get(target, ["Host": "evil.test:\(port)"])
                #expect(reply.status == 421, "\(target)")
                #expect(reply["Content-Type"] == "application/problem+json")
            }
            #expect(try await site.get("http://evil.test:\(port)\(path)").status == 421)
            #expect(
                try await site.get("http://localhost:\(port)\(path)", ["Host": "evil.test"]).status == 200)
            #expect(try await site.get(path, ["Host": "LOCALHOST:\(port)"]).status == 200)
        }
    }

    @Test("a page of another origin gets nothing, and no header that would let it read the refusal")
    func foreign() async throws {
        try await withSample { site, token in
            for target in ["/assets/\(token)/master.m3u8", "/api/v1/assets", "/healthz"] {
                for _ in 0..<2 {
                    let reply = try await site.get(target, ["Origin": "https://evil.test"])
                    #expect(reply.status == 403)
                    #expect(reply["Access-Control-Allow-Origin"] == nil)
                    #expect(reply["Content-Type"] == "application/problem+json")
                }
            }
            let embedded = try await site.get("/assets/\(token)/poster", ["Sec-Fetch-Site": "cross-site"])
            #expect(embedded.status == 403)
        }
    }

    @Test("an allowed origin may read media, whether served anew or again")
    func allowed() async throws {
        try await withSample(allowing: ["https://player.test", "http://localhost:*"]) { site, token in
            for origin in ["https://player.test", "http://localhost:5173"] {
                for path in ["master.m3u8", "video-360p/0.ts", "video-360p/0.ts", "none/0.ts"] {
                    let reply = try await site.get("/assets/\(token)/\(path)", ["Origin": origin])
                    #expect(reply.status == (path == "none/0.ts" ? 404 : 200))
                    #expect(reply["Access-Control-Allow-Origin"] == origin, "\(path)")
                    #expect(reply["Vary"] == "Origin")
                }
            }
            let foreign = try await site.get("/assets/\(token)/master.m3u8", ["Origin": "https://evil.test"])
            #expect(foreign.status == 403)
        }
    }

    @Test("where an origin is allowed, pages of others can't embed media, and it can embed nothing else")
    func embedding() async throws {
        try await withSample(allowing: ["https://player.test"]) { site, token in
            let media = "/assets/\(token)/video-360p/0.ts"
            let direct = try await site.get(media)
            #expect(direct.status == 200)
            for (target, referrer, status) in [
                (media, "https://evil.test/", 403), (media, "https://player.test/", 200),
                ("/api/v1/assets", "https://player.test/", 403),
            ] {
                let fields = [
                    "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Referer": referrer,
                ]
                #expect(try await site.get(target, fields).status == status, "\(target) \(referrer)")
            }
        }
    }

    @Test(
        "a preflight request of an allowed origin gets the allowed methods and fields, that of another one is refused"
    )
    func preflight() async throws {
        try await withSample(allowing: ["https://player.test"]) { site, token in
            let path = "/assets/\(token)/video-360p/0.ts"
            let asked = ["Origin": "https://player.test", "Access-Control-Request-Method": "GET"]
            let reply = try await site.request("OPTIONS", path, asked)
            #expect(reply.status == 204)
            #expect(reply["Access-Control-Allow-Origin"] == "https://player.test")
            #expect(reply["Access-Control-Allow-Headers"]?.contains("Range") == true)
            let foreign = try await site.request(
                "OPTIONS", path, ["Origin": "https://evil.test", "Access-Control-Request-Method": "GET"])
            #expect(foreign.status == 403)
            #expect(foreign["Access-Control-Allow-Methods"] == nil)
        }
    }

    @Test("an allowed origin may read every answer about media: ranges, 304, and refusals")
    func everyStatus() async throws {
        let page = ["Origin": "https://player.test"]
        let asks: [(path: String, fields: [String: String], status: Int)] = [
            ("video-360p/0.ts", ["Range": "bytes=0-9"], 206),
            ("video-360p/0.ts", ["Range": "bytes=99999-"], 416),
            ("video-360p/0.ts", ["If-None-Match": "*"], 304), ("video-360p/0.ts", ["If-Match": "\"x\""], 412),
            ("none/0.ts", [:], 404), ("clearkey", [:], 405),
        ]
        try await withSample(allowing: ["https://player.test"]) { site, token in
            // From the cache, and not from the cache.
            for ask in asks + asks {
                let path = "/assets/\(token)/\(ask.path)"
                let reply = try await site.get(path, ask.fields.merging(page) { $1 })
                #expect(reply.status == ask.status)
                #expect(reply["Access-Control-Allow-Origin"] == "https://player.test", "\(ask.status)")
                #expect(reply["Vary"] == "Origin", "\(ask.status)")
                #expect(reply["Access-Control-Expose-Headers"]?.contains("Content-Range") == true)
                let foreign = try await site.get(
                    path, ask.fields.merging(["Origin": "https://evil.test"]) { $1 })
                #expect(foreign.status == 403 && foreign["Access-Control-Allow-Origin"] == nil)
            }
        }
    }

    @Test("an allowed origin gets ClearKey licenses and reads why it gets none, another one neither")
    func clearKey() async throws {
        try await withSample(allowing: ["https://player.test"]) { site, token in
            let path = "/assets/\(token)/clearkey"
            let asked = ["Origin": "https://player.test", "Access-Control-Request-Method": "POST"]
            let preflight = try await site.request("OPTIONS", path, asked)
            #expect(preflight["Access-Control-Allow-Methods"]?.contains("POST") == true)
            #expect(preflight["Access-Control-Allow-Headers"]?.contains("Content-Type") == true)
            for (body, status) in [(#"{"kids": ["AAAA"]}"#, 200), ("{}", 400)] {
                let reply = try await site.post(path, body, ["Origin": "https://player.test"])
                #expect(reply.status == status)
                #expect(reply["Access-Control-Allow-Origin"] == "https://player.test")
                let foreign = try await site.post(path, body, ["Origin": "https://evil.test"])
                #expect(foreign.status == 403 && foreign["Access-Control-Allow-Origin"] == nil)
            }
        }
    }

    @Test("an allowed origin may read that its request had too much content")
    func tooLong() async throws {
        try await withSample(allowing: ["https://player.test"]) { site, token in
            let head = site.message(
                "POST", "/assets/\(token)/clearkey",
                ["Origin": "https://player.test", "Transfer-Encoding": "chunked"]
            ).replacing("Content-Length: 0\r\n", with: "")
            let chunk = "80000\r\n\(String(repeating: "x", count: 0x80000))\r\n"
            let reply = try await blocking { [server = site.server] in
                let client = try RawHTTPClient(port: server.port)
                client.send(head + chunk + chunk + chunk + "0\r\n\r\n")
                return Reply(client.readToEnd())
            }
            #expect(reply.status == 413 && reply["Access-Control-Allow-Origin"] == "https://player.test")
            #expect(reply.object["token"] as? String == token.description)
        }
    }

    @Test("an allowed origin may read that its request says to have too much content")
    func announcedTooLong() async throws {
        try await withSample(allowing: ["https://player.test"]) { site, token in
            let head = site.message(
                "POST", "/assets/\(token)/clearkey", ["Origin": "https://player.test"]
            ).replacing("Content-Length: 0\r\n", with: "Content-Length: 2097153\r\n")
            let reply = try await blocking { [server = site.server] in
                let client = try RawHTTPClient(port: server.port)
                client.send(head)
                return Reply(client.readToEnd())
            }
            #expect(reply.status == 413 && reply["Access-Control-Allow-Origin"] == "https://player.test")
            #expect(reply.object["token"] as? String == token.description)
        }
    }

    @Test("an allowed origin may read media only: the API and our own pages stay closed to it")
    func noControl() async throws {
        try await withSample(allowing: ["https://player.test"]) { site, token in
            for target in [
                "/api/v1/assets", "/api/v1/assets/\(token)", "/api/v1/storage", "/", "/watch/\(token)",
            ] {
                let reply = try await site.get(target, ["Origin": "https://player.test"])
                #expect(reply.status == 403, "\(target)")
                #expect(reply["Access-Control-Allow-Origin"] == nil)
            }
        }
    }

    @Test("where other origins may read, caches are told that the answer depends on the origin")
    func varies() async throws {
        try await withSample(allowing: ["https://player.test"]) { site, token in
            for _ in 0..<2 {
                let reply = try await site.get("/assets/\(token)/video-360p/0.ts")
                #expect(reply["Vary"] == "Origin")
            }
        }
    }

    @Test("a name that looks like markup is text on our pages, which take scripts from nowhere else")
    func markup() async throws {
        try await withSite { site in
            let token = try await site.importSample("<script>alert(1)</script>\"'&")
            for target in ["/", "/watch/\(token)"] {
                let reply = try await site.get(target)
                #expect(reply.status == 200)
                #expect(reply["Content-Type"] == "text/html; charset=utf-8")
                #expect(!reply.text.contains("<script>alert"), "\(target)")
                #expect(reply.text.contains("&lt;script&gt;"))
                #expect(reply["Content-Security-Policy"] != nil)
            }
        }
    }
}
