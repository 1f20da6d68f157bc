import AssetStore
import Foundation
import TestSupport
import Testing

@testable import OfflineServer

/// A repeated request is carried out once, and a change for one version is applied to no other.
@Suite("A request that may come twice", .fewAtOnce, .timeLimit(.minutes(2)))
struct RepeatedRequestTests {
    private static let json = ["Content-Type": "application/json"]

    @Test(
        "makes one asset under its key, answers it again after a restart, and is refused for something else")
    func keys() async throws {
        let folder = try TemporaryDirectory()
        let body = #"{"url": "http://127.0.0.1:1/a.m3u8", "name": "N"}"#
        let first = try await withSite(in: folder) { site in
            let reply = try await site.post("/api/v1/assets", body, ["Idempotency-Key": "\"k-1\""])
            #expect(reply.status == 201 && reply.object["client_id"] as? String == "k-1")
            return try #require(reply.object["token"] as? String)
        }
        try await withSite(in: folder) { site in
            for key in ["\"k-1\"", "k-1"] {
                let again = try await site.post("/api/v1/assets", body, ["Idempotency-Key": key])
                #expect(again.status == 200 && again.object["token"] as? String == first)
                #expect(again["Location"] == "/api/v1/assets/\(first)")
            }
            let named = try await site.post(
                "/api/v1/assets", #"{"name": "N", "client_id": "k-1", "url": "http://127.0.0.1:1/a.m3u8"}"#)
            #expect(named.status == 200 && named.object["token"] as? String == first)
            let other = try await site.post(
                "/api/v1/assets", #"{"url": "http://127.0.0.1:1/b.m3u8"}"#, ["Idempotency-Key": "k-1"])
            #expect(other.status == 422 && other.object["code"] as? String == "client-id-taken")
            let new = try await site.post("/api/v1/assets", body, ["Idempotency-Key": "k-2"])
            #expect(new.status == 201)
            #expect(try site.server.store.reader.assets().count == 2)
            try await site.server.store.remove(try #require(AssetToken(first)))
            let anew = try await site.post("/api/v1/assets", body, ["Idempotency-Key": "k-1"])
            #expect(anew.status == 201 && anew.object["token"] as? String != first)
        }
    }

    @Test("names each of several by a client id, and the whole list again gives the same assets")
    func lists() async throws {
        try await withSite { site in
            let list =
                #"[{"url": "http://127.0.0.1:1/a", "client_id": "a"}, {"url": "http://127.0.0.1:1/b", "client_id": "b"}]"#
            var answers: [[String]] = []
            for _ in 0..<2 {
                let reply = try await site.post("/api/v1/assets", list)
                let entries = reply.object["assets"] as? [[String: Any]] ?? []
                answers.append(entries.compactMap { $0["token"] as? String })
            }
            #expect(answers[0].count == 2 && answers[0] == answers[1])
            let keyed = try await site.post("/api/v1/assets", list, ["Idempotency-Key": "k"])
            #expect(keyed.status == 400)
        }
    }

    @Test(
        "is refused when its key is invalid, or two different keys are given",
        arguments: [("\"\"", ""), ("a b", ""), ("k", #", "client_id": "l""#), ("", #", "client_id": "a b""#)])
    func badKeys(key: String, member: String) async throws {
        try await withSite { site in
            let reply = try await site.post(
                "/api/v1/assets", #"{"url": "http://127.0.0.1:1/a"\#(member)}"#,
                key.isEmpty ? [:] : ["Idempotency-Key": key])
            #expect(
                reply.status == 400 && reply["Content-Type"] == "application/problem+json", "\(reply.text)")
            #expect(try site.server.store.reader.assets().isEmpty)
        }
    }

    @Test("an asset has a strong validator that changes with its object, and is not sent again")
    func validators() async throws {
        try await withSample { site, token in
            let path = "/api/v1/assets/\(token)"
            let first = try await site.get(path)
            let tag = try #require(first["ETag"])
            #expect(tag.hasPrefix("\""))
            let same = try await site.get(path, ["If-None-Match": tag])
            #expect(same.status == 304 && same["ETag"] == tag && same.body.isEmpty)
            #expect(try await site.get(path, ["If-Match": "\"other\""]).status == 412)
            var edit = AssetEdit()
            edit.name = "New"
            try await site.server.store.edit(token, edit)
            let later = try await site.get(path, ["If-None-Match": tag])
            #expect(later.status == 200 && later["ETag"] != tag)
        }
    }

    @Test("a change for one version is done to that, and to no other")
    func conditions() async throws {
        try await withSample { site, token in
            let path = "/api/v1/assets/\(token)"
            func change(_ tag: String, _ name: String) async throws -> Int {
                let fields = Self.json.merging(["If-Match": tag]) { $1 }
                return try await site.request("PATCH", path, fields, body: #"{"name": "\#(name)"}"#).status
            }
            let tag = try #require(try await site.get(path)["ETag"])
            #expect(try await change("\"none\"", "A") == 412)
            #expect(try await change(tag, "B") == 200)
            #expect(try await change(tag, "C") == 412)
            #expect(try await site.get(path).object["name"] as? String == "B")
            #expect(try await site.request("DELETE", path, ["If-Match": tag]).status == 412)
            #expect(try await change("*", "D") == 200)
            let now = try #require(try await site.get(path)["ETag"])
            #expect(try await site.request("DELETE", path, ["If-Match": now]).status == 204)
        }
    }

    @Test("a version is the same at every address of the server")
    func addresses() async throws {
        try await withSample { site, token in
            let path = "/api/v1/assets/\(token)"
            let other = ["Host": "localhost:\(site.server.port)"]
            let (here, there) = (try await site.get(path), try await site.get(path, other))
            #expect(here.text != there.text)
            let tag = try #require(here["ETag"])
            #expect(there["ETag"] == tag)
            let fields = Self.json.merging(other) { $1 }.merging(["If-Match": tag]) { $1 }
            #expect(try await site.request("PATCH", path, fields, body: #"{"name": "B"}"#).status == 200)
        }
    }

    @Test("of two changes for the same version at once one is done")
    func race() async throws {
        try await withSample { site, token in
            let path = "/api/v1/assets/\(token)"
            let tag = try #require(try await site.get(path)["ETag"])
            let fields = Self.json.merging(["If-Match": tag]) { $1 }
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<6 {
                    group.addTask {
                        let body = #"{"name": "\#(number)"}"#
                        return try await site.request("PATCH", path, fields, body: body).status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.sorted() == [200, 412, 412, 412, 412, 412])
        }
    }

    @Test("a list of changes names removed assets, and whether there may be more")
    func removals() async throws {
        try await withSample { site, token in
            let other = try await site.importSample("other")
            let list = try await site.get("/api/v1/assets").object
            let last = try #require(list["last_event"] as? Int)
            #expect(list["removed"] as? [String] == [] && list["gap"] as? Bool == false)
            try await site.server.store.remove(token)
            let changes = try await site.get("/api/v1/assets?since=\(last)").object
            #expect(changes["removed"] as? [String] == [token.description])
            #expect((changes["assets"] as? [Any])?.isEmpty == true)
            let later = try #require(changes["last_event"] as? Int)
            let none = try await site.get("/api/v1/assets?since=\(later)").object
            #expect(none["removed"] as? [String] == [] && none["gap"] as? Bool == false)
            // An ID of another store, for example from before the store was set up anew.
            let unknown = try await site.get("/api/v1/assets?since=\(later + 1000)").object
            #expect(unknown["gap"] as? Bool == true)
            #expect(try site.server.store.reader.assets().map(\.token) == [other])
        }
    }

    @Test("the request that would make an asset again is valid, and holds no secret")
    func requestAgain() async throws {
        let origin = try OriginServer()
        let url = ClearStream.publish(on: origin)
        try await withSite { site in
            let body =
                #"{"url": "\#(url)?sig=S3CRET", "audio": ["de"], "rental": "30d", "headers": ["X: S3CRET"], "cookies": "S3CRET", "proxy": "http://u:S3CRET@127.0.0.1:1", "subtitle_files": [], "meta": {"a": "b"}, "client_id": "mine"}"#
            let reply = try await site.post("/api/v1/assets", body)
            let token = try #require(reply.object["token"] as? String)
            let again = try await site.get("/api/v1/assets/\(token)/request")
            #expect(again.status == 200 && !again.text.contains("S3CRET") && !again.text.contains("mine"))
            #expect(again.text.contains("\"\(url)\""), "as people write it: \(again.text)")
            #expect(again.object["url"] as? String == url && again.object["audio"] as? [String] == ["de"])
            #expect(again.object["rental"] as? Int == 30 * 86400)
            let once = try await site.post("/api/v1/assets", again.text)
            #expect(once.status == 201 && once.object["existing"] as? String == nil)
            let imported = try await site.importSample()
            #expect(try await site.get("/api/v1/assets/\(imported)/request").status == 409)
        }
        origin.stop()
    }

    @Test("strict, it is refused with the stream's choices, and no asset stays; else items are left out")
    func strict() async throws {
        let origin = try OriginServer()
        let url = ClearStream.publish(on: origin)
        try await withSite { site in
            let wish = #""url": "\#(url)", "audio": "en,xx", "rental": "30d""#
            let refused = try await site.post("/api/v1/assets", "{\(wish), \"strict\": true}")
            #expect(refused.status == 422 && refused.object["code"] as? String == "left-out")
            let items = refused.object["left_out"] as? [[String: Any]] ?? []
            #expect(items.map { $0["kind"] as? String } == ["audio", "license-terms"])
            #expect(items.first?["wanted"] as? String == "xx")
            #expect(items.first?["offered"] as? [String] == ["en", "de"])
            #expect(try await site.post("/api/v1/estimate", "{\(wish), \"strict\": true}").status == 422)
            #expect(try site.server.store.reader.assets().isEmpty)
            let estimate = try await site.post("/api/v1/estimate", "{\(wish)}")
            #expect((estimate.object["left_out"] as? [Any])?.count == 2)
            let taken = try await site.post("/api/v1/assets", "{\(wish), \"hold\": true}")
            #expect(taken.status == 201 && (taken.object["left_out"] as? [Any])?.count == 2)
        }
        origin.stop()
    }

    @Test("removing a removed asset succeeds; an asset that never existed is not found")
    func removedAgain() async throws {
        try await withSample { site, token in
            let path = "/api/v1/assets/\(token)"
            for _ in 0..<2 { #expect(try await site.request("DELETE", path).status == 204) }
            #expect(try await site.post("\(path)/remove", "{}").status == 200)
            let control = try await site.post(
                "/api/v1/control", #"{"action": "remove", "tokens": ["\#(token)"]}"#)
            #expect((control.object["done"] as? [Any])?.count == 1)
            #expect(try await site.get(path).status == 404)
            let never = "/api/v1/assets/01HZX3T5E8M9K2Q4R6S7V8W9XA"
            #expect(try await site.request("DELETE", never).status == 404)
        }
    }
}
