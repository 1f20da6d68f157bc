import TestSupport
import Testing

@testable import OfflineServer

/// RFC 9110's rules for requests that change something.
@Suite("A change", .fewAtOnce, .timeLimit(.minutes(2)))
struct RequestRuleTests {
    @Test(
        "is refused whose condition can't hold: nothing here has a version to name",
        arguments: [
            ("If-Match", "\"x\"", 412), ("If-Match", "W/\"x\"", 412), ("If-None-Match", "*", 412),
            ("If-Match", "*", 200), ("If-None-Match", "\"x\"", 200),
            ("If-Unmodified-Since", "Sat, 01 Jan 2000 00:00:00 GMT", 200),
        ])
    func conditions(name: String, value: String, status: Int) async throws {
        try await withSample { site, token in
            let reply = try await site.post("/api/v1/assets/\(token)/verify", "{}", [name: value])
            #expect(reply.status == status)
            if status == 412 {
                let removal = try await site.request("DELETE", "/api/v1/assets/\(token)", [name: value])
                #expect(removal.status == 412)
                #expect(try await site.get("/api/v1/assets/\(token)").status == 200)
            }
        }
    }

    @Test("with a condition on a missing resource is 404", arguments: ["If-Match", "If-None-Match"])
    func conditionOnNothing(name: String) async throws {
        try await withSite { site in
            let value = name == "If-Match" ? "\"x\"" : "*"
            for token in ["01HZX3T5E8M9K2Q4R6S7V8W9XA", "nonsense"] {
                let path = "/api/v1/assets/\(token)"
                let removal = try await site.request("DELETE", path, [name: value])
                let check = try await site.post("\(path)/verify", "{}", [name: value])
                #expect(removal.status == 404 && check.status == 404, "\(token)")
            }
            let other = try await site.post("/api/v1/storage/prune", #"{"dry_run": true}"#, [name: value])
            #expect(other.status == 412)
        }
    }

    @Test("comes whole and without a content coding")
    func content() async throws {
        try await withSample { site, token in
            for target in ["/api/v1/assets", "/api/v1/assets/\(token)/verify"] {
                let coded = try await site.post(target, "{}", ["Content-Encoding": "gzip"])
                #expect(coded.status == 415 && coded["Accept-Encoding"] == "identity")
            }
            let key = "/assets/\(token)/keys/1.key"
            for (fields, status) in [
                (["Content-Encoding": "gzip"], 415), (["Content-Range": "bytes 0-3/9"], 400),
            ] {
                let fields = fields.merging(["Content-Length": "4"]) { $1 }
                let reply = try await site.request("PUT", key, fields, body: "abcd")
                #expect(reply.status == status)
                #expect(reply["Content-Type"] == "application/problem+json")
            }
            let plain = try await site.post(
                "/api/v1/assets/\(token)/verify", "{}", ["Content-Encoding": "identity"])
            #expect(plain.status == 200)
        }
    }

    @Test(
        "in a type that only begins like JSON's is not taken",
        arguments: [
            "application/jsonp", "application/json-seq", "application/json+x", "application/json, text/plain",
            "text/json", ";application/json",
        ])
    func types(type: String) async throws {
        try await withSample { site, token in
            let target = "/api/v1/assets/\(token)/verify"
            let reply = try await site.post(target, "{}", ["Content-Type": type])
            #expect(reply.status == 415 && reply["Accept"] == "application/json")
            #expect(reply["Accept-Patch"] == nil)
            for path in ["/api/v1/assets/\(token)", "/api/v1/settings"] {
                let patch = try await site.request("PATCH", path, ["Content-Type": type], body: "{}")
                #expect(patch.status == 415 && patch["Accept-Patch"] == "application/json")
                #expect(patch["Accept"] == nil)
            }
        }
    }

    @Test("by PATCH is announced with its type for resources that support it, and for no others")
    func patches() async throws {
        try await withSample { site, token in
            let types: [(String, String?)] = [
                ("assets/\(token)", "application/json"), ("settings", "application/json"), ("assets", nil),
                ("assets/\(token)/verify", nil),
            ]
            for (path, type) in types {
                let options = try await site.request("OPTIONS", "/api/v1/\(path)")
                #expect(options.status == 204 && options["Accept-Patch"] == type, "\(path)")
            }
        }
    }

    @Test("may come in chunks")
    func chunks() async throws {
        try await withSample { site, token in
            let lines = site.message(
                "POST", "/api/v1/assets/\(token)/verify",
                ["Content-Type": "application/json ; charset=utf-8", "Transfer-Encoding": "chunked"]
            ).replacing("Content-Length: 0\r\n", with: "")
            let reply = try await blocking { [server = site.server] in
                let client = try RawHTTPClient(port: server.port)
                client.send(lines + "1\r\n{\r\n1\r\n}\r\n0\r\n\r\n")
                return Reply(client.readToEnd())
            }
            #expect(reply.status == 200)
        }
    }
}
