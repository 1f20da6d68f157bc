import AssetStore
import Foundation
import TestSupport
import Testing

@testable import OfflineServer

@Suite("Control by the API", .fewAtOnce, .timeLimit(.minutes(2)))
struct ControlAPITests {
    /// A download that waits for a segment.
    private func withHeld(_ body: (Site, OriginServer, AssetToken) async throws -> Void) async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        origin.fault("/video/2.ts", .stall(after: 600), times: 1)
        try await withSite { site in
            let token = try await site.download(url)
            try await eventually { !origin.requests(for: "/video/2.ts").isEmpty }
            try await eventually { try stored(site, token) > 0 }
            try await body(site, origin, token)
        }
        origin.stop()
    }

    private func stored(_ site: Site, _ token: AssetToken) throws -> Int64 {
        try site.server.store.reader.progress(of: token)?.storedBytes ?? 0
    }

    @Test("pause, resume and cancel answer with the asset in its new state; the same call twice is fine")
    func actions() async throws {
        try await withHeld { site, _, token in
            for (verb, state) in [("pause", "paused"), ("cancel", "cancelled")] {
                for _ in 0..<2 {
                    let reply = try await site.post("/api/v1/assets/\(token)/\(verb)", "{}")
                    #expect(reply.status == 200)
                    #expect(reply.object["state"] as? String == state)
                    #expect(AssetObject.missing(in: reply.object) == [])
                }
            }
            #expect(try stored(site, token) > 0)
            let purged = try await site.post("/api/v1/assets/\(token)/cancel", #"{"purge": true}"#)
            #expect((purged.object["bytes"] as? [String: Any])?["stored"] as? Int == 0)
            let resumed = try await site.post("/api/v1/assets/\(token)/resume", "")
            #expect(resumed.status == 200)
            await site.server.store.untilSettled(token)
            #expect(try await site.get("/api/v1/assets/\(token)").object["state"] as? String == "complete")
            let refused = try await site.post("/api/v1/assets/\(token)/cancel", "{}")
            #expect(refused.status == 409)
            #expect((refused.object["detail"] as? String)?.contains("complete") == true)
        }
    }

    @Test("PATCH changes name, priority and metadata, and nothing else")
    func patch() async throws {
        try await withSample { site, token in
            let json = ["Content-Type": "application/json"]
            let reply = try await site.request(
                "PATCH", "/api/v1/assets/\(token)", json,
                body: #"{"name": "N", "priority": 3, "meta": {"myKey": "v"}}"#)
            #expect(reply.status == 200)
            #expect(reply.object["name"] as? String == "N")
            #expect(reply.object["priority"] as? Int == 3)
            #expect(reply.object["meta"] as? [String: String] == ["myKey": "v"])
            let wrong = try await site.request(
                "PATCH", "/api/v1/assets/\(token)", json, body: #"{"priority": "high"}"#)
            #expect(wrong.status == 400)
        }
    }

    @Test("control applies one action to several assets or to all, and reports refusals")
    func control() async throws {
        try await withHeld { site, _, token in
            let sample = try await site.importSample()
            let reply = try await site.post(
                "/api/v1/control", #"{"action": "cancel", "tokens": ["\#(token)", "\#(sample)"]}"#)
            #expect(reply.status == 200)
            #expect((reply.object["done"] as? [[String: Any]])?.first?["state"] as? String == "cancelled")
            #expect(try stored(site, token) > 0)
            let refused = (reply.object["refused"] as? [[String: Any]])?.first
            #expect(refused?["token"] as? String == sample.description)
            let all = try await site.post("/api/v1/control", #"{"action": "remove", "all": true}"#)
            #expect((all.object["done"] as? [Any])?.count == 2)
            #expect(try site.server.store.reader.assets().isEmpty)
        }
    }

    @Test(
        "a control body without an action or assets is refused",
        arguments: [
            "", "{}", #"{"action": "pause"}"#, #"{"action": "explode", "all": true}"#,
            #"{"action": "begin", "all": true}"#, #"{"action": "pause", "all": true, "tokens": []}"#,
        ])
    func badControl(_ body: String) async throws {
        try await withSite { site in
            let reply = try await site.post("/api/v1/control", body)
            #expect(reply.status == 400)
        }
    }
}
