import AssetStore
import Foundation
import TestSupport
import Testing

@testable import OfflineServer

@Suite("A server that demands its token", .fewAtOnce, .timeLimit(.minutes(2)))
struct TokenGateTests {
    private func withGuarded(_ body: (Site, AssetToken, String) async throws -> Void) async throws {
        try await withSite {
            $0.server.requiresToken = true
        } _: { site in
            let token = try await site.importSample()
            let secret = try #require(APIToken.existing(site.server.store.paths.apiToken))
            try await body(site, token, secret)
        }
    }

    @Test("the address that url prints has the token in it, and plays; listings do not have it")
    func printedAddress() async throws {
        let (program, token) = try await Program.withSample()
        try await program.serving("--require-token") { ready in
            let printed = try await program.run("url", token.description)
            let address = printed.output.trimmingCharacters(in: .whitespacesAndNewlines)
            #expect(address.hasPrefix("\(ready.url)/t/"))
            let reply = try await get(String(address.dropFirst(ready.url.count)), ready)
            #expect(reply.status == 200 && reply.text.contains("#EXTM3U"))
            let listed = try await program.run("list", "--json")
            #expect(!(listed.output + printed.errors).contains("/t/"))
        }
    }

    private func get(_ path: String, _ ready: Program.Ready) async throws -> Reply {
        try await blocking { [port = ready.port] in
            let client = try RawHTTPClient(port: port)
            client.send("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n")
            return Reply(client.readToEnd())
        }
    }

    @Test("the address that url printed under --require-token plays after a restart without it")
    func afterRestart() async throws {
        let (program, token) = try await Program.withSample()
        let path = try await program.serving("--require-token") { ready in
            let printed = try await program.run("url", token.description).output
            return String(printed.trimmingCharacters(in: .whitespacesAndNewlines).dropFirst(ready.url.count))
        }
        #expect(path.hasPrefix("/t/"))
        try await program.serving { ready in
            let master = try await get(path, ready)
            #expect(master.status == 200 && master.text.contains("#EXTM3U"))
            let segment = try await get(path.replacing("master.m3u8", with: "video-360p/0.ts"), ready)
            #expect(segment.status == 200)
            let wrong = try await get(path.replacing("/t/", with: "/t/x"), ready)
            #expect(wrong.status == 404)
        }
    }

    @Test("the prefix without its last slash leads to the library, whether or not the token is demanded")
    func withoutSlash() async throws {
        for isDemanded in [true, false] {
            try await withSite {
                $0.server.requiresToken = isDemanded
            } _: { site in
                let secret = try #require(APIToken.existing(site.server.store.paths.apiToken))
                let reply = try await site.get("/t/\(secret)")
                #expect(reply.status == 308 && reply["Location"] == "/t/\(secret)/")
                let library = try await site.get("/t/\(secret)/")
                #expect(library.status == 200)
                let wrong = try await site.get("/t/\(secret)x")
                #expect(wrong.status == (isDemanded ? 401 : 404) && wrong["Location"] == nil)
            }
        }
    }

    @Test("nothing is answered without the token")
    func refused() async throws {
        try await withGuarded { site, token, secret in
            let targets = [
                "/", "/healthz", "/metrics", "/api/v1/assets", "/assets/\(token)/master.m3u8",
                "/t/\(secret)x/healthz", "/t/", "/t//", "/t/wrong/assets/\(token)/master.m3u8",
            ]
            for target in targets {
                let reply = try await site.get(target)
                #expect(reply.status == 401, "\(target)")
                #expect(reply["WWW-Authenticate"] == "Bearer")
                #expect(!reply.text.contains(secret))
            }
            #expect(try await site.get("/healthz", ["Authorization": "Bearer wrong"]).status == 401)
        }
    }

    @Test(
        "a program of this machine without the token gets no media and no key, changes nothing, and has no file read"
    )
    func programs() async throws {
        try await withGuarded { site, token, secret in
            let source = try TemporaryDirectory()
            try SampleStream().write(to: source)
            let (media, api) = ("/assets/\(token)", "/api/v1/assets")
            let file = #"{"subtitle_files": [{"source": "\#(source.file("text/0.vtt"))", "language": "de"}]}"#
            let asks: [(method: String, path: String, body: String)] = [
                ("GET", "\(media)/video-360p/0.ts", ""), ("GET", "\(media)/video-360p/0.ts?decrypt=1", ""),
                ("GET", "\(media)/subtitles/en.vtt", ""), ("GET", "\(media)/keys/k0.key", ""),
                ("PUT", "\(media)/keys/k0.key", "blob"),
                ("POST", "\(media)/clearkey", #"{"kids": ["AAAA"]}"#),
                ("GET", "\(api)/\(token)", ""), ("GET", "/api/v1/events", ""),
                ("DELETE", "\(api)/\(token)", ""),
                ("POST", "\(api)/\(token)/license", "{}"), ("POST", "\(api)/\(token)/tracks", file),
                ("POST", "/api/v1/import", #"{"path": "\#(source.path)"}"#),
                ("POST", api, #"{"url": "http://127.0.0.1:1/", "artwork": "\#(source.file("poster.jpg"))"}"#),
            ]
            // A cached response is not for clients without the token, either.
            #expect(try await site.get("/t/\(secret)\(media)/video-360p/0.ts").status == 200)
            for credentials in [nil, "Bearer wrong", "Bearer", "Basic \(secret)"] {
                var fields = ["Content-Type": "application/json"]
                fields["Authorization"] = credentials
                for (method, path, body) in asks {
                    let reply = try await site.request(method, path, fields, body: body)
                    #expect(reply.status == 401, "\(method) \(path)")
                    #expect(reply["Content-Type"] == "application/problem+json" && reply["Location"] == nil)
                }
            }
            let reader = site.server.store.reader
            #expect(try reader.assets().map(\.token) == [token])
            #expect(try reader.requireAsset(token).license.firstPlayedAt == nil)
        }
    }

    @Test("a server that other machines can reach demands it, without being told to", arguments: ["0.0.0.0"])
    func beyondLoopback(_ host: String) async throws {
        try await withSite {
            $0.server.address = ListenAddress(host: host, port: 0)
        } _: { site in
            let secret = try #require(APIToken.existing(site.server.store.paths.apiToken))
            #expect(try await site.get("/api/v1/assets").status == 401)
            #expect(try await site.get("/t/\(secret)/api/v1/assets").status == 200)
        }
    }

    @Test(
        "a page of an allowed origin may send the token, and reads the refusal without it; other pages read nothing"
    )
    func preflight() async throws {
        try await withSite {
            ($0.server.requiresToken, $0.server.allowedOrigins) = (true, ["https://player.test"])
        } _: { site in
            let token = try await site.importSample()
            let path = "/assets/\(token)/master.m3u8"
            let asks = [
                "Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "authorization",
            ]
            let own = ["Origin": "https://player.test"]
            let preflight = try await site.request("OPTIONS", path, asks.merging(own) { $1 })
            #expect(preflight.status == 204)
            #expect(preflight["Access-Control-Allow-Origin"] == "https://player.test")
            #expect(preflight["Access-Control-Allow-Headers"]?.contains("Authorization") == true)
            let refused = try await site.get(path, own)
            #expect(refused.status == 401 && refused["Access-Control-Allow-Origin"] == "https://player.test")
            let foreign = try await site.request(
                "OPTIONS", path, asks.merging(["Origin": "https://evil.test"]) { $1 })
            #expect(foreign.status == 401 && foreign["Access-Control-Allow-Origin"] == nil)
        }
    }

    @Test("a bearer or the prefix opens everything, under any name")
    func admitted() async throws {
        try await withGuarded { site, token, secret in
            let bearer = ["Authorization": "Bearer \(secret)"]
            #expect(try await site.get("/api/v1/assets", bearer).status == 200)
            let spaced = ["Authorization": "bearer  \(secret)"]
            #expect(try await site.get("/api/v1/assets", spaced).status == 200)
            for target in ["", "healthz", "assets/\(token)/master.m3u8", "assets/\(token)/video-360p/0.ts"] {
                for _ in 0..<2 {
                    #expect(try await site.get("/t/\(secret)/\(target)").status == 200, "\(target)")
                }
            }
            #expect(try await site.get("/t/\(secret)/healthz", ["Host": "tv.lan:1234"]).status == 200)
            let foreign = try await site.get(
                "/t/\(secret)/api/v1/assets", ["Origin": "http://evil.test"])
            #expect(foreign.status == 403)
        }
    }

    @Test("references in pages and playlists stay below the prefix")
    func relative() async throws {
        try await withGuarded { site, token, secret in
            for target in ["", "watch/\(token)", "assets/\(token)/master.m3u8"] {
                let text = try await site.get("/t/\(secret)/\(target)").text
                #expect(!text.contains("\"/assets") && !text.contains("\"/watch"), "\(target)")
            }
        }
    }

    @Test("answers have the address that the client uses, with the token only if its path had it")
    func addresses() async throws {
        try await withGuarded { site, token, secret in
            let host = ["Host": "tv.lan:1234"]
            let bearer = host.merging(["Authorization": "Bearer \(secret)"]) { $1 }
            for (prefix, fields) in [("/t/\(secret)", host), ("", bearer)] {
                let folder = "http://tv.lan:1234\(prefix)/assets/\(token)"
                let asset = try await site.get("\(prefix)/api/v1/assets/\(token)", fields)
                #expect(asset.object["playlist_url"] as? String == "\(folder)/master.m3u8")
                let all = try await site.get("\(prefix)/api/v1/assets", fields)
                #expect(all.text.contains("\"\(folder)/master.m3u8\""))
                let subtitles = try await site.get("\(prefix)/assets/\(token)/subtitles", fields)
                #expect(subtitles.text.contains("\"\(folder)/subtitles/en.vtt\""))
                let page = try await site.get("\(prefix)/watch/\(token)", fields)
                #expect(page.text.contains("mpv \(folder)/master.m3u8"))
                for reply in [asset, all, subtitles, page] {
                    #expect(reply.status == 200 && !reply.text.contains("127.0.0.1"))
                    #expect(reply.text.contains(secret) == !prefix.isEmpty)
                }
            }
        }
    }
}
