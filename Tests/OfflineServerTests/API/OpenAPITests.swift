import AssetStore
import Foundation
import TestSupport
import Testing

@testable import OfflineServer

@Suite("The description of the API", .fewAtOnce, .timeLimit(.minutes(2)))
struct OpenAPITests {
    @Test("every operation is described, and every reference leads to a schema")
    func complete() async throws {
        try await withSite { site in
            let reply = try await site.get("/api/v1/openapi.json")
            #expect(reply.status == 200 && reply.object["openapi"] as? String == "3.1.0")
            let paths = try #require(reply.object["paths"] as? [String: [String: Any]])
            for operation in APIOperation.all {
                let methods = paths["/\(operation.template)"]
                #expect(methods?[operation.methodName] != nil, "\(operation.template)")
            }
            let components = reply.object["components"] as? [String: Any]
            let schemas = try #require(components?["schemas"] as? [String: Any])
            for match in reply.text.matches(of: #/#\/components\/schemas\/(\w+)/#) {
                #expect(schemas[String(match.output.1)] != nil, "\(match.output.1)")
            }
        }
    }

    @Test("the asset object has exactly the members that its schema demands")
    func asset() async throws {
        try await withSample { site, token in
            let document = try await site.get("/api/v1/openapi.json").object
            let components = document["components"] as? [String: Any]
            let schemas = components?["schemas"] as? [String: [String: Any]]
            let required = try #require(schemas?["Asset"]?["required"] as? [String])
            let object = try await site.get("/api/v1/assets/\(token)").object
            #expect(Set(required).subtracting(object.keys) == [])
            let list = try await site.get("/api/v1/assets").object
            #expect(Set(schemas?["AssetList"]?["required"] as? [String] ?? ["-"]) == Set(list.keys))
        }
    }

    @Test("probe and estimate look at a stream and store nothing")
    func looking() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        try await withSite { site in
            let probe = try await site.post("/api/v1/probe", #"{"url": "\#(url)"}"#)
            #expect(probe.status == 200 && probe.object["eligible"] as? Bool == true)
            #expect(probe.object["bitrates"] as? [Int] == [300_000])
            let estimate = try await site.post("/api/v1/estimate", #"{"url": "\#(url)"}"#)
            #expect((estimate.object["likely"] as? Int ?? 0) > 65536)
            #expect(try await site.post("/api/v1/probe", "{}").status == 400)
            let unusable = try await site.post("/api/v1/estimate", "{\"url\": \"x\"}")
            #expect(unusable.status == 422)
            #expect(try site.server.store.reader.assets().isEmpty)
        }
        origin.stop()
    }

    @Test("probe and estimate take a stream of a key system only if its key may be missing")
    func missingKey() async throws {
        let origin = try OriginServer()
        let key = #"#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://x",KEYFORMAT="com.apple.streamingkeydelivery""#
        origin.serve(
            "/drm.m3u8", text: "#EXTM3U\n#EXT-X-TARGETDURATION:4\n\(key)\n#EXTINF:4,\n0.ts\n#EXT-X-ENDLIST\n")
        let url = origin.url("/drm.m3u8")
        try await withSite { site in
            for (member, isTaken) in [("", false), (#", "allow_missing_key": true"#, true)] {
                let body = #"{"url": "\#(url)"\#(member)}"#
                let probe = try await site.post("/api/v1/probe", body)
                #expect((probe.object["eligible"] as? Bool == true) == isTaken)
                #expect(try await site.post("/api/v1/estimate", body).status == (isTaken ? 200 : 409))
            }
        }
        origin.stop()
    }

    @Test("metrics count assets by state, in the text format of Prometheus")
    func metrics() async throws {
        try await withSample { site, _ in
            let reply = try await site.get("/metrics")
            #expect(reply["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
            #expect(reply.text.contains("\noffline_server_assets{state=\"complete\"} 1\n"))
            #expect(reply.text.contains("\n# TYPE offline_server_stored_bytes gauge\n"))
            #expect(reply.text.contains("\noffline_server_queued{reason=\"bucket\"} 0\n"))
            #expect(!reply.text.contains("offline_server_node"), "the store is that of one machine")
            #expect(try await site.request("POST", "/metrics").status != 200)
        }
    }

    @Test("since lists the assets that something happened to after an event")
    func since() async throws {
        try await withSample { site, token in
            let all = try await site.get("/api/v1/assets?since=0").object
            let last = try #require(all["last_event"] as? Int)
            #expect((all["assets"] as? [Any])?.count == 1 && last > 0)
            let none = try await site.get("/api/v1/assets?since=\(last)").object
            #expect((none["assets"] as? [Any])?.isEmpty == true)
            try await site.server.store.edit(token, AssetEdit())
            let one = try await site.get("/api/v1/assets?since=\(last)").object
            #expect((one["assets"] as? [Any])?.count == 1)
            #expect(try await site.get("/api/v1/assets?since=x").status == 400)
        }
    }

    @Test("an import is answered by the asset, with its address")
    func importing() async throws {
        let source = try TemporaryDirectory()
        try SampleStream().write(to: source)
        try await withSite { site in
            let reply = try await site.post("/api/v1/import", "{\"path\": \"\(source.path)\"}")
            let token = try #require(reply.object["token"] as? String)
            #expect(reply.status == 201 && reply["Location"] == "/api/v1/assets/\(token)")
        }
    }

    @Test("a path that can't be imported is named as the fault of the request")
    func badImport() async throws {
        try await withSite { site in
            for (path, status) in [("/no/such/folder", 409), ("relative", 400)] {
                let reply = try await site.post("/api/v1/import", "{\"path\": \"\(path)\"}")
                #expect(reply.status == status)
            }
        }
    }
}
