import AssetStore
import Foundation
import TestSupport
import Testing

@testable import OfflineServer

@Suite("The work on assets, by the API", .fewAtOnce, .timeLimit(.minutes(2)))
struct ActivityAPITests {
    /// A site with a download of which one segment is refused until the origin recovers.
    private func withTrouble(_ body: (Site, AssetToken, OriginServer) async throws -> Void) async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        origin.fault("/audio/2.m4s", .status(500))
        try await withSite {
            $0.engine.pause = { _ in try await Task.sleep(for: .seconds(0.2)) }
        } _: { site in
            let token = try await site.download(url)
            try await body(site, token, origin)
        }
        origin.stop()
    }

    @Test("a segment that is retried is in the asset's object and among the activities")
    func members() async throws {
        try await withTrouble { site, token, origin in
            try await eventually {
                let asset = try await site.get("/api/v1/assets/\(token)").object
                return (asset["activity"] as? [String: Any])?["doing"] as? String == "retrying"
            }
            let list = try await site.get("/api/v1/activity").object["assets"] as? [[String: Any]]
            let entry = try #require(list?.first)
            let activity = try #require(entry["activity"] as? [String: Any])
            let error = try #require(activity["last_error"] as? [String: Any])
            #expect(entry["token"] as? String == token.description && entry["in_flight"] is Int)
            #expect(error["class"] as? String == "http" && error["retryable"] as? Bool == true)
            #expect((activity["attempt"] as? Int ?? 0) > 1 && activity["of"] as? Int == 8)
            #expect(activity["since"] is String && activity["next_try_at"] is String)
            origin.clearFaults("/audio/2.m4s")
            await site.server.store.untilSettled(token)
            let asset = try await site.get("/api/v1/assets/\(token)").object
            #expect(asset["activity"] is NSNull && asset["speed"] is NSNull && asset["eta"] is NSNull)
            #expect((asset["bytes"] as? [String: Any])?["in_flight"] as? Int == 0)
            #expect(asset["state"] as? String == "complete")
        }
    }

    @Test("a follower of the events gets the trouble, without an id")
    func events() async throws {
        try await withTrouble { site, token, _ in
            let text = site.message("GET", "/api/v1/events", [:])
            let lines = try await blocking { [server = site.server] in
                let client = try RawHTTPClient(port: server.port)
                client.send(text)
                var isActivity = false
                return client.readLines { line in
                    defer { isActivity = isActivity || line == "event: activity" }
                    return isActivity
                }
            }
            let place = try #require(lines.firstIndex(of: "event: activity"))
            #expect(place == 0 || !lines[place - 1].hasPrefix("id:"))
            #expect(lines.last?.contains(#""doing":"retrying""#) == true)
            #expect(lines.last?.contains(token.description) == true)
        }
    }
}
