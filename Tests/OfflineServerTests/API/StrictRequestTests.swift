import AssetStore
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import APIDocuments
@testable import OfflineServer

/// No unknown part of a request is ignored silently.
@Suite("Unknown members and items of requests", .fewAtOnce, .timeLimit(.minutes(2)))
struct StrictRequestTests {
    private let token = "01ARZ3NDEKTSV4RRFFQ69G5FAV"

    private func expectRefusal(
        _ reply: Reply, pointer: String, suggestion: String? = nil, says text: String = ""
    ) {
        #expect(reply.status == 400 && reply["Content-Type"] == "application/problem+json", "\(reply.text)")
        #expect(reply.object["pointer"] as? String == pointer, "\(reply.text)")
        #expect(reply.object["suggestion"] as? String == suggestion, "\(reply.text)")
        let detail = reply.object["detail"] as? String ?? ""
        #expect(text.isEmpty || detail.contains(text), "\(detail)")
        if let suggestion { #expect(detail.contains("did you mean \"\(suggestion)\"?")) }
    }

    @Test(
        "of a body is refused with its place and the name that was meant, by every operation that takes one")
    func everyOperation() async throws {
        try await withSample { site, token in
            for operation in APIOperation.all where operation.documentation.body != nil {
                let example = try #require(APIExamples.body(of: operation))
                let body = example.adding([("nonsense_member", 1)]).text
                let path = operation.template.replacing("{token}", with: token.description)
                let reply = try await site.request(
                    operation.method.rawValue, "/api/v1/\(path)", ["Content-Type": "application/json"],
                    body: body)
                expectRefusal(reply, pointer: "/nonsense_member", says: "Unknown member \"nonsense_member\"")
            }
        }
    }

    @Test(
        "are named with their place at any depth, the probable name, and the values of a known member",
        arguments: [
            ("assets", #"{"url": "http://a", "max_bitrat": 1}"#, "/max_bitrat", "max_bitrate", ""),
            ("assets", #"{"url": "http://a", "maxBitrate": 1}"#, "/maxBitrate", "max_bitrate", ""),
            (
                "assets", #"{"url": "http://a", "max_bitrate": "abc"}"#, "/max_bitrate", nil,
                "\"abc\" is no value for \"max_bitrate\", which takes a whole number above 0 (bits a second"
            ),
            (
                "assets", #"{"url": "http://a", "subtitle_files": [{"source": "/a", "lang": "en"}]}"#,
                "/subtitle_files/0/lang", nil, "Unknown member \"lang\" in \"subtitle_files\""
            ),
            ("assets", #"{"url": "http://a", "live": "yes"}"#, "/live", nil, "takes true or false"),
            (
                "assets", #"[{"url": "http://a"}, {"url": "http://b", "audoi": "en"}]"#, "/1/audoi", "audio",
                ""
            ),
            (
                "assets", #"{"assets": ["http://a"], "nxet": 2}"#, "/nxet", "next", ""
            ),
            ("assets", #"{"assets": [{"url": "http://a", "from": -1}]}"#, "/assets/0/from", nil, "0 or more"),
            ("assets", "{}", "", nil, "The member \"url\" is missing"),
            ("assets", #"{"url": "http://a""#, "", nil, "This is no JSON"),
            ("assets", #"{"url": "http://a", "url": "http://b"}"#, "/url", nil, "there twice"),
            (
                "assets", #"{"url": "http://a", "max_bitrate": 2, "min_bitrate": 1}"#, "/min_bitrate", nil,
                "exclude each other"
            ),
            ("assets", #"{"url": "http://a", "purchase": true, "rental": "3d"}"#, "/rental", nil, "exclude"),
            (
                "assets", #"{"url": "http://a", "rental": "soon"}"#, "/rental", nil,
                "is no value for \"rental\""
            ),
            ("assets", #"[{"url": "http://a", "from": 5, "to": 4}]"#, "/0/to", nil, "\"to\" must be after"),
            ("assets", #"{"url": "http://a", "headers": ["x"]}"#, "/headers/0", nil, "header"),
            ("control", #"{"action": "pause", "token": ["x"]}"#, "/token", "tokens", ""),
            ("control", #"{"action": "stop", "all": true}"#, "/action", nil, "takes one of"),
            (
                "control", #"{"action": "paus", "all": true}"#, "/action", nil,
                #"takes one of "pause", "resume", "cancel", "remove", "pin", "unpin", "prioritize"."#
            ),
            ("storage/prune", #"{"evict": ["watchd"]}"#, "/evict/0", nil, "\"watchd\" is no value"),
            ("import", #"{"path": "relative"}"#, "/path", nil, "\"path\""),
        ] as [(String, String, String, String?, String)])
    func places(path: String, body: String, pointer: String, suggestion: String?, text: String) async throws {
        try await withSite { site in
            let reply = try await site.post("/api/v1/\(path)", body)
            expectRefusal(reply, pointer: pointer, suggestion: suggestion, says: text)
            #expect(try site.server.store.reader.assets().isEmpty)
        }
    }

    @Test("of the settings and of an asset's terms is refused in a PATCH, and nothing is changed")
    func changes() async throws {
        try await withSample { site, token in
            let json = ["Content-Type": "application/json"]
            let before = try await site.get("/api/v1/settings").text
            for (path, body, pointer) in [
                ("settings", #"{"max_downloads": 2, "limit_rates": 5}"#, "/limit_rates"),
                ("settings", #"{"max_downloads": 65}"#, "/max_downloads"),
                ("settings", #"{"schedule": "25:00-26:00"}"#, "/schedule"),
                ("assets/\(token)", #"{"name": "x", "prioriti": 5}"#, "/prioriti"),
                ("assets/\(token)", #"{"meta": {"a": 1}}"#, "/meta/a"),
            ] {
                let reply = try await site.request("PATCH", "/api/v1/\(path)", json, body: body)
                #expect(reply.status == 400 && reply.object["pointer"] as? String == pointer, "\(reply.text)")
            }
            #expect(try await site.get("/api/v1/settings").text == before)
            #expect(try await site.get("/api/v1/assets/\(token)").object["name"] as? String == "sample")
        }
    }

    @Test(
        "of a query is refused with its name, in every operation",
        arguments: [
            ("assets?stat=queued", "stat", "state"), ("assets?state=queud", "state", "queued"),
            ("assets?limit=x", "limit", nil), ("assets/TOKEN?verbose=1", "verbose", nil),
            ("storage?a=b", "a", nil), ("settings?", nil, nil), ("assets?limit=1&limit=2", "limit", nil),
            ("events?sinc=0", "sinc", "since"), ("openapi.json?x", "x", nil),
        ] as [(String, String?, String?)])
    func queries(target: String, parameter: String?, suggestion: String?) async throws {
        try await withSample { site, token in
            let reply = try await site.get("/api/v1/\(target.replacing("TOKEN", with: token.description))")
            #expect(reply.status == (parameter == nil ? 200 : 400))
            #expect(reply.object["parameter"] as? String == parameter)
            #expect(reply.object["suggestion"] as? String == suggestion)
        }
    }

    @Test("of a media URL's query is passed over: players add items of their own")
    func media() async throws {
        try await withSample { site, token in
            let reply = try await site.get("/assets/\(token)/master.m3u8?_HLS_x=1&session=2")
            #expect(reply.status == 200)
        }
    }

    @Test("and holds a secret is not repeated in the refusal")
    func secrets() async throws {
        try await withSite { site in
            for body in [
                #"{"url": "http://a", "headers": "Authorization: S3CRET"}"#,
                #"{"url": "http://a", "headers": ["S3CRET"]}"#, #"{"url": ["http://u:S3CRET@a"]}"#,
                #"{"url": "http://a", "cookies": ["S3CRET"]}"#,
            ] {
                let reply = try await site.post("/api/v1/assets", body)
                #expect(reply.status == 400 && !reply.text.contains("S3CRET"), "\(reply.text)")
            }
        }
    }
}
