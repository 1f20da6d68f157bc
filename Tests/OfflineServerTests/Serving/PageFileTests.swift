import AssetStore
import Foundation
import TestSupport
import Testing

@testable import OfflineServer

@Suite("The files of the pages", .fewAtOnce, .timeLimit(.minutes(2)))
struct PageFileTests {
    @Test("every file that a page names is there, and is not sent again while it stays the same")
    func files() async throws {
        try await withSample { site, token in
            for page in ["/", "/watch/\(token)"] {
                let text = try await site.get(page).text
                let names = text.matches(of: #/(?:href|src)="(?:\.\./)?app/([^"]+)"/#).map { String($0.1) }
                #expect(names.count >= 4)
                for name in names {
                    let reply = try await site.get("/app/\(name)")
                    #expect(reply.status == 200 && reply["Content-Type"]?.isEmpty == false, "\(name)")
                    let tag = try #require(reply["ETag"])
                    #expect(try await site.get("/app/\(name)", ["If-None-Match": tag]).status == 304)
                }
            }
            let code = try await site.get("/app/qr.svg?text=x")
            #expect(code.status == 200 && code["Content-Type"] == "image/svg+xml")
            #expect(code.text == QRCode("x")?.svg)
            for query in ["", "?text=", "?text=\(String(repeating: "x", count: 332))"] {
                #expect(try await site.get("/app/qr.svg\(query)").status == 400)
            }
            #expect(try await site.get("/app/none.js").status == 404)
            #expect(try await site.get("/app/..%2F..%2Fconfig.json").status == 404)
        }
    }

    @Test("all files together are small, and smaller for clients that accept gzip")
    func sizes() async throws {
        try await withSite { site in
            var (plain, sent) = (0, 0)
            for name in PageResources().names {
                let whole = try await site.get("/app/\(name)", ["Accept-Encoding": "gzip;q=0"])
                #expect(whole["Content-Encoding"] == nil && whole["Vary"] == "Accept-Encoding")
                let short = try await site.get("/app/\(name)", ["Accept-Encoding": "br, gzip"])
                #expect(short["Content-Encoding"] == nil || short["ETag"] != whole["ETag"])
                plain += Int(whole["Content-Length"] ?? "") ?? .max / 100
                sent += Int(short["Content-Length"] ?? "") ?? .max / 100
            }
            #expect(plain > 100_000 && sent < 150_000)
        }
    }

    @Test("every script names only scripts that are there")
    func imports() async throws {
        try await withSite { site in
            var (known, open): (Set<String>, [String]) = (["main.js"], ["main.js"])
            while let name = open.popLast() {
                let reply = try await site.get("/app/\(name)")
                #expect(reply.status == 200, "\(name)")
                for found in reply.text.matches(of: #/(?:from |import\()'\.\/([a-z0-9]+\.js)'/#)
                where known.insert(String(found.1)).inserted {
                    open.append(String(found.1))
                }
            }
            #expect(known.count > 10)
        }
    }

    @Test("a page asks at once for the scripts of its first picture, and for no others")
    func modules() async throws {
        try await withSample { site, token in
            for (page, needed, others) in [
                ("/", ["main.js", "library.js", "store.js"], ["engine.js", "settings.js"]),
                ("/watch/\(token)", ["main.js", "watch.js", "engine.js"], ["library.js", "settings.js"]),
            ] {
                let text = try await site.get(page).text
                let root = page == "/" ? "" : "../"
                for name in needed {
                    #expect(text.contains(#"rel="modulepreload" href="\#(root)app/\#(name)">"#), "\(name)")
                }
                for name in others { #expect(!text.contains(name), "\(name)") }
            }
        }
    }

    @Test("the library's page has its newest assets as the API lists them, with any names")
    func first() async throws {
        try await withSample { site, token in
            let name = "</script><!-- \"A\" & <b>"
            var edit = AssetEdit()
            edit.name = name
            try await site.server.store.control.edit(token, edit)
            let text = try await site.get("/").text
            let found = text.firstMatch(of: #/id="first">(.*?)<\/script>/#)
            let data = Data(try #require(found).1.utf8)
            var brought = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
            (brought["removed"], brought["gap"]) = ([String](), false)
            let list = try await site.get("/api/v1/assets?view=summary&limit=60").object
            #expect(NSDictionary(dictionary: brought) == NSDictionary(dictionary: list))
            #expect((list["assets"] as? [[String: Any]])?.first?["name"] as? String == name)
        }
    }

    @Test("without scripts one gets from the newest assets to all others")
    func older() async throws {
        try await withSite { site in
            let items = (0..<130).map { #"{"url": "http://127.0.0.1:9/\#($0).m3u8"}"# }
            let body = #"{"assets": [\#(items.joined(separator: ","))]}"#
            #expect(try await site.post("/api/v1/assets", body).status == 201)
            var (page, seen) = ("/", Set<String>())
            while true {
                let text = try await site.get(page).text
                let tokens = text.matches(of: #/href="watch\/([0-9A-Z]+)"/#).map { String($0.1) }
                #expect(tokens.count <= 60 && seen.isDisjoint(with: tokens))
                seen.formUnion(tokens)
                guard let next = text.firstMatch(of: #/href="(\?before=[0-9A-Z]+)"/#)?.1 else { break }
                page = "/\(next)"
            }
            #expect(seen.count == 130)
        }
    }

    @Test("a page may run its own scripts, and no other page may embed it")
    func policy() async throws {
        try await withSample { site, token in
            for path in ["/", "/watch/\(token)"] {
                let reply = try await site.get(path)
                let policy = try #require(reply["Content-Security-Policy"])
                for rule in [
                    "default-src 'none'", "script-src 'self';", "frame-ancestors 'none'", "base-uri 'none'",
                ] {
                    #expect(policy.contains(rule))
                }
                #expect(!policy.contains("unsafe"))
                #expect(reply["Referrer-Policy"] == "no-referrer")
                #expect(reply["X-Content-Type-Options"] == "nosniff")
            }
        }
    }
}
