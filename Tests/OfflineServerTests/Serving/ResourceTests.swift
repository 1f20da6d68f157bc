import AssetStore
import TestSupport
import Testing

@testable import OfflineServer
@testable import OfflineServerCommands

@Suite("Serving resources", .fewAtOnce, .timeLimit(.minutes(2)))
struct ResourceTests {
    @Test(
        "segments and initialization sections come byte for byte, typed, immutable, with a strong entity tag")
    func segments() async throws {
        try await withSample { site, token in
            for (path, bytes, type) in SampleStream.served {
                let reply = try await site.get("/assets/\(token)/\(path)")
                #expect(reply.status == 200, "\(path)")
                #expect(reply.body == bytes, "\(path)")
                #expect(reply.isWhole)
                #expect(reply["Content-Type"] == type)
                #expect(reply["Cache-Control"] == "public, max-age=31536000, immutable")
                #expect(reply["ETag"]?.first == "\"", "\(path)")
                #expect(reply["Last-Modified"]?.hasSuffix(" GMT") == true)
                #expect(reply["Accept-Ranges"] == "bytes")
                #expect(reply["X-Content-Type-Options"] == "nosniff")
            }
        }
    }

    @Test("playlists and the poster may be kept but are asked for again")
    func revalidated() async throws {
        try await withSample { site, token in
            for (path, type) in [
                ("master.m3u8", "application/vnd.apple.mpegurl"),
                ("video-360p/media.m3u8", "application/vnd.apple.mpegurl"), ("poster", "image/jpeg"),
            ] {
                let reply = try await site.get("/assets/\(token)/\(path)")
                #expect(reply.status == 200, "\(path)")
                #expect(reply["Content-Type"] == type)
                #expect(reply["Cache-Control"] == "no-cache")
                #expect(reply["ETag"] != nil)
                #expect(reply["X-Content-Type-Options"] == "nosniff")
            }
            #expect(try await site.get("/assets/\(token)/poster").body == SampleStream.poster)
        }
    }

    @Test("a content key comes in the clear and is not cached")
    func keys() async throws {
        try await withSample { site, token in
            let playlist = try await site.get("/assets/\(token)/video-360p/media.m3u8").text
            let uri = try #require(playlist.firstMatch(of: /URI="\.\.\/(keys\/[^"]+)"/)?.1)
            let reply = try await site.get("/assets/\(token)/\(uri)")
            #expect(reply.body == SampleStream.key)
            #expect(reply["Content-Type"] == "application/octet-stream")
            #expect(reply["Cache-Control"] == "no-store")
        }
    }

    @Test("a media playlist is whole from the start: VOD with an end, and its segments' canonical names")
    func mediaPlaylist() async throws {
        try await withSample { site, token in
            let lines = try await site.get("/assets/\(token)/audio-en/media.m3u8").text.split(separator: "\n")
            #expect(lines.contains("#EXT-X-PLAYLIST-TYPE:VOD"))
            #expect(lines.last == "#EXT-X-ENDLIST")
            #expect(lines.contains("#EXT-X-MAP:URI=\"init-0.mp4\""))
            #expect(lines.filter { !$0.hasPrefix("#") } == ["0.m4s", "1.m4s", "2.m4s", "3.m4s"])
        }
    }

    @Test(
        "?start=T is in the multivariant playlist and in the media playlists that it leads to, and in no others"
    )
    func start() async throws {
        try await withSample { site, token in
            let base = "/assets/\(token)"
            let tag = "#EXT-X-START:TIME-OFFSET=5\n"
            let master = try await site.get("\(base)/master.m3u8?start=5").text
            #expect(master.contains(tag) && master.contains("\nvideo-360p/media.m3u8?start=5.0\n"))
            for query in ["start=5.0", "start=5.0&decrypt=1"] {
                let media = try await site.get("\(base)/video-360p/media.m3u8?\(query)").text
                #expect(media.contains(tag) && media.hasSuffix("#EXT-X-ENDLIST\n"), "\(query)")
            }
            for name in ["master.m3u8", "video-360p/media.m3u8"] {
                let text = try await site.get("\(base)/\(name)").text
                #expect(!text.contains("#EXT-X-START"))
            }
        }
    }

    @Test("HEAD has the header fields of GET and no body")
    func head() async throws {
        try await withSample { site, token in
            let paths = ["master.m3u8", "audio-en/media.m3u8", "video-360p/0.ts", "poster", "none/0.ts"]
            for path in paths + paths {
                let get = try await site.get("/assets/\(token)/\(path)")
                let head = try await site.request("HEAD", "/assets/\(token)/\(path)")
                func comparable(_ reply: Reply) -> [String] {
                    reply.fields.filter { $0.name != "Date" }.map { "\($0.name): \($0.value)" }.sorted()
                }
                #expect(head.status == get.status)
                #expect(head.body.isEmpty)
                #expect(comparable(head) == comparable(get), "\(path)")
            }
        }
    }

    @Test("a language in the query makes its rendition the default")
    func preferredLanguage() async throws {
        try await withSite { site in
            let token = try await DemoAsset.add(to: site.server.store)
            for (query, part, isDefault) in [
                ("", "audio-en/", "YES"), ("?audio=de", "audio-de/", "YES"), ("?audio=de", "audio-en/", "NO"),
                ("?subtitles=ja", "subtitles-ja/", "YES"), ("?subtitles=xx", "subtitles-ja/", "NO"),
            ] {
                let text = try await site.get("/assets/\(token)/master.m3u8\(query)").text
                let line = text.split(separator: "\n").first { $0.contains(part) }
                #expect(line?.contains("DEFAULT=\(isDefault)") == true, "\(query) \(part)")
            }
        }
    }

    @Test("the page at the root, and whether the server lives and is ready")
    func plainPages() async throws {
        try await withSite { site in
            let page = try await site.get("/")
            #expect(page.status == 200)
            #expect(try await site.get("/healthz").text == "ok\n")
            #expect(try await site.get("/readyz").status == 200)
            #expect(try await site.request("POST", "/healthz").status == 405)
        }
    }

    @Test("other methods are refused with those that are allowed")
    func methods() async throws {
        try await withSample { site, token in
            for method in ["POST", "DELETE", "PATCH"] {
                let reply = try await site.request(
                    method, "/assets/\(token)/video-360p/0.ts", ["Content-Length": "0"])
                #expect(reply.status == 405)
                #expect(reply["Allow"] == "GET, HEAD, OPTIONS")
                #expect(reply["Content-Type"] == "application/problem+json")
                #expect(reply.object["token"] as? String == token.description)
            }
            let options = try await site.request("OPTIONS", "/assets/\(token)/master.m3u8")
            #expect(options.status == 204)
            #expect(options["Allow"] == "GET, HEAD, OPTIONS")
        }
    }

    @Test("a missing resource is a problem document that names the token")
    func missing() async throws {
        try await withSample { site, token in
            let paths = [
                "none/media.m3u8", "none/0.ts", "video-360p/4.ts", "video-360p/0.mp4",
                "video-360p/init-0.mp4",
                "audio-en/init-1.mp4", "audio-en/init-0.m4s", "keys/none.key", "../0.ts",
                "", "none", "none/", "none/x/y", "video-360p/07.ts", "keys/none",
            ]
            for path in paths {
                let reply = try await site.get("/assets/\(token)/\(path)")
                #expect(reply.status == 404, "\(path)")
                #expect(reply["Content-Type"] == "application/problem+json")
                #expect(reply["Cache-Control"] == "no-store")
                #expect(reply.object["status"] as? Int == 404)
                #expect(reply.object["title"] as? String == "Not Found")
                #expect(reply.object["token"] as? String == token.description, "\(path)")
                for name in ["type", "detail"] { #expect((reply.object[name] as? String)?.isEmpty == false) }
            }
        }
    }

    @Test("a refused method or form is a problem document that names the token, too")
    func refused() async throws {
        try await withSample { site, token in
            let requests: [(String, String, [String: String], Int)] = [
                ("GET", "master.m3u8", ["Origin": "http://evil.test"], 403),
                ("GET", "none", ["Sec-Fetch-Site": "cross-site"], 403),
                ("GET", "master.m3u8", ["Host": "evil.test"], 421), ("BREW", "master.m3u8", [:], 501),
                ("PUT", "keys/k0.key", ["Content-Encoding": "gzip"], 415),
                ("PUT", "keys/k0.key", ["Content-Range": "bytes 0-3/9"], 400),
                ("DELETE", "keys/k0.key", [:], 405), ("GET", "clearkey", [:], 405),
            ]
            for (method, path, fields, status) in requests {
                let reply = try await site.request(method, "/assets/\(token)/\(path)", fields)
                #expect(reply.status == status, "\(method) \(path)")
                #expect(reply.object["token"] as? String == token.description, "\(method) \(path)")
            }
        }
    }

    @Test("an asset that never was and an address that is nothing are 404 too")
    func unknown() async throws {
        try await withSite { site in
            let token = "01HZX3T5E8M9K2Q4R6S7V8W9XA"
            for path in ["master.m3u8", "video/0.ts", "video/media.m3u8", "keys/1.key", "poster"] {
                let reply = try await site.get("/assets/\(token)/\(path)")
                #expect(reply.status == 404)
                #expect(reply.object["token"] as? String == token)
            }
            for path in [
                "/nothing", "/assets", "/assets/x/master.m3u8", "/..", "/assets/\(token)/..%2f..%2fstore.key",
            ] {
                let reply = try await site.get(path)
                #expect(reply.status == 404, "\(path)")
                #expect(reply["Content-Type"] == "application/problem+json")
            }
        }
    }
}
