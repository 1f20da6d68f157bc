import AssetStore
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import APIDocuments
@testable import OfflineServer

/// Requests are taken as the API's description says, and not otherwise.
@Suite("A request to the API", .fewAtOnce, .timeLimit(.minutes(2)))
struct RequestFormTests {
    @Test(
        "with an invalid or repeated query item is refused",
        arguments: [
            "limit=0", "limit=x", "limit=", "limit=5&limit=6", "before=x", "before=", "state=,",
            "state=nothing", "since=1&since=2", "since=-1", "since=%2B1", "limit=%2B5", "expiring=",
            "expiring=x",
        ])
    func queries(query: String) async throws {
        try await withSample { site, _ in
            let reply = try await site.get("/api/v1/assets?\(query)")
            #expect(reply.status == 400 && reply["Content-Type"] == "application/problem+json")
            let whole = try await site.get("/api/v1/assets?state=&limit=5000&since=0&expiring=3d")
            #expect(whole.status == 200)
        }
    }

    @Test(
        "has an object for a body, even where nothing in it counts",
        arguments: ["verify", "repair", "pause", "resume", "cancel", "revoke", "remove"])
    func objects(verb: String) async throws {
        try await withSample { site, token in
            for body in ["[]", "[null]", "null", "1", "\"x\"", "{"] {
                let reply = try await site.post("/api/v1/assets/\(token)/\(verb)", body)
                #expect(reply.status == 400, "\(body)")
            }
            let reply = try await site.post("/api/v1/assets/\(token)/\(verb)", "{}")
            #expect([200, 202, 409].contains(reply.status))
        }
    }

    @Test("with a name that the catalog could not keep is refused")
    func names() async throws {
        try await withSample { site, token in
            let name = #""name": "a\u0000b""#
            let add = try await site.post("/api/v1/assets", #"{"url": "http://127.0.0.1:1/", \#(name)}"#)
            #expect(add.status == 400)
            let importing = try await site.post("/api/v1/import", #"{"path": "/", \#(name)}"#)
            #expect(importing.status == 400)
            let edit = try await site.request(
                "PATCH", "/api/v1/assets/\(token)", ["Content-Type": "application/json"], body: "{\(name)}")
            #expect(edit.status == 400)
        }
    }

    @Test("with more bytes than can be counted is refused")
    func tooManyBytes() async throws {
        try await withSample { site, token in
            let bytes = "9223372036854775808"
            let json = ["Content-Type": "application/json"]
            for (method, path, body) in [
                ("POST", "assets", #"{"url": "http://127.0.0.1:1/", "limit_rate": \#(bytes)}"#),
                ("PATCH", "assets/\(token)", #"{"limit_rate": \#(bytes)}"#),
                ("PATCH", "settings", #"{"limit_rate_per_host": \#(bytes)}"#),
                ("POST", "storage/prune", #"{"free": \#(bytes), "dry_run": true}"#),
            ] {
                let reply = try await site.request(method, "/api/v1/\(path)", json, body: body)
                #expect(reply.status == 400, "\(path)")
            }
        }
    }

    @Test(
        "with a control character in an address is refused, instead of being taken for another address",
        arguments: [#"\u0000"#, #"\n"#, #"\u007f"#])
    func controls(character: String) async throws {
        try await withSample { site, token in
            for (path, member) in [
                ("assets", "url"), ("probe", "url"), ("assets/\(token)/relink", "url"),
                ("assets/\(token)/license", "via_url"),
            ] {
                for url in ["http://127.0.0.1:1/a\(character)", "http://127.0.0.1:1/\(character)a"] {
                    let reply = try await site.post("/api/v1/\(path)", #"{"\#(member)": "\#(url)"}"#)
                    #expect([409, 422].contains(reply.status), "\(path): \(reply.text)")
                }
            }
            #expect(try site.server.store.reader.assets().count == 1)
        }
    }

    @Test(
        "to free room names classes, each by its own name",
        arguments: [#"["", ""]"#, #"["all"]"#, #"["none"]"#, #"["expired,watched"]"#])
    func classes(evict: String) async throws {
        try await withSite { site in
            let reply = try await site.post(
                "/api/v1/storage/prune", #"{"dry_run": true, "evict": \#(evict)}"#)
            #expect(reply.status == 400)
            for known in ["[]", #"["expired", "watched"]"#, "null"] {
                let prune = #"{"dry_run": true, "evict": \#(known)}"#
                #expect(try await site.post("/api/v1/storage/prune", prune).status == 200, "\(known)")
            }
        }
    }

    @Test("that names a file or stream which can't be read now is a conflict, and not the server's fault")
    func unreadable() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        try await withSite { site in
            for member in [
                #""artwork": "/no/such/picture""#, #""artwork": """#,
                #""subtitle_files": [{"source": "/no/such/file", "language": "en"}]"#,
            ] {
                let reply = try await site.post(
                    "/api/v1/assets", #"{"url": "\#(url)", "hold": true, \#(member)}"#)
                #expect(reply.status == 409, "\(member)")
            }
            let gone = try await site.post("/api/v1/probe", #"{"url": "\#(origin.url("/gone"))"}"#)
            #expect(gone.status == 409)
            #expect(try site.server.store.reader.assets().isEmpty)
        }
        origin.stop()
    }

    @Test("that takes content is described so, and its answers with everything they may have")
    func described() async throws {
        let document = OpenAPIDocument(operations: APIOperation.all).json.text
        let json = try #require(
            try JSONSerialization.jsonObject(with: Data(document.utf8)) as? [String: Any])
        let paths = try #require(json["paths"] as? [String: [String: Any]])
        for operation in APIOperation.all where operation.method == .post || operation.method == .patch {
            let item = paths["/\(operation.template)"]?[operation.methodName] as? [String: Any]
            let body = item?["requestBody"] as? [String: Any]
            #expect(body?["required"] as? Bool == true, "\(operation.template)")
        }
        let schemas = try #require((json["components"] as? [String: Any])?["schemas"] as? [String: Any])
        for name in ["Added", "Imported", "Widened"] {
            let text = String(describing: schemas[name] ?? "")
            #expect(text.contains("lost"), "\(name)")
        }
    }

    @Test(
        "is described by patterns that match exactly the accepted values",
        arguments: [
            (
                APISchemas.url,
                ["http://a", "HTTPS://u:p@b:80/c?d#e", " http://a ", "http://[::1]/", "http://ü/ä"],
                [
                    "", "a", "ftp://a", "http://", "http:///a", "http://a\u{0}/", "http://a:x/", "http://\n/",
                    "http://a/\u{7F}",
                ]
            ),
            (APISchemas.span, ["1", "3600s", "48h", "30d", "999w"], ["", "0", "x", "1y", "-1", "99999d"]),
            (APISchemas.token, ["01ARZ3NDEKTSV4RRFFQ69G5FAV"], ["", "01ARZ3NDEKTSV4RRFFQ69G5FA", "U"]),
            (
                APISchemas.schedule, ["always", "22:00-06:00", "22:00-06:00,12:00-24:00"],
                ["", "22:00", "22:00-22:00", "25:00-26:00", "12:00-13:00,", "24:00-01:00"]
            ),
            (APISchemas.states, ["", "queued", "queued,failed"], [",", "queued,", "x"]),
            (APISchemas.fieldLine, ["A: b", "X-Y:"], ["", "A", "A b: c", ": d"]),
        ] as [(JSONValue, [String], [String])])
    func patterns(schema: JSONValue, taken: [String], refused: [String]) throws {
        let document = try JSONSerialization.jsonObject(with: Data(schema.text.utf8)) as? [String: Any]
        let pattern = try NSRegularExpression(pattern: try #require(document?["pattern"] as? String))
        for text in taken + refused {
            let range = NSRange(text.startIndex..., in: text)
            #expect((pattern.firstMatch(in: text, range: range) != nil) == taken.contains(text), "\(text)")
        }
    }
}
