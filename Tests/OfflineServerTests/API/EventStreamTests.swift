import AssetStore
import Foundation
import TestSupport
import Testing

@testable import OfflineServer

@Suite("Events by the API", .fewAtOnce, .timeLimit(.minutes(2)))
struct EventStreamTests {
    /// The lines of an event stream until one begins with `end`.
    private func lines(_ site: Site, _ target: String, _ fields: [String: String] = [:], until end: String)
        async throws -> [String]
    {
        let text = site.message("GET", target, fields)
        return try await blocking { [server = site.server] in
            let client = try RawHTTPClient(port: server.port)
            client.send(text)
            let lines = client.readLines { $0.hasPrefix(end) }
            #expect(!Secret.isIn(lines.joined(separator: "\n")))
            return lines
        }
    }

    @Test("events are replayed from the beginning or from a place, as text/event-stream")
    func replay() async throws {
        try await withSample { site, token in
            let all = try await lines(site, "/api/v1/events?since=0", until: "data:")
            #expect(all.contains("Content-Type: text/event-stream"))
            #expect(all.contains("id: 1") && all.contains("event: added"))
            #expect(all.last?.contains(token.description) == true)
            let rest = try await lines(site, "/api/v1/events", ["Last-Event-ID": "1"], until: "data:")
            #expect(rest.contains("id: 2") && rest.contains("event: state"))
            #expect(rest.last?.contains(#""state":"complete""#) == true)
        }
    }

    @Test("events come while a client follows")
    func live() async throws {
        try await withSample { site, token in
            let follower = Task { try await lines(site, "/api/v1/events?since=2", until: "event: removed") }
            try await site.server.store.remove(token)
            let seen = try await follower.value
            #expect(seen.contains { $0.contains(#""state":"removing""#) })
        }
    }

    @Test("a stream ends with the server, and a client that leaves is forgotten")
    func ending() async throws {
        let follower = try await withSample { site, _ in
            _ = try await lines(site, "/api/v1/events?since=0", until: "data:")
            let (client, text) = (
                try RawHTTPClient(port: site.server.port), site.message("GET", "/api/v1/events?since=0", [:])
            )
            try await blocking {
                client.send(text)
                #expect(!client.readLines { $0.hasPrefix("data:") }.isEmpty)
            }
            return client
        }
        _ = try await blocking { follower.readToEnd() }
    }

    @Test("an invalid position is refused, and so is another origin's page")
    func refused() async throws {
        try await withSite { site in
            #expect(try await site.get("/api/v1/events?since=x").status == 400)
            #expect(try await site.get("/api/v1/events?since=-1").status == 400)
            #expect(try await site.get("/api/v1/events?since=%2B1").status == 400)
            let foreign = try await site.get("/api/v1/events", ["Origin": "http://evil.test"])
            #expect(foreign.status == 403)
        }
    }
}
