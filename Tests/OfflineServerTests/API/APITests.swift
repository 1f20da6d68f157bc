import AssetStore
import Foundation
import TestSupport
import Testing

@testable import OfflineServer

@Suite("The API", .fewAtOnce, .timeLimit(.minutes(2)))
struct APITests {
    @Test("POST makes an asset: 201, its address, and the asset object")
    func add() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        try await withSite { site in
            let body = #"{"url": "\#(url)?secret=1", "name": "N", "meta": {"myKey": "1", "my_key": "2"}}"#
            let reply = try await site.post("/api/v1/assets", body)
            #expect(reply.status == 201)
            #expect(reply["Content-Type"] == "application/json")
            #expect(AssetObject.missing(in: reply.object) == [])
            let token = try #require(reply.object["token"] as? String)
            #expect(reply["Location"] == "/api/v1/assets/\(token)")
            #expect(reply.object["name"] as? String == "N")
            #expect(reply.object["meta"] as? [String: String] == ["myKey": "1", "my_key": "2"])
            #expect(!reply.text.contains("secret"))
            let again = try await site.get("/api/v1/assets/\(token)")
            #expect(again.status == 200)
            #expect(AssetObject.missing(in: again.object) == [])
            await site.server.store.untilSettled(try #require(AssetToken(token)))
            #expect(try await site.get("/api/v1/assets/\(token)").object["state"] as? String == "complete")
        }
        origin.stop()
    }

    @Test("a download that is held starts when it is resumed, or by itself after a moment")
    func hold() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        try await withSite { site in
            for isResumed in [true, false] {
                let reply = try await site.post("/api/v1/assets", #"{"url": "\#(url)", "hold": true}"#)
                #expect(reply.object["state"] as? String == "queued")
                let token = try #require((reply.object["token"] as? String).flatMap { AssetToken($0) })
                if isResumed {
                    #expect(try await site.post("/api/v1/assets/\(token)/resume", "{}").status == 200)
                }
                await site.server.store.untilSettled(token)
                #expect(try site.server.store.reader.asset(token)?.state == .complete)
            }
        }
        origin.stop()
    }

    @Test(
        "a body that is no request is refused",
        arguments: [
            "", "{", "[]", "{}", #"{"url": 1}"#, #""http://a""#, #"{"url": "http://a", "max_bitrate": "x"}"#,
        ])
    func badBodies(_ body: String) async throws {
        try await withSite { site in
            let reply = try await site.post("/api/v1/assets", body)
            #expect(reply.status == 400)
            #expect(reply["Content-Type"] == "application/problem+json")
            #expect(reply.object["status"] as? Int == 400)
            #expect(try site.server.store.reader.assets().isEmpty)
        }
    }

    @Test("a URL that is never fetched is refused; a stream that can't be fetched fails with the reason")
    func unusable() async throws {
        let origin = try OriginServer()
        origin.serve("/page", text: "<html></html>", contentType: "text/html")
        try await withSite { site in
            for url in ["ftp://a.test/b.m3u8", "file:///etc/passwd"] {
                let reply = try await site.post("/api/v1/assets", #"{"url": "\#(url)"}"#)
                #expect(reply.status == 422, "\(url)")
                #expect(reply["Content-Type"] == "application/problem+json")
            }
            #expect(try site.server.store.reader.assets().isEmpty)
            for path in ["/gone.m3u8", "/page"] {
                let body = #"{"url": "\#(origin.url(path))""#
                let held = try await site.post("/api/v1/assets", body + #", "hold": true}"#)
                #expect(held.status == 409 && (held.object["detail"] as? String)?.isEmpty == false)
                let reply = try await site.post("/api/v1/assets", body + "}")
                #expect(reply.status == 201, "\(path)")
                let token = try #require((reply.object["token"] as? String).flatMap { AssetToken($0) })
                await site.server.store.untilSettled(token)
                let asset = try await site.get("/api/v1/assets/\(token)").object
                #expect(asset["state"] as? String == "failed" && asset["error"] is [String: Any])
            }
            #expect(try site.server.store.reader.assets().count == 2)
        }
        origin.stop()
    }

    @Test(
        "changes need the JSON type, which no form can send",
        arguments: ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
    func contentTypes(_ type: String) async throws {
        try await withSample { site, token in
            for target in ["/api/v1/assets", "/api/v1/assets/\(token)/verify", "/api/v1/import"] {
                let reply = try await site.post(target, "{}", ["Content-Type": type])
                #expect(reply.status == 415, "\(target)")
                #expect(reply["Content-Type"] == "application/problem+json")
            }
        }
    }

    @Test("the JSON type may have parameters and any case")
    func contentTypeParameters() async throws {
        try await withSample { site, token in
            let target = "/api/v1/assets/\(token)/verify"
            let reply = try await site.post(target, "{}", ["Content-Type": "Application/JSON; charset=utf-8"])
            #expect(reply.status == 200)
        }
    }

    @Test("a wrong bearer token is 401 with a challenge, the store's own works, and its file is private")
    func bearer() async throws {
        try await withSample { site, token in
            let target = "/api/v1/assets/\(token)/verify"
            for credentials in ["Bearer wrong", "Bearer", "Basic eDp5", "Bearer "] {
                let reply = try await site.post(target, "{}", ["Authorization": credentials])
                #expect(reply.status == 401, "\(credentials)")
                #expect(reply["WWW-Authenticate"]?.hasPrefix("Bearer") == true)
                #expect(reply["Content-Type"] == "application/problem+json")
            }
            let secret = String(decoding: try site.folder.read("api-token"), as: UTF8.self).dropLast()
            for scheme in ["Bearer", "bearer", "Bearer ", "BEARER   "] {
                let reply = try await site.post(target, "{}", ["Authorization": "\(scheme) \(secret)"])
                #expect(reply.status == 200, "\(scheme)")
            }
            let facts = try FileManager.default.attributesOfItem(atPath: site.folder.file("api-token"))
            #expect((facts[.posixPermissions] as? Int) == 0o600)
        }
    }

    @Test("a page of another origin can change nothing, also when it may read media")
    func foreignPages() async throws {
        try await withSample(allowing: ["https://player.test"]) { site, token in
            for fields in [
                ["Origin": "https://evil.test"], ["Origin": "https://player.test"],
                ["Sec-Fetch-Site": "cross-site"],
            ] {
                #expect(try await site.post("/api/v1/assets/\(token)/remove", "{}", fields).status == 403)
                #expect(try await site.request("DELETE", "/api/v1/assets/\(token)", fields).status == 403)
            }
            let asset = try site.server.store.reader.asset(token)
            #expect(asset != nil)
        }
    }

    @Test("our own page may change things")
    func ownPage() async throws {
        try await withSample { site, token in
            let fields = ["Origin": "http://127.0.0.1:\(site.server.port)", "Sec-Fetch-Site": "same-origin"]
            let reply = try await site.post("/api/v1/assets/\(token)/verify", "{}", fields)
            #expect(reply.status == 200)
        }
    }

    private func page(_ site: Site, _ query: String) async throws -> (tokens: [String], next: String?) {
        let object = try await site.get("/api/v1/assets\(query)").object
        let assets = object["assets"] as? [[String: Any]] ?? []
        return (assets.compactMap { $0["token"] as? String }, object["next"] as? String)
    }

    @Test("the list comes newest first, in pages that follow each other, and by state")
    func paging() async throws {
        try await withSite { site in
            var tokens: [String] = []
            for number in 0..<3 {
                tokens.insert(try await site.importSample("s\(number)").description, at: 0)
            }
            tokens.sort(by: >)
            let all = try await page(site, "")
            #expect(all.tokens == tokens)
            let first = try await page(site, "?limit=2")
            #expect(first.tokens == Array(tokens[..<2]))
            let second = try await page(site, "?limit=2&before=\(try #require(first.next))")
            #expect(second.tokens == [tokens[2]])
            let complete = try await page(site, "?state=complete")
            #expect(complete.tokens.count == 3)
            let others = try await page(site, "?state=failed,queued")
            #expect(others.tokens.isEmpty)
            let wrong = try await site.get("/api/v1/assets?state=nonsense")
            #expect(wrong.status == 400)
            #expect(wrong["Content-Type"] == "application/problem+json")
        }
    }

    @Test("DELETE removes an asset; afterwards it does not exist")
    func delete() async throws {
        try await withSample { site, token in
            let reply = try await site.request("DELETE", "/api/v1/assets/\(token)")
            #expect(reply.status == 204)
            #expect(reply.body.isEmpty)
            #expect(try await site.get("/api/v1/assets/\(token)").status == 404)
            #expect(try await site.request("DELETE", "/api/v1/assets/\(token)").status == 204)
        }
    }

    @Test("verify names damaged and missing files; repair fetches only these")
    func verifyAndRepair() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        try await withSite { site in
            let made =
                try await site.post("/api/v1/assets", #"{"url": "\#(url)"}"#).object["token"] as? String
            let token = try #require(made.flatMap { AssetToken($0) })
            await site.server.store.untilSettled(token)
            let sound = try await site.post("/api/v1/assets/\(token)/verify", "{}").object
            #expect(sound["sound"] as? Bool == true)
            #expect((sound["checked"] as? Int ?? 0) >= SampleStream.served.count)
            let damaged = SampleStream.otherVideo
            try Data(damaged).write(to: URL(filePath: site.file(token, "video-360p/0.ts")))
            try Tampering.removed.apply(to: site.file(token, "audio-en/1.m4s"))
            let report = try await site.post("/api/v1/assets/\(token)/verify", "{}").object
            #expect(report["sound"] as? Bool == false)
            #expect(report["damaged"] as? [String] == ["video-360p/0.ts"])
            #expect(report["missing"] as? [String] == ["audio-en/1.m4s"])
            #expect(try await site.get("/assets/\(token)/video-360p/0.ts").status == 503)
            origin.forgetRequests()
            #expect(try await site.post("/api/v1/assets/\(token)/repair", "{}").status == 202)
            await site.server.store.untilSettled(token)
            #expect(Set(origin.mediaRequests.map(\.path)) == ["/video/0.ts", "/audio/1.m4s"])
            #expect(try await site.get("/assets/\(token)/video-360p/0.ts").body == SampleStream.video(0))
        }
        origin.stop()
    }

    @Test("storage adds up the bytes by their use")
    func storage() async throws {
        try await withSample { site, token in
            let object = try await site.get("/api/v1/storage").object
            let share = (object["assets"] as? [[String: Any]])?.first
            #expect(share?["token"] as? String == token.description)
            #expect(share?["bytes"] as? Int == object["bytes"] as? Int)
            #expect((object["catalog_bytes"] as? Int ?? 0) > 0)
        }
    }

    @Test("a missing resource is a problem document with the token, for every request")
    func unknown() async throws {
        try await withSite { site in
            let token = "01HZX3T5E8M9K2Q4R6S7V8W9XA"
            let replies = [
                try await site.get("/api/v1/assets/\(token)"),
                try await site.request("DELETE", "/api/v1/assets/\(token)"),
                try await site.post("/api/v1/assets/\(token)/verify", "{}"),
                try await site.post("/api/v1/assets/\(token)/repair", "{}"),
            ]
            for reply in replies {
                #expect(reply.status == 404)
                #expect(reply["Content-Type"] == "application/problem+json")
                #expect(reply.object["token"] as? String == token)
            }
            for target in ["/api/v1/nothing", "/api/v1/", "/api/v1/assets/x", "/api/v2/assets"] {
                #expect(try await site.get(target).status == 404, "\(target)")
            }
        }
    }

    @Test("other methods are refused with those that are allowed, and OPTIONS lists them")
    func methods() async throws {
        try await withSample { site, token in
            let json = ["Content-Type": "application/json", "Content-Length": "0"]
            for (target, allowed) in [
                ("/api/v1/assets", "POST"), ("/api/v1/assets/\(token)", "DELETE"),
                ("/api/v1/assets/\(token)/verify", "POST"),
            ] {
                let reply = try await site.request("PUT", target, json)
                #expect(reply.status == 405)
                #expect(reply["Allow"]?.contains(allowed) == true)
                let options = try await site.request("OPTIONS", target)
                #expect(options.status == 204)
                #expect(options["Allow"]?.contains(allowed) == true)
            }
        }
    }

    @Test("the list of assets has the rate of a download, like the asset itself")
    func speeds() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        origin.fault("/video/2.ts", .holdHeader)
        try await withSite { site in
            let token = try await site.download(url)
            try await eventually {
                let list = try await site.get("/api/v1/assets").object["assets"] as? [[String: Any]]
                return list?.first?["speed"] as? Double ?? 0 > 0
            }
            #expect(try await site.get("/api/v1/assets/\(token)").object["speed"] is Double)
            origin.clearFaults("/video/2.ts")
            await releasing(origin) { await site.server.store.untilSettled(token) }
        }
        origin.stop()
    }
}
